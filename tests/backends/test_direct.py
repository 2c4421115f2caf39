"""Maximum flows and minimum cuts of a network."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lowtime

SMALL = lowtime.FlowNetwork(3, [0, 1, 0], [1, 2, 2], [5, 3, 4], source=0, sink=2)


def test_max_flow(backend_name: str) -> None:
    result = lowtime.max_flow(SMALL, backend=backend_name)
    assert result.value == 7
    assert result.flow.tolist() == [3, 3, 4]
    assert result.flow.dtype == np.int64


def test_min_cut(backend_name: str) -> None:
    cut = lowtime.min_cut(SMALL, backend=backend_name)
    assert cut.value == 7
    assert cut.source_side.tolist() == [True, True, False]
    assert cut.arcs.tolist() == [1, 2]


@pytest.mark.parametrize("check", ["always", "final", "off", None])
def test_checks(check: str | None) -> None:
    assert lowtime.max_flow(SMALL, check=check).value == 7
    assert lowtime.min_cut(SMALL, check=check).arcs.tolist() == [1, 2]


def test_an_unknown_check_is_refused() -> None:
    with pytest.raises(ValueError, match="always, final, off"):
        lowtime.max_flow(SMALL, check="never")


@pytest.mark.parametrize("thing", [nx.DiGraph([(0, 1)]), None, np.zeros((2, 2)), "file.max"])
def test_what_is_no_network_is_refused(thing: Any) -> None:
    with pytest.raises(lowtime.InvalidNetwork, match="FlowNetwork"):
        lowtime.max_flow(thing)


@st.composite
def tied_networks(draw: st.DrawFn) -> lowtime.FlowNetwork:
    """Small capacities, so that minimum cuts tie; parallel, antiparallel arcs and loops."""
    nodes = draw(st.integers(2, 7))
    node = st.integers(0, nodes - 1)
    arcs = draw(st.lists(st.tuples(node, node, st.integers(0, 3)), max_size=20))
    tail, head, capacity = zip(*arcs, strict=True) if arcs else ((), (), ())
    return lowtime.FlowNetwork(nodes, tail, head, capacity, source=0, sink=nodes - 1)


@given(network=tied_networks())
def test_every_backend_gives_the_same_smallest_cut(
    backend_name: str, network: lowtime.FlowNetwork
) -> None:
    """By brute force over all sets of nodes."""
    cut = lowtime.min_cut(network, backend=backend_name)
    sides = []
    for bits in range(2 ** (network.num_nodes - 2)):
        inner = [bits >> place & 1 for place in range(network.num_nodes - 2)]
        side = np.array([True, *map(bool, inner), False])
        leaving = side[network.tail] & ~side[network.head]
        sides.append((int(network.capacity[leaving].sum()), side))
    value = min(capacity for capacity, _ in sides)
    smallest = np.all([side for capacity, side in sides if capacity == value], axis=0)
    assert cut.value == value
    assert cut.source_side.tolist() == smallest.tolist()
    assert cut.arcs.tolist() == [
        arc
        for arc in range(network.num_arcs)
        if smallest[network.tail[arc]] and not smallest[network.head[arc]]
    ]
