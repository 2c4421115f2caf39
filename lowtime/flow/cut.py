"""The canonical minimum cut of a network with a maximum flow."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lowtime.flow.network import FlowNetwork


def reachable(
    num_nodes: int, tail: NDArray[np.int32], head: NDArray[np.int32], start: int
) -> NDArray[np.bool_]:
    """Nodes reachable from ``start`` over the given arcs.

    Args:
        num_nodes: number of nodes.
        tail: int32[m], tail node of every arc.
        head: int32[m], head node of every arc.
        start: node the search begins at.

    Returns:
        bool[num_nodes]; ``start`` itself is reachable.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import breadth_first_order

    order = np.argsort(tail, kind="stable")
    indptr = np.searchsorted(tail[order], np.arange(num_nodes + 1)).astype(np.int32)
    graph = csr_array(
        (np.ones(len(head), dtype=np.float64), head[order], indptr), shape=(num_nodes, num_nodes)
    )
    nodes = breadth_first_order(graph, start, directed=True, return_predecessors=False)
    side = np.zeros(num_nodes, dtype=bool)
    side[nodes] = True
    return side


def canonical_cut(network: FlowNetwork, flow: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Source side of the canonical minimum cut.

    The nodes that a search from the source reaches over arcs with ``flow < capacity`` forward and
    arcs with ``flow > 0`` backward. For any maximum flow this is the same set: it is contained in
    the source side of every minimum cut, because no arc out of a minimum cut's source side has
    residual capacity (it is saturated, and nothing flows back in).

    Args:
        network: the network.
        flow: int64[m], a maximum flow; 0 <= flow <= capacity.

    Returns:
        bool[n], True on the source side.

    Source:
        Ford and Fulkerson, Flows in Networks (1962), corollary 5.4.
    """
    forward = flow < network.capacity
    backward = flow > 0
    return reachable(
        network.num_nodes,
        np.concatenate((network.tail[forward], network.head[backward])),
        np.concatenate((network.head[forward], network.tail[backward])),
        network.source,
    )


def cut_arcs(network: FlowNetwork, source_side: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Indices of the arcs from the source side to the sink side: int64[c], increasing."""
    leaves = source_side[network.tail] & ~source_side[network.head]
    return np.flatnonzero(leaves).astype(np.int64)
