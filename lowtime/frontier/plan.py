"""One plan: a duration and a knob for every operation."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lowtime.frontier.problem import Problem
from lowtime.network.event_times import earliest_times, latest_times

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False)
class Plan:
    """The plan behind one point of a frontier. Mappings are keyed by the user's nodes.

    Attributes:
        problem: what was solved.
        index: point of the frontier.
        operation_quanta: int64[num_operations], duration of every operation, read-only.
        time: total time, seconds.
        cost: total cost of the cost models.
    """

    problem: Problem
    index: int
    operation_quanta: NDArray[np.int64]
    time: float
    cost: float

    def __repr__(self) -> str:
        return f"<Plan {self.index}: {self.time:.6g} s at cost {self.cost:.6g}>"

    @cached_property
    def quanta(self) -> dict[Hashable, int]:
        """Duration of every node, quanta; 0 for dummies."""
        return dict(zip(self.problem.nodes, self.operation_quanta.tolist(), strict=True))

    @cached_property
    def durations(self) -> dict[Hashable, float]:
        """Duration of every node, seconds; 0 for dummies."""
        durations = self.operation_quanta * self.problem.unit_time
        return dict(zip(self.problem.nodes, durations.tolist(), strict=True))

    @cached_property
    def _chosen(self) -> list[tuple[Hashable, int, int]]:
        """(node, option table, option) of every operation that is no dummy."""
        chosen = self.problem.chosen_options(self.operation_quanta).tolist()
        return [
            (node, table, option)
            for node, table, option in zip(
                self.problem.nodes, self.problem.option_of.tolist(), chosen, strict=True
            )
            if table >= 0
        ]

    @cached_property
    def knobs(self) -> dict[Hashable, Any]:
        """Knob of every operation that is no dummy: the slowest option that meets its duration."""
        options = self.problem.options
        return {node: options[table].knobs[option] for node, table, option in self._chosen}

    @cached_property
    def measured_cost(self) -> float:
        """Sum of the measured costs of the options chosen (compensated)."""
        options = self.problem.options
        return math.fsum(options[table].costs[option] for _, table, option in self._chosen)

    @cached_property
    def _event_quanta(self) -> NDArray[np.int64]:
        return earliest_times(self.problem.network, self._arc_quanta)

    @property
    def _arc_quanta(self) -> NDArray[np.int64]:
        durations = self.problem.network.longest.copy()
        durations[: len(self.operation_quanta)] = self.operation_quanta
        return durations

    @cached_property
    def start_quanta(self) -> NDArray[np.int64]:
        """Earliest start of every operation: int64[num_operations], quanta."""
        tail = self.problem.network.tail[: len(self.operation_quanta)]
        return self._event_quanta[tail]

    @cached_property
    def start_times(self) -> dict[Hashable, float]:
        """Earliest start of every node, seconds."""
        starts = self.start_quanta * self.problem.unit_time
        return dict(zip(self.problem.nodes, starts.tolist(), strict=True))

    @cached_property
    def slack_quanta(self) -> NDArray[np.int64]:
        """How much later every operation may start: int64[num_operations], quanta."""
        network = self.problem.network
        latest = latest_times(network, self._arc_quanta, int(self._event_quanta[-1]))
        head = network.head[: len(self.operation_quanta)]
        return latest[head] - self.operation_quanta - self.start_quanta

    @cached_property
    def critical(self) -> tuple[Hashable, ...]:
        """Nodes of the operations (no dummies) without slack, in the order of the graph."""
        is_critical = (self.slack_quanta == 0) & (self.problem.option_of >= 0)
        return tuple(self.problem.nodes[i] for i in np.flatnonzero(is_critical))

    def digest(self) -> str:
        """SHA-256 over the durations (int64, little-endian, in the order of ``dag.nodes``)."""
        return hashlib.sha256(self.operation_quanta.astype("<i8").tobytes()).hexdigest()

    def plot(self, ax: Axes | None = None, **style: Any) -> Axes:
        """Draw the timeline of the plan; see `lowtime.frontier.timeline`."""
        from lowtime.frontier.timeline import plot_timeline

        return plot_timeline(self, ax, **style)
