"""A picture of a frontier."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from lowtime.frontier.figure_style import BLUE, INK, MUTED, figure_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from lowtime.frontier.frontier import Frontier
    from lowtime.frontier.plan import Plan

DRAWN_POINTS = 2_000  # more than a figure has dots; the ends and the segments between stay exact


def plot_frontier(
    frontier: Frontier,
    ax: Axes | None = None,
    *,
    overhead_per_second: float = 0.0,
    measured: bool = False,
    marked: Mapping[str, Plan] | None = None,
    cost_label: str | None = None,
    **line: Any,
) -> Axes:
    """Draw cost over time.

    Args:
        frontier: the frontier.
        ax: axes to draw on; None makes a figure in the library's style.
        overhead_per_second: added to the cost for every second; ``stages x blocking power`` turns
            a pipeline's costs into its energy.
        measured: also draw the cost of the options really chosen.
        marked: plans to mark, by the text beside them.
        cost_label: label of the vertical axis.
        **line: of matplotlib, for the frontier's line.

    Returns:
        The axes.

    Example:
        >>> axes = frontier.plot(marked={"fastest": frontier.plan(-1)})  # doctest: +SKIP
        >>> axes.figure.savefig("frontier.pdf")  # doctest: +SKIP
    """
    with figure_style():
        if ax is None:
            from matplotlib.figure import Figure

            ax = Figure(layout="constrained").subplots()
        ax.grid(visible=True)
        drawn = np.unique(np.rint(np.linspace(0, len(frontier) - 1, DRAWN_POINTS)).astype(int))
        times = frontier.times[drawn]
        overhead = overhead_per_second * times
        if measured:
            ax.plot(
                times,
                frontier.measured_costs[drawn] + overhead,
                color=MUTED,
                linewidth=0.9,
                label="measured options",
            )
        style: dict[str, Any] = {"color": BLUE, "linewidth": 1.8, "label": "cost model"} | line
        if len(frontier) == 1:  # a line of one point would not be seen
            style = {"marker": "o"} | style
        ax.plot(times, frontier.costs[drawn] + overhead, **style)
        ax.margins(y=0.1)  # room for the text below a mark
        for text, plan in (marked or {}).items():
            at = (plan.time, plan.cost + overhead_per_second * plan.time)
            ax.plot(*at, "o", color=INK, markersize=4.5, zorder=3)
            _note(ax, text, at)
        ax.set_xlabel("time [s]")
        ax.set_ylabel(cost_label or ("cost" if overhead_per_second == 0 else "cost with overhead"))
        if measured:
            ax.legend()
    return ax


def _note(ax: Axes, text: str, at: tuple[float, float]) -> None:
    """Text beside a mark, on the empty side of a convex curve."""
    low, high = ax.get_xlim()
    share = (at[0] - low) / (high - low)
    ends = {"left": (8, 6), "center": (0, -14), "right": (-4, 12)}
    place = "left" if share < 0.1 else "right" if share > 0.9 else "center"
    ax.annotate(
        text,
        at,
        xytext=ends[place],
        textcoords="offset points",
        ha=place,
        fontsize=8.0,
        color=INK,
    )
