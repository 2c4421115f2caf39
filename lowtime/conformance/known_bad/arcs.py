"""Known-bad backends that mishandle some kind of arc."""

from __future__ import annotations

import numpy as np

from lowtime.conformance.instances import copy_of
from lowtime.conformance.known_bad.spoiled import honest_flow, info_of
from lowtime.flow.network import FlowNetwork
from lowtime.flow.result import MaxFlow


class LastParallelArc:
    """Keeps the last of several parallel arcs, like a dictionary keyed by both ends."""

    info = info_of("last-parallel-arc")

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        ends = list(zip(network.tail.tolist(), network.head.tolist(), strict=True))
        last = {pair: arc for arc, pair in enumerate(ends)}
        kept = np.array([last[pair] == arc for arc, pair in enumerate(ends)], dtype=bool)
        return honest_flow(copy_of(network, capacity=network.capacity * kept))


class MergedParallelArcs:
    """Adds parallel arcs up and puts the flow of all on the first."""

    info = info_of("merged-parallel-arcs")

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        right = honest_flow(network)
        first: dict[tuple[int, int], int] = {}
        flow = np.zeros_like(right.flow)
        ends = zip(network.tail.tolist(), network.head.tolist(), strict=True)
        for arc, pair in enumerate(ends):
            flow[first.setdefault(pair, arc)] += right.flow[arc]
        return MaxFlow(right.value, flow)


class DroppedAntiparallelArc:
    """Keeps one direction where arcs lead both ways."""

    info = info_of("dropped-antiparallel-arc")

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        kept: set[tuple[int, int]] = set()
        capacity = network.capacity.copy()
        ends = zip(network.tail.tolist(), network.head.tolist(), strict=True)
        for arc, (tail, head) in enumerate(ends):
            if (head, tail) in kept:
                capacity[arc] = 0
            kept.add((tail, head))
        return honest_flow(copy_of(network, capacity=capacity))


class CountedSelfLoops:
    """Fills self-loops, and counts those at the source."""

    info = info_of("counted-self-loops")

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        right = honest_flow(network)
        loops = network.tail == network.head
        flow = np.where(loops, network.capacity, right.flow)
        own = int(network.capacity[loops & (network.tail == network.source)].sum())
        return MaxFlow(right.value + own, flow)


class ZeroIsUnbounded:
    """Takes a capacity of 0 for a missing one, and a missing one for unbounded."""

    info = info_of("zero-is-unbounded")

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        capacity = np.where(network.capacity == 0, 10**6, network.capacity)
        return honest_flow(copy_of(network, capacity=capacity))


class UnreachableSinkRaises:
    """Raises where no path leads to the sink."""

    info = info_of("unreachable-sink-raises")

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        right = honest_flow(network)
        if right.value == 0:
            raise ValueError("no path from source to sink")
        return right


class NodesOnlyFromArcs:
    """Knows only nodes that touch an arc, and looks the terminals up among them."""

    info = info_of("nodes-only-from-arcs")

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        known = {*network.tail.tolist(), *network.head.tolist()}
        if not {network.source, network.sink} <= known:
            raise KeyError("the source or the sink is not a node")
        return honest_flow(network)
