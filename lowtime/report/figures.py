"""Figures for papers: what a plan changes, before and after."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lowtime.frontier.figure_style import figure_style
from lowtime.frontier.timeline import plot_timeline
from lowtime.whole_file import whole_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from lowtime.frontier.plan import Plan


def before_after(
    before: Plan, after: Plan, *, overhead_per_second: float = 0.0, **timeline: Any
) -> Figure:
    """Two plans of one frontier above each other, on one time axis and one scale of colours.

    Args:
        before: usually the fastest plan, ``frontier.plan(-1)``.
        after: usually the plan a query chose.
        overhead_per_second: as in `plot_frontier`, for the costs in the titles.
        **timeline: of `plot_timeline`.
    """
    from matplotlib.figure import Figure

    with figure_style():
        figure = Figure(figsize=(7.0, 4.6), layout="constrained")
        axes = figure.subplots(2, 1, sharex=True)
        end = max(before.time, after.time) or 1.0
        costs = [plan.cost + overhead_per_second * plan.time for plan in (before, after)]
        for ax, plan, cost, name in zip(
            axes, (before, after), costs, ("before", "after"), strict=True
        ):
            plot_timeline(plan, ax, **(timeline | {"colorbar": False}))
            ax.set_title(f"{name}: {plan.time:.4g} s, cost {cost:.6g}{_change(costs, name)}")
        for ax in axes:
            ax.set_xlim(0, end)
        axes[0].set_xlabel("")
        if timeline.get("colorbar", True):
            _shared_key(figure, axes, after, timeline)
    return figure


def _change(costs: list[float], name: str) -> str:
    if name == "before" or costs[0] == 0:
        return ""
    return f" ({100 * (costs[1] / costs[0] - 1):+.1f} %)"


def _shared_key(figure: Figure, axes: Any, plan: Plan, timeline: dict[str, Any]) -> None:
    from lowtime.frontier.timeline import draw_key, paint_of

    paint = paint_of(
        plan,
        timeline.get("color", "knob"),
        timeline.get("base_power", 0.0),
        timeline.get("limits"),
    )
    draw_key(axes[0] if paint.scale is None else np.asarray(axes), paint, figure)


def save_figure(figure: Figure, path: str | PathLike[str]) -> None:
    """Write a figure; ``.pdf`` and ``.svg`` are vector files, byte for byte the same each time.

    Args:
        figure: e.g. ``frontier.plot().figure``.
        path: the file; its folder must exist. It appears whole, by rename, or not at all.
    """
    kind = Path(path).suffix.lower().lstrip(".") or "pdf"
    stamp: dict[str, Any] = {"pdf": {"CreationDate": None}, "svg": {"Date": None}}.get(kind, {})
    with figure_style(), whole_file(path) as file:
        figure.savefig(file, format=kind, metadata=stamp)
