"""Why a fixed "infinity" fails with integer capacities, and a derived one does not.

An earlier attempt of others at int64 capacities multiplied everything by 1e9 and let 10,000 x 1e9
stand for "unbounded". A marginal cost above 10,000 then is dearer than infinity, and the minimum
cut runs through an arc that cannot be cut.
"""

from __future__ import annotations

import networkx as nx
import pytest

import lowtime
from lowtime.operation import (
    CandidateExecutionOptions,
    ExecutionOption,
    Operation,
    OperationSpec,
)

SCALE = 10**9
FIXED_INFINITY = 10_000 * SCALE
DEAR = 12_000.5  # per quantum; an operation of a few kilowatts and seconds has it


def two_arcs() -> nx.DiGraph:
    """A dummy arc, unbounded, before an operation."""
    graph = nx.DiGraph()
    graph.add_edge("start", "ready")
    graph.add_edge("ready", "end", capacity=DEAR)
    return graph


def test_a_fixed_infinity_cuts_what_cannot_be_cut(backend_name: str) -> None:
    fixed = lowtime.FlowNetwork(3, [0, 1], [1, 2], [FIXED_INFINITY, int(DEAR * SCALE)], 0, 2)
    assert lowtime.min_cut(fixed, backend=backend_name).arcs.tolist() == [0]


def test_a_derived_infinity_does_not(backend_name: str) -> None:
    derived = lowtime.FlowNetwork.from_networkx(two_arcs(), "start", "end", scale=SCALE)
    cut = lowtime.min_cut(derived, backend=backend_name)
    assert cut.arcs.tolist() == [1]
    assert cut.value == 12_000_500_000_000


@pytest.mark.parametrize("dearness", [1e-9, 1.0, DEAR, 1e15])
def test_the_frontier_reaches_its_end_at_any_cost(backend_name: str, dearness: float) -> None:
    options = [
        ExecutionOption(real_time=float(time), unit_time=1.0, cost=cost * dearness, knob=time)
        for time, cost in ((1, 3), (2, 1), (3, 0))
    ]
    dag = nx.DiGraph()
    for node in "ab":
        spec = OperationSpec(CandidateExecutionOptions(options), None)
        dag.add_node(node, op=Operation(spec))
    dag.add_edge("a", "b")
    frontier = lowtime.solve(dag, backend=backend_name)
    assert frontier.times.tolist() == [6.0, 5.0, 4.0, 3.0, 2.0]
    assert frontier.costs.tolist() == pytest.approx([c * dearness for c in (0, 1, 2, 4, 6)])
