"""The convex cost table of one operation, from its cost model."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lowtime.errors import CapacityRange, InvalidProfile

MAX_TABLE_QUANTA = 10**7  # 80 MB a table: a unit time that fine is a slip of the pen
HULL_WARNING = 1e-9  # of the table's range; below it, a moved cost is rounding noise of a float64


@dataclass(frozen=True, slots=True, eq=False)
class CostTable:
    """What every quantum of duration saves, between the shortest and the longest useful duration.

    Attributes:
        shortest: shortest duration, quanta.
        marginals: float64[longest - shortest]; entry ``k`` is the cost saved by going from
            ``shortest + k`` to ``shortest + k + 1`` quanta; positive, never rising.
        longest_cost: the model's cost at the longest useful duration.
        hull_shift: largest amount by which the convex hull lowered a cost; 0 for convex models.
    """

    shortest: int
    marginals: NDArray[np.float64]
    longest_cost: float
    hull_shift: float

    @property
    def longest(self) -> int:
        """Longest useful duration, quanta; longer ones are not cheaper."""
        return self.shortest + len(self.marginals)


def cost_table(
    model: Callable[[int], float], shortest: int, longest: int, name: str = "operation"
) -> CostTable:
    """The cost table of a model between two durations.

    A model that offers ``marginals(lo, hi)`` is asked for them, so that the noise of subtracting
    nearly equal costs never makes kinks; any other callable is differenced. Durations that are
    weakly dominated (not cheaper than a shorter one) are trimmed; what is left is replaced by its
    lower convex hull.

    Args:
        model: cost of a duration in quanta.
        shortest: shortest duration, quanta.
        longest: longest duration, quanta.
        name: the operation, for messages.

    Raises:
        InvalidProfile: the model returns NaN, an infinity, or no number.
        CapacityRange: the durations span more than 10^7 quanta.

    Warns:
        UserWarning: the hull moved a cost by more than 1e-9 of the table's range.
    """
    if longest - shortest > MAX_TABLE_QUANTA:
        raise CapacityRange(
            f"{name}: its durations span {longest - shortest} quanta, above {MAX_TABLE_QUANTA};"
            " use a longer unit time"
        )
    marginals = _model_marginals(model, shortest, longest, name)
    hull_shift = 0.0
    if np.any(marginals[1:] > marginals[:-1]):
        # Costs relative to the shortest duration; a prefix sum keeps large offsets out of them.
        relative = np.concatenate(([0.0], -np.cumsum(marginals)))
        relative = relative[: int(np.argmin(relative)) + 1]  # argmin: the shortest of the cheapest
        marginals, hull_shift = _lower_hull(relative)
        cost_range = -float(relative[-1])
        if hull_shift > HULL_WARNING * cost_range:
            warnings.warn(
                f"{name}: its costs are not convex; the convex hull lowers one by {hull_shift:.6g}"
                f" ({hull_shift / cost_range:.3g} of the range). Plans report the cost of the hull"
                " as `cost` and of the options really chosen as `measured_cost`",
                UserWarning,
                stacklevel=2,
            )
    else:
        marginals = marginals[: np.count_nonzero(marginals > 0)]
    useful = len(marginals)
    # A hull slope is positive: the hull falls to the strict minimum at its right end.
    return CostTable(
        shortest, marginals, _finite(model(shortest + useful), shortest + useful, name), hull_shift
    )


def _finite(value: Any, duration: int, name: str) -> float:
    try:
        cost = float(value)
    except (TypeError, ValueError) as error:
        raise InvalidProfile(
            f"{name}: its cost model returns {value!r} for {duration} quanta; expected a number"
        ) from error
    if not np.isfinite(cost):
        raise InvalidProfile(
            f"{name}: its cost model returns {cost} for {duration} quanta; expected a finite cost"
        )
    return cost


def _model_marginals(
    model: Callable[[int], float], shortest: int, longest: int, name: str
) -> NDArray[np.float64]:
    offered = getattr(model, "marginals", None)
    values = offered(shortest, longest) if offered is not None else None
    if values is None:
        costs = np.array(
            [_finite(model(d), d, name) for d in range(shortest, longest + 1)], dtype=np.float64
        )
        return costs[:-1] - costs[1:]
    marginals = np.asarray(values, dtype=np.float64)
    if marginals.shape != (longest - shortest,):
        raise InvalidProfile(
            f"{name}: its cost model's marginals({shortest}, {longest}) has shape"
            f" {marginals.shape}; expected ({longest - shortest},)"
        )
    wrong = np.flatnonzero(~np.isfinite(marginals))
    if wrong.size:
        raise InvalidProfile(
            f"{name}: its cost model's marginal at {shortest + wrong[0]} quanta is"
            f" {marginals[wrong[0]]}; expected a finite number"
        )
    return marginals


def _lower_hull(costs: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """Marginals of the lower convex hull of equidistant costs, and how far it lowers one.

    Source:
        Andrew, Another efficient algorithm for convex hulls in two dimensions (1979),
        doi:10.1016/0020-0190(79)90072-3.
    """
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
