"""The oracle agrees with trying every cut, and shares no fault with what it judges."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings

from lowtime.conformance.expected import Expected, expected_of, require_max_flow
from lowtime.conformance.instances import chain, diamond, make
from lowtime.conformance.reference import (
    cheapest_cut_by_enumeration,
    reference_flow,
    reference_source_side,
)
from lowtime.conformance.strategies import flow_networks
from lowtime.flow.network import FlowNetwork
from lowtime.flow.result import MaxFlow


@settings(max_examples=200, deadline=None)
@given(flow_networks(max_nodes=6))
def test_reference_finds_the_cheapest_cut(network: FlowNetwork) -> None:
    value, flow = reference_flow(network)
    side = reference_source_side(network, flow)
    assert (value, side) == cheapest_cut_by_enumeration(network)


@settings(max_examples=50, deadline=None)
@given(flow_networks(max_nodes=6, max_capacity=2**58))
def test_reference_proves_itself_at_large_capacities(network: FlowNetwork) -> None:
    value, flow = reference_flow(network)
    result = MaxFlow(value, np.array(flow, dtype=np.int64))
    assert require_max_flow(network, result, expected_of(network), "own flow") == flow


def test_reference_is_not_recursive_and_does_not_count_units() -> None:
    assert reference_flow(chain(20_000))[0] == 2
    assert reference_flow(diamond(2**60))[0] == 2**61


def test_sums_above_64_bits_stay_exact() -> None:
    wide = 2**62
    arcs = [(0, 1, wide), *[(1, v, wide) for v in (2, 3, 4)], *[(v, 5, wide) for v in (2, 3, 4)]]
    assert expected_of(make(6, arcs, 0, 5)) == Expected(wide, (True, *[False] * 5))
