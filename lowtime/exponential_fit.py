"""The exponential that meets measured options best, in the sense of least squares."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lowtime.errors import InvalidProfile

Array = NDArray[np.float64]

# Bends of a curve over the range of the options, |b| * (longest - shortest). At the least one the
# curve is within 2e-9 of its range from a straight line, and a * exp(b t) + c, the difference of
# two numbers 2^26 times the range, still holds to 2e-8 of it.
STRAIGHT = 2.0**-26
# exp(-40) is below half a unit in the last place of 1: from there on a stronger bend changes
# nothing any more, the curve is the first option and a constant.
SHARPEST = 40.0
STARTS_PER_DECADE = 32  # the error varies on the scale of a factor of e


@dataclass(frozen=True, slots=True)
class Exponential:
    """The curve ``level + gradient * expm1(bend * (t - anchor)) / bend``.

    The same curves as ``a * exp(b t) + c``, but written so that neither a weak bend nor a far
    anchor costs digits.

    Attributes:
        anchor: quanta.
        level: cost at the anchor.
        gradient: change of cost per quantum at the anchor.
        bend: b, per quantum; 0 is a straight line.
        given: (a, b, c), where somebody gave them.
    """

    anchor: float
    level: float
    gradient: float
    bend: float
    given: tuple[float, float, float] | None = None

    @classmethod
    def from_coefficients(cls, a: float, b: float, c: float) -> Exponential:
        """The curve ``a * exp(b t) + c``; calls compute exactly this expression."""
        return cls(anchor=0.0, level=a + c, gradient=a * b, bend=b, given=(a, b, c))

    def value(self, time: float) -> float:
        """Cost at a duration, quanta."""
        if self.given is not None:
            a, b, c = self.given
            return a * float(np.exp(b * time)) + c
        past = time - self.anchor
        if self.bend == 0:
            return self.level + self.gradient * past
        return self.level + self.gradient * (math.expm1(self.bend * past) / self.bend)

    def marginals(self, lo: int, hi: int) -> Array:
        """float64[hi - lo], ``value(lo + k) - value(lo + k + 1)``."""
        past = np.arange(lo, hi, dtype=np.float64) - self.anchor
        step = math.expm1(self.bend) / self.bend if self.bend else 1.0
        saving: Array = -self.gradient * step * np.exp(self.bend * past) + 0.0
        return saving

    def coefficients(self) -> tuple[float, float, float]:
        """(a, b, c), all finite.

        Raises:
            InvalidProfile: when a does not fit into a float, because the options lie more than 700
                times further from 0 than the curve needs to fall by a factor of e.
        """
        if self.given is not None:
            return self.given
        height = self.gradient / self.bend
        try:
            a = height * math.exp(-self.bend * self.anchor)
        except OverflowError:
            a = math.inf
        if math.isinf(a):
            raise InvalidProfile(
                f"coefficient a = {height} * exp({-self.bend * self.anchor}) is beyond float64;"
                " call the model instead of its coefficients, or use a longer unit time"
            )
        return (a, self.bend, self.level - height)


def least_squares_exponential(times: Array, costs: Array) -> Exponential:
    """The curve with a >= 0 and b < 0 that has the least squared error.

    For a fixed b the problem is linear in a and c, so the error is a function of b alone. Its
    derivative is searched for changes of sign on a logarithmic grid, each is bisected, and the
    best minimum wins; so do the ends of the grid, a straight line and a single step.

    Source: variable projection, G. H. Golub and V. Pereyra, 1973, doi:10.1137/0710036.

    Args:
        times: float64[k], quanta, at least one.
        costs: float64[k], finite.
    """
    anchor = float(times.min())
    span = float(times.max()) - anchor
    mean = float(costs.mean())
    # The costs are compared in a scale of their own; nothing depends on their unit.
    scale = float(np.abs(costs - mean).max())
    if span == 0 or scale == 0:
        return Exponential(anchor, mean, 0.0, -1.0 / span if span else -1.0)
    projection = _Projection((times - anchor) / span, (costs - mean) / scale)
    bend = _best_bend(projection)
    gradients, levels, _ = projection.line(np.array([bend]))
    gradient, level = float(gradients[0]), float(levels[0])
    if gradient == 0:
        return Exponential(anchor, mean, 0.0, -1.0 / span)
    return Exponential(anchor, level * scale + mean, gradient * scale / span, bend / span)


class _Projection:
    """Least-squares lines through the options on bent axes, for many bends at once.

    Every method takes float64[g] bends, all < 0, and returns float64[g].
    """

    def __init__(self, times: Array, costs: Array) -> None:
        self.times = times  # float64[k], from 0 to 1
        self.costs = costs  # float64[k], within -1 .. 1

    def line(self, bends: Array) -> tuple[Array, Array, Array]:
        """Gradient and level of the best line, and what it leaves of every cost, [g, k]."""
        axis = np.expm1(bends[:, None] * self.times) / bends[:, None]
        middle = axis.mean(axis=1)
        centred = axis - middle[:, None]
        gradient = centred @ self.costs / np.einsum("gk,gk->g", centred, centred)
        # A curve that would rise gives way to a constant.
        gradient = np.minimum(gradient, 0.0)
        rest = self.costs - self.costs.mean() - gradient[:, None] * centred
        return gradient, self.costs.mean() - gradient * middle, rest

    def error(self, bends: Array) -> Array:
        """Squared error of the best line."""
        rest = self.line(bends)[2]
        error: Array = np.einsum("gk,gk->g", rest, rest)
        return error

    def growth(self, bends: Array) -> Array:
        """Half the derivative of the error by the logarithm of the bend.

        The rest is at right angles to the axis and to a constant, so of the axis' derivative only
        ``times * exp(bend * times)`` is left.
        """
        gradient, _, rest = self.line(bends)
        pull = self.times * np.exp(bends[:, None] * self.times)
        growth: Array = -gradient * np.einsum("gk,gk->g", rest, pull)
        return growth


def _best_bend(projection: _Projection) -> float:
    """The bend, < 0, with the least error; the weakest one where several have the same."""
    if len(projection.times) < 3:
        return -STRAIGHT  # every bend goes through two points, and a line invents none
    nearest = float(np.min(projection.times[projection.times > 0]))
    decades = math.log10(SHARPEST / nearest / STRAIGHT)
    grid = -np.geomspace(STRAIGHT, SHARPEST / nearest, int(decades * STARTS_PER_DECADE) + 2)
    growth = projection.growth(grid)
    turns = np.flatnonzero((growth[:-1] < 0) & (growth[1:] >= 0))
    minima = _bisect(projection, grid[turns], grid[turns + 1])
    candidates = np.concatenate([grid[:1], minima, grid[-1:]])
    return float(candidates[np.argmin(projection.error(candidates))])


def _bisect(projection: _Projection, falling: Array, rising: Array) -> Array:
    """Bends where the error stops falling, between neighbours of the grid, to the last digits."""
    for _ in range(64):  # halves the logarithm's interval down to its last bit
        middle = -np.sqrt(falling * rising)
        still_falling = projection.growth(middle) < 0
        falling = np.where(still_falling, middle, falling)
        rising = np.where(still_falling, rising, middle)
    return rising


def fit_from_guess(
    times: Array, costs: Array, guess: tuple[float, float, float]
) -> tuple[float, float, float] | None:
    """Coefficients (a, b, c) of a local least-squares fit, or None where it does not converge.

    Args:
        times: float64[k], quanta.
        costs: float64[k].
        guess: start for (a, b, c).
    """
    import warnings

    from scipy.optimize import OptimizeWarning, curve_fit

    def curve(t: Array, a: float, b: float, c: float) -> Array:
        values: Array = a * np.exp(b * t) + c
        return values

    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore", OptimizeWarning)
            found, covariance = curve_fit(curve, times, costs, p0=guess, maxfev=50_000)
    except (RuntimeError, TypeError, ValueError):
        return None  # out of iterations, or fewer options than coefficients
    if not (np.isfinite(covariance).all() and np.isfinite(found).all()):
        return None
    a, b, c = (float(value) for value in found)
    return a, b, c
