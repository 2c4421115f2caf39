"""Draws ``docs/frontier.svg``, the README's picture: python docs/frontier_picture.py."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

from lowtime.frontier.frontier import Frontier
from lowtime.frontier.solve import solve
from lowtime.perseus.pipeline import pipeline_dag
from lowtime.perseus.schedules import schedule_named
from lowtime.perseus.stage_profile import StageProfile
from lowtime.perseus.stage_specs import OptionRules, stage_specs

ROOT = Path(__file__).parents[1]
BLOCKING_POWER = 83.64  # W
INK, LINE, ACCENT = "#444444", "#0072B2", "#D55E00"  # Okabe and Ito's colour-blind-safe set


def frontier_of_the_demo() -> tuple[Frontier, int]:
    """GPT-3 175B on A100, 12 micro-batches, and its number of stages."""
    profile = StageProfile.read(ROOT / "lowtime/data/gpt3-175b_a100.csv")
    order = schedule_named("1f1b").order(profile.num_stages, 12)
    rules = OptionRules(unit_time=1e-3, blocking_power=BLOCKING_POWER)
    specs = stage_specs(profile, order.needs, rules)
    return solve(pipeline_dag(order, specs)), order.num_stages


def main() -> None:
    """Write the picture."""
    frontier, stages = frontier_of_the_demo()
    energies = (frontier.costs + stages * frontier.times * BLOCKING_POWER) / 1e3
    mpl.rcParams.update({"svg.hashsalt": "lowtime", "svg.fonttype": "none", "font.size": 11})
    figure = Figure(figsize=(7.2, 3.6), layout="constrained")
    axes = figure.add_subplot()
    axes.plot(frontier.times, energies, color=LINE, linewidth=2.5)
    best = int(energies.argmin())
    for point, label, place in (
        (len(frontier) - 1, "fastest plan", (12, -4)),
        (best, "least energy", (-10, 16)),
        (0, "every pass at its cheapest clock", (-186, 12)),
    ):
        spot = (float(frontier.times[point]), float(energies[point]))
        axes.plot(*spot, "o", color=ACCENT, markersize=7)
        axes.annotate(label, spot, xytext=place, textcoords="offset points", color=INK)
    axes.set_xlabel("time of one iteration [s]")
    axes.set_ylabel("energy of one iteration [kJ]")
    axes.set_title(f"GPT-3 175B, A100, {stages} stages x 12 micro-batches: {len(frontier)} plans")
    axes.spines[["top", "right"]].set_visible(False)
    # A white ground, so that the ink is readable on dark pages too; no date, so that it is stable.
    figure.savefig(ROOT / "docs/frontier.svg", facecolor="white", metadata={"Date": None})


if __name__ == "__main__":
    main()
