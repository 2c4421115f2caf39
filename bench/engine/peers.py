"""Other people's max-flow solvers, from the same arrays: graph build and flow read-out included."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from bench.engine.families import Arrays


def ortools(network: Arrays) -> int:
    """OR-tools `SimpleMaxFlow` (push-relabel)."""
    from ortools.graph.python import max_flow

    solver = max_flow.SimpleMaxFlow()
    arcs = solver.add_arcs_with_capacity(network.tail, network.head, network.capacity)
    if solver.solve(network.source, network.sink) != solver.OPTIMAL:
        raise RuntimeError("OR-tools did not reach the optimum")
    solver.flows(arcs)
    return int(solver.optimal_flow())


def igraph(network: Arrays) -> int:
    """igraph (push-relabel)."""
    import igraph

    graph = igraph.Graph(
        network.num_nodes, np.column_stack((network.tail, network.head)), directed=True
    )
    result = graph.maxflow(network.source, network.sink, network.capacity.tolist())
    _ = result.flow
    return int(result.value)


def pymaxflow(network: Arrays) -> int:
    """PyMaxflow (Boykov-Kolmogorov); it has no flow read-out, so it is spared that part."""
    import maxflow

    graph = maxflow.GraphInt(network.num_nodes, len(network.tail))
    nodes = graph.add_grid_nodes(network.num_nodes)
    total = int(network.capacity[network.tail == network.source].sum())
    graph.add_tedge(network.source, total, 0)
    graph.add_tedge(network.sink, 0, total)
    graph.add_edges(network.tail, network.head, network.capacity, np.zeros_like(network.capacity))
    value = graph.maxflow()
    graph.get_grid_segments(nodes)
    return int(value)


PEERS: dict[str, Callable[[Arrays], int]] = {
    "ortools": ortools,
    "igraph": igraph,
    "pymaxflow": pymaxflow,
}
