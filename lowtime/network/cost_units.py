"""The integer scale of marginal costs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lowtime.network.activity import MAX_UNBOUNDED

MAX_EXPONENT = 1074  # every float64 is a multiple of 2^-1074, the smallest one


@dataclass(frozen=True, slots=True, eq=False)
class CostUnits:
    """Marginal costs as integers.

    Attributes:
        exponent: one cost unit is worth ``2**-exponent`` of the user's cost.
        marginals: int64 arrays, one per table, at least 1, never rising.
        unbounded: UNB, 1 + the sum of the largest marginal of every operation.
    """

    exponent: int
    marginals: list[NDArray[np.int64]]
    unbounded: int


def cost_units(tables: Sequence[NDArray[np.float64]], uses: Sequence[int]) -> CostUnits:
    """Marginals scaled by the largest power of two that keeps UNB within 2^50, then rounded.

    Rounding is monotone, so marginals that never rise still never rise. A positive marginal never
    rounds below 1 unit.

    Args:
        tables: float64 arrays of positive marginals that never rise, one per cost table.
        uses: how many operations use each table.
    """
    largest = [float(table[0]) for table in tables]
    if not largest:
        return CostUnits(0, [], 1)
    # The sum M in units of the largest marginal's power of two, so that it cannot overflow.
    power = math.frexp(max(largest))[1]
    total = math.fsum(
        math.ldexp(most, -power) * count for most, count in zip(largest, uses, strict=True)
    )
    exponent = min(50 - power - math.frexp(total)[1] + 1, MAX_EXPONENT)
    while (unbounded := _unbounded(largest, uses, exponent)) > MAX_UNBOUNDED:
        exponent -= 1
    return CostUnits(exponent, [_scaled(table, exponent) for table in tables], unbounded)


def _unbounded(largest: list[float], uses: Sequence[int], exponent: int) -> int:
    scaled = (max(1, round(math.ldexp(most, exponent))) for most in largest)
    return 1 + sum(most * count for most, count in zip(scaled, uses, strict=True))


def _scaled(table: NDArray[np.float64], exponent: int) -> NDArray[np.int64]:
    return np.maximum(np.rint(np.ldexp(table, exponent)), 1.0).astype(np.int64)
