"""Every case of the registry runs once, at a tiny size; what it computes is sound."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from bench.registry import WORKLOADS, Case, cases, missing_workloads
from bench.verbs import VERBS
from bench.workloads.dimacs_families import DIMACS
from bench.workloads.particle_in_cell import loads
from bench.workloads.stencil import minimal_surface
from bench.workloads.workload import Workload

SMOKE = [case for case in cases(smoke=True) if case.verb not in ("command", "import")]
PRESENT = [workload for workload in WORKLOADS if not workload.missing]


@pytest.mark.parametrize("case", SMOKE, ids=lambda case: f"{case.verb}-{case.id}")
def test_case_runs(case: Case) -> None:
    timed = VERBS[case.verb](case)
    assert timed.call(*timed.setup()) is not None


@pytest.mark.parametrize("verb", ["command", "import"])
def test_process_runs(verb: str) -> None:
    case = next(case for case in cases(smoke=True) if case.verb == verb)
    timed = VERBS[verb](case)
    timed.call(*timed.setup())  # raises where the process fails


def test_ids_are_unique() -> None:
    for smoke in (True, False):
        ids = [f"{case.verb}/{case.id}" for case in cases(smoke)]
        assert len(set(ids)) == len(ids)


def test_every_workload_has_cases_or_a_reason() -> None:
    named = {case.workload.name for case in cases(smoke=True)}
    assert named | missing_workloads().keys() == {workload.name for workload in WORKLOADS}


@pytest.mark.parametrize("workload", PRESENT, ids=lambda workload: workload.name)
def test_inputs_are_the_same_every_time(workload: Workload) -> None:
    first, second = workload.build(workload.smoke), workload.build(workload.smoke)
    if workload.makes == "flow":
        for name in ("tail", "head", "capacity"):
            assert np.array_equal(getattr(first, name), getattr(second, name))
    else:
        assert list(first.nodes) == list(second.nodes)
        assert list(first.edges) == list(second.edges)
        assert nx.is_directed_acyclic_graph(first)


@pytest.mark.parametrize("workload", DIMACS, ids=lambda workload: workload.name)
def test_sizes_count_arcs(workload: Workload) -> None:
    assert 0.5 < workload.build(10_000).num_arcs / 10_000 < 1.5


def test_minimal_surface() -> None:
    assert minimal_surface(12, 400, 300) == (4, 3)
    assert minimal_surface(7, 10, 100) == (1, 7)
    grids = [(p, 24 // p) for p in range(1, 25) if 24 % p == 0]
    surface = {grid: (grid[0] - 1) * 50 + (grid[1] - 1) * 90 for grid in grids}
    assert surface[minimal_surface(24, 90, 50)] == min(surface.values())


def test_particles_crowd_and_drift() -> None:
    first, next_ = loads(16, 0), loads(16, 1)
    assert first == sorted(first, reverse=True)
    assert first[0] > 2 * first[-1]
    assert next_[1:] == first[:-1]
