"""The Python adapters: maximum flows that certify, up to the limits they declare."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lowtime_igraph import IgraphBackend
from lowtime_networkx import NetworkXBackend
from lowtime_scipy import ScipyBackend
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_flow

from lowtime.backends.protocol import MaxFlowBackend
from lowtime.flow.certificate import certify
from lowtime.flow.network import FlowNetwork

ADAPTERS = [NetworkXBackend(), ScipyBackend(), IgraphBackend()]
every_adapter = pytest.mark.parametrize("backend", ADAPTERS, ids=lambda b: b.info.name)


@st.composite
def networks(draw: st.DrawFn, total: int) -> FlowNetwork:
    """Small networks from whose source exactly ``total`` may leave."""
    nodes = draw(st.integers(2, 6))
    node = st.integers(0, nodes - 1)
    capacity = st.one_of(
        st.integers(0, 3), st.integers(max(0, total - 3), total), st.integers(0, total)
    )
    arcs = draw(st.lists(st.tuples(st.integers(1, nodes - 1), node, capacity), max_size=20))
    bounds = sorted(draw(st.lists(st.integers(0, total), max_size=4)))
    shares = np.diff([0, *bounds, total]).tolist()
    arcs += [(0, draw(st.integers(1, nodes - 1)), share) for share in shares]
    order = draw(st.permutations(arcs))
    # Parallel arcs may sum beyond 2^63 - 1, which FlowNetwork refuses: cap them.
    tail, head, capacities = zip(*order, strict=True)
    limit = (2**63 - 1) // len(order)
    if total > limit:
        capacities = tuple(
            c if t == 0 else min(c, limit) for t, c in zip(tail, capacities, strict=True)
        )
    return FlowNetwork(nodes, tail, head, capacities, source=0, sink=1)


@every_adapter
@given(data=st.data())
@settings(max_examples=150)
def test_flows_certify_at_every_size_of_total(backend: MaxFlowBackend, data: st.DataObject) -> None:
    bits = data.draw(st.integers(1, backend.info.max_total.bit_length() - 1))
    network = data.draw(networks(2**bits - 1))
    certify(network, backend.max_flow(network))


@every_adapter
@given(data=st.data())
@settings(max_examples=150)
def test_flows_are_exact_at_the_declared_limit(
    backend: MaxFlowBackend, data: st.DataObject
) -> None:
    network = data.draw(networks(backend.info.max_total))
    assert network.total_leaving_source == backend.info.max_total
    certify(network, backend.max_flow(network))


@every_adapter
def test_one_arc_may_be_as_large_as_declared(backend: MaxFlowBackend) -> None:
    largest = backend.info.max_capacity
    assert largest == 2**63 - 1
    network = FlowNetwork(4, [0, 2, 3], [2, 3, 1], [5, largest, largest], source=0, sink=1)
    result = backend.max_flow(network)
    assert result.value == 5
    certify(network, result)


def test_igraph_declares_no_more_than_is_exact() -> None:
    """One bit above the declared total float64 loses a unit."""
    total = 2 * IgraphBackend.info.max_total
    network = FlowNetwork(3, [0, 2], [2, 1], [total - 1, total - 1], source=0, sink=1)
    assert IgraphBackend().max_flow(network).value != total - 1


def test_scipy_alone_wraps_where_the_adapter_is_exact() -> None:
    """2^31 is 0 in int32, and an antiparallel pair near it overflows its residual."""
    matrix = csr_array(np.array([[0, 2**31], [0, 0]]))
    assert maximum_flow(matrix, 0, 1).flow_value != 2**31
    network = FlowNetwork(2, [0], [1], [2**31], source=0, sink=1)
    assert ScipyBackend().max_flow(network).value == 2**31


@pytest.mark.parametrize("rounds_bits", [30, 31, 50, 62])
def test_scipy_refines_over_a_wide_cut(rounds_bits: int) -> None:
    """Hundreds of cut arcs leave many units over at every scale."""
    rng = np.random.default_rng(rounds_bits)
    width = 300
    share = 2**rounds_bits // width - 1
    middle = np.arange(2, 2 + width)
    back = rng.permutation(middle)
    network = FlowNetwork(
        2 + width,
        [0] * width + middle.tolist() * 2,
        middle.tolist() + [1] * width + back.tolist(),
        rng.integers(0, share, 3 * width),
        source=0,
        sink=1,
    )
    certify(network, ScipyBackend().max_flow(network))


@pytest.mark.parametrize(
    "name",
    ["edmonds_karp", "shortest_augmenting_path", "preflow_push", "dinitz", "boykov_kolmogorov"],
)
def test_networkx_takes_each_of_its_flow_functions(name: str) -> None:
    network = FlowNetwork(
        4,
        [0, 0, 2, 3, 2, 3, 0, 1],
        [2, 3, 3, 2, 1, 1, 2, 0],
        [2**62, 7, 2**61, 2**61, 2**60, 11, 2**61, 5],
        source=0,
        sink=1,
    )
    backend = NetworkXBackend(flow_func=getattr(nx.algorithms.flow, name))
    result = backend.max_flow(network)
    assert result.value == 2**60 + 11
    certify(network, result)


@every_adapter
def test_a_long_chain_needs_no_recursion(backend: MaxFlowBackend) -> None:
    nodes = 20_000
    chain = np.arange(nodes - 1)
    network = FlowNetwork(nodes, chain, chain + 1, chain + 2**40, source=0, sink=nodes - 1)
    assert backend.max_flow(network).value == 2**40
