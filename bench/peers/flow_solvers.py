"""Maximum flow through other libraries: from arrays to value and flow, as their users would."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

INT32_MAX = 2**31 - 1


class Arrays(NamedTuple):
    """A network: tail, head int32[m], capacity int64[m]."""

    num_nodes: int
    tail: NDArray[np.int32]
    head: NDArray[np.int32]
    capacity: NDArray[np.int64]
    source: int
    sink: int


Solver = Callable[[Arrays], int]


class NotApplicable(Exception):
    """The library cannot solve this network exactly."""


def ortools(network: Arrays) -> int:
    """OR-tools' push-relabel; 64-bit integers."""
    from ortools.graph.python import max_flow

    solver = max_flow.SimpleMaxFlow()
    arcs = solver.add_arcs_with_capacity(network.tail, network.head, network.capacity)
    status = solver.solve(network.source, network.sink)
    if status != solver.OPTIMAL:
        raise NotApplicable(f"status {status}")
    solver.flows(arcs)
    return int(solver.optimal_flow())


def scipy(network: Arrays) -> int:
    """SciPy's Dinic; 32-bit integers, so larger capacities cannot be asked for."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_flow

    if network.capacity.sum() > INT32_MAX and _leaving(network) > INT32_MAX // 2:
        raise NotApplicable("capacities beyond 32 bits")
    capacity = np.minimum(network.capacity, INT32_MAX // 4).astype(np.int32)
    shape = (network.num_nodes, network.num_nodes)
    matrix = csr_array((capacity, (network.tail, network.head)), shape=shape)
    result = maximum_flow(matrix, network.source, network.sink)
    _ = result.flow.data
    return int(result.flow_value)


def igraph(network: Arrays) -> int:
    """igraph's push-relabel; float64."""
    import igraph as ig

    if _leaving(network) > 2**53:
        raise NotApplicable("capacities beyond 53 bits")
    edges = np.stack((network.tail, network.head), axis=1).astype(np.intp)
    graph = ig.Graph(network.num_nodes, edges, directed=True)
    result = graph.maxflow(network.source, network.sink, network.capacity.astype(float).tolist())
    _ = result.flow
    return int(result.value)


def pymaxflow(network: Arrays) -> int:
    """Boykov and Kolmogorov's own code; it gives the value and the cut, but no flow."""
    import maxflow

    graph = maxflow.GraphInt(network.num_nodes, len(network.tail))
    graph.add_nodes(network.num_nodes)
    graph.add_edges(
        network.tail.astype(np.int64),
        network.head.astype(np.int64),
        network.capacity,
        np.zeros_like(network.capacity),
    )
    unbounded = _leaving(network) + 1
    graph.add_tedge(network.source, unbounded, 0)
    graph.add_tedge(network.sink, 0, unbounded)
    value = graph.maxflow()
    graph.get_grid_segments(np.arange(network.num_nodes))
    return int(value)


def _networkx(name: str) -> Solver:
    def solve(network: Arrays) -> int:
        import networkx as nx

        merged: dict[tuple[int, int], int] = {}
        arcs = zip(
            network.tail.tolist(), network.head.tolist(), network.capacity.tolist(), strict=True
        )
        for tail, head, capacity in arcs:
            merged[tail, head] = merged.get((tail, head), 0) + capacity
        graph: nx.DiGraph[int] = nx.DiGraph()
        graph.add_nodes_from((network.source, network.sink))
        graph.add_weighted_edges_from(
            ((u, v, c) for (u, v), c in merged.items()), weight="capacity"
        )
        function = getattr(nx.algorithms.flow, name)
        return int(function(graph, network.source, network.sink).graph["flow_value"])

    return solve


NETWORKX = (
    "edmonds_karp",
    "shortest_augmenting_path",
    "preflow_push",
    "dinitz",
    "boykov_kolmogorov",
)
SOLVERS: dict[str, Solver] = {
    "ortools": ortools,
    "scipy": scipy,
    "igraph": igraph,
    "PyMaxflow": pymaxflow,
    **{f"networkx {name}": _networkx(name) for name in NETWORKX},
}


def _leaving(network: Arrays) -> int:
    return int(network.capacity[network.tail == network.source].sum())


def _read(file: str) -> Arrays:
    with np.load(file) as stored:
        ends = [int(stored[name]) for name in ("num_nodes", "source", "sink")]
        arrays = [stored[name] for name in ("tail", "head", "capacity")]
    return Arrays(ends[0], *arrays, ends[1], ends[2])


def peer(solver: str, file: str) -> Callable[[], int]:
    """A call of another library on the arrays of a file; its answer is the value."""
    network = _read(file)
    solve = SOLVERS[solver]
    return lambda: solve(network)


def first_party(backend: str, file: str) -> Callable[[], int]:
    """A call of one of lowtime's backends; its first answer is certified.

    What is timed starts from the arrays of a `FlowNetwork`, checked when it was made, as every
    other contestant's starts from arrays that nobody checks.
    """
    from lowtime.backends.call import call_max_flow
    from lowtime.backends.selection import resolve
    from lowtime.flow.certificate import certify
    from lowtime.flow.network import FlowNetwork

    network = FlowNetwork(*_read(file))
    chosen: Any = resolve(backend).backend
    certify(network, call_max_flow(chosen, network), backend)
    return lambda: call_max_flow(chosen, network).value
