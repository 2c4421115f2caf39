"""Cost of an operation as a function of its duration."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from lowtime.decimals import written
from lowtime.exponential_fit import Exponential, fit_from_guess, least_squares_exponential

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from lowtime.operation import CandidateExecutionOptions, ExecutionOption

SearchStrategy = Literal["best", "first"]


class CostModel(ABC):
    """Cost at every duration between an operation's options; called with quanta."""

    @abstractmethod
    def __call__(self, quant_time: int) -> float:
        """Cost at a duration, quanta."""

    def marginals(self, lo: int, hi: int) -> NDArray[np.float64] | None:
        """What one quantum more of duration saves, without the noise of subtracting costs.

        Args:
            lo: shortest duration, quanta.
            hi: longest duration, quanta, >= ``lo``.

        Returns:
            float64[hi - lo], entry ``k`` is ``cost(lo + k) - cost(lo + k + 1)``; None where the
            model cannot tell better than by subtracting, which is then done by the caller.
        """
        return None

    def draw(self, ax: Axes, options: CandidateExecutionOptions[Any]) -> None:
        """Draw the options as points and the model as a line.

        Args:
            ax: where to draw; the x axis is in quanta.
            options: the options that the model should meet.
        """
        times = [option.quant_time for option in options.options]
        ax.plot(times, [option.cost for option in options.options], "o")
        for option in options.options:
            text = f"({option.quant_time}, {option.cost}, {option.knob})"
            ax.annotate(text, (option.quant_time, option.cost))
        steps = np.linspace(min(times), max(times), 513).tolist()
        ax.plot(steps, [self(step) for step in steps], "r-")
        ax.set_xlabel("quant_time")
        ax.set_ylabel("cost")


