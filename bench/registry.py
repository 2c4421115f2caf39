"""The frozen cases: workload x size x verb x backend."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import lowtime
from bench.workloads.dimacs_families import DIMACS
from bench.workloads.frontier_states import STATES
from bench.workloads.layered import LAYERED
from bench.workloads.particle_in_cell import PARTICLE_IN_CELL
from bench.workloads.published import PUBLISHED
from bench.workloads.schedules import SCHEDULE_FILES, SCHEDULES
from bench.workloads.series_parallel import SERIES_PARALLEL
from bench.workloads.stencil import STENCIL
from bench.workloads.workflows import WORKFLOWS
from bench.workloads.workload import Workload
from lowtime.backends.first_party import RESERVED

GENERATED = (LAYERED, SERIES_PARALLEL, STENCIL, PARTICLE_IN_CELL)
PROJECTS = (*PUBLISHED, *SCHEDULES, SCHEDULE_FILES, *GENERATED, WORKFLOWS)
FLOWS = (*DIMACS, *STATES)
WORKLOADS = (*PROJECTS, *FLOWS)

# The largest size of a frontier or a cold flow through some backends; the next takes minutes.
SLOW = ("networkx", "rust-ek-sparse", "rust-ek-dense")
LARGEST_FRONTIER = dict.fromkeys(SLOW, 100) | {"scipy": 1_000, "igraph": 1_000}
LARGEST_FLOW = dict.fromkeys(SLOW, 10_000)
COMMAND_WORKLOADS = ("pipeline_gpt3_a100", "pipeline_gpt3_a40")


@dataclass(frozen=True, slots=True)
class Case:
    """One thing to time.

    Attributes:
        workload: where its input comes from.
        size: one of the workload's sizes.
        verb: one of `bench.verbs.VERBS`.
        backend: name of a first-party backend; "" where the verb needs none.
    """

    workload: Workload
    size: int
    verb: str
    backend: str = ""

    @property
    def id(self) -> str:
        """Such as ``pipeline_1f1b-n=96-rust``; the verb is the benchmark's name."""
        if self.verb == "import":
            return "lowtime"
        return "-".join(filter(None, (self.workload.name, f"n={self.size}", self.backend)))

    def input(self) -> Any:
        """The DAG or the flow network, built once."""
        return _input(self.workload, self.size)


@lru_cache(maxsize=4)
def _input(workload: Workload, size: int) -> Any:
    return workload.build(size)


def usable_backends() -> tuple[str, ...]:
    """First-party backends that work here, in the order of ``auto``."""
    rows = lowtime.backends(probe=True)
    return tuple(row.name for row in rows if row.state == "usable" and row.name in RESERVED)


def cases(smoke: bool = False) -> Iterator[Case]:
    """Every case; with ``smoke`` one of each workload, verb and backend, at a tiny size."""
    backends = usable_backends()
    for workload in WORKLOADS:
        if workload.missing:
            continue
        sizes = (workload.smoke,) if smoke else workload.sizes
        for size in sizes:
            if workload.makes == "project":
                yield Case(workload, size, "compile")
            for verb in ("step", "frontier") if workload.makes == "project" else ("max_flow",):
                for backend in backends:
                    if _in_reach(workload, size, verb, backend, smoke):
                        yield Case(workload, size, verb, backend)
            if workload.name in COMMAND_WORKLOADS:
                for backend in backends[:1] if smoke else backends[:3]:
                    yield Case(workload, size, "command", backend)
    yield Case(LAYERED, LAYERED.smoke, "import")


def _in_reach(workload: Workload, size: int, verb: str, backend: str, smoke: bool) -> bool:
    if verb == "max_flow":
        return smoke or size <= LARGEST_FLOW.get(backend, size)
    if verb == "step":
        return smoke or size <= 10 * LARGEST_FRONTIER.get(backend, size)
    if backend not in LARGEST_FRONTIER:
        return True
    # A smoke pass traces whole frontiers through every backend once; on the A40 they have
    # 10^4 points, which only a native tracer steps through in a second.
    if smoke:
        return workload is LAYERED
    return size <= LARGEST_FRONTIER[backend] and not workload.name.endswith("_a40")


def missing_workloads() -> dict[str, str]:
    """Workloads that are left out here, with the reason."""
    return {workload.name: workload.missing for workload in WORKLOADS if workload.missing}
