"""Options, their filter, quanta and operations as programs use them."""

from __future__ import annotations

import copy
import math
import pickle
import sys
from decimal import Decimal
from fractions import Fraction
from typing import Any, get_type_hints

import attrs
import numpy as np
import pytest
from attrs import define
from hypothesis import given
from hypothesis import strategies as st

from lowtime.cost_model import CostModel, PiecewiseLinearModel
from lowtime.decimals import written
from lowtime.errors import InvalidProfile
from lowtime.operation import (
    CandidateExecutionOptions,
    DummyOperation,
    ExecutionOption,
    Operation,
    OperationSpec,
    follow,
    forget_times,
    set_times,
    unfollow,
)


def option(time: Any, cost: Any, knob: Any = None, unit: Any = 1.0) -> ExecutionOption[Any]:
    return ExecutionOption(real_time=time, unit_time=unit, cost=cost, knob=knob)


def spec(*pairs: tuple[float, float], unit: float = 1.0) -> OperationSpec[int]:
    options = [option(time, cost, index, unit) for index, (time, cost) in enumerate(pairs)]
    return OperationSpec(options=CandidateExecutionOptions(options=options), cost_model=None)


def kept(*pairs: tuple[Any, Any], noise_factor: float = 1.0, unit: float = 1.0) -> list[Any]:
    """(time, cost) of the options that stay, in their order."""
    options = [option(time, cost, unit=unit) for time, cost in pairs]
    candidates = CandidateExecutionOptions(options=options, noise_factor=noise_factor)
    return [(left.real_time, left.cost) for left in candidates.options]


# Quanta


@pytest.mark.parametrize(
    ("time", "unit", "quanta"),
    [
        (0.3, 0.1, 3),  # 2 in binary
        (0.7, 0.1, 7),
        (1.1, 0.1, 11),
        (4.35, 0.01, 435),
        (0.29, 0.01, 29),
        (0.05123121643066401, 1e-3, 51),
        (3, 0.5, 6),
        (0, 0.1, 0),
        (0.0999999, 0.1, 0),
        (Decimal("0.3"), Decimal("0.1"), 3),
        (Fraction(1, 3), Fraction(1, 9), 3),
        (np.float64(0.3), 0.1, 3),
        (np.float32(0.3), np.float32(0.1), 3),
        (np.int64(7), 2, 3),
        (1e300, 1e-300, 10**600),
    ],
)
def test_quanta_are_the_floor_of_the_decimals_written(time: Any, unit: Any, quanta: int) -> None:
    found = option(time, 1.0, unit=unit).quant_time
    assert found == quanta
    assert type(found) is int


@given(st.integers(0, 10**6), st.integers(1, 10**6), st.integers(0, 9))
def test_quanta_of_decimals_equal_integer_division(time: int, unit: int, places: int) -> None:
    scale = 10**places
    assert option(time / scale, 1.0, unit=unit / scale).quant_time == time // unit


@pytest.mark.parametrize(
    ("time", "unit"),
    [
        (float("nan"), 1.0),
        (float("inf"), 1.0),
        (-1.0, 1.0),
        (-1e-300, 1.0),
        (1.0, 0.0),
        (1.0, -0.5),
        (1.0, float("nan")),
        (1.0, float("inf")),
        ("1.0", 1.0),
        (None, 1.0),
        (Decimal("NaN"), 1.0),
        (np.float32("inf"), 1.0),
    ],
)
def test_a_time_that_is_none_is_refused_when_it_is_read(time: Any, unit: Any) -> None:
    broken = option(time, 1.0, knob=1410, unit=unit)
    with pytest.raises(InvalidProfile, match="1410"):
        _ = broken.quant_time
    assert issubclass(InvalidProfile, ValueError)


def test_written_reads_numpy_floats_in_their_own_precision() -> None:
    assert written(np.float32(0.1)) == Fraction(1, 10)
    assert written(0.1 + 0.2) != Fraction(3, 10)


# Options


