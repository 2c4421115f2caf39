"""``python -m bench.work``: work as counts, which do not wobble; ``--write`` stores them.

Steps, searches, augmentations, visited nodes: the counters that every result carries. Calls: the
functions of Python and C that one solve calls. Instructions: what callgrind counts for a frontier
traced by the engine, where valgrind and cargo are there.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import lowtime
from bench.engine.instructions import can_count, counted
from bench.workloads.layered import layered_dag
from bench.workloads.particle_in_cell import particle_dag
from bench.workloads.published import published_dag
from bench.workloads.series_parallel import series_parallel_dag
from bench.workloads.stencil import stencil_dag
from lowtime.network.activity import ActivityNetwork

ROOT = Path(__file__).parents[1]
BASELINE = ROOT / "bench/reports/work.json"
CASES: dict[str, Callable[[], Any]] = {
    "layered-n=300": lambda: layered_dag(300),
    "series_parallel-n=100": lambda: series_parallel_dag(100),
    "stencil_2d-n=16": lambda: stencil_dag(16),
    "particle_in_cell-n=10": lambda: particle_dag(10),
    "pipeline_gpt3_a100-n=12": lambda: published_dag("gpt3-175b", "a100_sxm", 12),
}
BACKENDS = ("rust", "scipy")  # the native tracer, and lowtime's own loop
CALLS = "stencil_2d-n=16"
INSTRUCTIONS = "pipeline_gpt3_a100-n=12"


def counters(case: str, backend: str) -> dict[str, int]:
    """The counters of one frontier."""
    return dict(lowtime.solve(CASES[case](), backend=backend).provenance.counters)


def calls(backend: str) -> int:
    """Functions that one solve calls, Python's and C's; imports and caches are warm."""
    dag = CASES[CALLS]()
    lowtime.solve(dag, backend=backend)
    called = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal called
        called += event in ("call", "c_call")

    previous = sys.getprofile()
    sys.setprofile(count)
    try:
        lowtime.solve(dag, backend=backend)
    finally:
        sys.setprofile(previous)
    return called


def instructions() -> int:
    """Instructions of the engine for one frontier."""
    return counted(ActivityNetwork.from_dag(CASES[INSTRUCTIONS]()))[1]


def baseline() -> dict[str, Any]:
    """What is stored."""
    stored: dict[str, Any] = json.loads(BASELINE.read_text())
    return stored


def main(arguments: list[str] | None = None) -> int:
    """Print what is counted now beside the baseline; with ``--write`` store it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="make it the baseline")
    asked = parser.parse_args(arguments)
    now: dict[str, Any] = {
        "counters": {
            f"{case}-{backend}": counters(case, backend) for case in CASES for backend in BACKENDS
        },
        "calls": {backend: calls(backend) for backend in BACKENDS},
    }
    if can_count():
        now["instructions"] = instructions()
    if asked.write:
        BASELINE.write_text(json.dumps(now, indent=1) + "\n")
    else:
        print(json.dumps({"baseline": baseline(), "now": now}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
