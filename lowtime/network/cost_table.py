"""The convex cost table of one operation, from its cost model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from lowtime.counted import quanta
from lowtime.errors import CapacityRange, InvalidProfile

MAX_TABLE_QUANTA = 10**7  # 80 MB a table: a unit time that fine is a slip of the pen
# How far costs and marginals of one model may differ for being rounded: a model that is wrong about
# itself is off by more. The noise of a cost grows with it, as of 1e10 + 0.1 k.
COST_NOISE = 1e-9
MARGINAL_NOISE = 1e-6

T = TypeVar("T")

_OVERFLOW = "{}: its costs are beyond what a float64 can hold; scale them down"


@dataclass(frozen=True, slots=True, eq=False)
class CostTable:
    """What a quantum of duration saves, between the shortest and the longest useful duration.

    Attributes:
        shortest: shortest duration, quanta.
        lengths: int64[p], quanta of every piece, at least 1, from short to long durations.
        marginals: float64[p], cost saved by every quantum of the piece; positive, never rising.
        longest_cost: the model's cost at the longest useful duration.
        cost_range: what the shortest duration costs more than that.
        hull_shift: largest amount by which the convex hull lowered a cost of the model; 0 for
            convex models.
        options_shift: largest amount by which the model, itself a convex hull of options, lies
            below one of them.
    """

    shortest: int
    lengths: NDArray[np.int64]
    marginals: NDArray[np.float64]
    longest_cost: float
    cost_range: float
    hull_shift: float
    options_shift: float

    @property
    def longest(self) -> int:
        """Longest useful duration, quanta; longer ones are not cheaper."""
        return self.shortest + int(self.lengths.sum())

    @property
    def relative_shift(self) -> float:
        """Largest amount by which a convex hull lowered a cost, as a part of the range."""
        return max(self.hull_shift, self.options_shift) / (self.cost_range or 1.0)


def cost_table(
    model: Callable[[int], float], shortest: int, longest: int, name: str = "operation"
) -> CostTable:
    """The cost table of a model between two durations.

    A model that offers ``linear_pieces(lo, hi)`` or ``marginals(lo, hi)`` is asked for them, so
    that the noise of subtracting nearly equal costs never makes kinks; any other callable is
    differenced. Durations that are weakly dominated (not cheaper than a shorter one) are trimmed;
    what is left is replaced by its lower convex hull.

    Args:
        model: cost of a duration in quanta.
        shortest: shortest duration, quanta.
        longest: longest duration, quanta.
        name: the operation, for messages.

    Raises:
        InvalidProfile: the model returns NaN, an infinity, or no number, or its marginals do not
            add up to the difference of its costs.
        CapacityRange: the durations span more than 10^7 quanta, and the model has no pieces.
    """
    if not callable(model):
        raise InvalidProfile(f"{name}: its cost model is {model!r}; expected a callable")
    hull_shift = options_shift = 0.0
    if _offers(model, "linear_pieces"):
        linear: Any = model
        lengths, marginals = _in_range(lambda: linear.linear_pieces(shortest, longest), name)
        options_shift = linear.hull_shift
    else:
        marginals = _marginals(model, shortest, longest, name)
        if np.any(marginals[1:] > marginals[:-1]):
            marginals, hull_shift = _lower_hull(marginals, name)
        lengths = np.ones(len(marginals), dtype=np.int64)
    useful = np.count_nonzero(marginals > 0)  # they never rise
    lengths, marginals = lengths[:useful], marginals[:useful]
    end = shortest + int(lengths.sum())
    with np.errstate(over="ignore"):
        cost_range = float(lengths @ marginals)
    if not np.isfinite(cost_range):
        raise InvalidProfile(_OVERFLOW.format(name))
    longest_cost = _cost(model, end, name)
    saved = _cost(model, shortest, name) - longest_cost
    noise = COST_NOISE * max(abs(saved + longest_cost), abs(longest_cost))
    if abs(saved - cost_range) > MARGINAL_NOISE * cost_range + noise:
        raise InvalidProfile(
            f"{name}: its cost model's marginals save {cost_range} between {shortest} and {end}"
            f" quanta, its costs {saved}; expected the same"
        )
    return CostTable(
        shortest=shortest,
        lengths=lengths,
        marginals=marginals,
        longest_cost=longest_cost,
        cost_range=cost_range,
        hull_shift=hull_shift,
        options_shift=options_shift,
    )


def _offers(model: Any, method: str) -> bool:
    """Whether a method belongs to the model's costs: a subclass with costs of its own needs one."""
    for cls in type(model).__mro__:
        if method in vars(cls):
            return True
        if "__call__" in vars(cls):
            return False
    return False


