"""Merging arcs into pairs, and splitting the flow of a pair back over its arcs."""

from __future__ import annotations

from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lowtime.flow.network import FlowNetwork
from lowtime.flow.pairs import ArcPairs


@st.composite
def networks(draw: st.DrawFn, largest: int = 2**63 - 1) -> FlowNetwork:
    """Small networks with many parallel and antiparallel arcs, loops and zero capacities."""
    nodes = draw(st.integers(2, 5))
    node = st.integers(0, nodes - 1)
    capacity = st.one_of(st.integers(0, 3), st.integers(0, largest // 12))
    arcs = draw(st.lists(st.tuples(node, node, capacity), max_size=12))
    tail, head, capacities = zip(*arcs, strict=True) if arcs else ((), (), ())
    return FlowNetwork(nodes, tail, head, capacities, source=0, sink=1)


@given(networks())
def test_pairs_hold_every_capacity_once(network: FlowNetwork) -> None:
    pairs = ArcPairs.of(network)
    expected: dict[tuple[int, int], list[int]] = {}
    for tail, head, capacity in zip(
        network.tail.tolist(), network.head.tolist(), network.capacity.tolist(), strict=True
    ):
        if tail != head and capacity:
            pair = expected.setdefault((min(tail, head), max(tail, head)), [0, 0])
            pair[tail > head] += capacity
    found = zip(pairs.low, pairs.high, pairs.up, pairs.down, strict=True)
    assert [tuple(map(int, row)) for row in found] == [
        (*ends, *sums) for ends, sums in sorted(expected.items())
    ]


@given(networks(), st.randoms(use_true_random=False))
def test_split_keeps_the_net_flow_within_the_capacities(
    network: FlowNetwork, random: Random
) -> None:
    pairs = ArcPairs.of(network)
    net = np.array(
        [random.randint(-int(d), int(u)) for d, u in zip(pairs.down, pairs.up, strict=True)],
        dtype=np.int64,
    )
    flow = pairs.split(net)
    assert flow.dtype == np.int64
    assert np.all((flow >= 0) & (flow <= network.capacity))
    for pair in range(len(net)):
        low, high = pairs.low[pair], pairs.high[pair]
        rising = (network.tail == low) & (network.head == high)
        falling = (network.tail == high) & (network.head == low)
        assert sum(flow[rising].tolist()) - sum(flow[falling].tolist()) == net[pair]
    assert not flow[network.tail == network.head].any()


def test_running_sums_that_wrap_do_no_harm() -> None:
    huge = 2**62
    network = FlowNetwork(
        5, [0, 0, 2, 2, 3, 3], [1, 1, 3, 3, 4, 4], [huge, huge - 1] * 3, source=0, sink=1
    )
    pairs = ArcPairs.of(network)
    assert pairs.up.tolist() == [2**63 - 1] * 3
    assert pairs.split(np.array([5, huge, huge + 7])).tolist() == [5, 0, huge, 0, huge, 7]


def test_no_arcs() -> None:
    pairs = ArcPairs.of(FlowNetwork(2, [0, 1], [0, 1], [3, 4], source=0, sink=1))
    assert len(pairs.low) == 0
    assert pairs.split(np.zeros(0, dtype=np.int64)).tolist() == [0, 0]
