"""Known-bad backends whose flow is not a maximum flow of the network."""

from __future__ import annotations

import numpy as np

from lowtime.conformance.instances import copy_of
from lowtime.conformance.known_bad.spoiled import honest_flow, info_of
from lowtime.conformance.reference import reference_source_side
from lowtime.flow.network import FlowNetwork
from lowtime.flow.result import MaxFlow


def _sink_side(network: FlowNetwork, flow: list[int]) -> np.ndarray:
    """Nodes that reach the sink in the residual network: the mirrored canonical cut."""
    mirrored = FlowNetwork(
        network.num_nodes,
        network.head,
        network.tail,
        network.capacity,
        network.sink,
        network.source,
    )
    return np.array(reference_source_side(mirrored, flow))


class SourceMaximalCut:
    """Bends the flow until lowtime's search finds the cut that the solver itself would pick."""

    info = info_of("source-maximal-cut")

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        right = honest_flow(network)
        flow = right.flow.copy()
        near = np.array(reference_source_side(network, flow.tolist()))
        far = _sink_side(network, flow.tolist())
        between = near[network.tail] & ~near[network.head] & ~far[network.head] & (flow > 0)
        flow[between] -= 1
        return MaxFlow(right.value, flow)


class ExcessLeftBehind:
    """Push-relabel without its second phase: what cannot reach the sink stays on the way."""

    info = info_of("excess-left-behind")

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        right = honest_flow(network)
        flow = right.flow.copy()
        leaving = (network.tail == network.source) & (network.head != network.source)
        flow[leaving] = network.capacity[leaving]
        return MaxFlow(right.value, flow)


class GreedyFlow:
    """Augments along forward arcs only and never takes back what it sent."""

    info = info_of("greedy-flow")

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        left = network.capacity.tolist()
        tail, head = network.tail.tolist(), network.head.tolist()
        leaving: list[list[int]] = [[] for _ in range(network.num_nodes)]
        for arc, node in enumerate(tail):
            leaving[node].append(arc)
        value = 0
        while True:
            found = {network.source: -1}
            queue = [network.source]
            for node in queue:
                for arc in leaving[node]:
                    if left[arc] and head[arc] not in found:
                        found[head[arc]] = arc
                        queue.append(head[arc])
            if network.sink not in found:
                return MaxFlow(value, network.capacity - np.array(left, dtype=np.int64))
            path, node = [], network.sink
            while node != network.source:
                path.append(found[node])
                node = tail[found[node]]
            step = min(left[arc] for arc in path)
            value += step
            for arc in path:
                left[arc] -= step


class FixedNumberOfPaths:
    """Gives up after a number of arcs that its author thought ample."""

    info = info_of("fixed-number-of-paths")

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        right = honest_flow(network)
        if network.num_arcs < 700:
            return right
        return MaxFlow(0, np.zeros_like(right.flow))


class SwappedTerminals:
    """Sends flow from the sink to the source."""

    info = info_of("swapped-terminals")

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        return honest_flow(copy_of(network, source=network.sink, sink=network.source))


class SortedArcs:
    """Returns the flow in the order of a compressed sparse row matrix."""

    info = info_of("sorted-arcs")

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        right = honest_flow(network)
        order = np.lexsort((network.head, network.tail))
        return MaxFlow(right.value, right.flow[order])


class RecursiveSearch:
    """Walks to the end of every path by recursion before it answers."""

    info = info_of("recursive-search")

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        leaving: list[list[int]] = [[] for _ in range(network.num_nodes)]
        for tail, head in zip(network.tail.tolist(), network.head.tolist(), strict=True):
            leaving[tail].append(head)
        seen: set[int] = set()

        def walk(node: int) -> None:
            seen.add(node)
            for head in leaving[node]:
                if head not in seen:
                    walk(head)

        walk(network.source)
        return honest_flow(network)
