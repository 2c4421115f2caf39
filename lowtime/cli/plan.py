"""``lowtime plan``: plans of a frontier that `lowtime pipeline` wrote."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from lowtime.errors import Infeasible

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from lowtime.frontier.frontier import Frontier
    from lowtime.frontier.plan import Plan


def command(
    folder: Annotated[Path, typer.Argument(help="What 'lowtime pipeline --output' made.")],
    deadline: Annotated[
        float | None, typer.Option(help="The cheapest plan that takes so many seconds at most.")
    ] = None,
    budget: Annotated[
        float | None, typer.Option(help="The fastest plan that needs so many joules at most.")
    ] = None,
    overhead: Annotated[
        float | None,
        typer.Option(
            help="The plan of least energy when every second costs so many watts on top."
            "  [default: 0]"
        ),
    ] = None,
    sample: Annotated[
        int | None, typer.Option(min=2, help="So many plans, spread over the frontier.")
    ] = None,
    output_format: Annotated[
        Literal["table", "json", "csv"], typer.Option("--format", help="How to write plans.")
    ] = "table",
    output: Annotated[
        Path | None, typer.Option(help="File to make; it must not exist.  [default: print]")
    ] = None,
) -> None:
    """Plans of a frontier: by deadline, by energy budget, of least energy, or a sample."""
    from lowtime.cli.energy import energies
    from lowtime.cli.output_file import write_new_file
    from lowtime.cli.plan_formats import FORMATS, PricedPlan
    from lowtime.cli.summary import read_summary
    from lowtime.frontier.frontier import Frontier

    numbers = {"--deadline": deadline, "--budget": budget, "--overhead": overhead}
    given = {name: number for name, number in numbers.items() if number is not None}
    if len(given) + (sample is not None) > 1:
        raise typer.BadParameter(f"{', '.join(numbers)} and --sample exclude each other")
    for name, number in given.items():
        if not math.isfinite(number):
            raise typer.BadParameter(f"{name} is {number}; expected a finite number")
    summary = read_summary(folder)
    ranks, power = summary["ranks"], float(summary["blocking_power"])
    frontier = Frontier.load(folder / "frontier.npz")
    energy = energies(frontier, ranks, power)
    if sample is not None:
        plans = frontier.sample(sample)
    elif deadline is not None:
        plans = [frontier.at_deadline(deadline)]
    elif budget is not None:
        plans = [_within_budget(frontier, energy, budget)]
    else:
        plans = [frontier.cheapest(overhead_per_second=ranks * power + (overhead or 0.0))]
    priced = [PricedPlan(plan, ranks * plan.time * power, float(energy[-1])) for plan in plans]
    text = FORMATS[output_format](priced)
    if output is None:
        typer.echo(text, nl=False)
    else:
        write_new_file(output, text)


def _within_budget(frontier: Frontier, energy: NDArray[np.float64], budget: float) -> Plan:
    """The fastest plan within an energy budget.

    Energy, unlike cost, may fall on the way from the longest schedule down (waiting stages draw
    power too), so every point is looked at.
    """
    import numpy as np

    affordable = np.flatnonzero(energy <= budget)
    if not affordable.size:
        raise Infeasible(f"no plan needs {budget} J or less; the least is {energy.min()} J")
    return frontier.plan(int(affordable[-1]))
