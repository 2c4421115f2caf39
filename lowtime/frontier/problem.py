"""What a frontier needs to know of the project it belongs to."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, field
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from lowtime.backends.protocol import Segments
from lowtime.counted import counted
from lowtime.errors import InvalidNetwork
from lowtime.network.activity import ActivityNetwork
from lowtime.network.event_times import earliest_times
from lowtime.network.options import OptionTable
from lowtime.network.project import Project
from lowtime.network.runs import last_not_above


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
    longest_time: int = field(init=False)
    _option_start: NDArray[np.int64] = field(init=False)  # [tables + 1], first option of each
    _option_quanta: NDArray[np.int64] = field(init=False)  # [options] of all tables

    def __post_init__(self) -> None:
        start = np.cumsum([0] + [len(table.knobs) for table in self.options], dtype=np.int64)
        quanta = np.concatenate([table.quanta for table in self.options] or [start[:0]])
        longest = int(earliest_times(self.network, self.network.longest)[-1])
        object.__setattr__(self, "longest_time", longest)
        object.__setattr__(self, "_option_start", start)
        object.__setattr__(self, "_option_quanta", quanta)
        self._check()

    def _check(self) -> None:
        """What a project gives is sound; a file may hold anything."""
        operations = self.network.num_operations
        if len(self.nodes) != operations or self.option_of.shape != (operations,):
            raise InvalidNetwork(
                f"{counted(len(self.nodes), 'node')} and"
                f" {counted(len(self.option_of), 'option table')} for"
                f" {counted(operations, 'operation')}"
            )
        if np.any((self.option_of < -1) | (self.option_of >= len(self.options))):
            raise InvalidNetwork("an operation has an option table that does not exist")
        for table in self.options:
            sizes = {len(table.quanta), len(table.costs), len(table.times), len(table.knobs)}
            rises = table.quanta[1:] > table.quanta[:-1]
            if len(sizes) > 1 or sizes == {0} or not np.all(rises):
                raise InvalidNetwork(f"the options of node {table.node!r} are no table")
        if not 0 < self.unit_time < math.inf:
            raise InvalidNetwork(f"the unit time is {self.unit_time}; expected more than 0")

    @classmethod
    def from_project(cls, project: Project) -> Problem:
        """The problem of a compiled project."""
        return cls(
            network=project.network,
            nodes=project.nodes,
            options=project.options,
            option_of=np.array(project.option_of, dtype=np.int32),
            unit_time=project.unit_time,
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
        real = np.flatnonzero(self.option_of >= 0)
        tables = self.option_of[real]
        chosen[real] = self._choose(tables, quanta[real]) - self._option_start[tables]
        return chosen

    def _choose(self, tables: NDArray[np.int32], quanta: NDArray[np.int64]) -> NDArray[np.int64]:
        """Place, among all options of all tables, of the slowest one that meets each duration."""
        first, end = self._option_start[tables], self._option_start[tables + 1]
        # Where even the fastest takes longer, it is the fastest.
        return np.maximum(last_not_above(self._option_quanta, first, end, quanta), first)

    def measured_costs(self, segments: Segments) -> NDArray[np.float64]:
        """Sum of the measured costs of the options chosen at every point: float64[points].

        Exact sums, rounded once: the same bits as `Plan.measured_cost`.
        """
        costs, unit = _exact([cost for table in self.options for cost in table.costs.tolist()])
        real = np.flatnonzero(self.option_of >= 0)
        longest = self.network.longest[: len(self.nodes)]
        start = self._choose(self.option_of[real], longest[real])
        change = [sum(costs[option] for option in start.tolist())]
        change += [0] * int(segments.length.sum())
        point, arc, sign, longer = _single_changes(longest, segments)
        tables = self.option_of[arc]
        option = self._choose(tables, longer)
        # A quantum less leaves an option only where it fitted exactly, and then for the one before.
        moved = np.flatnonzero(
            (self._option_quanta[option] == longer) & (option > self._option_start[tables])
        )
        for i, slower, direction in zip(
            point[moved].tolist(), option[moved].tolist(), sign[moved].tolist(), strict=True
        ):
            change[i] += (costs[slower] - costs[slower - 1]) * direction
        return np.array([total / unit for total in accumulate(change)])


def _exact(costs: list[float]) -> tuple[list[int], int]:
    """Costs as integers, and the power of two that they are multiplied by."""
    ratios = [cost.as_integer_ratio() for cost in costs]
    unit = max((denominator for _, denominator in ratios), default=1)
    return [numerator * (unit // denominator) for numerator, denominator in ratios], unit


def _single_changes(
    longest: NDArray[np.int64], segments: Segments
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int8], NDArray[np.int64]]:
    """Every change by one quantum: point it leads to, operation, sign, the longer duration of both.

    Sorted by operation; within one, from the longest schedule to the shortest.
    """
    count = np.diff(segments.offset)
    length = np.repeat(segments.length, count)
    first_point = np.repeat(np.cumsum(segments.length) - segments.length, count)
    # Segment by segment, every change of it once for each of its quanta.
    within = np.arange(int(length.sum())) - np.repeat(np.cumsum(length) - length, length)
    arc = np.repeat(segments.arc, length)
    # A stable sort keeps the order of the points; NumPy's is linear for 16 bits.
    order = np.argsort(arc.astype(np.uint16) if len(longest) <= 2**16 else arc, kind="stable")
    point = (np.repeat(first_point, length) + within)[order] + 1
    sign = np.repeat(segments.sign, length)[order]
    arc = arc[order]
    total = np.cumsum(sign, dtype=np.int64)
    opens = np.flatnonzero(np.diff(arc, prepend=-1))
    before = longest[arc[opens]] - (total[opens] - sign[opens])
    after = total + np.repeat(before, np.diff(opens, append=len(arc)))
    return point, arc, sign, after + (sign < 0)
