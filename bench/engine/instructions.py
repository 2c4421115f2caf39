"""Instructions of the engine, counted by callgrind: a guard that does not wobble.

    python -m bench.engine.instructions [--limit N]

Needs valgrind and cargo. Prints instructions per point of one frontier; with ``--limit`` it fails
above so many.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.engine.engine_crate import built_example, write_activity
from bench.workloads.published import published_dag
from lowtime.network.activity import ActivityNetwork

CASE = ("gpt3-175b", "a40", 24)


def can_count() -> bool:
    """Whether valgrind and cargo are there."""
    return shutil.which("valgrind") is not None and shutil.which("cargo") is not None


def counted(network: ActivityNetwork, most: int = 2**60) -> tuple[int, int]:
    """Segments traced, ``most`` at most, and instructions, reading the project's text included."""
    trace = built_example("trace")
    with tempfile.TemporaryDirectory(prefix="lowtime-instructions-") as folder:
        project = Path(folder) / "project.txt"
        write_activity(network, project)
        command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
        run = subprocess.run(
            [*command, str(trace), str(project), str(most)],
            check=True,
            capture_output=True,
            text=True,
        )
    segments = re.match(r"(\d+) segments", run.stdout)
    instructions = re.search(r"Collected\s*:\s*(\d+)", run.stderr)
    if segments is None or instructions is None:
        raise RuntimeError(f"callgrind said:\n{run.stdout}{run.stderr}")
    return int(segments[1]), int(instructions[1])


def instructions_per_point() -> float:
    """Instructions from a compiled project to its last point, per point.

    Reading the project's text is counted apart, by a run that stops after the first point.
    """
    network = ActivityNetwork.from_dag(published_dag(*CASE))
    (_, start), (points, whole) = counted(network, 1), counted(network)
    return (whole - start) / points


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
