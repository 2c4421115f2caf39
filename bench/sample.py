"""Repeated measurements of one thing, and the ratio of two."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

RESAMPLES = 2000
LEVEL = 95  # per cent


@dataclass(frozen=True, slots=True)
class Sample:
    """Seconds per call, one entry per run.

    Attributes:
        seconds: in the order of the runs; one or more.
        repeats: calls inside the timer of every run.
    """

    seconds: tuple[float, ...]
    repeats: int = 1

    @property
    def median(self) -> float:
        """The middle run."""
        return statistics.median(self.seconds)

    @property
    def spread(self) -> float:
        """Interquartile range over the median."""
        low, high = np.percentile(self.seconds, (25, 75))
        return float((high - low) / self.median) if self.median else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Median, least, spread, runs, repeats and all the seconds; JSON-ready."""
        return {
            "median": self.median,
            "least": min(self.seconds),
            "spread": self.spread,
            "runs": len(self.seconds),
            "repeats": self.repeats,
            "seconds": list(self.seconds),
        }


def ratio(slow: Sequence[float], fast: Sequence[float]) -> tuple[float, float, float]:
    """How many times longer ``slow`` takes: of the medians, with a 95 % interval.

    Where both have as many runs, run k of one stands beside run k of the other (they were
    interleaved), so pairs are drawn again together: what disturbs both, such as a busy machine,
    cancels.

    Source: Efron, Bootstrap methods: another look at the jackknife (1979),
        doi:10.1214/aos/1176344552.
    """
    point = statistics.median(slow) / statistics.median(fast)
    rng = np.random.default_rng(0)
    draws = rng.integers(0, len(slow), size=(RESAMPLES, len(slow)))
    others = draws
    if len(slow) != len(fast):
        others = rng.integers(0, len(fast), size=(RESAMPLES, len(fast)))
    ratios = np.median(np.asarray(slow)[draws], axis=1) / np.median(
        np.asarray(fast)[others], axis=1
    )
    tail = (100 - LEVEL) / 2
    low, high = np.percentile(ratios, (tail, 100 - tail))
    return point, float(low), float(high)


def geometric_mean(values: Sequence[float]) -> float:
    """Of positive numbers; 0 of none."""
    return float(np.exp(np.mean(np.log(values)))) if values else 0.0


def growth_exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """The slope of the least-squares line through log size and log seconds; NaN below two sizes."""
    if len(set(sizes)) < 2:
        return float("nan")
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])
