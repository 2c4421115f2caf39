"""Networks with lower bounds."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

import lowtime
from lowtime.errors import CapacityRange, Infeasible, InvalidNetwork
from lowtime.flow.lower_bounds import BoundedNetwork


def linear_program(network: BoundedNetwork) -> int | None:
    """Value of the maximum flow by linear programming, or None where there is no flow."""
    plain = network.network
    arcs = range(plain.num_arcs)
    incidence = np.zeros((plain.num_nodes, plain.num_arcs))
    for arc in arcs:
        incidence[plain.tail[arc], arc] += 1
        incidence[plain.head[arc], arc] -= 1
    inner = [n for n in range(plain.num_nodes) if n not in (plain.source, plain.sink)]
    solution = linprog(
        -incidence[plain.source],
        A_eq=incidence[inner],
        b_eq=np.zeros(len(inner)),
        bounds=list(zip(network.lower.tolist(), plain.capacity.tolist(), strict=True)),
    )
    return None if solution.status == 2 else round(-solution.fun)


@st.composite
def bounded_networks(draw: st.DrawFn) -> BoundedNetwork:
    nodes = draw(st.integers(3, 6))
    node = st.integers(0, nodes - 1)
    bounds = st.tuples(st.integers(0, 3), st.integers(0, 6)).map(sorted)
    loose = st.tuples(st.just(0), st.integers(0, 6))
    arcs = draw(st.lists(st.tuples(node, node, st.one_of(bounds, loose)), min_size=1, max_size=14))
    return BoundedNetwork(
        nodes,
        [arc[0] for arc in arcs],
        [arc[1] for arc in arcs],
        [arc[2][0] for arc in arcs],
        [arc[2][1] for arc in arcs],
        source=0,
        sink=nodes - 1,
    )


@given(bounded_networks())
def test_agrees_with_a_linear_program(network: BoundedNetwork) -> None:
    expected = linear_program(network)
    if expected is None:
        with pytest.raises(Infeasible):
            lowtime.max_flow(network, backend="scipy")
        return
    result = lowtime.max_flow(network, backend="scipy")
    cut = lowtime.min_cut(network, backend="scipy")
    assert result.value == cut.value == expected
    plain, flow = network.network, result.flow
    assert np.all((network.lower <= flow) & (flow <= plain.capacity))
    excess = np.zeros(plain.num_nodes, dtype=int)
    np.add.at(excess, plain.head, flow)
    np.subtract.at(excess, plain.tail, flow)
    assert not excess[1:-1].any()
    assert -excess[0] == expected
    side = cut.source_side
    back = side[plain.head] & ~side[plain.tail]
    assert plain.capacity[cut.arcs].sum() - network.lower[back].sum() == expected


@given(bounded_networks())
def test_the_cut_is_the_smallest_source_side(network: BoundedNetwork) -> None:
    """By brute force over all sets of nodes."""
    try:
        cut = lowtime.min_cut(network, backend="scipy")
    except Infeasible:
        return
    plain = network.network
    inner = range(1, plain.num_nodes - 1)
    best = []
    for bits in range(2 ** len(inner)):
        side = np.zeros(plain.num_nodes, dtype=bool)
        side[0] = True
        side[[node for place, node in enumerate(inner) if bits >> place & 1]] = True
        out, back = side[plain.tail] & ~side[plain.head], side[plain.head] & ~side[plain.tail]
        best.append((plain.capacity[out].sum() - network.lower[back].sum(), side))
    value = min(value for value, _ in best)
    smallest = np.all([side for other, side in best if other == value], axis=0)
    assert cut.value == value
    assert cut.source_side.tolist() == smallest.tolist()


def test_infeasible_names_the_nodes_that_cannot_pass_it_on() -> None:
    graph = nx.DiGraph()
    graph.add_edge("s", "a", lower=4, capacity=5)
    graph.add_edge("a", "b", capacity=9)
    graph.add_edge("b", "t", capacity=3)
    network = BoundedNetwork.from_networkx(graph, "s", "t")
    with pytest.raises(Infeasible, match=r"'a', 'b'.* 4 .* 3$"):
        lowtime.max_flow(network)


def test_flow_may_be_forced_back_to_the_source() -> None:
    network = BoundedNetwork(2, [1], [0], [2], [5], source=0, sink=1)
    result = lowtime.max_flow(network)
    assert result.value == -2
    assert result.flow.tolist() == [2]


def test_a_loop_carries_its_lower_bound() -> None:
    network = BoundedNetwork(2, [0, 0, 1], [0, 1, 1], [2, 0, 1], [3, 4, 1], source=0, sink=1)
    result = lowtime.max_flow(network)
    assert result.value == 4
    assert result.flow.tolist() == [2, 4, 1]


@pytest.mark.parametrize("lower", [[-1, 0], [0, 4], [0], [[0, 0]], [0.0, 0.0], [0.5, 0]])
def test_lower_bounds_are_integers_up_to_the_upper(lower: Any) -> None:
    with pytest.raises(InvalidNetwork):
        BoundedNetwork(3, [0, 1], [1, 2], lower, [5, 3], source=0, sink=2)


def test_a_crossing_within_rounding_is_a_crossing() -> None:
    """They are compared as written, before a scale could round them to the same integer."""
    graph = nx.DiGraph()
    graph.add_edge(0, 1, lower=3.000000000001, capacity=3)
    with pytest.raises(InvalidNetwork, match="0 -> 1"):
        BoundedNetwork.from_networkx(graph, 0, 1, scale=1)


@pytest.mark.parametrize("lower", [float("inf"), float("nan"), -1, None])
def test_a_lower_bound_is_finite(lower: Any) -> None:
    graph = nx.DiGraph()
    graph.add_edge(0, 1, lower=lower)
    with pytest.raises(InvalidNetwork, match="0 -> 1"):
        BoundedNetwork.from_networkx(graph, 0, 1)


def test_large_bounds_are_exact_or_refused() -> None:
    huge = 2**61
    network = BoundedNetwork(3, [0, 1], [1, 2], [huge, huge], [huge + 1, huge + 2], 0, 2)
    assert lowtime.max_flow(network, backend="networkx").value == huge + 1
    with pytest.raises(CapacityRange):
        BoundedNetwork(3, [0, 1], [1, 2], [2**62, 2**62], [2**62, 2**62], 0, 2)
    largest = BoundedNetwork(2, [0], [1], [1], [2**63 - 1], 0, 1)
    assert lowtime.max_flow(largest, backend="networkx").value == 2**63 - 1


def test_arrays_are_private() -> None:
    lower = np.array([1])
    network = BoundedNetwork(2, [0], [1], lower, [3], source=0, sink=1)
    lower[0] = 2
    assert network.lower.tolist() == [1]
    with pytest.raises(ValueError, match="read-only"):
        network.lower[0] = 2


def test_no_flow_at_all_comes_before_an_unbounded_one() -> None:
    graph = nx.DiGraph()
    graph.add_edge(0, 2)
    graph.add_edge(1, 2, lower=0.5, capacity=1)  # nothing enters node 1
    network = BoundedNetwork.from_networkx(graph, 0, 2, scale=2)
    with pytest.raises(Infeasible):
        lowtime.max_flow(network)


def test_an_unbounded_flow_over_lower_bounds_is_named() -> None:
    graph = nx.DiGraph()
    graph.add_edge(0, 1)
    graph.add_edge(0, 2, lower=1, capacity=1)
    graph.add_edge(2, 1, capacity=4)
    network = BoundedNetwork.from_networkx(graph, 0, 1)
    with pytest.raises(InvalidNetwork, match=r"unbounded: .* 0 -> 1"):
        lowtime.max_flow(network)


def test_bounds_of_zero_leave_the_whole_range_of_capacities() -> None:
    network = BoundedNetwork(2, [0], [1], [0], [2**63 - 1], 0, 1)
    assert lowtime.max_flow(network, backend="networkx").value == 2**63 - 1
