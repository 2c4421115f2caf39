"""The rows of a timeline: one lane per value of an attribute, or as few as do not overlap."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lowtime.errors import InvalidGraph
from lowtime.frontier.plan import Plan
from lowtime.frontier.problem import Problem

#: How to choose lanes: a position in tuple nodes, node -> label, a callable, "packed", or None.
LaneChoice = int | Mapping[Hashable, Any] | Callable[[Hashable], Any] | str | None
PACKED = "packed"


@dataclass(frozen=True, slots=True, eq=False)
class Lanes:
    """Labels of lanes, and the lane of every operation.

    Attributes:
        labels: the lanes, top to bottom; one nameless lane where operations are packed.
        of: int32[num_operations], lane of every operation; -1 for dummies.
        packed: whether rows are found by packing alone.
    """

    labels: tuple[Any, ...]
    of: NDArray[np.int32]
    packed: bool


def lanes(problem: Problem, choice: LaneChoice = None) -> Lanes:
    """The lane of every operation.

    Args:
        problem: the project.
        choice: a position in the nodes, where they are tuples (0 for the stage of a pipeline); a
            mapping from nodes to labels (``dict(dag.nodes(data="machine"))``); a callable of a
            node; ``"packed"`` for as few rows as do not overlap. None takes position 0 where all
            nodes are tuples of two entries or more, and packs otherwise.

    Raises:
        InvalidGraph: a node has no lane.
    """
    real = [node for node, k in zip(problem.nodes, problem.option_of, strict=True) if k >= 0]
    if choice is None:
        tuples = all(isinstance(node, tuple) and len(node) > 1 for node in real)
        choice = 0 if tuples and real else PACKED
    of = np.full(len(problem.nodes), -1, dtype=np.int32)
    is_real = np.asarray(problem.option_of) >= 0
    if choice == PACKED:
        of[is_real] = 0
        return Lanes(("",), of, packed=True)
    named = [_lane_of(node, choice) for node in real]
    labels = _ordered(named)
    position = {label: i for i, label in enumerate(labels)}
    of[is_real] = [position[label] for label in named]
    return Lanes(labels, of, packed=False)


def _lane_of(node: Hashable, choice: LaneChoice) -> Any:
    try:
        if isinstance(choice, int):
            return node[choice]  # type: ignore[index]
        if isinstance(choice, Mapping):
            return choice[node]
        if callable(choice):
            return choice(node)
    except (TypeError, IndexError, KeyError):
        raise InvalidGraph(
            f"node {node!r} has no lane by {choice!r}; name a position in the node's tuple, give a"
            ' mapping that holds every node, or "packed"'
        ) from None
    raise InvalidGraph(f'lanes {choice!r}; expected a position, a mapping, a callable or "packed"')


def _ordered(named: list[Any]) -> tuple[Any, ...]:
    """Distinct labels: sorted where they can be compared, else in order of appearance."""
    distinct = dict.fromkeys(named)
    try:
        return tuple(sorted(distinct))
    except TypeError:
        return tuple(distinct)


def rows(plan: Plan, lanes: Lanes) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The row of every operation within its lane, so that no two of a row overlap.

    Operations are taken by start, then end, then node order; each goes to the lowest free row.

    Returns:
        int64[num_operations], row within the lane (-1 for dummies and empty operations), and
        int64[lanes], how many rows each lane has (1 at least).
    """
    start = plan.start_quanta
    end = start + plan.operation_quanta
    row = np.full(len(start), -1, dtype=np.int64)
    height = np.ones(len(lanes.labels), dtype=np.int64)
    drawn = np.flatnonzero((lanes.of >= 0) & (plan.operation_quanta > 0))
    busy: list[list[tuple[int, int]]] = [[] for _ in lanes.labels]  # (free from, row), by time
    free: list[list[int]] = [[] for _ in lanes.labels]
    for i in drawn[np.lexsort((drawn, end[drawn], start[drawn]))].tolist():
        lane = int(lanes.of[i])
        while busy[lane] and busy[lane][0][0] <= start[i]:
            heappush(free[lane], heappop(busy[lane])[1])
        row[i] = heappop(free[lane]) if free[lane] else len(busy[lane])
        heappush(busy[lane], (int(end[i]), int(row[i])))
        height[lane] = max(height[lane], row[i] + 1)
    return row, height
