"""The distribution of the calls of one phase."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class PhaseTimes:
    """How long the calls of one phase took.

    The first call stands apart: it pays for imports, caches and page faults.

    Attributes:
        phase: its name.
        calls: number of calls, 1 or more.
        total: seconds of all calls, phases within them counted.
        own: seconds of all calls, phases within them not counted; these add up over phases.
        first: seconds of the first call.
        mean: mean of the later calls, seconds; 0 where there is none. So are the others:
        least: shortest later call.
        median: half of the later calls take no longer.
        p90: nine in ten of the later calls take no longer.
        p99: 99 in a hundred of the later calls take no longer.
        most: longest later call.
    """

    phase: str
    calls: int
    total: float
    own: float
    first: float
    mean: float
    least: float
    median: float
    p90: float
    p99: float
    most: float

    @classmethod
    def of(cls, phase: str, durations: Sequence[int], own: Sequence[int]) -> PhaseTimes:
        """The distribution of some calls.

        Args:
            phase: name of the phase.
            durations: nanoseconds of every call, in the order they began; one or more.
            own: nanoseconds of every call less the phases within it.
        """
        later = sorted(durations[1:]) or [0]
        ranks = [_rank(later, percent) for percent in (50, 90, 99)]
        return cls(
            phase,
            len(durations),
            total=sum(durations) / 1e9,
            own=sum(own) / 1e9,
            first=durations[0] / 1e9,
            mean=sum(later) / len(later) / 1e9,
            least=later[0] / 1e9,
            median=ranks[0] / 1e9,
            p90=ranks[1] / 1e9,
            p99=ranks[2] / 1e9,
            most=later[-1] / 1e9,
        )

    def to_dict(self) -> dict[str, Any]:
        """The attributes but the name, as JSON-ready values."""
        return {name: getattr(self, name) for name in self.__slots__ if name != "phase"}


def _rank(rising: Sequence[int], percent: int) -> int:
    """The smallest value that so many per cent do not exceed (nearest rank)."""
    return rising[-(-len(rising) * percent // 100) - 1]
