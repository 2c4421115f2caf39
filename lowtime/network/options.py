"""The measured options of one operation, as arrays."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

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
    times = _column(options, "real_time", node, "time")
    units = _column(options, "unit_time", node, "unit time")
    costs = _column(options, "cost", node, "cost")
    unit_time = units[0]
    for option, time, unit in zip(options, times, units, strict=True):
        if time < 0 or unit <= 0 or unit != unit_time:
            _refuse(f"node {node!r}, option {option.knob!r}", time, unit, unit_time)
    quanta = [option.quant_time for option in options]
    if max(quanta) > MAX_TOTAL_TIME:
        slowest = options[quanta.index(max(quanta))]
        raise CapacityRange(
            f"node {node!r}, option {slowest.knob!r}: its time is {slowest.real_time} s, above 2^62"
            f" quanta of {unit_time} s; use a longer unit time"
        )
    order = np.argsort(quanta, kind="stable")
    return OptionTable(
        node=node,
        quanta=np.array(quanta, dtype=np.int64)[order],
        costs=np.array(costs)[order],
        times=np.array(times)[order],
        knobs=tuple(options[i].knob for i in order),
        unit_time=unit_time,
    )


def _column(
    options: Sequence[ExecutionOption[Any]], attribute: str, node: Hashable, what: str
) -> list[float]:
    values = [getattr(option, attribute) for option in options]
    if set(map(type, values)) == {float} and all(map(math.isfinite, values)):  # mostly
        return values
    return [
        _number(value, f"node {node!r}, option {option.knob!r}: its {what}")
        for option, value in zip(options, values, strict=True)
    ]


def _refuse(where: str, time: float, unit: float, first_unit: float) -> NoReturn:
    if time < 0:
        raise InvalidProfile(f"{where}: its time is {time}; expected 0 or more")
    if unit <= 0:
        raise InvalidProfile(f"{where}: its unit time is {unit}; expected more than 0")
    raise InvalidProfile(
        f"{where}: its unit time is {unit}, but another option has {first_unit};"
        " expected the same everywhere"
    )


def _number(value: Any, what: str) -> float:
    if type(value) is float and math.isfinite(value):
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