def test_options_take_runtime_subscripts_keywords_and_knobs_of_any_kind() -> None:
    made = ExecutionOption[tuple[int, str]](
        real_time=1.0, unit_time=0.5, cost=3.0, knob=(1410, "fp16")
    )
    candidates = CandidateExecutionOptions[tuple[int, str]](options=[made], noise_factor=1.0)
    operation = Operation[tuple[int, str]](
        spec=OperationSpec[tuple[int, str]](options=candidates, cost_model=None)
    )
    assert operation.assigned_knob == (1410, "fp16")
    assert repr(made) == (
        "ExecutionOption(knob=(1410, 'fp16'), quant_time=2, cost=3.0, real_time=1.0, unit_time=0.5)"
    )


def test_options_that_are_slower_and_dearer_go() -> None:
    assert kept((123.0, 3.0), (789.0, 1.0), (456.0, 2.0), (234.0, 3.1)) == [
        (789.0, 1.0),
        (456.0, 2.0),
        (123.0, 3.0),
    ]


def test_of_two_options_with_the_same_time_the_cheaper_stays() -> None:
    assert kept((2.0, 9.0), (2.0, 4.0), (1.0, 10.0)) == [(2.0, 4.0), (1.0, 10.0)]
    assert kept((2.0, 9.0), (2.0, 4.0), noise_factor=0.5) == [(2.0, 4.0)]


def test_an_equally_cheap_slower_option_goes() -> None:
    assert kept((3.0, 4.0), (2.0, 4.0), (1.0, 5.0)) == [(2.0, 4.0), (1.0, 5.0)]


def test_of_two_options_within_one_quantum_the_faster_stays() -> None:
    assert kept((2.4, 4.0), (2.1, 5.0), (1.0, 9.0)) == [(2.1, 5.0), (1.0, 9.0)]
    # Noisy: the slower one is dearer, too, but by too little to go.
    assert kept((2.4, 5.0), (2.3, 4.9), noise_factor=0.9) == [(2.3, 4.9)]


def test_a_noise_factor_keeps_options_that_lose_by_little() -> None:
    pairs = [(10.0, 5.0), (9.8, 4.9), (9.6, 4.8), (11.0, 5.5), (8.0, 6.0)]
    assert kept(*pairs, unit=0.1) == [(9.6, 4.8), (8.0, 6.0)]
    assert kept(*pairs, noise_factor=0.95, unit=0.1) == [
        (10.0, 5.0),
        (9.8, 4.9),
        (9.6, 4.8),
        (8.0, 6.0),
    ]


def test_the_same_option_twice_stays_once() -> None:
    assert kept((2.0, 4.0), (2.0, 4.0)) == [(2.0, 4.0)]


@given(
    st.lists(st.tuples(st.integers(1, 12), st.integers(0, 12)), min_size=1, max_size=12),
    st.sampled_from([1.0, 0.95, 0.8]),
)
def test_the_filter_is_the_pareto_front_by_its_definition(
    pairs: list[tuple[int, int]], noise_factor: float
) -> None:
    factor = Fraction(str(noise_factor))

    def loses(time: int, cost: int) -> bool:
        for other_time, other_cost in pairs:
            if other_time == time and other_cost < cost:
                return True
            if other_time < time * factor and other_cost < cost * factor:
                return True
            if factor == 1 and other_time < time and other_cost == cost:
                return True
        return False

    front = {pair for pair in pairs if not loses(*pair)}
    assert kept(*pairs, noise_factor=noise_factor) == sorted(front, reverse=True)


def test_costs_may_be_broken_until_they_are_read() -> None:
    """A program may mend a cost before it solves; the filter does not look at such an option."""
    options = [option(1.0, float("nan"), "a"), option(2.0, 5.0, "b"), option(3.0, 7.0, "c")]
    candidates = CandidateExecutionOptions(options=options)
    assert [left.knob for left in candidates.options] == ["b", "a"]


def test_no_options_are_refused() -> None:
    with pytest.raises(InvalidProfile):
        CandidateExecutionOptions(options=[])


