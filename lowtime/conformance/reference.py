"""Exact maximum flows and canonical cuts in plain Python integers, the suite's oracle."""

from __future__ import annotations

from collections import deque

from lowtime.flow.network import FlowNetwork


def reference_flow(network: FlowNetwork) -> tuple[int, list[int]]:
    """Value and flow of a maximum flow, in Python integers, which cannot overflow.

    Shares no code with the solvers and the certificate that lowtime itself uses.

    Source: E. A. Dinic: Algorithm for solution of a problem of maximum flow in networks with power
    estimation, Soviet Math. Doklady 11, 1970. O(n^2 m) steps.

    Returns:
        The value and one integer per arc, 0 on self-loops.
    """
    tail, head = network.tail.tolist(), network.head.tolist()
    residual: list[int] = []  # half-arc 2i is arc i, half-arc 2i + 1 its reverse
    leaving: list[list[int]] = [[] for _ in range(network.num_nodes)]
    for arc, capacity in enumerate(network.capacity.tolist()):
        residual += [capacity, 0]
        if tail[arc] != head[arc]:
            leaving[tail[arc]].append(2 * arc)
            leaving[head[arc]].append(2 * arc + 1)
    ends = [end for arc in range(network.num_arcs) for end in (head[arc], tail[arc])]
    value = 0
    while True:
        level = _levels(network, leaving, ends, residual)
        if level[network.sink] < 0:
            return value, residual[1::2]
        value += _blocking_flow(network, leaving, ends, residual, level)


def _levels(
    network: FlowNetwork, leaving: list[list[int]], ends: list[int], residual: list[int]
) -> list[int]:
    level = [-1] * network.num_nodes
    level[network.source] = 0
    queue = deque([network.source])
    while queue:
        node = queue.popleft()
        for half in leaving[node]:
            if residual[half] and level[ends[half]] < 0:
                level[ends[half]] = level[node] + 1
                queue.append(ends[half])
    return level


def _blocking_flow(
    network: FlowNetwork,
    leaving: list[list[int]],
    ends: list[int],
    residual: list[int],
    level: list[int],
) -> int:
    """Augment along shortest paths until none is left, without recursion; the flow added."""
    added = 0
    position = [0] * network.num_nodes
    path: list[int] = []
    node = network.source
    while True:
        if node == network.sink:
            bottleneck = min(residual[half] for half in path)
            added += bottleneck
            for half in path:
                residual[half] -= bottleneck
                residual[half ^ 1] += bottleneck
            first = next(i for i, half in enumerate(path) if not residual[half])
            node = ends[path[first] ^ 1]
            del path[first:]
            continue
        while position[node] < len(leaving[node]):
            half = leaving[node][position[node]]
            if residual[half] and level[ends[half]] == level[node] + 1:
                path.append(half)
                node = ends[half]
                break
            position[node] += 1
        else:
            if node == network.source:
                return added
            node = ends[path.pop() ^ 1]
            position[node] += 1


def reference_source_side(network: FlowNetwork, flow: list[int]) -> list[bool]:
    """One bool per node: reachable from the source in the residual network of the flow."""
    leaving: list[list[int]] = [[] for _ in range(network.num_nodes)]
    arcs = zip(
        network.tail.tolist(), network.head.tolist(), network.capacity.tolist(), flow, strict=True
    )
    for tail, head, capacity, used in arcs:
        if used < capacity:
            leaving[tail].append(head)
        if used > 0:
            leaving[head].append(tail)
    side = [False] * network.num_nodes
    side[network.source] = True
    stack = [network.source]
    while stack:
        for node in leaving[stack.pop()]:
            if not side[node]:
                side[node] = True
                stack.append(node)
    return side


def cheapest_cut_by_enumeration(network: FlowNetwork) -> tuple[int, list[bool]]:
    """Value and source side of the smallest minimum cut, found by trying every cut.

    Minimum cuts are closed under intersection (their capacity is submodular), so the one with the
    fewest nodes is unique. Exponential: for at most a dozen nodes.
    """
    arcs = list(
        zip(network.tail.tolist(), network.head.tolist(), network.capacity.tolist(), strict=True)
    )
    inner = [v for v in range(network.num_nodes) if v not in (network.source, network.sink)]
    best: tuple[int, int, list[bool]] | None = None
    for chosen in range(2 ** len(inner)):
        side = [False] * network.num_nodes
        side[network.source] = True
        for bit, node in enumerate(inner):
            side[node] = bool(chosen >> bit & 1)
        cut = sum(c for t, h, c in arcs if side[t] and not side[h])
        if best is None or (cut, sum(side)) < best[:2]:
            best = (cut, sum(side), side)
    assert best is not None  # 2 ** 0 is 1: there is always one cut
    return best[0], best[2]
