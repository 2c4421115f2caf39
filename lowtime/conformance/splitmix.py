"""Seeded integers that are the same in every version of Python and NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
_MASK = 2**64 - 1


class SplitMix64:
    """The SplitMix64 generator.

    `random.Random` promises the same bits only for `random()`; stored goldens need more.

    Source: G. L. Steele, D. Lea, C. H. Flood: Fast splittable pseudorandom number generators,
    OOPSLA 2014, doi:10.1145/2660193.2660195.

    Example:
        >>> SplitMix64(0).below(100)
        35
    """

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def bits(self) -> int:
        """The next integer in ``0 .. 2^64 - 1``."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        z = self._state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return z ^ (z >> 31)

    def below(self, bound: int) -> int:
        """An integer in ``0 .. bound - 1``; the bias of the modulo does not matter here."""
        return self.bits() % bound

    def between(self, low: int, high: int) -> int:
        """An integer in ``low .. high``, both included."""
        return low + self.below(high - low + 1)

    def choice(self, values: Sequence[T]) -> T:
        """One of the values."""
        return values[self.below(len(values))]

    def shuffled(self, values: Sequence[T]) -> list[T]:
        """The values in another order (Fisher-Yates)."""
        result = list(values)
        for i in range(len(result) - 1, 0, -1):
            j = self.below(i + 1)
            result[i], result[j] = result[j], result[i]
        return result
