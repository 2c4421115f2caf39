"""A picture of one plan: when every operation runs, and how."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from lowtime.frontier.figure_style import CATEGORIES, INK, MUTED, ORANGE, SEQUENCE, figure_style
from lowtime.frontier.lanes import LaneChoice, Lanes, lanes, rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from lowtime.frontier.plan import Plan

BAR = 0.88  # height of a critical bar in a row of height 1: the gap keeps rows apart
THIN = 0.52  # height of a bar with slack
LABEL_POINTS = 6.5
NO_LABEL_BELOW = 1.4  # a bar narrower than so many label heights carries no text


def plot_timeline(
    plan: Plan,
    ax: Axes | None = None,
    *,
    lane: LaneChoice = None,
    color: Literal["knob", "power"] = "knob",
    base_power: float = 0.0,
    label: Callable[[Hashable], str] | None = None,
    limits: tuple[float, float] | None = None,
    critical_path: bool = True,
    colorbar: bool = True,
    lane_label: str = "",
) -> Axes:
    """Draw the timeline of a plan.

    Every operation is a bar from its start to its end. Operations of the critical path are tall and
    outlined, the others thin.

    Args:
        plan: the plan.
        ax: axes to draw on; None makes a figure in the library's style.
        lane: rows by an attribute, or packed; see `lowtime.frontier.lanes.lanes`.
        color: what colours tell: the knob, or the power of the option chosen (its cost by its
            time).
        base_power: cost per second that was subtracted from the options before the solve (the
            blocking power of a pipeline); added to the power shown.
        label: text on a bar that is wide enough; None writes the last entry of tuple nodes.
        limits: (low, high) of the colours; None takes those of this plan's option tables.
        critical_path: whether to tell critical operations from the others.
        colorbar: whether to draw the key of the colours.
        lane_label: what the lanes are, e.g. ``"stage"``.

    Returns:
        The axes.

    Raises:
        InvalidGraph: a node has no lane.
    """
    chosen_lanes = lanes(plan.problem, lane)
    with figure_style():
        if ax is None:
            from matplotlib.figure import Figure

            ax = Figure(layout="constrained").subplots()
        bars = _bars(plan, chosen_lanes)
        paint = paint_of(plan, color, base_power, limits)
        _draw_bars(ax, bars, paint, _is_critical(plan) if critical_path else None)
        _draw_axes(ax, plan, chosen_lanes, bars)
        ax.set_ylabel(lane_label)
        _draw_labels(ax, plan, bars, paint, label or _last_entry)
        if colorbar:
            draw_key(ax, paint, ax.get_figure(root=True))
    return ax


@dataclass(frozen=True, slots=True, eq=False)
class _Bars:
    """Operations to draw, their times in seconds and their vertical places."""

    operation: NDArray[np.int64]
    start: NDArray[np.floating[Any]]
    width: NDArray[np.floating[Any]]
    middle: NDArray[np.floating[Any]]
    lane_top: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Paint:
    """A colour for every operation, and what the colours mean."""

    rgba: NDArray[np.float64]
    title: str
    scale: Any  # a ScalarMappable, or None where colours are categories
    names: Sequence[tuple[str, str]]


def _bars(plan: Plan, of: Lanes) -> _Bars:
    row, height = rows(plan, of)
    lane_top = np.concatenate(([0], np.cumsum(height)))
    drawn = np.flatnonzero(row >= 0)
    unit = plan.problem.unit_time
    return _Bars(
        operation=drawn,
        start=plan.start_quanta[drawn] * unit,
        width=plan.operation_quanta[drawn] * unit,
        middle=lane_top[of.of[drawn]] + row[drawn] + 0.5,
        lane_top=lane_top,
    )


def _is_critical(plan: Plan) -> NDArray[np.bool_]:
    return np.equal(plan.slack_quanta, 0)


def paint_of(
    plan: Plan, color: str, base_power: float, limits: tuple[float, float] | None
) -> Paint:
    if color not in ("knob", "power"):
        raise ValueError(f'color is {color!r}; expected "knob" or "power"')
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import LinearSegmentedColormap, Normalize, to_rgba

    problem = plan.problem
    chosen = problem.chosen_options(plan.operation_quanta).tolist()
    of = problem.option_of.tolist()
    every = [_values(table, color, base_power) for table in problem.options]
    values = [every[k][option] if k >= 0 else None for k, option in zip(of, chosen, strict=True)]
    used = {k for k in of if k >= 0}
    # A knob of None is an operation with nothing to choose, such as a transfer.
    told = [v for k in used for v in every[k] if v is not None]
    if all(_is_number(v) for v in told):
        numbers = [float(v) for v in told] or [0.0]
        low, high = limits or (min(numbers), max(numbers))
        scale = ScalarMappable(
            Normalize(low, high), LinearSegmentedColormap.from_list("lowtime", SEQUENCE)
        )
        rgba = scale.to_rgba(np.array([low if v is None else float(v) for v in values]))
        rgba[[v is None for v in values]] = to_rgba(MUTED)
        title = "knob" if color == "knob" else "power [cost per s]"
        return Paint(np.asarray(rgba), title, scale, ())
    names = sorted({str(v) for v in told})
    paints = {name: CATEGORIES[i % len(CATEGORIES)] for i, name in enumerate(names)}
    faces = [to_rgba(MUTED) if v is None else to_rgba(paints[str(v)]) for v in values]
    return Paint(np.array(faces), "knob", None, tuple(paints.items()))


def _values(table: Any, color: str, base_power: float) -> list[Any]:
    if color == "knob":
        return list(table.knobs)
    # What was subtracted is base_power x quantized time. An option of no time is never drawn.
    return [
        (cost + base_power * quanta * table.unit_time) / seconds if seconds > 0 else base_power
        for cost, quanta, seconds in zip(
            table.costs.tolist(), table.quanta.tolist(), table.times.tolist(), strict=True
        )
    ]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)


def _draw_bars(ax: Axes, bars: _Bars, paint: Paint, critical: NDArray[np.bool_] | None) -> None:
    from matplotlib.collections import PolyCollection

    tall = np.ones(len(bars.operation), bool) if critical is None else critical[bars.operation]
    half = np.where(tall, BAR, THIN) / 2
    left, right = bars.start, bars.start + bars.width
    top, bottom = bars.middle - half, bars.middle + half
    sides = ((left, top), (right, top), (right, bottom), (left, bottom))
    corners = np.stack([np.stack(side, axis=1) for side in sides], axis=1)
    face = paint.rgba[bars.operation]
    outlined = np.zeros(len(face), bool) if critical is None else tall
    for mask, edge, width in ((~outlined, "white", 0.3), (outlined, INK, 0.7)):
        ax.add_collection(
            PolyCollection(
                list(corners[mask]), facecolors=face[mask], edgecolors=edge, linewidths=width
            ),
            autolim=False,
        )


def _draw_axes(ax: Axes, plan: Plan, of: Lanes, bars: _Bars) -> None:
    ax.set_xlim(0, plan.time or 1.0)
    ax.set_ylim(max(int(bars.lane_top[-1]), 1), 0)
    ax.set_xlabel("time [s]")
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
    middle = (bars.lane_top[:-1] + bars.lane_top[1:]) / 2
    ax.set_yticks([] if of.packed else middle, [] if of.packed else [str(x) for x in of.labels])
    ax.axvline(plan.time, color=ORANGE, linewidth=1.2, clip_on=False)


def _draw_labels(
    ax: Axes, plan: Plan, bars: _Bars, paint: Paint, label: Callable[[Hashable], str]
) -> None:
    box = ax.get_window_extent()
    points_per_second = box.width / ax.get_figure(root=True).dpi * 72 / (plan.time or 1.0)  # type: ignore[union-attr]
    for i, start, width, middle in zip(
        bars.operation, bars.start, bars.width, bars.middle, strict=True
    ):
        text = label(plan.problem.nodes[i])
        room = width * points_per_second
        if room < LABEL_POINTS * max(NO_LABEL_BELOW, 0.62 * len(text) + 0.4):
            continue
        red, green, blue, _ = paint.rgba[i]
        is_dark = 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.55
        ax.text(
            start + width / 2,
            middle,
            text,
            ha="center",
            va="center",
            fontsize=LABEL_POINTS,
            color="white" if is_dark else INK,
            clip_on=True,
        )


def _last_entry(node: Hashable) -> str:
    return str(node[-1] if isinstance(node, tuple) and node else node)


def draw_key(at: Any, paint: Paint, figure: Any) -> None:
    """Draw what the colours mean beside one or several axes."""
    if paint.scale is not None:
        key = figure.colorbar(paint.scale, ax=at, pad=0.015, aspect=28)
        key.set_label(paint.title)
        key.outline.set_visible(False)
        return
    from matplotlib.patches import Patch

    at.legend(
        handles=[Patch(color=color, label=name) for name, color in paint.names],
        title=paint.title,
        loc="upper left",
        bbox_to_anchor=(1.0, 1.0),
    )
