"""Phillips and Dessouky's method as their paper tells it: one quantum a step, nothing kept.

Every step computes event times anew, builds the tight network, finds a feasible flow from zero
through an artificial source and sink, augments it, and takes the source-minimal cut. Arcs without
a limit have none here either, so that nothing depends on lowtime's UNB.

Source:
    Phillips and Dessouky, Solving the project time/cost tradeoff problem using the minimal cut
    concept (1977), doi:10.1287/mnsc.24.4.393.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import networkx as nx

from lowtime.network.activity import ActivityNetwork


@dataclass(frozen=True)
class Point:
    """One point: durations of all arcs, and what the quantum that led to it cost."""

    durations: tuple[int, ...]
    slope: int


def textbook_frontier(network: ActivityNetwork) -> list[Point]:
    """Every point from the longest to the shortest schedule, in exact integers."""
    durations = network.longest.tolist()
    points = [Point(tuple(durations), 0)]
    while True:
        step = _step(network, durations)
        if step is None:
            return points
        slope, changes = step
        for arc, sign in changes.items():
            durations[arc] += sign
        points.append(Point(tuple(durations), slope))


def event_times(network: ActivityNetwork, durations: list[int]) -> list[int]:
    """Earliest event times: the longest paths, event by event."""
    times = [0] * network.num_events
    for event in range(1, network.num_events):
        times[event] = max(
            times[tail] + duration
            for tail, head, duration in zip(
                network.tail.tolist(), network.head.tolist(), durations, strict=True
            )
            if head == event
        )
    return times


def saved(network: ActivityNetwork, arc: int, duration: int) -> int | None:
    """Cost saved by going from ``duration`` to one quantum more; None outside of the table."""
    table = int(network.table[arc])
    if table < 0:
        return None
    for piece in range(network.table_start[table], network.table_start[table + 1]):
        if network.piece_start[piece] <= duration < network.piece_end[piece]:
            return int(network.marginal[piece])
    return None


def bounds(network: ActivityNetwork, arc: int, duration: int) -> tuple[int, int | None]:
    """Lower and upper bound of the flow over a tight arc; None stands for no upper bound."""
    return saved(network, arc, duration) or 0, saved(network, arc, duration - 1)


def _step(network: ActivityNetwork, durations: list[int]) -> tuple[int, dict[int, int]] | None:
    times = event_times(network, durations)
    arcs = zip(network.tail.tolist(), network.head.tolist(), durations, strict=True)
    tight = [a for a, (u, v, d) in enumerate(arcs) if times[v] - times[u] == d]
    limits = {a: bounds(network, a, durations[a]) for a in tight}
    flow = _feasible_flow(network, limits)
    assert flow is not None, "the tight network has no feasible flow"
    if _augment(network, limits, flow) is None:
        return None
    side = _reachable(network, limits, flow)
    changes: dict[int, int] = {}
    slope = 0
    for a in tight:
        lower, upper = limits[a]
        from_side, to_side = int(network.tail[a]) in side, int(network.head[a]) in side
        if from_side and not to_side:
            assert upper is not None
            slope += upper
            changes[a] = -1
        elif to_side and not from_side:
            slope -= lower
            if durations[a] < network.longest[a]:
                changes[a] = 1
    return slope, changes


Limits = dict[int, tuple[int, int | None]]


def _feasible_flow(network: ActivityNetwork, limits: Limits) -> dict[int, int] | None:
    graph: nx.DiGraph[Any] = nx.DiGraph()
    needed = 0
    for a, (lower, upper) in limits.items():
        u, v = int(network.tail[a]), int(network.head[a])
        graph.add_edge(u, ("out of", a), **({} if upper is None else {"capacity": upper - lower}))
        graph.add_edge(("out of", a), v)
        if lower:
            graph.add_edge("artificial source", ("lower into", a), capacity=lower)
            graph.add_edge(("lower into", a), v)
            graph.add_edge(u, ("lower from", a))
            graph.add_edge(("lower from", a), "artificial sink", capacity=lower)
            needed += lower
    if not needed:
        return dict.fromkeys(limits, 0)
    graph.add_edge(network.sink, network.source)
    value, flow = nx.maximum_flow(graph, "artificial source", "artificial sink")
    if value < needed:
        return None
    return {a: limits[a][0] + flow[int(network.tail[a])][("out of", a)] for a in limits}


def _augment(network: ActivityNetwork, limits: Limits, flow: dict[int, int]) -> bool | None:
    """Make the flow maximal, in place; None where there is no maximum."""
    graph: nx.DiGraph[Any] = nx.DiGraph()
    graph.add_nodes_from([network.source, network.sink])
    for a, (lower, upper) in limits.items():
        u, v = int(network.tail[a]), int(network.head[a])
        room = {} if upper is None else {"capacity": upper - flow[a]}
        graph.add_edge(u, ("onward", a), **room)
        graph.add_edge(("onward", a), v)
        graph.add_edge(v, ("back", a), capacity=flow[a] - lower)
        graph.add_edge(("back", a), u)
    try:
        _, added = nx.maximum_flow(graph, network.source, network.sink)
    except nx.NetworkXUnbounded:
        return None
    for a in limits:
        u, v = int(network.tail[a]), int(network.head[a])
        flow[a] += added[u][("onward", a)] - added[v][("back", a)]
    return True


def _reachable(network: ActivityNetwork, limits: Limits, flow: dict[int, int]) -> set[int]:
    graph: nx.DiGraph[Any] = nx.DiGraph()
    graph.add_node(network.source)
    for a, (lower, upper) in limits.items():
        u, v = int(network.tail[a]), int(network.head[a])
        if upper is None or flow[a] < upper:
            graph.add_edge(u, v)
        if flow[a] > lower:
            graph.add_edge(v, u)
    return {network.source, *nx.descendants(graph, network.source)}
