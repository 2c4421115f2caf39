"""The proof that a flow is a maximum flow."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lowtime.errors import BackendFault
from lowtime.flow.cut import canonical_cut, cut_arcs
from lowtime.flow.network import FlowNetwork, exact_sum
from lowtime.flow.result import MaxFlow


def certify(
    network: FlowNetwork, result: MaxFlow, backend: str = "the backend"
) -> NDArray[np.bool_]:
    """Source side of the canonical cut, after proving that the flow is maximal.

    A flow within its bounds, conserved at every inner node, whose value equals the capacity of
    some cut, is a maximum flow and the cut a minimum one (weak duality). All sums are exact.

    Args:
        network: the network that was solved.
        result: what the backend returned; ``flow`` is int64[m].
        backend: name for the message.

    Returns:
        bool[n], True on the source side of the canonical minimum cut.

    Raises:
        BackendFault: a flow outside ``[0, capacity]``, on a self-loop, not conserved, of another
            value than stated, or smaller than the cut.
    """
    flow = result.flow
    outside = np.flatnonzero((flow < 0) | (flow > network.capacity))
    if outside.size:
        arc = int(outside[0])
        raise BackendFault(
            f"{backend} sent {flow[arc]} over arc {arc} ({network.tail[arc]} ->"
            f" {network.head[arc]}); its capacity is {network.capacity[arc]}"
        )
    loops = np.flatnonzero((network.tail == network.head) & (flow != 0))
    if loops.size:
        raise BackendFault(f"{backend} sent {flow[loops[0]]} over arc {loops[0]}, a self-loop")
    excess_high, excess_low = node_excess(network.num_nodes, network.tail, network.head, flow)
    inner = np.ones(network.num_nodes, dtype=bool)
    inner[[network.source, network.sink]] = False
    unbalanced = np.flatnonzero(inner & ((excess_high != 0) | (excess_low != 0)))
    if unbalanced.size:
        node = int(unbalanced[0])
        excess = (int(excess_high[node]) << 32) + int(excess_low[node])
        raise BackendFault(f"{backend} lost flow at node {node}: {excess} more enters than leaves")
    sent = -((int(excess_high[network.source]) << 32) + int(excess_low[network.source]))
    if sent != result.value:
        raise BackendFault(f"{backend} stated a flow of {result.value}, but its arcs carry {sent}")
    side = canonical_cut(network, flow)
    capacity = exact_sum(network.capacity[cut_arcs(network, side)])
    if side[network.sink] or capacity != sent:
        raise BackendFault(
            f"{backend} returned a flow of {sent} that can be augmented; it is not a maximum flow"
        )
    return side


def node_excess(
    num_nodes: int, tail: NDArray[np.int32], head: NDArray[np.int32], flow: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """What enters every node less what leaves it, as ``high * 2^32 + low``, unique and exact.

    Flow up to 2^63 - 1 is summed in 32-bit halves, so no sum wraps. ``low`` is in
    ``0 .. 2^32 - 1``.
    """
    high = np.zeros(num_nodes, dtype=np.int64)
    low = np.zeros(num_nodes, dtype=np.int64)
    for ends, sign in ((head, 1), (tail, -1)):
        np.add.at(high, ends, sign * (flow >> 32))
        np.add.at(low, ends, sign * (flow & 0xFFFFFFFF))
    return high + (low >> 32), low & 0xFFFFFFFF