def test_the_knob_is_that_of_the_slowest_option_that_fits() -> None:
    candidates = spec((123.0, 3.0), (789.0, 1.0), (456.0, 2.0)).options
    for quanta, knob in [(20, 0), (122, 0), (123, 0), (455, 0), (456, 2), (788, 2), (789, 1)]:
        assert candidates.get_knob_for(quanta) == knob
    assert candidates.get_knob_for(10**9) == 1
    assert candidates.option_for(500).cost == 2.0


# Specs


def test_without_a_cost_model_the_hull_of_the_options_counts() -> None:
    operation = Operation(spec=spec((1.0, 10.0), (3.0, 4.0)))
    assert operation.get_cost() == 4.0
    assert operation.get_cost(2) == 7.0
    assert isinstance(operation.spec.model, PiecewiseLinearModel)


def test_costs_edited_in_place_count() -> None:
    operation = Operation(spec=spec((1.0, 10.0), (3.0, 4.0)))
    assert operation.get_cost(1) == 10.0
    for candidate in operation.spec.options.options:
        candidate.cost -= 1.0
    assert operation.get_cost(1) == 9.0


# Operations


def test_an_operation_starts_at_its_slowest_option() -> None:
    operation = Operation(spec=spec((123.0, 3.0), (789.0, 1.0), (456.0, 2.0)))
    assert (operation.min_duration, operation.max_duration, operation.duration) == (123, 789, 789)
    assert operation.assigned_knob == 1
    assert not operation.is_dummy
    assert str(operation) == "Operation(789@1)"
    operation.duration = 500
    assert operation.assigned_knob == 2


def test_spec_and_is_dummy_are_frozen() -> None:
    operation = Operation(spec=spec((1.0, 1.0)))
    with pytest.raises(AttributeError):
        operation.spec = spec((2.0, 1.0))
    with pytest.raises(AttributeError):
        operation.is_dummy = True


def test_times_start_unknown_and_reset() -> None:
    operation = Operation(spec=spec((1.0, 1.0)))
    fresh = (0, sys.maxsize, 0, sys.maxsize)

    def times() -> tuple[int, int, int, int]:
        return (
            operation.earliest_start,
            operation.latest_start,
            operation.earliest_finish,
            operation.latest_finish,
        )

    assert times() == fresh
    operation.earliest_start, operation.latest_finish = 3, 9
    assert times() == (3, sys.maxsize, 0, 9)
    operation.reset_times()
    assert times() == fresh


def test_a_dummy_has_neither_spec_nor_knob_nor_cost() -> None:
    dummy = DummyOperation()
    assert dummy.is_dummy
    assert (dummy.duration, dummy.min_duration, dummy.max_duration) == (0, 0, sys.maxsize)
    with pytest.raises(AttributeError):
        _ = dummy.spec
    with pytest.raises(AttributeError):
        _ = dummy.assigned_knob
    with pytest.raises(AttributeError):
        dummy.get_cost()
    dummy.duration = 123
    assert dummy.duration == 123
    assert "DummyOperation" in repr(dummy)


@define(slots=False, kw_only=True)
class Task(Operation[int]):
    """A subclass as programs write them."""

    name: str

    def __str__(self) -> str:
        return f"{self.name}@{self.assigned_knob}"


@define
class SlottedTask(Task):
    """A subclass with slots, for which attrs writes its own pickling."""


@pytest.mark.parametrize("kind", [Task, SlottedTask])
def test_subclasses_keep_the_knob_setter_and_copy(kind: type[Task]) -> None:
    task = kind(spec=spec((1.0, 3.0), (2.0, 1.0)), name="forward")
    task.duration = 1
    task.earliest_start = 5
    for twin in (copy.copy(task), copy.deepcopy(task), pickle.loads(pickle.dumps(task))):
        assert twin == task
        assert (twin.duration, twin.assigned_knob, twin.earliest_start) == (1, 0, 5)
        twin.duration = 2
        assert (twin.assigned_knob, task.assigned_knob) == (1, 0)


