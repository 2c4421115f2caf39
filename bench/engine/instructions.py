"""Instructions per point of one frontier, counted by callgrind: a guard that does not wobble.

    python -m bench.engine.instructions [--limit N]

Needs valgrind and cargo. With ``--limit`` it fails above so many instructions per point.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.engine.engine_crate import built_example, write_activity
from bench.engine.pipelines import pipeline_network

CASE = ("gpt3-175b", "a40", 8, 24, 1e-4)


def instructions_per_point() -> float:
    """Instructions of the engine from a compiled project to its last point, per point.

    Reading the project's text is counted apart, by a run that stops after the first point.
    """
    trace = built_example("trace")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "project.txt"
        write_activity(pipeline_network(*CASE), path)
        (_, start), (points, whole) = (_counted(trace, path, most) for most in ("1", str(2**60)))
    return (whole - start) / points


def _counted(trace: Path, project: Path, most: str) -> tuple[int, int]:
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    run = subprocess.run(
        [*command, str(trace), str(project), most], check=True, capture_output=True, text=True
    )
    points = re.match(r"(\d+) segments", run.stdout)
    counted = re.search(r"refs:\s+([\d,]+)", run.stderr)
    if points is None or counted is None:
        raise RuntimeError(f"callgrind said:\n{run.stdout}{run.stderr}")
    return int(points[1]), int(counted[1].replace(",", ""))


def main() -> None:
    """Print the count; exit with 1 above the limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=float)
    limit = parser.parse_args().limit
    count = instructions_per_point()
    print(f"{count:.0f} instructions per point")
    if limit is not None and count > limit:
        sys.exit(f"above the limit of {limit:.0f}")


if __name__ == "__main__":
    main()