class PiecewiseLinearModel(CostModel):
    """The lower convex hull of the options, in exact decimals.

    It fits nothing and so never fails. Beyond the options the first and the last piece go on.

    Args:
        options: the options of the operation, at least one.

    Attributes:
        hull_shift: largest amount by which the hull lies below one of the options; 0 where they are
            convex. Options no faster than the cheapest one do not count: they are never planned.
    """

    def __init__(self, options: CandidateExecutionOptions[Any]) -> None:
        points = [(option.quant_time, _cost(option)) for option in options.options]
        self._times, self._costs = _lower_hull(points)
        rises = [
            (after - before) / (end - start)
            for start, end, before, after in zip(
                self._times, self._times[1:], self._costs, self._costs[1:], strict=False
            )
        ]
        self._slopes = rises or [Fraction(0)]
        self.hull_shift = 0.0
        if len(self._times) < len(points):
            cheapest, _ = min(points, key=lambda point: (point[1], point[0]))
            self.hull_shift = float(
                max(cost - self._exact(time) for time, cost in points if time <= cheapest)
            )

    def __call__(self, quant_time: int) -> float:
        return float(self._exact(quant_time))

    def _exact(self, quant_time: int) -> Fraction:
        piece = bisect_right(self._times, quant_time, hi=len(self._slopes)) - 1
        piece = max(piece, 0)
        past = Fraction(quant_time) - self._times[piece]
        return self._costs[piece] + self._slopes[piece] * past

    def linear_pieces(self, lo: int, hi: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The pieces between two durations, however many quanta they span.

        Args:
            lo: shortest duration, quanta.
            hi: longest duration, quanta, >= ``lo``.

        Returns:
            int64[p] lengths in quanta, at least 1, that add up to ``hi - lo``; float64[p], what
            every quantum more saves.
        """
        corners, slopes = [lo], []
        for end, slope in zip(self._times[1:], self._slopes, strict=False):
            if lo < end and corners[-1] < hi:
                corners.append(min(end, hi))
                slopes.append(slope)
        if corners[-1] < hi:
            corners.append(hi)
            slopes.append(self._slopes[-1])
        savings = [-float(slope) + 0.0 for slope in slopes]  # no negative zeros
        at = np.array(corners, dtype=np.int64)
        return at[1:] - at[:-1], np.array(savings, dtype=np.float64)

    def marginals(self, lo: int, hi: int) -> NDArray[np.float64]:
        """What one quantum more saves: the same number all along a piece; see `CostModel`."""
        inner = self._times[1 : len(self._slopes)]
        piece = np.searchsorted(np.asarray(inner, dtype=np.int64), np.arange(lo, hi), side="right")
        savings = np.array([-float(slope) for slope in self._slopes])
        return savings[piece] + 0.0  # no negative zeros


def _cost(option: ExecutionOption[Any]) -> Fraction:
    return written(option.cost, f"cost of option with knob {option.knob!r}")


def _lower_hull(points: list[tuple[int, Fraction]]) -> tuple[list[int], list[Fraction]]:
    """Corners of the lower convex hull, by time.

    Source: A. M. Andrew, 1979, "Another efficient algorithm for convex hulls in two dimensions",
    doi:10.1016/0020-0190(79)90072-3.
    """
    times: list[int] = []
    costs: list[Fraction] = []
    for time, cost in sorted(points):
        if times and times[-1] == time:
            continue
        while len(times) > 1 and (costs[-1] - costs[-2]) * (time - times[-1]) >= (
            cost - costs[-1]
        ) * (times[-1] - times[-2]):
            times.pop()
            costs.pop()
        times.append(time)
        costs.append(cost)
    return times, costs


class ExponentialModel(CostModel):
    """``cost = a * exp(b * quant_time) + c`` with a > 0 and b < 0.

    Without an initial guess it is the global least-squares fit. Where the error keeps falling as b
    goes to 0 that is a straight line, here an exponential that bends by less than 1e-8 of its
    range. Where no falling curve beats a constant, a is 0. A subclass that has its own
    `run_grid_search` is asked instead.

    Args:
        options: the options to fit, at least one.
        initial_guess: start of a local fit for (a, b, c); None looks for the global one.
        search_strategy: kept for programs that name one; the global fit is the best as well as the
            first.

    Attributes:
        coefficients: (a, b, c); a program may set them, and calls follow.

    Raises:
        ValueError: when a fit from an initial guess does not converge.
    """

    def __init__(
        self,
        options: CandidateExecutionOptions[Any],
        initial_guess: tuple[float, float, float] | None = None,
        search_strategy: SearchStrategy = "first",
    ) -> None:
        self.initial_guess = initial_guess
        self.search_strategy = search_strategy
        times, costs = _columns(options)
        if initial_guess is None:
            _check_strategy(search_strategy)
            if type(self).run_grid_search is not ExponentialModel.run_grid_search:
                # A subclass that searches its own way is asked, with the grid of 0.3.0.
                scale = options.options[0].unit_time / 0.001
                rates = [-rate * scale for rate in (0.01, 0.02, 0.03, 0.04, 0.05, 0.1)]
                sizes = [10.0, 100.0, 1000.0]
                self.coefficients = self.run_grid_search(
                    options, sizes, rates, sizes, search_strategy
                )
                return
            self._curve = least_squares_exponential(times, costs)
            return
        found = fit_from_guess(times, costs, initial_guess)
        if found is None:
            raise ValueError(
                f"the fit from initial guess {initial_guess} did not converge;"
                " leave initial_guess out for the global fit"
            )
        self.coefficients = found

    @property
    def coefficients(self) -> tuple[float, float, float]:
        """(a, b, c) of the curve."""
        return self._curve.coefficients()

    @coefficients.setter
    def coefficients(self, values: Sequence[float]) -> None:
        a, b, c = (float(value) for value in values)
        self._curve = Exponential.from_coefficients(a, b, c)

    @staticmethod
    def fn(t: Any, a: float, b: float, c: float) -> Any:
        """The curve itself: ``a * exp(b * t) + c``."""
        return a * np.exp(b * t) + c

    def __call__(self, quant_time: int) -> float:
        return self._curve.value(quant_time)

    def marginals(self, lo: int, hi: int) -> NDArray[np.float64]:
        """What one quantum more saves, through expm1; see `CostModel`."""
        return self._curve.marginals(lo, hi)

    def run_grid_search(
        self,
        options: CandidateExecutionOptions[Any],
        a_candidates: Sequence[float],
        b_candidates: Sequence[float],
        c_candidates: Sequence[float],
        search_strategy: SearchStrategy,
    ) -> tuple[float, float, float]:
        """Coefficients of a local fit started from a grid of guesses.

        Args:
            options: the options to fit.
            a_candidates: starts for a.
            b_candidates: starts for b, per quantum.
            c_candidates: starts for c.
            search_strategy: "first" takes the first start that converges to a curve with a >= 0,
                "best" the one with the least squared error.

        Raises:
            ValueError: when no start converges.
        """
        _check_strategy(search_strategy)
        times, costs = _columns(options)
        best: tuple[float, float, float] | None = None
        least = np.inf
        for a in a_candidates:
            for b in b_candidates:
                for c in c_candidates:
                    found = fit_from_guess(times, costs, (a, b, c))
                    if found is None or found[0] < 0:
                        continue
                    if search_strategy == "first":
                        return found
                    error = float(np.mean(np.square(costs - self.fn(times, *found))))
                    if error < least:
                        best, least = found, error
        if best is None:
            raise ValueError("no guess of the grid converges to a curve with a >= 0; widen it")
        return best


def _check_strategy(strategy: str) -> None:
    if strategy not in ("best", "first"):
        raise ValueError(f"search_strategy is {strategy!r}; expected 'best' or 'first'")


def _columns(
    options: CandidateExecutionOptions[Any],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    times = np.array([option.quant_time for option in options.options], dtype=np.float64)
    costs = np.array([float(_cost(option)) for option in options.options])
    return times, costs
