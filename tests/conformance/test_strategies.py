"""Authors' strategies make what the suite makes: legal networks with every kind of arc."""

from __future__ import annotations

import pytest
from hypothesis import find, given, settings

from lowtime.conformance.honest import HonestBackend
from lowtime.conformance.known_bad.tracers import HonestTracer
from lowtime.conformance.loop import joined, loop_segments, session_segments
from lowtime.conformance.strategies import activity_networks, flow_networks
from lowtime.flow.network import FlowNetwork
from lowtime.network.activity import ActivityNetwork


@settings(max_examples=100, deadline=None)
@given(flow_networks())
def test_any_network_is_solved(network: FlowNetwork) -> None:
    assert HonestBackend().max_flow(network).flow.shape == (network.num_arcs,)


@settings(max_examples=50, deadline=None)
@given(activity_networks())
def test_any_project_is_traced(network: ActivityNetwork) -> None:
    session = HonestTracer().open_frontier(network)
    assert joined(session_segments(session, network, 2)) == loop_segments(network)


def test_all_kinds_of_arcs_occur() -> None:
    def loop(network: FlowNetwork) -> bool:
        return bool((network.tail == network.head).any())

    def pairs(network: FlowNetwork) -> list[tuple[int, int]]:
        return list(zip(network.tail.tolist(), network.head.tolist(), strict=True))

    kinds = (
        loop,
        lambda n: len(set(pairs(n))) < n.num_arcs,
        lambda n: any(t != h and (h, t) in pairs(n) for t, h in pairs(n)),
        lambda n: 0 in n.capacity.tolist(),
    )
    for kind in kinds:
        find(flow_networks(), kind)
    find(activity_networks(), lambda network: len(network.marginal) > 1)


def test_sums_beyond_64_bits_are_refused() -> None:
    with pytest.raises(ValueError, match="2\\^63"):
        find(flow_networks(max_arcs=4, max_capacity=2**62), lambda network: True)
