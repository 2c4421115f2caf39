"""The site's figures and its live report, drawn by the library from what ships with it."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import method_figure

from lowtime.frontier.frontier import Frontier
from lowtime.frontier.solve import solve
from lowtime.perseus.pipeline import pipeline_dag
from lowtime.perseus.schedules import schedule_named
from lowtime.perseus.stage_profile import StageProfile
from lowtime.perseus.stage_specs import OptionRules, stage_specs
from lowtime.report.figures import before_after, save_figure
from lowtime.report.page import write_report
from lowtime.report.terms import Terms

POWER = 83.64  # W: what one of these GPUs draws while it waits
MICROBATCHES = 12


def demo() -> tuple[Frontier, int]:
    """GPT-3 175B on A100, 8 stages, and the number of stages."""
    profile = StageProfile.read(Path(str(files("lowtime.data") / "gpt3-175b_a100.csv")))
    order = schedule_named("1f1b").order(profile.num_stages, MICROBATCHES)
    specs = stage_specs(profile, order.needs, OptionRules(unit_time=1e-3, blocking_power=POWER))
    return solve(pipeline_dag(order, specs)), order.num_ranks


def write(folder: Path) -> None:
    """Write what is missing; delete the folder to draw all of it anew."""
    names = ("frontier.svg", "before-after.svg", "power.svg", "options.svg", "steps.svg")
    wanted = [folder / name for name in (*names, "cuts.svg", "gpt3-a100.html")]
    if all(path.exists() for path in wanted):
        return
    folder.mkdir(exist_ok=True)
    frontier, stages = demo()
    overhead = stages * POWER
    fastest, best = frontier.plan(-1), frontier.cheapest(overhead)
    axes = frontier.plot(
        overhead_per_second=overhead,
        measured=True,
        cost_label="energy [J]",
        marked={"fastest": fastest, "least energy": best},
    )
    save_figure(axes.get_figure(root=True), folder / "frontier.svg")  # type: ignore[arg-type]
    pair = {"overhead_per_second": overhead, "base_power": POWER, "lane_label": "stage"}
    save_figure(before_after(fastest, best, **pair), folder / "before-after.svg")
    middle = frontier.at_slowdown(1.05)
    axes = middle.plot(color="power", base_power=POWER, lane_label="stage")
    save_figure(axes.get_figure(root=True), folder / "power.svg")  # type: ignore[arg-type]
    method_figure.write(folder)
    write_report(
        frontier,
        folder / "gpt3-a100.html",
        title="GPT-3 175B on A100",
        terms=Terms.pipeline(stages, POWER),
        settings={"microbatches": MICROBATCHES, "schedule": "1f1b", "blocking_power": POWER},
    )


if __name__ == "__main__":
    write(Path(__file__).parents[1] / "figures")
