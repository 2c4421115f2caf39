"""A plan as it stands in a file."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class StoredPlan:
    """One plan of a frontier; mappings are keyed by the user's nodes.

    Attributes:
        index: point of the frontier.
        time: total time, seconds.
        cost: total cost of the cost models.
        measured_cost: total cost of the options really chosen.
        quanta: duration of every node, quanta; 0 for dummies.
        knobs: knob of every node that is no dummy.
    """

    index: int
    time: float
    cost: float
    measured_cost: float
    quanta: Mapping[Hashable, int]
    knobs: Mapping[Hashable, Any]


class StoredPlans(Protocol):
    """All plans of a frontier, from the longest schedule to the shortest.

    Attributes:
        nodes: the user's nodes.
        unit_time: seconds per quantum.
        times: float64[k], seconds, decreasing.
        costs: float64[k], increasing.
        measured_costs: float64[k].
    """

    nodes: tuple[Hashable, ...]
    unit_time: float
    times: NDArray[np.float64]
    costs: NDArray[np.float64]
    measured_costs: NDArray[np.float64]

    def __len__(self) -> int:
        """Number of points, k."""
        ...

    def plan(self, index: int) -> StoredPlan:
        """The plan of a point, 0 .. k - 1, or negative to count from the shortest schedule."""
        ...


def checked_index(index: int, points: int) -> int:
    """The index counted from the front.

    Raises:
        IndexError: there is no such point.
    """
    if not -points <= index < points:
        raise IndexError(f"point {index} of {points}; expected -{points} .. {points - 1}")
    return index % points