def _in_range(ask: Callable[[], T], name: str) -> T:
    try:
        return ask()
    except OverflowError as error:
        raise InvalidProfile(_OVERFLOW.format(name)) from error


def _cost(model: Callable[[int], float], duration: int, name: str) -> float:
    value: Any = _in_range(lambda: model(duration), name)
    try:
        cost = float("nan" if isinstance(value, str | bytes) else value)
    except OverflowError as error:
        raise InvalidProfile(_OVERFLOW.format(name)) from error
    except (TypeError, ValueError):
        cost = float("nan")
    if not np.isfinite(cost):
        raise InvalidProfile(
            f"{name}: its cost model returns {value!r} for {quanta(duration)}; expected a finite"
            " number"
        )
    return cost


def _marginals(
    model: Callable[[int], float], shortest: int, longest: int, name: str
) -> NDArray[np.float64]:
    """What every quantum saves, as the model says or as its costs differ: float64[hi - lo]."""
    if longest - shortest > MAX_TABLE_QUANTA:
        raise CapacityRange(
            f"{name}: its durations span {longest - shortest} quanta, above {MAX_TABLE_QUANTA};"
            " use a longer unit time, or PiecewiseLinearModel"
        )
    if _offers(model, "marginals"):
        offering: Any = model
        values = _in_range(lambda: offering.marginals(shortest, longest), name)
        if values is not None:
            return _checked_marginals(values, shortest, longest, name)
    costs = np.array([_cost(model, d, name) for d in range(shortest, longest + 1)])
    with np.errstate(over="ignore"):  # an infinite difference is refused below
        return _checked_marginals(costs[:-1] - costs[1:], shortest, longest, name)


def _checked_marginals(values: Any, shortest: int, longest: int, name: str) -> NDArray[np.float64]:
    try:
        marginals = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidProfile(
            f"{name}: its cost model's marginals({shortest}, {longest}) are {values!r};"
            f" expected float64[{longest - shortest}]"
        ) from error
    if marginals.shape != (longest - shortest,):
        raise InvalidProfile(
            f"{name}: its cost model's marginals({shortest}, {longest}) has shape"
            f" {marginals.shape}; expected ({longest - shortest},)"
        )
    wrong = np.flatnonzero(~np.isfinite(marginals))
    if wrong.size:
        raise InvalidProfile(
            f"{name}: one quantum more than {shortest + wrong[0]} saves {marginals[wrong[0]]} in"
            " its cost model; expected a finite number"
        )
    return marginals


def _lower_hull(marginals: NDArray[np.float64], name: str) -> tuple[NDArray[np.float64], float]:
    """Marginals of the lower convex hull, up to its minimum, and how far it lowers a cost.

    Source:
        Andrew, Another efficient algorithm for convex hulls in two dimensions (1979),
        doi:10.1016/0020-0190(79)90072-3.
    """
    # Costs relative to the shortest duration; a prefix sum keeps large offsets out of them.
    with np.errstate(over="ignore"):
        costs = np.concatenate(([0.0], -np.cumsum(marginals)))
    if not np.isfinite(costs).all():
        raise InvalidProfile(_OVERFLOW.format(name))
    costs = costs[: int(np.argmin(costs)) + 1]  # argmin: the shortest of the cheapest
    corners: list[int] = []
    values = costs.tolist()
    for k, cost in enumerate(values):
        while len(corners) >= 2:
            i, j = corners[-2], corners[-1]
            # Keep j only if it lies strictly below the line from i to k.
            if (values[j] - values[i]) * (k - i) < (cost - values[i]) * (j - i):
                break
            corners.pop()
        corners.append(k)
    at = np.array(corners)
    length = np.diff(at)
    slope = -np.diff(costs[at]) / length
    # Divisions round: keep the order that the hull guarantees in exact arithmetic.
    slope = np.minimum.accumulate(slope)
    hull = np.interp(np.arange(len(costs)), at, costs[at])
    return np.repeat(slope, length), float(np.max(costs - hull))
