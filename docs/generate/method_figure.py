"""Pictures of the method on a project of five operations: its options, its steps, its cuts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from lowtime.cost_model import ExponentialModel, PiecewiseLinearModel
from lowtime.frontier.figure_style import BLUE, INK, MUTED, ORANGE, figure_style
from lowtime.frontier.frontier import Frontier
from lowtime.frontier.solve import solve
from lowtime.frontier.timeline import plot_timeline
from lowtime.network.activity import ActivityNetwork
from lowtime.network.bounds import ArcBounds
from lowtime.network.event_times import earliest_times, latest_times
from lowtime.operation import CandidateExecutionOptions, ExecutionOption, Operation, OperationSpec
from lowtime.report.figures import save_figure

# Time and cost of every option, from slow to fast.
PROJECT: dict[str, list[tuple[int, int]]] = {
    "A": [(4, 3), (3, 5), (2, 9)],
    "B": [(5, 2), (4, 3), (3, 6)],
    "C": [(3, 2), (2, 3)],
    "D": [(4, 2), (3, 6), (2, 11)],
    "E": [(3, 4), (2, 6)],
}
EDGES = [("A", "B"), ("A", "C"), ("B", "E"), ("C", "D"), ("D", "E")]
PLACES = {"A": (0, 1), "B": (1.5, 2), "C": (1, 0), "D": (2, 0), "E": (3, 1)}


def spec(options: list[tuple[int, int]]) -> OperationSpec[int]:
    """Options whose knob is their speed, 1 for the slowest."""
    made = [
        ExecutionOption(real_time=float(time), unit_time=1.0, cost=float(cost), knob=speed)
        for speed, (time, cost) in enumerate(options, start=1)
    ]
    return OperationSpec(CandidateExecutionOptions(made))


def project() -> nx.DiGraph[Any]:
    """The example's DAG."""
    dag: nx.DiGraph[Any] = nx.DiGraph(EDGES)
    for name, options in PROJECT.items():
        dag.nodes[name]["op"] = Operation(spec(options))
    return dag


def write(folder: Path) -> None:
    """Write the three pictures."""
    frontier = solve(project())
    with figure_style():
        save_figure(options_picture(), folder / "options.svg")
        save_figure(steps_picture(frontier), folder / "steps.svg")
        save_figure(cuts_picture(frontier), folder / "cuts.svg")


def options_picture() -> Figure:
    """Measured options, the hull, the exponential, and the marginal costs in between."""
    options = [(12, 20.0), (9, 22.5), (7, 26.5), (6, 29.0), (5, 35.0), (4, 44.0)]
    table = spec(options).options  # type: ignore[arg-type]
    times = np.arange(4, 13)
    figure = Figure(figsize=(6.4, 2.7), layout="constrained")
    left, right = figure.subplots(1, 2)
    models = (
        (PiecewiseLinearModel(table), BLUE, "convex hull"),
        (ExponentialModel(table), ORANGE, "exponential fit"),
    )
    for model, color, name in models:
        costs = [model(int(time)) for time in times]
        left.plot(times, costs, color=color, label=name)
        right.step(times, [*(-np.diff(costs)), -np.diff(costs)[-1]], where="post", color=color)
    left.plot(*zip(*options, strict=True), "o", color=INK, markersize=4, label="measured")
    left.legend()
    left.set(xlabel="duration [quanta]", ylabel="cost", title="Cost of one operation")
    right.set(xlabel="duration [quanta]", ylabel="marginal cost", title="One quantum more saves")
    for ax in (left, right):
        ax.grid(visible=True)
    return figure


def steps_picture(frontier: Frontier) -> Figure:
    """The plan of every third point of the frontier, from the longest schedule down."""
    picks = [0, 2, 4, len(frontier) - 1]
    figure = Figure(figsize=(6.4, 4.6), layout="constrained")
    for ax, index in zip(figure.subplots(len(picks), 1, sharex=True), picks, strict=True):
        plan = frontier.plan(index)
        plot_timeline(plan, ax, colorbar=False, limits=(1, 3))
        ax.set_xlim(0, frontier.times[0])
        ax.set_xlabel("time [quanta]" if index == picks[-1] else "")
        ax.set_title(f"{plan.time:.0f} quanta, cost {plan.cost:.0f}")
    return figure


def cuts_picture(frontier: Frontier) -> Figure:
    """The tight operations at two points with their flow bounds; what the next step changes."""
    figure = Figure(figsize=(6.8, 2.9), layout="constrained")
    for ax, index in zip(figure.subplots(1, 2), (0, 5), strict=True):
        _draw_cut(ax, frontier, index)
    return figure


def _draw_cut(ax: Axes, frontier: Frontier, index: int) -> None:
    network = frontier.problem.network
    plan, after = frontier.plan(index), frontier.plan(index + 1)
    names = list(frontier.problem.nodes)
    bounds = ArcBounds(network, _arc_quanta(network, plan.operation_quanta))
    tight = _tight(network, bounds.duration)
    change = after.operation_quanta - plan.operation_quanta
    unit = frontier.problem.cost_unit
    for i, name in enumerate(names):
        x, y = PLACES[str(name)]
        color = ORANGE if change[i] < 0 else BLUE if change[i] > 0 else INK
        style = {"color": color, "linewidth": 1.6 if tight[i] else 0.8}
        ax.annotate("", (x + 0.8, y), (x, y), arrowprops={"arrowstyle": "-|>", **style})
        sign = {-1: " crashed", 1: " relaxed"}.get(int(change[i]), "")
        ax.text(x + 0.4, y + 0.13, f"{name}{sign}", ha="center", color=color)
        if tight[i]:
            high = bounds.upper[i]
            upper = "\u221e" if high == network.unbounded else f"{high * unit:g}"
            text = f"[{bounds.lower[i] * unit:g}, {upper}]"
            ax.text(x + 0.4, y - 0.34, text, ha="center", fontsize=7.5, color=MUTED)
    for before, to in EDGES:
        (x0, y0), (x1, y1) = PLACES[before], PLACES[to]
        ax.plot([x0 + 0.82, x1 - 0.02], [y0, y1], ":", color=MUTED, linewidth=0.9)
    ax.set(xlim=(-0.15, 3.95), ylim=(-0.6, 2.6))
    ax.set_title(f"{plan.time:.0f} \u2192 {after.time:.0f} quanta: +{after.cost - plan.cost:g}")
    ax.axis("off")


def _arc_quanta(network: ActivityNetwork, operations: Any) -> Any:
    duration = network.longest.copy()
    duration[: len(operations)] = operations
    return duration


def _tight(network: ActivityNetwork, duration: Any) -> Any:
    early = earliest_times(network, duration)
    late = latest_times(network, duration, int(early[-1]))
    return late[network.head] - early[network.tail] - duration == 0
