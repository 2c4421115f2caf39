"""The canonical cut: the smallest source side of all minimum cuts, whatever the flow."""

from __future__ import annotations

from itertools import chain, combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from lowtime_igraph import IgraphBackend
from lowtime_networkx import NetworkXBackend
from lowtime_scipy import ScipyBackend
from oracle.examples import examples
from oracle.networks import flow_networks

from lowtime.flow.cut import canonical_cut, cut_arcs, reachable
from lowtime.flow.network import FlowNetwork

FLOWS = nx.algorithms.flow
SOLVERS = [
    ScipyBackend(),
    IgraphBackend(),
    *(
        NetworkXBackend(flow_func=solver)
        for solver in (
            FLOWS.edmonds_karp,
            FLOWS.preflow_push,
            FLOWS.dinitz,
            FLOWS.boykov_kolmogorov,
        )
    ),
]


def minimum_cuts(network: FlowNetwork) -> tuple[int, list[set[int]]]:
    """The capacity of a minimum cut and all source sides that have it, by trying all."""
    inner = [v for v in range(network.num_nodes) if v not in (network.source, network.sink)]
    sides = [
        {network.source, *some}
        for some in chain.from_iterable(combinations(inner, k) for k in range(len(inner) + 1))
    ]
    arcs = list(
        zip(network.tail.tolist(), network.head.tolist(), network.capacity.tolist(), strict=True)
    )
    capacities = [sum(c for u, v, c in arcs if u in side and v not in side) for side in sides]
    least = min(capacities)
    return least, [s for s, c in zip(sides, capacities, strict=True) if c == least]


@examples(60)
@given(flow_networks())
def test_the_canonical_cut_is_the_intersection_of_all_minimum_cuts(network: FlowNetwork) -> None:
    value, sides = minimum_cuts(network)
    smallest = set.intersection(*sides)
    assert smallest in sides
    for solver in SOLVERS:
        result = solver.max_flow(network)
        assert result.value == value
        side = canonical_cut(network, result.flow)
        assert set(np.flatnonzero(side).tolist()) == smallest
        assert sum(network.capacity[cut_arcs(network, side)].tolist()) == value


def test_networks_with_several_minimum_cuts_occur() -> None:
    # Otherwise the test above proves little: of a path of equal arcs every cut is minimum.
    path = FlowNetwork(4, [0, 1, 2], [1, 2, 3], [2, 2, 2], 0, 3)
    assert len(minimum_cuts(path)[1]) == 3
    side = canonical_cut(path, np.array([2, 2, 2]))
    assert side.tolist() == [True, False, False, False]
    assert cut_arcs(path, side).tolist() == [0]


def test_zero_flow_over_zero_capacities_cuts_at_the_source() -> None:
    closed = FlowNetwork(3, [0, 1], [1, 2], [0, 5], 0, 2)
    assert canonical_cut(closed, np.zeros(2, dtype=np.int64)).tolist() == [True, False, False]


def test_a_search_goes_back_over_flow() -> None:
    # 0 -> 1 -> 3 is used; 2 is reached from 0, and from there 1 against nothing, 1's flow.
    network = FlowNetwork(4, [0, 0, 2, 1], [1, 2, 1, 3], [1, 9, 9, 1], 0, 3)
    flow = np.array([1, 0, 0, 1])
    assert canonical_cut(network, flow).tolist() == [True, True, True, False]
    network = FlowNetwork(4, [0, 1, 0, 2], [1, 3, 2, 1], [0, 1, 1, 1], 0, 3)
    assert canonical_cut(network, np.array([0, 1, 1, 1])).tolist() == [True, False, False, False]


@pytest.mark.parametrize("start", [0, 2])
def test_reachable_over_parallel_arcs_and_loops(start: int) -> None:
    tail = np.array([0, 0, 1, 2, 2], dtype=np.int32)
    head = np.array([1, 1, 1, 0, 2], dtype=np.int32)
    expected = {0: [True, True, False, False], 2: [True, True, True, False]}[start]
    assert reachable(4, tail, head, start).tolist() == expected


def test_reachable_without_arcs() -> None:
    none = np.zeros(0, dtype=np.int32)
    assert reachable(3, none, none, 1).tolist() == [False, True, False]


def test_a_path_of_100_000_nodes_needs_no_recursion() -> None:
    count = 100_000
    nodes = np.arange(count, dtype=np.int32)
    assert reachable(count, nodes[:-1], nodes[1:], 0).all()
