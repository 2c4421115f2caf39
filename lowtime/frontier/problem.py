"""What a frontier needs to know of the project it belongs to."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lowtime.backends.protocol import Segments
from lowtime.network.activity import ActivityNetwork
from lowtime.network.event_times import earliest_times
from lowtime.network.options import OptionTable
from lowtime.network.project import Project


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """A compiled project without its operation objects: all of it can be written to a file.

    Attributes:
        network: the activity network.
        nodes: the user's nodes, in the order of the operations.
        options: the distinct option tables.
        option_of: int32[num_operations], option table of every operation; -1 for dummies.
        unit_time: seconds per quantum.
        longest_time: total time of the longest schedule, quanta.
    """

    network: ActivityNetwork
    nodes: tuple[Hashable, ...]
    options: tuple[OptionTable, ...]
    option_of: NDArray[np.int32]
    unit_time: float
    longest_time: int

    @classmethod
    def from_project(cls, project: Project) -> Problem:
        """The problem of a compiled project."""
        return cls(
            network=project.network,
            nodes=project.nodes,
            options=project.options,
            option_of=np.array(project.option_of, dtype=np.int32),
            unit_time=project.unit_time,
            longest_time=int(earliest_times(project.network, project.network.longest)[-1]),
        )

    @property
    def cost_unit(self) -> float:
        """What one cost unit is worth."""
        return self.network.cost_unit

    @property
    def start_cost(self) -> float:
        """Cost of the longest schedule."""
        return self.network.start_cost

    def chosen_options(self, quanta: NDArray[np.int64]) -> NDArray[np.int64]:
        """Index of the slowest option that meets each operation's duration; -1 for dummies.

        Args:
            quanta: int64[num_operations], durations.
        """
        chosen = np.full(len(quanta), -1, dtype=np.int64)
        for k, table in enumerate(self.options):
            of_table = self.option_of == k
            chosen[of_table] = table.choose(quanta[of_table])
        return chosen

    def measured_costs(self, segments: Segments) -> NDArray[np.float64]:
        """Sum of the measured costs of the options chosen at every point: float64[points]."""
        arcs = len(self.nodes)
        longest = self.network.longest[:arcs]
        chosen = self.chosen_options(longest)
        start = float(
            sum(
                self.options[k].costs[option]
                for k, option in zip(self.option_of.tolist(), chosen.tolist(), strict=True)
                if k >= 0
            )
        )
        points = int(segments.length.sum()) + 1
        steps = np.zeros(points)
        steps[0] = start
        # Every single-quantum change, sorted by operation; within one, from long to short.
        length = np.repeat(segments.length, np.diff(segments.offset))
        first_point = np.repeat(
            np.cumsum(segments.length) - segments.length, np.diff(segments.offset)
        )
        within = np.arange(int(length.sum())) - np.repeat(np.cumsum(length) - length, length)
        point = np.repeat(first_point, length) + within + 1
        arc = np.repeat(segments.arc, length)
        order = np.lexsort((point, arc))
        point, arc = point[order], arc[order]
        sign = np.repeat(segments.sign, length)[order].astype(np.int64)
        total = np.cumsum(sign)
        is_first = np.concatenate(([True], arc[1:] != arc[:-1])) if len(arc) else np.zeros(0, bool)
        before_first = np.repeat(
            (total - sign)[is_first], np.diff(np.append(np.flatnonzero(is_first), len(arc)))
        )
        after = longest[arc] + total - before_first
        for k, table in enumerate(self.options):
            of_table = self.option_of[arc] == k
            new = table.choose(after[of_table])
            old = table.choose((after - sign)[of_table])
            moved = new != old
            np.add.at(
                steps, point[of_table][moved], table.costs[new[moved]] - table.costs[old[moved]]
            )
        return np.cumsum(steps)
