"""``lowtime plan``: plans of a frontier that `lowtime pipeline` wrote."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from lowtime.cli.energy import joules
from lowtime.cli.note import note
from lowtime.counted import counted
from lowtime.errors import Infeasible, InvalidProfile

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from lowtime.frontier.frontier import Frontier
    from lowtime.frontier.plan import Plan

Format = Literal["table", "json", "csv", "zeus", "parquet"]
NOTABLE = 0.01  # part of an energy; models and measurements always differ a little


def command(
    folder: Annotated[Path, typer.Argument(help="What 'lowtime pipeline --output' made.")],
    deadline: Annotated[
        float | None, typer.Option(help="The cheapest plan that takes so many seconds at most.")
    ] = None,
    budget: Annotated[
        float | None,
        typer.Option(
            help="The fastest plan that needs so many joules at most, by the cost models."
        ),
    ] = None,
    overhead: Annotated[
        float | None,
        typer.Option(
            help="The plan of least energy, by the cost models, when every second costs so many"
            " watts on top.  [default: 0]"
        ),
    ] = None,
    slowdown: Annotated[
        float | None,
        typer.Option(
            help="The cheapest plan that ends when a straggler so many times slower than the"
            " fastest does."
        ),
    ] = None,
    sample: Annotated[
        int | None, typer.Option(min=2, help="So many plans, spread over the frontier.")
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="All plans: one JSON or Parquet file, or Zeus' files.")
    ] = False,
    output_format: Annotated[
        Format, typer.Option("--format", help="zeus: files freqs_pipeline_00000.py and so on.")
    ] = "table",
    output: Annotated[
        Path | None,
        typer.Option(help="File to make, a folder for zeus; must not exist.  [default: print]"),
    ] = None,
) -> None:
    """Plans of a frontier: by deadline, by energy budget, of least energy, a sample, or all.

    Energies are compared by the cost models; a note says where the clocks as measured tell another
    story.
    """
    from lowtime.cli.energy import energies
    from lowtime.cli.summary import read_summary
    from lowtime.frontier.frontier import Frontier, spread

    numbers = {
        "--deadline": deadline,
        "--budget": budget,
        "--overhead": overhead,
        "--slowdown": slowdown,
    }
    given = {name: number for name, number in numbers.items() if number is not None}
    if len(given) + (sample is not None) + every > 1:
        raise typer.BadParameter(f"{', '.join(numbers)}, --sample and --all exclude each other")
    for name, number in given.items():
        if not math.isfinite(number):
            raise typer.BadParameter(f"{name} is {number}; expected a finite number")
    _check_format(output_format, every, output)
    summary = read_summary(folder)
    ranks, power = summary["ranks"], float(summary["blocking_power"])
    frontier = Frontier.load(folder / "frontier.npz")
    if every and output_format != "zeus":
        assert output is not None
        _write_all(frontier, output, output_format)
        return
    first = 1 if output_format == "zeus" else 0  # Zeus' files begin below the longest schedule
    if every:
        points: Sequence[int] = range(min(first, len(frontier) - 1), len(frontier))
    elif sample is not None:
        last = len(frontier) - 1
        points = spread(min(first, last), last, sample)
    elif deadline is not None:
        points = [frontier.at_deadline(deadline).index]
    elif slowdown is not None:
        points = [frontier.at_slowdown(slowdown).index]
    elif budget is not None:
        points = [_within_budget(energies(frontier, ranks, power), budget)]
        measured = energies(frontier, ranks, power, measured=True)
        _note_over_budget(frontier.times, measured, points[0], budget)
    else:
        watts = ranks * power + (overhead or 0.0)
        points = [frontier.cheapest(overhead_per_second=watts).index]
        measured = frontier.measured_costs + watts * frontier.times
        _note_less_measured(frontier.times, measured, points[0])
    if output_format == "zeus":
        assert output is not None
        _write_zeus(frontier, points, output, summary)
    else:
        plans = [frontier.plan(point) for point in points]
        fastest = float(energies(frontier, ranks, power)[-1])
        _write_or_print(plans, ranks * power, fastest, output_format, output)


def _check_format(output_format: Format, every: bool, output: Path | None) -> None:
    if every and output_format in ("table", "csv"):
        raise typer.BadParameter(
            f"--all goes with --format json, parquet or zeus; not {output_format}"
        )
    if output_format == "parquet" and not every:
        raise typer.BadParameter("--format parquet holds the whole frontier; add --all")
    if output is None and (every or output_format in ("zeus", "parquet")):
        raise typer.BadParameter(f"--format {output_format} cannot be printed; add --output")


def _within_budget(energy: NDArray[np.float64], budget: float) -> int:
    """The point of the fastest plan within an energy budget.

    Energy, unlike cost, may fall on the way from the longest schedule down (waiting stages draw
    power too), so every point is looked at.
    """
    import numpy as np

    affordable = np.flatnonzero(energy <= budget)
    if not affordable.size:
        raise Infeasible(f"no plan needs {budget} J or less; the least is {energy.min()} J")
    return int(affordable[-1])


def _note_over_budget(
    times: NDArray[np.float64], measured: NDArray[np.float64], point: int, budget: float
) -> None:
    """Say that a plan within the budget by the cost models is not by the measurements."""
    import numpy as np

    if measured[point] <= budget:
        return
    within = np.flatnonzero(measured <= budget)
    way_out = (
        f"--deadline {float(times[within[-1]])!r} is the fastest that measures within it"
        if within.size
        else f"none measures less than {joules(measured.min())}"
    )
    note(
        f"this plan measures {joules(measured[point])}, above the budget of {budget:.10g} J; plans"
        f" are chosen by the cost models' energy; {way_out}"
    )


def _note_less_measured(
    times: NDArray[np.float64], measured: NDArray[np.float64], point: int
) -> None:
    """Say that the plan of least energy by the cost models is not by the measurements."""
    least = int(measured.argmin())
    if measured[point] - measured[least] > NOTABLE * measured[least]:
        note(
            f"point {least} measures less, {joules(measured[least])} instead of"
            f" {joules(measured[point])}; plans are chosen by the cost models' energy;"
            f" --deadline {float(times[least])!r} takes it"
        )


def _write_or_print(
    plans: list[Plan], power: float, fastest_energy: float, output_format: str, output: Path | None
) -> None:
    from lowtime.cli.output_file import write_new_file
    from lowtime.cli.plan_formats import FORMATS, PricedPlan

    text = FORMATS[output_format](
        [PricedPlan(plan, plan.time * power, fastest_energy) for plan in plans]
    )
    if output is None:
        typer.echo(text, nl=False)
    else:
        write_new_file(output, text)


def _write_zeus(
    frontier: Frontier, points: Sequence[int], output: Path, summary: dict[str, Any]
) -> None:
    from lowtime.cli.output_folder import output_folder
    from lowtime.perseus.plan_files import write_plan_files

    if 0 in points:
        way_out = "--format json writes it"
        if len(frontier) > 1:
            longest = float(frontier.times[1])
            way_out = f"--deadline {longest!r} is the longest that has one, and {way_out}"
        raise InvalidProfile(
            f"the longest schedule, {frontier.times[0]:.6g} s, has no number among Zeus' files,"
            f" which begin one quantum below it; {way_out}"
        )
    with output_folder(output) as made:
        write_plan_files(
            frontier, points, made, summary.get("rank_of_stage"), float(summary["blocking_power"])
        )
    typer.echo(f"{counted(len(points), 'plan', spec=',')} in {output}", err=True)


def _write_all(frontier: Frontier, output: Path, output_format: str) -> None:
    from lowtime.cli.output_file import check_new_file
    from lowtime.plans.json_file import write_json
    from lowtime.plans.parquet_file import write_parquet

    check_new_file(output)
    try:
        (write_json if output_format == "json" else write_parquet)(frontier, output)
    except ImportError as error:
        raise InvalidProfile(str(error)) from error
    typer.echo(f"{counted(len(frontier), 'plan', spec=',')} in {output}", err=True)
