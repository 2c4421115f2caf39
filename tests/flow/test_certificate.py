"""The certificate: right flows pass, every way to be wrong is told."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lowtime_scipy import ScipyBackend
from oracle.examples import examples
from oracle.networks import flow_networks

from lowtime.errors import BackendFault
from lowtime.flow.certificate import certify, node_excess
from lowtime.flow.cut import canonical_cut
from lowtime.flow.network import INT64_MAX, FlowNetwork
from lowtime.flow.result import MaxFlow


@examples(80)
@given(flow_networks())
def test_a_maximum_flow_passes_and_gives_its_canonical_cut(network: FlowNetwork) -> None:
    result = ScipyBackend().max_flow(network)
    assert np.array_equal(certify(network, result), canonical_cut(network, result.flow))


@examples(150)
@given(flow_networks(), st.integers(0, 2**32))
def test_another_flow_passes_only_if_it_is_a_maximum_one(network: FlowNetwork, seed: int) -> None:
    result = ScipyBackend().max_flow(network)
    random = Random(seed)
    flow = result.flow.copy()
    if network.num_arcs:
        arc = random.randrange(network.num_arcs)
        flow[arc] += random.choice([-2, -1, 1, 2]) * max(1, int(network.capacity[arc]) // 3)
    value = result.value + random.choice([0, 0, -1, 1])
    excess = [0] * network.num_nodes
    for u, v, x in zip(network.tail.tolist(), network.head.tolist(), flow.tolist(), strict=True):
        excess[u] -= x
        excess[v] += x
    right = (
        value == result.value == -excess[network.source]
        and all((flow >= 0) & (flow <= network.capacity))
        and not any(flow[network.tail == network.head])
        and all(e == 0 for v, e in enumerate(excess) if v not in (network.source, network.sink))
    )
    if right:
        certify(network, MaxFlow(value, flow))
    else:
        with pytest.raises(BackendFault):
            certify(network, MaxFlow(value, flow))


NETWORK = FlowNetwork(4, [0, 1, 1, 2, 2], [1, 2, 3, 3, 2], [4, 2, 1, 5, 9], source=0, sink=3)


@pytest.mark.parametrize(
    ("value", "flow", "match"),
    [
        (3, [3, 2, 1, 2, 0], None),
        (3, [3, 2, 1, 2, 9], "arc 4, a self-loop"),
        (5, [5, 2, 3, 2, 0], r"5 over arc 0 \(0 -> 1\); its capacity is 4"),
        (3, [3, 2, 1, -2, 0], "-2 over arc 3"),
        (3, [3, 2, 1, 1, 0], "node 2: 1 more enters"),
        (2, [2, 2, 1, 2, 0], "node 1: -1 more enters"),
        (4, [3, 2, 1, 2, 0], "stated a flow of 4, but its arcs carry 3"),
        (-3, [3, 2, 1, 2, 0], "stated a flow of -3"),
        (2, [2, 2, 0, 2, 0], "2 that can be augmented"),
        (0, [0, 0, 0, 0, 0], "0 that can be augmented"),
    ],
)
def test_the_fault_is_told_with_its_place(value: int, flow: list[int], match: str | None) -> None:
    result = MaxFlow(value, np.array(flow))
    if match is None:
        assert certify(NETWORK, result).tolist() == [True, True, False, False]
    else:
        with pytest.raises(BackendFault, match=f"^b .*{match}"):
            certify(NETWORK, result, "b")


def test_circulations_are_legal() -> None:
    circle = FlowNetwork(4, [0, 1, 2, 1], [1, 2, 1, 3], [5, 3, 3, 2], 0, 3)
    certify(circle, MaxFlow(2, np.array([2, 3, 3, 2])))
    through_source = FlowNetwork(3, [0, 1, 1], [1, 0, 2], [5, 3, 2], 0, 2)
    certify(through_source, MaxFlow(2, np.array([5, 3, 2])))


def test_sums_beyond_64_bits_do_not_wrap() -> None:
    # Two arcs of 2^63 - 1 into one node and two out of it: conserved, and their sum wraps.
    big = INT64_MAX
    network = FlowNetwork(
        6, [0, 1, 1, 2, 3, 4, 4], [1, 2, 3, 4, 4, 5, 2], [5, big, big, big, big, 5, big], 0, 5
    )
    flow = np.array([5, 5, 0, big, 0, 5, big - 5])
    certify(network, MaxFlow(5, flow))
    flow[4] = 1
    with pytest.raises(BackendFault, match="node 3: -1 more"):
        certify(network, MaxFlow(5, flow))


def test_a_loss_of_a_multiple_of_2_32_is_told() -> None:
    network = FlowNetwork(3, [0, 1], [1, 2], [2**40, 2**40], 0, 2)
    with pytest.raises(BackendFault, match=f"node 1: {2**32} more"):
        certify(network, MaxFlow(2**40, np.array([2**40, 2**40 - 2**32])))


@examples(100)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, INT64_MAX))))
def test_excess_is_an_exact_sum(arcs: list[tuple[int, int, int]]) -> None:
    tail = np.array([u for u, _, _ in arcs], dtype=np.int32)
    head = np.array([v for _, v, _ in arcs], dtype=np.int32)
    high, low = node_excess(3, tail, head, np.array([x for *_, x in arcs], dtype=np.int64))
    assert np.all((low >= 0) & (low < 2**32))
    expected = [sum(x * ((v == n) - (u == n)) for u, v, x in arcs) for n in range(3)]
    assert [(h << 32) + x for h, x in zip(high.tolist(), low.tolist(), strict=True)] == expected
