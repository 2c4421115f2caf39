"""The measured options of one operation, as arrays."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lowtime.decimals import written
from lowtime.errors import CapacityRange, InvalidProfile
from lowtime.network.activity import MAX_TOTAL_TIME

if TYPE_CHECKING:
    from lowtime.operation import ExecutionOption


@dataclass(frozen=True, slots=True, eq=False)
class OptionTable:
    """Options sorted from fast to slow.

    Attributes:
        node: one of the user's nodes that has these options, for messages.
        quanta: int64[k], strictly increasing.
        costs: float64[k], measured costs.
        times: float64[k], measured times, seconds.
        knobs: the k knobs.
        unit_time: seconds per quantum.
    """

    node: Hashable
    quanta: NDArray[np.int64]
    costs: NDArray[np.float64]
    times: NDArray[np.float64]
    knobs: tuple[Any, ...]
    unit_time: float

    def choose(self, durations: NDArray[np.int64]) -> NDArray[np.int64]:
        """Index of the slowest option that meets each duration (the fastest, if none does)."""
        return np.maximum(np.searchsorted(self.quanta, durations, side="right") - 1, 0)


def option_table(options: Sequence[ExecutionOption[Any]], node: Hashable) -> OptionTable:
    """The options of one operation, checked.

    Args:
        options: candidate options, one or more.
        node: the user's node, for messages.

    Raises:
        InvalidProfile: no options, NaN or infinite cost, NaN, infinite or negative time,
            different or non-positive unit times.
        CapacityRange: a time beyond 2^62 quanta.
    """
    if not options:
        raise InvalidProfile(f"node {node!r} has no options; expected one at least")
    times, units, costs = [], [], []
    for option in options:
        where = f"node {node!r}, option {option.knob!r}"
        times.append(_number(option.real_time, f"{where}: its time"))
        units.append(_number(option.unit_time, f"{where}: its unit time"))
        costs.append(_number(option.cost, f"{where}: its cost"))
        if times[-1] < 0:
            raise InvalidProfile(f"{where}: its time is {times[-1]}; expected 0 or more")
        if units[-1] <= 0:
            raise InvalidProfile(f"{where}: its unit time is {units[-1]}; expected more than 0")
        if units[-1] != units[0]:
            raise InvalidProfile(
                f"{where}: its unit time is {units[-1]}, but another option has {units[0]};"
                " expected the same everywhere"
            )
        if option.quant_time > MAX_TOTAL_TIME:
            raise CapacityRange(
                f"{where}: its time is {times[-1]} s, above 2^62 quanta of {units[-1]} s; use a"
                " longer unit time"
            )
    quanta = np.array([option.quant_time for option in options], dtype=np.int64)
    order = np.argsort(quanta, kind="stable")
    return OptionTable(
        node=node,
        quanta=quanta[order],
        costs=np.array(costs)[order],
        times=np.array(times)[order],
        knobs=tuple(options[i].knob for i in order),
        unit_time=units[0],
    )


def _number(value: Any, what: str) -> float:
    if type(value) is float and math.isfinite(value):  # by far the most frequent
        return value
    try:
        if type(value) is int:
            return float(value)
        return float(written(value, what))
    except OverflowError as error:
        raise InvalidProfile(f"{what} is {value!r}, beyond the range of float64") from error


def check_unit_times(tables: Sequence[OptionTable]) -> float:
    """The unit time that all options share, in seconds.

    Args:
        tables: the distinct option tables of a project; none means a project of dummies.

    Raises:
        InvalidProfile: unit times differ, or no option with a positive time reaches one quantum.
    """
    if not tables:
        return 1.0
    unit = tables[0].unit_time
    for table in tables:
        if table.unit_time != unit:
            raise InvalidProfile(
                f"node {table.node!r} has a unit time of {table.unit_time}, node"
                f" {tables[0].node!r} one of {unit}; expected the same unit_time everywhere"
            )
    longest = max(float(table.times.max()) for table in tables)
    if longest > 0 and all(int(table.quanta.max()) == 0 for table in tables):
        raise InvalidProfile(
            f"the unit time {unit} is longer than every option (the slowest takes {longest});"
            " use a shorter one"
        )
    return unit
