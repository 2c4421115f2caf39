"""The frontier by trying all durations, in exact arithmetic."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import product
from typing import Any


def every_frontier_point(
    operations: Mapping[Any, Sequence[tuple[int, int]] | None],
    edges: Sequence[tuple[Any, Any]],
) -> dict[int, int]:
    """Least cost of every total time that some plan takes and no shorter plan undercuts.

    Only plans that choose one of the options for every operation are tried: exact where every
    number of quanta is an option.

    Args:
        operations: (quanta, cost) options of every node, in topological order; None for a dummy.
        edges: precedences.
    """
    nodes = list(operations)
    before = {node: [u for u, v in edges if v == node] for node in nodes}
    best: dict[int, int] = {}
    for choice in product(*(operations[node] or [(0, 0)] for node in nodes)):
        finish: dict[Hashable, int] = {}
        for node, (duration, _) in zip(nodes, choice, strict=True):
            finish[node] = duration + max((finish[u] for u in before[node]), default=0)
        time, cost = max(finish.values()), sum(cost for _, cost in choice)
        best[time] = min(cost, best.get(time, cost))
    frontier: dict[int, int] = {}
    for time in sorted(best):
        if not frontier or best[time] < min(frontier.values()):
            frontier[time] = best[time]
    return frontier
