"""What `explain` says without solving."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from lowtime_networkx import NetworkXBackend

import lowtime
from lowtime.backends import explanation, first_party
from lowtime.backends.expected_time import (
    RATES,
    ProjectSize,
    frontier_seconds,
    max_flow_seconds,
    warm_flow_seconds,
)
from lowtime.backends.protocol import BackendInfo
from lowtime.flow.network import FlowNetwork
from lowtime.flow.result import MaxFlow
from lowtime.network.activity import ActivityNetwork
from lowtime.operation import (
    CandidateExecutionOptions,
    ExecutionOption,
    Operation,
    OperationSpec,
)

SMALL = FlowNetwork(3, [0, 1], [1, 2], [5, 3], source=0, sink=2)


def small_dag() -> nx.DiGraph:
    dag = nx.DiGraph()
    for node in "ab":
        options = [
            ExecutionOption(real_time=time, unit_time=1.0, cost=cost, knob=time)
            for time, cost in ((1.0, 9.0), (3.0, 5.0), (6.0, 2.0))
        ]
        dag.add_node(node, op=Operation(OperationSpec(CandidateExecutionOptions(options), None)))
    dag.add_edge("a", "b")
    return dag


class Unsolving(NetworkXBackend):
    info = BackendInfo("unsolving", "9", max_capacity=2**63 - 1, max_total=2**63 - 1)

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        raise AssertionError("explain must not solve")


@pytest.mark.parametrize(
    "problem",
    [SMALL, small_dag(), ActivityNetwork.from_dag(small_dag())],
    ids=["flow", "dag", "aoa"],
)
def test_nothing_is_solved(problem: object) -> None:
    found = lowtime.explain(problem, backend=Unsolving())
    assert (found.backend, found.version, found.seconds) == ("unsolving", "9", None)
    assert {other.name for other in found.others} == set(first_party.RESERVED)
    assert all(other.seconds > 0 for other in found.others)


def test_steps_are_bounded_by_the_quanta_and_by_the_kinks() -> None:
    fine = ActivityNetwork.from_dag(small_dag())
    assert explanation.project_size(fine).steps <= 10
    stretched = ActivityNetwork(
        fine.num_events,
        fine.num_operations,
        fine.tail,
        fine.head,
        fine.shortest * 10**6,
        fine.longest * 10**6,
        fine.table,
        fine.table_start,
        fine.piece_start * 10**6,
        fine.piece_end * 10**6,
        fine.marginal,
        fine.unbounded,
        fine.cost_unit,
        fine.start_cost,
    )
    assert explanation.project_size(stretched).steps < 100


def test_size_of_a_project() -> None:
    """Two chains of two operations each, and the dummies between them."""
    size = explanation.project_size(ActivityNetwork.from_dag(small_dag()))
    network = ActivityNetwork.from_dag(small_dag())
    assert (size.events, size.arcs) == (network.num_events, network.num_arcs)
    assert 1 <= size.parallelism <= network.num_operations
    assert size.depth >= size.reach > 0


def test_wide_projects_take_longer_per_step_than_narrow_ones_of_the_same_arcs() -> None:
    """Layered random projects once took six times what was expected of them."""
    narrow = ProjectSize(3000, 5000, 1000, parallelism=7.0, depth=400)
    wide = ProjectSize(3000, 5000, 1000, parallelism=30.0, depth=70)
    times = [frontier_seconds("rust", size) or 0.0 for size in (narrow, wide)]
    assert times[1] > 3 * times[0]


def test_reasons(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOWTIME_BACKEND_BLOCK", "rust,igraph")
    large = FlowNetwork(2, [0], [1], [2**62], source=0, sink=1)
    found = lowtime.explain(large)  # without auto's warning: nothing is about to run
    assert found.backend == "networkx"
    assert found.reason.startswith("auto")
    why = {other.name: other.why_not for other in found.others}
    assert str(2**62) in why["scipy"]
    assert "LOWTIME_BACKEND_BLOCK" in why["igraph"]
    small = lowtime.explain(SMALL)
    assert small.backend == "scipy"
    assert {other.name: other.why_not for other in small.others}["networkx"] == "auto prefers scipy"
    lowtime.set_backend("networkx")
    assert lowtime.explain(SMALL).reason == "set_backend"


def test_what_is_not_installed_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from lowtime.backends import registry

    found = registry.discover().offers
    lean = registry.Discovery({name: found[name] for name in ("networkx", "scipy")}, {})
    monkeypatch.setattr(registry, "_read_entry_points", lambda: lean)
    monkeypatch.setattr(registry, "_discovered", None)
    why = {other.name: other.why_not for other in lowtime.explain(SMALL).others}
    assert why["rust"] == "not installed (pip install lowtime-rust)"
    assert lowtime.explain(SMALL).backend == "scipy"


def test_errors_are_those_of_solving() -> None:
    with pytest.raises(lowtime.BackendNotFound):
        lowtime.explain(SMALL, backend="nosuch")
    with pytest.raises(lowtime.InvalidGraph):
        lowtime.explain(nx.DiGraph([(0, 1), (1, 0)]))


def test_the_table_covers_every_first_party_backend() -> None:
    assert set(RATES) == set(first_party.RESERVED)
    for name in RATES:
        times = [max_flow_seconds(name, 10**k, 10**k) or 0.0 for k in range(2, 5)]
        assert times == sorted(times)
        assert times[0] > 0
        assert (warm_flow_seconds(name, 1000, 1000) or 0.0) > 0
        sizes = (ProjectSize(1000, 1000, k, parallelism=4.0, depth=200) for k in (0, 10, 1000))
        start, few, many = (frontier_seconds(name, size) or 0.0 for size in sizes)
        assert start > 0
        assert np.isclose(many - start, 100 * (few - start))


def test_printed_for_people() -> None:
    text = str(lowtime.explain(small_dag(), backend="networkx"))
    assert text.splitlines()[0].startswith("a project of ")
    assert "networkx" in text.splitlines()[0]
    assert "not scipy: networkx was chosen: named in the call" in text
    assert "e+" not in text