class Clock:
    """A timetable that counts what it hears."""

    def __init__(self, operation: Operation[Any]) -> None:
        self.operation = operation
        self.now = 0
        self.settled = 0
        self.durations_set = 0

    def tick(self, now: int) -> None:
        self.now = now
        forget_times(self.operation)

    def settle(self) -> None:
        self.settled += 1
        start = 10 * self.now
        set_times(self.operation, self, (start, start + 1), (start + 2, start + 3))

    def duration_set(self) -> None:
        self.durations_set += 1


@pytest.mark.parametrize("kind", [Task, SlottedTask])
def test_times_are_worked_out_when_read_and_once_per_point(kind: type[Task]) -> None:
    task = kind(spec=spec((1.0, 3.0)), name="forward")
    clock = Clock(task)
    follow(task, clock)
    assert clock.settled == 0
    assert (task.earliest_start, task.latest_finish) == (0, 3)
    clock.tick(7)
    assert clock.settled == 1
    frozen = copy.deepcopy(task)
    clock.tick(8)
    assert (task.earliest_finish, task.latest_start, clock.settled) == (81, 82, 3)
    assert frozen.earliest_start == 70  # a copy stays where it was taken
    task.earliest_start = 1
    assert task.earliest_start == 1
    clock.tick(9)
    assert task.earliest_start == 90
    task.duration = 5
    assert clock.durations_set == 1


def test_outdated_times_are_nowhere_to_be_read() -> None:
    task = Operation(spec=spec((1.0, 3.0)))
    before = set(vars(task))
    clock = Clock(task)
    follow(task, clock)
    assert not {"earliest_start", "latest_finish"} & set(vars(task))
    assert task.latest_finish == vars(task)["latest_finish"] == 3
    unfollow(task, clock)
    assert set(vars(task)) == before
    assert clock.settled == 1


def test_an_operation_minds_only_the_timetable_that_it_follows() -> None:
    task = Operation(spec=spec((1.0, 3.0)))
    first, second = Clock(task), Clock(task)
    follow(task, first)
    follow(task, second)
    second.tick(4)
    first.settle()
    unfollow(task, first)
    assert task.earliest_start == 40


def test_options_that_can_be_read_only_once_are_read_once() -> None:
    options = [option(2.0, 1.0, "slow"), option(1.0, 2.0, "fast")]
    once: Any = (one for one in options)
    candidates: CandidateExecutionOptions[str] = CandidateExecutionOptions(options=once)
    assert [one.knob for one in candidates.options] == ["slow", "fast"]


@pytest.mark.parametrize("noise_factor", [1.0, 0.9])
def test_an_option_of_infinite_cost_goes_where_another_is_faster(noise_factor: float) -> None:
    assert kept((3.0, 1.0), (2.0, math.inf), (1.0, 3.0), noise_factor=noise_factor) == [
        (3.0, 1.0),
        (1.0, 3.0),
    ]
    assert kept((2.0, 1.0), (1.0, math.inf), noise_factor=noise_factor)[-1] == (1.0, math.inf)
    assert kept((2.0, 1.0), (2.0, math.inf), noise_factor=noise_factor) == [(2.0, 1.0)]


def test_a_spec_shows_what_it_was_given_and_no_more() -> None:
    shown = spec((1.0, 3.0), (2.0, 1.0))
    twin = copy.deepcopy(shown)
    assert shown.model(2) == 1.0  # keeps a hull
    assert shown == twin
    assert [attribute.name for attribute in attrs.fields(OperationSpec)] == [
        "options",
        "cost_model",
    ]
    assert set(attrs.asdict(shown)) == {"options", "cost_model"}
    assert pickle.loads(pickle.dumps(shown)).model(2) == attrs.evolve(shown).model(2) == 1.0


def test_hints_of_all_classes_resolve() -> None:
    for kind in (ExecutionOption, CandidateExecutionOptions, Operation):
        assert get_type_hints(kind)
    assert get_type_hints(OperationSpec)["cost_model"] == CostModel | None
