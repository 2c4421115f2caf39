"""Integer against floating-point capacities in the same solver: time, and whether it is right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.measure import repeats_for, seconds_per_call
from bench.parts.capacity_stores import random_dag
from bench.peers.flow_solvers import NETWORKX
from bench.plan import Plan
from bench.sample import Sample, ratio
from lowtime.flow.network import FlowNetwork

TITLE = "Integer against floating-point capacities"
DECIMAL = 10  # a float capacity is the integer over this: a price in dimes
NODES = (12, 24, 48)
SEEDS = 10


def run(plan: Plan) -> dict[str, Any]:
    """The same networks with ints and with floats, through every solver that takes both."""
    solvers = _solvers(plan.peers)
    sizes = NODES[:1] if plan.smoke else NODES
    rows = []
    for name, solve in solvers.items():
        for nodes in sizes:
            if plan.left <= 0:
                continue
            rows.append(_row(name, solve, nodes, plan))
    return {"rows": rows, "decimal": DECIMAL}


def _row(
    name: str,
    solve: Callable[[FlowNetwork, bool], tuple[float, frozenset[int]]],
    nodes: int,
    plan: Plan,
) -> dict[str, Any]:
    networks = [_network(nodes, seed) for seed in range(2 if plan.smoke else SEEDS)]
    seconds: dict[bool, list[float]] = {False: [], True: []}
    wrong_value = wrong_cut = 0
    for network in networks:
        exact, side = solve(network, False)
        value, floating_side = solve(network, True)
        wrong_value += round(value * DECIMAL) != exact or value != exact / DECIMAL
        wrong_cut += floating_side != side
    for _ in range(plan.runs):
        for floating in (False, True):
            network = networks[0]
            repeats = repeats_for(seconds_per_call(lambda n=network, f=floating: solve(n, f)))
            seconds[floating].append(
                seconds_per_call(lambda n=network, f=floating: solve(n, f), repeats)
            )
    return {
        "solver": name,
        "nodes": nodes,
        "networks": len(networks),
        "inexact_values": wrong_value,
        "other_cuts": wrong_cut,
        "int": Sample(tuple(seconds[False])).to_dict(),
        "float": Sample(tuple(seconds[True])).to_dict(),
        "float_over_int": ratio(seconds[True], seconds[False]),
    }


def _network(nodes: int, seed: int) -> FlowNetwork:
    """A DAG whose capacities lie so close that many cuts are minimum."""
    rng = np.random.default_rng([22, nodes, seed])
    dag = random_dag(nodes, 0.2)
    capacity = rng.integers(1, 8, size=dag.num_arcs)
    return FlowNetwork(nodes, dag.tail, dag.head, capacity, 0, nodes - 1)


def _solvers(
    peers: bool,
) -> dict[str, Callable[[FlowNetwork, bool], tuple[float, frozenset[int]]]]:
    solvers = {f"networkx {name}": _networkx(name) for name in NETWORKX}
    if peers:
        try:
            import maxflow  # type: ignore[import-not-found] # noqa: F401
        except ImportError:
            return solvers
        solvers["PyMaxflow"] = _pymaxflow
    return solvers


def _networkx(name: str) -> Callable[[FlowNetwork, bool], tuple[float, frozenset[int]]]:
    import networkx as nx

    function = getattr(nx.algorithms.flow, name)

    def solve(network: FlowNetwork, floating: bool) -> tuple[float, frozenset[int]]:
        graph: nx.DiGraph[int] = nx.DiGraph()
        capacity = _capacities(network, floating).tolist()
        arcs = zip(network.tail.tolist(), network.head.tolist(), capacity, strict=True)
        graph.add_weighted_edges_from(arcs, weight="capacity")
        residual = function(graph, network.source, network.sink)
        side, stack = {network.source}, [network.source]
        while stack:
            node = stack.pop()
            for head, arc in residual[node].items():
                if head not in side and arc["flow"] < arc["capacity"]:
                    side.add(head)
                    stack.append(head)
        return residual.graph["flow_value"], frozenset(side)

    return solve


def _pymaxflow(network: FlowNetwork, floating: bool) -> tuple[float, frozenset[int]]:
    import maxflow

    capacity = _capacities(network, floating)
    graph = (maxflow.GraphFloat if floating else maxflow.GraphInt)(network.num_nodes, len(capacity))
    graph.add_nodes(network.num_nodes)
    nothing = np.zeros_like(capacity)
    tail, head = network.tail.astype(np.int64), network.head.astype(np.int64)
    graph.add_edges(tail, head, capacity, nothing)
    unbounded = capacity.sum() + 1
    graph.add_tedge(network.source, unbounded, 0)
    graph.add_tedge(network.sink, 0, unbounded)
    value = graph.maxflow()
    segments = graph.get_grid_segments(np.arange(network.num_nodes))
    return value, frozenset(np.flatnonzero(~segments).tolist())


def _capacities(network: FlowNetwork, floating: bool) -> NDArray[Any]:
    return network.capacity / DECIMAL if floating else network.capacity
