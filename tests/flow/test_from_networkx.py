"""Flow networks from NetworkX graphs."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lowtime
from lowtime.errors import CapacityRange, InvalidNetwork
from lowtime.flow.network import FlowNetwork


def chain(*capacities: Any) -> nx.DiGraph:
    """s -> a -> b ... with the given capacities; ... leaves one out."""
    graph = nx.DiGraph()
    names = ["s", *"abcdefgh"[: len(capacities) - 1], "t"]
    for tail, head, capacity in zip(names, names[1:], capacities, strict=False):
        graph.add_edge(tail, head, **({} if capacity is ... else {"capacity": capacity}))
    return graph


def read(graph: Any, **options: Any) -> FlowNetwork:
    return FlowNetwork.from_networkx(graph, "s", "t", **options)


def test_arcs_and_labels_keep_the_order_of_the_graph() -> None:
    graph = nx.MultiDiGraph()
    graph.add_node(("odd", 1))
    graph.add_edge("s", "t", capacity=3)
    graph.add_edge("s", "t", capacity=np.int32(4))
    graph.add_edge("t", "t", capacity=5)
    graph.add_edge("t", "s", capacity=0)
    network = read(graph)
    assert network.labels == (("odd", 1), "s", "t")
    assert network.tail.tolist() == [1, 1, 2, 2]
    assert network.head.tolist() == [2, 2, 2, 1]
    assert network.capacity.tolist() == [3, 4, 5, 0]
    assert (network.source, network.sink) == (1, 2)


def test_another_attribute() -> None:
    graph = nx.DiGraph()
    graph.add_edge("s", "t", weight=7, capacity=1)
    assert read(graph, capacity="weight").capacity.tolist() == [7]


@pytest.mark.parametrize("value", [..., float("inf"), np.float64("inf"), Decimal("Infinity")])
def test_unbounded_arcs_are_in_no_minimum_cut(value: Any) -> None:
    cut = lowtime.min_cut(read(chain(value, 4, value, 4, value)))
    assert cut.value == 4
    assert cut.arcs.tolist() == [1]


@pytest.mark.parametrize("graph_type", [nx.DiGraph, nx.MultiDiGraph])
def test_an_unbounded_path_is_named(graph_type: type) -> None:
    with pytest.raises(InvalidNetwork, match=r"unbounded.*'s' -> 'a' -> 't'"):
        read(graph_type(chain(..., float("inf"))))


def test_a_long_unbounded_path_is_shown_short() -> None:
    graph = nx.path_graph(30_000, create_using=nx.DiGraph)
    with pytest.raises(InvalidNetwork) as caught:
        FlowNetwork.from_networkx(graph, 0, 29_999)
    assert "0 -> 1 -> 2" in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    "value",
    [
        -1,
        -0.5,
        float("nan"),
        np.float64("nan"),
        Decimal("NaN"),
        float("-inf"),
        Decimal(-1),
        None,
        "3",
        True,
        1j,
        [3],
    ],
    ids=repr,
)
@pytest.mark.parametrize("scale", [None, 10])
def test_what_is_no_capacity_is_refused_by_name(value: Any, scale: int | None) -> None:
    with pytest.raises(InvalidNetwork, match="'a' -> 't'"):
        read(chain(2, value), scale=scale)


@pytest.mark.parametrize(
    "value", [0.5, 3.0, Decimal("0.5"), Fraction(1, 2), np.float32(2)], ids=repr
)
def test_decimals_need_a_scale(value: Any) -> None:
    with pytest.raises(InvalidNetwork, match=r"'a' -> 't'.*scale="):
        read(chain(2, value))


@pytest.mark.parametrize(
    ("value", "scale", "expected"),
    [
        (0.29, 100, 29),  # int(0.29 * 100) is 28
        (np.float64(0.29), 100, 29),
        (np.float32(0.1), 10**9, 10**8),  # the decimal of its own precision
        (Decimal("0.1"), 10, 1),
        (Fraction(7, 6), 6, 7),
        (0.5, 1, 0),  # half to even
        (1.5, 1, 2),
        (2.5, 1, 2),
        (0.1, 0.1, 0),
        (3, Fraction(1, 3), 1),
        (3, Decimal("0.5"), 2),
        (2.6999999999999997, 10**16, 26999999999999997),
    ],
)
def test_scaling_is_exact_and_rounds_half_to_even(value: Any, scale: Any, expected: int) -> None:
    assert read(chain(2**40, value), scale=scale).capacity.tolist()[1] == expected


@pytest.mark.parametrize("scale", [0, -1, float("nan"), float("inf"), "10", True, Decimal("NaN")])
def test_a_scale_is_a_positive_number(scale: Any) -> None:
    with pytest.raises(InvalidNetwork, match="scale"):
        read(chain(2, 3), scale=scale)


def test_undirected_graphs_are_refused() -> None:
    with pytest.raises(InvalidNetwork, match="undirected"):
        read(nx.Graph([("s", "t")]))


@pytest.mark.parametrize(("source", "sink"), [("s", "x"), ("x", "t"), ("s", "s")])
def test_terminals_are_two_nodes(source: str, sink: str) -> None:
    with pytest.raises(InvalidNetwork):
        FlowNetwork.from_networkx(chain(1, 2), source, sink)


def test_a_capacity_beyond_64_bits_that_limits_nothing_is_legal() -> None:
    cut = lowtime.min_cut(read(chain(2**70, 2**61, 2**63)), backend="networkx")
    assert cut.value == 2**61
    assert cut.arcs.tolist() == [1]


def test_capacities_beyond_64_bits_that_limit_the_flow_are_refused() -> None:
    with pytest.raises(CapacityRange, match="'s' -> 'a' -> 't'"):
        read(chain(2**63, ...))


def test_no_room_for_a_stand_in() -> None:
    with pytest.raises(CapacityRange, match=str(2**63 - 1)):
        read(chain(..., 2**63 - 1))


@given(st.data())
def test_a_stand_in_changes_no_cut(data: st.DataObject) -> None:
    """Against NetworkX, which computes with infinity itself."""
    node = st.integers(0, 5)
    capacity = st.one_of(st.integers(0, 4), st.just(float("inf")))
    arcs = data.draw(st.dictionaries(st.tuples(node, node), capacity, max_size=14))
    graph = nx.DiGraph()
    graph.add_nodes_from(range(6))
    for (tail, head), value in arcs.items():
        graph.add_edge(tail, head, capacity=value)
    try:
        expected = nx.maximum_flow_value(graph, 0, 5)
    except nx.NetworkXUnbounded:
        with pytest.raises(InvalidNetwork, match="unbounded"):
            FlowNetwork.from_networkx(graph, 0, 5)
        return
    assert lowtime.max_flow(FlowNetwork.from_networkx(graph, 0, 5), "scipy").value == expected


def test_range_errors_name_the_users_nodes() -> None:
    """They once named numbers that the graph does not have."""
    graph = nx.MultiDiGraph()
    for _ in range(2):
        graph.add_edge(("odd", 1), "t", capacity=2**62)
    graph.add_edge("s", ("odd", 1), capacity=1)
    with pytest.raises(CapacityRange, match=r"parallel arcs \('odd', 1\) -> 't' sum to"):
        read(graph)
    graph.add_edge("s", "t", capacity=2**63 - 1)
    with pytest.raises(CapacityRange, match="leave the source 's' sum to"):
        read(graph)
