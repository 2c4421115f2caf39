"""What a pipeline's plans cost in energy: the frontier's costs plus what waiting draws."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from lowtime.frontier.frontier import Frontier


LONG = 1e12  # joules; above it, hundredths are noise


def joules(energy: float) -> str:
    """An energy for people: ``5606.50 J``, and ``1e+300 J`` instead of 301 digits."""
    return f"{energy:.2f} J" if abs(energy) < LONG else f"{energy:.6g} J"


def energies(frontier: Frontier, ranks: int, blocking_power: float) -> NDArray[np.float64]:
    """Energy of every point: cost + ranks x time x blocking power.

    Every rank (a stage, where each has a rank of its own) draws the blocking power from start to
    end; an operation's cost is what it draws on top of that.

    Args:
        frontier: costs in joules, times in seconds.
        ranks: number of ranks of the pipeline.
        blocking_power: watts.

    Returns:
        float64[k], joules, one per point of the frontier.
    """
    return frontier.costs + ranks * frontier.times * blocking_power


def measured_energies(frontier: Frontier, ranks: int, blocking_power: float) -> NDArray[np.float64]:
    """Energy of every point by the measurements of the options chosen, instead of the cost models.

    Args:
        frontier: costs in joules, times in seconds.
        ranks: number of ranks of the pipeline.
        blocking_power: watts.

    Returns:
        float64[k], joules, one per point of the frontier.
    """
    return frontier.measured_costs + ranks * frontier.times * blocking_power
