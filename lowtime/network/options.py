"""The measured options of one operation, as arrays."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

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
    for option in options:
        time, unit, cost = float(option.real_time), float(option.unit_time), float(option.cost)
        where = f"node {node!r}, option {option.knob!r}"
        if not (np.isfinite(time) and time >= 0):
            raise InvalidProfile(f"{where}: its time is {time}; expected 0 or more, and finite")
        if not (np.isfinite(unit) and unit > 0):
            raise InvalidProfile(f"{where}: its unit time is {unit}; expected a positive number")
        if not np.isfinite(cost):
            raise InvalidProfile(f"{where}: its cost is {cost}; expected a finite number")
        if unit != float(options[0].unit_time):
            raise InvalidProfile(
                f"{where}: its unit time is {unit}, but another option has"
                f" {float(options[0].unit_time)}; expected the same everywhere"
            )
        if option.quant_time > MAX_TOTAL_TIME:
            raise CapacityRange(
                f"{where}: its time is {option.quant_time} quanta, above 2^62;"
                " use a longer unit time"
            )
    ordered = sorted(options, key=lambda option: option.quant_time)
    return OptionTable(
        node=node,
        quanta=np.array([option.quant_time for option in ordered], dtype=np.int64),
        costs=np.array([float(option.cost) for option in ordered]),
        times=np.array([float(option.real_time) for option in ordered]),
        knobs=tuple(option.knob for option in ordered),
        unit_time=float(options[0].unit_time),
    )


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
