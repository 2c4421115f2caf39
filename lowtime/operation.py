"""Operations of a project: the options to execute them, and the one planned."""

from __future__ import annotations

import math
import sys
from bisect import bisect_left, bisect_right
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, overload

from attrs import define, field
from attrs.setters import frozen

# Imported at run time, so that the hints of `OperationSpec` resolve (`attrs.resolve_types`).
from lowtime.cost_model import CostModel, PiecewiseLinearModel
from lowtime.decimals import quanta, written
from lowtime.errors import InvalidProfile

if TYPE_CHECKING:
    from attrs import Attribute

KnobT = TypeVar("KnobT")


@define(repr=False, slots=False)
class ExecutionOption(Generic[KnobT]):
    """One measured way to execute an operation.

    Attributes:
        real_time: measured time, s, >= 0.
        unit_time: length of a quantum, s, > 0.
        cost: measured cost; may be changed later, it is read when a model or a network is made.
        knob: what to set to execute the operation so, of any kind.

    >>> ExecutionOption(real_time=0.3, unit_time=0.1, cost=5.0, knob=1410).quant_time
    3
    """

    real_time: float
    unit_time: float
    cost: float
    knob: KnobT

    @cached_property
    def quant_time(self) -> int:
        """Number of whole quanta in `real_time`; InvalidProfile where there is no such number."""
        return quanta(self.real_time, self.unit_time, f"option with knob {self.knob!r}")

    def __repr__(self) -> str:
        return (
            f"ExecutionOption(knob={self.knob}, quant_time={self.quant_time}, cost={self.cost},"
            f" real_time={self.real_time}, unit_time={self.unit_time})"
        )


