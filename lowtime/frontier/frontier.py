"""The complete time-cost frontier of a project."""

from __future__ import annotations

import hashlib
import math
import operator
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate
from os import PathLike
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from lowtime.backends.protocol import Segments
from lowtime.counted import counted
from lowtime.errors import CapacityRange, Infeasible
from lowtime.frontier.plan import Plan
from lowtime.frontier.problem import Problem
from lowtime.frontier.provenance import Provenance

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

MAX_POINTS = 10**9  # 8 GB an array: a unit time that fine is a slip of the pen
KEYFRAME_SEGMENTS = 256  # a plan is rebuilt from the nearest keyframe, over fewer segments


class Frontier:
    """Every total time between the longest and the shortest schedule, with its cheapest plan.

    Point 0 is the longest, cheapest schedule, the last point the shortest, dearest one; each point
    is one quantum shorter than the one before. Points are stored as segments of one slope.

    Attributes:
        problem: what was solved.
        segments: the runs of equal slope and equal changes, from long to short schedules.
        provenance: how it was made.
    """

    def __init__(self, problem: Problem, segments: Segments, provenance: Provenance) -> None:
        self.problem = problem
        self.segments = segments
        self.provenance = provenance
        #: First point of every segment, and the last point: int64[k + 1].
        self._first_point = np.concatenate(([0], np.cumsum(segments.length)))

    def __len__(self) -> int:
        """Number of points, both ends included."""
        return int(self._first_point[-1]) + 1

    def __iter__(self) -> Iterator[Plan]:
        """The plans, from the longest schedule to the shortest; each is made when it is reached."""
        return (self.plan(index) for index in range(len(self)))

    def __getitem__(self, index: SupportsIndex) -> Plan:
        """`plan`: ``frontier[0]`` is the longest schedule, ``frontier[-1]`` the shortest."""
        return self.plan(index)

    def __repr__(self) -> str:
        # Without arrays of all points: it is printed of frontiers of any length.
        longest, start = self.problem.longest_time, self.problem.start_cost
        end = start + float(self._units_spent()[-1]) * self.problem.cost_unit
        return (
            f"<Frontier: {counted(len(self), 'point')}, {longest * self.unit_time:.6g} s at cost"
            f" {start:.6g} to {(longest - len(self) + 1) * self.unit_time:.6g} s at cost"
            f" {end:.6g}, {self.provenance.backend}>"
        )

    @property
    def complete(self) -> bool:
        """Whether the last point is the shortest schedule (False after a time limit)."""
        return self.segments.done

    @property
    def unit_time(self) -> float:
        """Seconds per quantum."""
        return self.problem.unit_time

    def _refuse_too_many(self) -> None:
        if len(self) > MAX_POINTS:
            raise CapacityRange(
                f"the frontier has {len(self)} points; {MAX_POINTS} at most can be listed; use a"
                f" longer unit time than {self.unit_time:g} s"
            )

    @cached_property
    def quanta(self) -> NDArray[np.int64]:
        """Total times, quanta: int64[k], read-only, each one less than the one before.

        Raises:
            CapacityRange: more than 10^9 points, which no array should list; whatever needs the
                time or cost of a point raises it, too.
        """
        self._refuse_too_many()
        quanta = self.problem.longest_time - np.arange(len(self), dtype=np.int64)
        return _read_only(quanta)

    @cached_property
    def times(self) -> NDArray[np.float64]:
        """Total times, seconds: float64[k], read-only, decreasing.

        The product ``quanta * unit_time`` in float64, as published frontiers have it.
        """
        return _read_only(self.quanta * self.unit_time)

    @cached_property
    def costs(self) -> NDArray[np.float64]:
        """Total costs of the cost models: float64[k], read-only, increasing.

        The start cost is a compensated sum, the rest an exact integer sum of cost units, rounded
        once; see `cost_error` for the distance from the unscaled model.
        """
        slopes, lengths = self.segments.slope, self.segments.length
        self._refuse_too_many()
        at_start = self._units_spent()
        unit = self.problem.cost_unit
        start = self.problem.start_cost
        # Relative to the segment's start a product stays below 2^53 or rounds once.
        inner = np.arange(len(self) - 1) - np.repeat(self._first_point[:-1], lengths)
        base = np.repeat(np.array([float(units) * unit for units in at_start[:-1]]), lengths)
        body = start + (base + inner * (np.repeat(slopes, lengths) * unit))
        return _read_only(np.concatenate((body, [start + float(at_start[-1]) * unit])))

    def _units_spent(self) -> list[int]:
        """Cost units above the start cost where every segment starts, and at the end.

        Exact: slope x length can pass 2^63, so the sums are Python ints.
        """
        steps = zip(self.segments.slope.tolist(), self.segments.length.tolist(), strict=True)
        return list(accumulate((slope * length for slope, length in steps), initial=0))

    @property
    def cost_error(self) -> float:
        """Bound on |cost - cost of the (hulled) model| at any point, from rounding marginals.

        Half a cost unit for every quantum by which an operation was ever changed; a whole one
        where some marginal is so small that it was raised to one unit.
        """
        network = self.problem.network
        changed = np.repeat(self.segments.length, np.diff(self.segments.offset))
        error = 1.0 if np.any(network.marginal == 1) else 0.5
        return error * network.cost_unit * float(changed.sum(dtype=np.float64))

    @cached_property
    def measured_costs(self) -> NDArray[np.float64]:
        """Sum of the options really chosen at every point: float64[k], read-only.

        The slowest option that meets each duration is chosen, as in `Plan.knobs`.
        """
        self._refuse_too_many()
        return _read_only(self.problem.measured_costs(self.segments))

    def quanta_of(self, index: SupportsIndex) -> NDArray[np.int64]:
        """Durations behind a point: int64[num_operations], quanta, in the order of the nodes."""
        point = self._index(index)
        segment = int(np.searchsorted(self._first_point, point, side="right")) - 1
        segment = min(segment, len(self.segments.length) - 1)
        duration: NDArray[np.int64] = self._keyframes[max(segment, 0) // KEYFRAME_SEGMENTS].copy()
        if segment < 0:
            return duration
        first = segment // KEYFRAME_SEGMENTS * KEYFRAME_SEGMENTS
        quanta = self.segments.length[first : segment + 1].copy()
        quanta[-1] = point - self._first_point[segment]
        self._add_changes(duration, first, segment + 1, quanta)
        return duration

    @cached_property
    def _keyframes(self) -> list[NDArray[np.int64]]:
        operations = self.problem.network.num_operations
        duration = self.problem.network.longest[:operations].copy()
        frames = [duration.copy()]
        for first in range(0, len(self.segments.length) - KEYFRAME_SEGMENTS, KEYFRAME_SEGMENTS):
            end = first + KEYFRAME_SEGMENTS
            self._add_changes(duration, first, end, self.segments.length[first:end])
            frames.append(duration.copy())
        return frames

    def _add_changes(
        self, duration: NDArray[np.int64], first: int, end: int, quanta: NDArray[np.int64]
    ) -> None:
        offset = self.segments.offset[first : end + 1]
        changes = slice(int(offset[0]), int(offset[-1]))
        per_change = np.repeat(quanta, np.diff(offset))
        np.add.at(duration, self.segments.arc[changes], self.segments.sign[changes] * per_change)

    def plan(self, index: SupportsIndex) -> Plan:
        """The plan behind a point.

        Args:
            index: 0 .. len - 1, or negative to count from the shortest schedule.

        Raises:
            IndexError: no such point.
        """
        point = self._index(index)
        return Plan(
            problem=self.problem,
            index=point,
            operation_quanta=_read_only(self.quanta_of(point)),
            time=float(self.times[point]),
            cost=float(self.costs[point]),
        )

    def _index(self, index: SupportsIndex) -> int:
        points, point = len(self), operator.index(index)
        if not -points <= point < points:
            raise IndexError(f"no point {point}; this frontier has {points}")
        return point % points

    def at_deadline(self, seconds: float) -> Plan:
        """The cheapest plan whose time is at most ``seconds``.

        The deadline is compared with `times`, never divided by the unit time.

        Raises:
            Infeasible: even the shortest schedule takes longer.
        """
        seconds = _number(seconds, "deadline")
        meets = len(self) - int(np.searchsorted(self.times[::-1], seconds, side="right"))
        if meets == len(self):
            raise Infeasible(
                f"no plan finishes within {seconds} s; the shortest takes {self.times[-1]} s"
            )
        return self.plan(meets)

    def at_slowdown(self, factor: float) -> Plan:
        """The cheapest plan that finishes when one ``factor`` times slower than the fastest does.

        Args:
            factor: 1 or more; 1.2 for a straggler that takes 20 % longer.
        """
        factor = _number(factor, "slowdown")
        if factor < 1:
            raise Infeasible(f"a slowdown of {factor} asks for less than the shortest schedule")
        return self.at_deadline(float(self.times[-1]) * factor)

    def at_budget(self, cost: float) -> Plan:
        """The fastest plan whose cost is at most ``cost``.

        Raises:
            Infeasible: even the cheapest plan costs more.
        """
        cost = _number(cost, "budget")
        affordable = int(np.searchsorted(self.costs, cost, side="right"))
        if affordable == 0:
            raise Infeasible(f"no plan costs {cost} or less; the cheapest costs {self.costs[0]}")
        return self.plan(affordable - 1)

    def cheapest(self, overhead_per_second: float = 0.0) -> Plan:
        """The plan that minimizes cost + overhead x time; of equal ones the longest.

        Args:
            overhead_per_second: cost of every second the project takes, e.g. watts for joules.
        """
        overhead = _number(overhead_per_second, "overhead_per_second")
        if math.isinf(overhead):
            raise Infeasible(f"overhead_per_second is {overhead}; expected a finite number")
        with np.errstate(over="ignore"):
            total = self.costs + overhead * self.times
        if not np.isfinite(total).all():
            total = self.costs / overhead + self.times  # in seconds, which does not overflow
        return self.plan(int(np.argmin(total)))

    def sample(self, count: int) -> list[Plan]:
        """Plans spread evenly over the points, both ends included.

        Args:
            count: 2 or more; at most as many plans as there are points are returned.

        Raises:
            ValueError: fewer than 2.
        """
        if count < 2:
            raise ValueError(
                f"cannot sample {counted(count, 'plan')}; ask for 2 or more, the ends included"
            )
        return [self.plan(index) for index in spread(0, len(self) - 1, count)]

    def digest(self) -> str:
        """SHA-256 over the durations of every point (int64, little-endian, in node order)."""
        digest = hashlib.sha256()
        duration = self.problem.network.longest[: self.problem.network.num_operations].copy()
        digest.update(duration.astype("<i8").tobytes())
        offset = self.segments.offset.tolist()
        for k, length in enumerate(self.segments.length.tolist()):
            changes = slice(offset[k], offset[k + 1])
            for _ in range(length):
                duration[self.segments.arc[changes]] += self.segments.sign[changes]
                digest.update(duration.astype("<i8").tobytes())
        return digest.hexdigest()

    def save(self, path: str | PathLike[str]) -> None:
        """Write the frontier with all its plans to an ``.npz`` file."""
        from lowtime.frontier.files import save

        save(self, path)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Frontier:
        """A frontier from a file written by `save`."""
        from lowtime.frontier.files import load

        return load(path)

    def to_dataframe(self) -> pd.DataFrame:
        """A pandas table with ``time`` (s), ``cost`` and ``measured_cost`` of every point."""
        import pandas as pd

        return pd.DataFrame(
            {"time": self.times, "cost": self.costs, "measured_cost": self.measured_costs}
        )

    def plot(self, ax: Axes | None = None, **line: Any) -> Axes:
        """Draw cost over time; see `lowtime.frontier.plot`."""
        from lowtime.frontier.plot import plot_frontier

        return plot_frontier(self, ax, **line)


def spread(first: int, last: int, count: int) -> list[int]:
    """Points spread evenly over ``first .. last``, both ends included; at most all of them."""
    picks = np.linspace(first, last, min(count, last - first + 1))
    points: list[int] = np.unique(np.rint(picks).astype(np.int64)).tolist()
    return points


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    array.setflags(write=False)
    return array


def _number(value: Any, name: str) -> float:
    if isinstance(value, str | bytes):
        raise TypeError(f"{name} is {value!r}; expected a number")
    number = float(value)
    if math.isnan(number):
        raise Infeasible(f"{name} is NaN; expected a number")
    return number
