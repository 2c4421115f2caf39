"""Option tables: sorted, checked, and the slowest option that fits."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from lowtime.errors import CapacityRange, InvalidProfile
from lowtime.network.options import OptionTable, check_unit_times, option_table
from lowtime.operation import ExecutionOption


def option(time: Any, cost: Any, unit: Any = 1, knob: Any = "k") -> ExecutionOption[Any]:
    """One option."""
    return ExecutionOption(real_time=time, unit_time=unit, cost=cost, knob=knob)


def test_options_are_sorted_from_fast_to_slow() -> None:
    table = option_table([option(4, 1, knob="s"), option(1, 9, knob="f"), option(2, 4)], "n")
    assert table.quanta.tolist() == [1, 2, 4]
    assert table.costs.tolist() == [9.0, 4.0, 1.0]
    assert table.times.tolist() == [1.0, 2.0, 4.0]
    assert table.knobs == ("f", "k", "s")
    assert table.unit_time == 1.0


def test_the_slowest_option_that_fits_is_chosen() -> None:
    table = option_table([option(1, 9), option(2, 4), option(4, 1)], "n")
    assert table.choose(np.array([0, 1, 2, 3, 4, 99])).tolist() == [0, 0, 1, 1, 2, 2]


@pytest.mark.parametrize("kind", [int, float, Decimal, Fraction, np.float32, np.int64])
def test_numbers_of_all_kinds(kind: Any) -> None:
    table = option_table([option(kind(3), kind(2), kind(1))], "n")
    assert table.costs.tolist() == [2.0]
    assert table.quanta.tolist() == [3]


@pytest.mark.parametrize("bad", [math.nan, math.inf, None, "3", "x", 1j, [3], Decimal("NaN")])
def test_what_is_no_number_is_named_with_its_node_and_knob(bad: Any) -> None:
    with pytest.raises(InvalidProfile, match=r"node \('F', 0\), option 1410: its cost is"):
        option_table([option(1, bad, knob=1410)], ("F", 0))
    with pytest.raises(InvalidProfile, match="its time is"):
        option_table([option(bad, 1)], "n")
    with pytest.raises(InvalidProfile, match="its unit time is"):
        option_table([option(1, 1, bad)], "n")


def test_numbers_beyond_float64() -> None:
    with pytest.raises(InvalidProfile, match="beyond the range of float64"):
        option_table([option(1, 10**400)], "n")
    with pytest.raises(InvalidProfile, match="beyond the range of float64"):
        option_table([option(1, Decimal("1e400"))], "n")


def test_times_beyond_64_bits() -> None:
    with pytest.raises(CapacityRange, match="longer unit time"):
        option_table([option(1e300, 1)], "n")


def test_times_and_units_out_of_range() -> None:
    with pytest.raises(InvalidProfile, match="its time is -1"):
        option_table([option(-1, 1)], "n")
    for unit in (0, -0.5):
        with pytest.raises(InvalidProfile, match="its unit time is"):
            option_table([option(1, 1, unit)], "n")
    with pytest.raises(InvalidProfile, match="same everywhere"):
        option_table([option(1, 1, 1, "a"), option(2, 1, 0.5, "b")], "n")
    with pytest.raises(InvalidProfile, match="no options"):
        option_table([], "n")


def tables(*pairs: tuple[float, float]) -> list[OptionTable]:
    """One table for each (time, unit)."""
    return [option_table([option(time, 1, unit)], f"n{i}") for i, (time, unit) in enumerate(pairs)]


def test_the_unit_time_that_all_share() -> None:
    assert check_unit_times(tables((1, 0.5), (0, 0.5))) == 0.5
    assert check_unit_times(tables((0, 0.5))) == 0.5
    assert check_unit_times([]) == 1.0
    with pytest.raises(InvalidProfile, match=r"'n1' has a unit time of 0\.5, node 'n0' one of 1"):
        check_unit_times(tables((1, 1), (1, 0.5)))


def test_a_unit_time_longer_than_every_option() -> None:
    with pytest.raises(InvalidProfile, match=r"slowest takes 3\.0"):
        check_unit_times(tables((2, 5), (3, 5), (0, 5)))
    assert check_unit_times(tables((2, 5), (5, 5))) == 5.0
