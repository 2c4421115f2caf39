"""What a pipeline's plans cost in energy: the frontier's costs plus what waiting draws."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from lowtime.frontier.frontier import Frontier


LONG = 1e12  # joules; above it, hundredths are noise


def digits(energy: float) -> str:
    """Joules for people: ``5606.50``, and ``1e+300`` instead of 301 digits."""
    return f"{energy:.2f}" if abs(energy) < LONG else f"{energy:.6g}"


def joules(energy: float) -> str:
    """An energy for people, with its unit."""
    return f"{digits(energy)} J"


def energies(
    frontier: Frontier, ranks: int, blocking_power: float, measured: bool = False
) -> NDArray[np.float64]:
    """Energy of every point: cost + ranks x time x blocking power.

    Every rank (a stage, where each has a rank of its own) draws the blocking power from start to
    end; an operation's cost is what it draws on top of that.

    Args:
        frontier: costs in joules, times in seconds.
        ranks: number of ranks of the pipeline.
        blocking_power: watts.
        measured: by the measurements of the options chosen, instead of the cost models.

    Returns:
        float64[k], joules, one per point of the frontier.
    """
    costs = frontier.measured_costs if measured else frontier.costs
    return costs + ranks * frontier.times * blocking_power