@define
class CandidateExecutionOptions(Generic[KnobT]):
    """The options of one operation that are worth choosing.

    An option goes when another one is both faster and cheaper, each by the noise factor; when
    another one takes the same time and is cheaper; and, without a noise factor, when a faster one
    costs the same. Of several options within one quantum the fastest stays: it is the one that
    really fits.

    Args:
        options: all options of the operation, in any order.
        noise_factor: time and cost of an option are multiplied by it before it is compared with
            the others, so that a factor below 1 lets options stay that lose by a little.

    Attributes:
        options: the options that stay, longest first, one for each number of quanta.
    """

    options: list[ExecutionOption[KnobT]]
    noise_factor: float = 1.0
    _knob_cache: dict[int, KnobT] = field(init=False, repr=False, eq=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        given = list(self.options)  # any iterable will do, also one that can be read only once
        if not given:
            raise InvalidProfile("an operation has no execution options; expected at least one")
        fastest: dict[int, ExecutionOption[KnobT]] = {}
        for option in _pareto_options(given, written(self.noise_factor, "noise_factor")):
            fastest.setdefault(option.quant_time, option)
        self.options = sorted(fastest.values(), key=lambda option: -option.quant_time)

    def option_for(self, quant_time: int) -> ExecutionOption[KnobT]:
        """The slowest option that fits into a duration; the fastest one where none fits.

        Args:
            quant_time: duration, quanta.
        """
        rising = self.options[::-1]
        fitting = bisect_right(rising, quant_time, key=lambda option: option.quant_time)
        return rising[max(fitting, 1) - 1]

    def get_knob_for(self, quant_time: int) -> KnobT:
        """The knob of the slowest option that fits; of the fastest one where none fits.

        Args:
            quant_time: duration, quanta.
        """
        try:
            return self._knob_cache[quant_time]
        except KeyError:
            knob = self.option_for(quant_time).knob
            self._knob_cache[quant_time] = knob
            return knob


def _pareto_options(
    options: list[ExecutionOption[KnobT]], noise_factor: Fraction
) -> list[ExecutionOption[KnobT]]:
    """The options that no other one dominates, fastest first; O(k log k) for k options."""
    times = {id(option): written(option.real_time, _whose(option)) for option in options}
    costs = {id(option): _comparable(option.cost) for option in options}
    rising = sorted(options, key=lambda option: times[id(option)])

    distinct: list[Fraction] = []  # times, rising
    cheapest: list[Fraction | None] = []  # least cost of all options up to that time
    best: dict[Fraction, Fraction | None] = {}  # least cost at that very time
    for option in rising:
        time, cost = times[id(option)], costs[id(option)]
        if not distinct or distinct[-1] != time:
            distinct.append(time)
            cheapest.append(cheapest[-1] if cheapest else None)
        cheapest[-1] = _least(cheapest[-1], cost)
        best[time] = _least(best.get(time), cost)

    staying = []
    for option in rising:
        time, cost = times[id(option)], costs[id(option)]
        least = best[time]
        faster = bisect_left(distinct, time * noise_factor)
        rival = cheapest[faster - 1] if faster else None
        # A cost that is no number neither dominates nor is dominated: programs may still mend it,
        # and whoever reads it for a network names it. Only infinity is dearer than any number.
        if cost is None:
            if option.cost == math.inf and not (least is None and rival is None):
                continue
        else:
            limit = cost * noise_factor
            if least is not None and least < cost:
                continue
            if rival is not None and (rival < limit or (noise_factor == 1 and rival == limit)):
                continue
        staying.append(option)
    return staying


def _whose(option: ExecutionOption[Any]) -> str:
    return f"real_time of option with knob {option.knob!r}"


def _comparable(cost: Any) -> Fraction | None:
    try:
        return written(cost)
    except InvalidProfile:
        return None


def _least(first: Fraction | None, second: Fraction | None) -> Fraction | None:
    if first is None or second is None:
        return first if second is None else second
    return min(first, second)


class _KeptHull:
    """Room for a hull that is no field: `attrs.asdict` and comparison do not see it."""

    __slots__ = ("_hull",)
    _hull: tuple[tuple[Any, ...], CostModel]  # costs of the options, and their hull


@define(slots=False)
class OperationSpec(_KeptHull, Generic[KnobT]):
    """A kind of operation: what its operations share.

    Attributes:
        options: the options worth choosing.
        cost_model: cost at every duration in between; None stands for the lower convex hull of
            the options, `PiecewiseLinearModel`.
    """

    options: CandidateExecutionOptions[KnobT]
    cost_model: CostModel | None = None

    @property
    def model(self) -> CostModel:
        """The cost model, or the hull of the options with the costs that they have now."""
        if self.cost_model is not None:
            return self.cost_model
        # Programs edit costs in place, so the hull is kept only as long as they are the same.
        costs = tuple([option.cost for option in self.options.options])
        kept = getattr(self, "_hull", None)
        if kept is None or kept[0] != costs:
            kept = self._hull = (costs, PiecewiseLinearModel(self.options))
        return kept[1]


def _assign_knob(operation: Operation[Any], _: Attribute[int], duration: int) -> int:
    operation.assigned_knob = operation.spec.options.get_knob_for(duration)
    timetable: Timetable | None = operation.__dict__.get(_FOLLOWED)
    if timetable is not None:
        timetable.duration_set()
    return duration


@define(slots=False)
class Operation(Generic[KnobT]):
    """A node of the project.

    Setting `duration` also sets `assigned_knob`.

    Attributes:
        spec: options and cost model.
        is_dummy: whether it does nothing and costs nothing.
        duration: planned duration, quanta.
        max_duration: duration of the slowest option, quanta.
        min_duration: duration of the fastest option, quanta.
        assigned_knob: knob of the slowest option that fits into `duration`.
        earliest_start: quanta.
        latest_start: latest start that does not delay the project, quanta.
        earliest_finish: quanta.
        latest_finish: quanta.
    """

    spec: OperationSpec[KnobT] = field(on_setattr=frozen)
    is_dummy: bool = field(default=False, init=False, on_setattr=frozen)

    duration: int = field(init=False, on_setattr=_assign_knob)
    max_duration: int = field(init=False)
    min_duration: int = field(init=False)
    assigned_knob: KnobT = field(init=False)

    earliest_start: int = field(default=0, init=False)
    latest_start: int = field(default=sys.maxsize, init=False)
    earliest_finish: int = field(default=0, init=False)
    latest_finish: int = field(default=sys.maxsize, init=False)

    def __attrs_post_init__(self) -> None:
        durations = [option.quant_time for option in self.spec.options.options]
        self.max_duration = max(durations)
        self.min_duration = min(durations)
        self.duration = self.max_duration

    def __str__(self) -> str:
        return f"Operation({self.duration}@{self.assigned_knob})"

    def __getstate__(self) -> dict[str, Any]:
        """The fields as they are now: a copy does not follow the run it was taken from."""
        _ = self.earliest_start
        return {name: value for name, value in self.__dict__.items() if name != _FOLLOWED}

    def get_cost(self, duration: int | None = None) -> float:
        """Cost of the operation.

        Args:
            duration: quanta; the planned duration if None.
        """
        return self.spec.model(self.duration if duration is None else duration)

    def reset_times(self) -> None:
        """Forget the earliest and latest times."""
        self.earliest_start = 0
        self.latest_start = sys.maxsize
        self.earliest_finish = 0
        self.latest_finish = sys.maxsize


class Timetable(Protocol):
    """What knows the earliest and latest times of operations, and works them out when asked."""

    def settle(self) -> None:
        """Set the times of all operations that follow."""
        ...

    def duration_set(self) -> None:
        """Hear that the duration of an operation that follows has been set."""
        ...


_FOLLOWED = "_timetable"
_TIMES = ("earliest_start", "latest_start", "earliest_finish", "latest_finish")


def follow(operation: Operation[Any], timetable: Timetable) -> None:
    """Let the times of an operation be worked out when they are read.

    A run has up to 10^5 points and most programs read the times at few of them.
    """
    operation.__dict__[_FOLLOWED] = timetable
    forget_times(operation)


def forget_times(operation: Operation[Any]) -> None:
    """Have the times worked out anew when they are read next.

    They leave ``__dict__``, too: whoever reads there finds right times or none.
    """
    for name in _TIMES:
        operation.__dict__.pop(name, None)


def unfollow(operation: Operation[Any], timetable: Timetable) -> None:
    """Let an operation keep the times that it has, if it still follows this timetable."""
    if operation.__dict__.get(_FOLLOWED) is timetable:
        del operation.__dict__[_FOLLOWED]


def set_times(
    operation: Operation[Any],
    timetable: Timetable,
    earliest: tuple[int, int],
    latest: tuple[int, int],
) -> None:
    """Set start and finish, quanta, of an operation that still follows this timetable."""
    if operation.__dict__.get(_FOLLOWED) is timetable:
        operation.__dict__.update(
            earliest_start=earliest[0],
            earliest_finish=earliest[1],
            latest_start=latest[0],
            latest_finish=latest[1],
        )


class _ScheduledTime:
    """An earliest or latest time: kept in the operation, asked of its timetable when missing."""

    def __init__(self, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, operation: None, owner: type) -> _ScheduledTime: ...
    @overload
    def __get__(self, operation: Operation[Any], owner: type) -> int: ...
    def __get__(self, operation: Operation[Any] | None, owner: type) -> _ScheduledTime | int:
        if operation is None:
            return self
        values = operation.__dict__
        if self.name not in values and _FOLLOWED in values:
            values[_FOLLOWED].settle()
        time: int = values[self.name]
        return time

    def __set__(self, operation: Operation[Any], time: int) -> None:
        if _FOLLOWED in operation.__dict__:
            self.__get__(operation, type(operation))  # all times, of which this one is then set
        operation.__dict__[self.name] = time


# attrs owns the fields (order, defaults, repr, comparison); where they are kept is decided here.
for _name in _TIMES:
    setattr(Operation, _name, _ScheduledTime(_name))


@define(slots=False)
class DummyOperation(Operation[Any]):
    """An operation that does nothing; it has no spec, no knob and no cost.

    It takes no time, unless a program sets its `duration`: then it is a delay.
    """

    spec: OperationSpec[Any] = field(init=False, repr=False, on_setattr=frozen)
    is_dummy: bool = field(default=True, init=False, on_setattr=frozen)
    duration: int = field(init=False)  # without the setter that looks up a knob

    def __attrs_post_init__(self) -> None:
        self.max_duration = sys.maxsize
        self.min_duration = 0
        self.duration = 0

    def __str__(self) -> str:
        return "DummyOperation()"

    def get_cost(self, duration: int | None = None) -> float:
        """Raises AttributeError: a dummy has no cost."""
        raise AttributeError("a DummyOperation has no cost")
