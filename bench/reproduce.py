"""``make reproduce``: every published curve, point for point, through three backends."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from bench.published_curves import DEVICES, Fit, find_curves

BACKENDS = ("rust", "scipy", "igraph")
FITS: tuple[Fit, ...] = ("published", "own")


def main() -> int:
    """Compare all curves; the exit code is 1 when one is too far from the published one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="holds stage_profile and frontier")
    parser.add_argument("--backends", default=",".join(BACKENDS))
    arguments = parser.parse_args()
    curves = find_curves(arguments.folder)
    if not curves:
        print(f"{arguments.folder}: no frontier/*/*.csv.gz (make reproduce DATA=folder)")
        return 1
    failed = 0
    print(f"{'curve':<28}{'backend':<10}{'fit':<11}{'points':>7}{'distance':>10}{'seconds':>9}")
    for curve in curves:
        for fit in FITS:
            allowed = DEVICES[curve.device].tolerance[fit]
            for backend in arguments.backends.split(","):
                start = time.perf_counter()
                frontier = curve.solve(backend, fit)
                seconds = time.perf_counter() - start
                distance = curve.distance(frontier)
                failed += distance > allowed
                print(
                    f"{curve!s:<28}{backend:<10}{fit:<11}{len(frontier):>7}{distance:>10.1e}"
                    f"{seconds:>9.2f}{'' if distance <= allowed else f'  above {allowed}'}",
                    flush=True,
                )
    print(f"{len(curves)} curves: {'all agree' if not failed else f'{failed} comparisons failed'}")
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
