"""``lowtime pipeline``: the time-energy frontier of a training pipeline, from a stage profile."""

from __future__ import annotations

import time
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from lowtime.cli.energy import joules
from lowtime.cli.output_folder import check_output_folder, output_folder
from lowtime.cli.progress import progress_bar
from lowtime.cli.summary import write_summary
from lowtime.counted import counted, quanta
from lowtime.errors import CapacityRange, InvalidGraph, InvalidProfile
from lowtime.profiling import phase, phased

if TYPE_CHECKING:
    import networkx as nx
    import numpy as np
    from numpy.typing import NDArray

    from lowtime.frontier.frontier import Frontier
    from lowtime.operation import OperationSpec
    from lowtime.perseus.order import PipelineOrder

MAX_ROWS = 10**8  # of frontier.csv, some 8 GB: a unit time that fine is a slip of the pen
ROWS_AT_ONCE = 10**5  # as Python floats in memory
MAX_SHOWN = 8  # actions of a circle in a message
COARSE = 0.1  # part of a measured time; below it, plans are about as good as the measurement


def command(
    profile: Annotated[
        Path, typer.Argument(help="CSV file: stage,instruction,frequency,time,energy (s, J).")
    ],
    unit_time: Annotated[float, typer.Option(help="Length of a time quantum, seconds.")],
    output: Annotated[Path, typer.Option(help="Folder to make; it must not exist.")],
    microbatches: Annotated[
        int | None,
        typer.Option(min=1, help="Micro-batches per iteration; a schedule file has its own."),
    ] = None,
    stages: Annotated[
        int | None, typer.Option(min=1, help="Pipeline stages.  [default: all in the profile]")
    ] = None,
    schedule: Annotated[
        str,
        typer.Option(
            help="gpipe, 1f1b, early-recomputation-1f1b, interleaved-1f1b[:CHUNKS], zb-h1, or a CSV"
            " file as PyTorch writes it."
        ),
    ] = "1f1b",
    transfer_time: Annotated[
        float, typer.Option(help="Time to hand a micro-batch to another rank, seconds.")
    ] = 0.0,
    blocking_power: Annotated[
        float, typer.Option(help="Power that a waiting stage draws, watts.")
    ] = 0.0,
    option_filter: Annotated[
        Literal["raw", "effective"],
        typer.Option(
            "--filter",
            help="Keep the Pareto front of measured energy, then subtract blocking energy (raw),"
            " or subtract first (effective).",
        ),
    ] = "effective",
    noise_factor: Annotated[
        float,
        typer.Option(help="Slack of the filter, for tables that it leaves 3 options or fewer."),
    ] = 0.95,
    cost_model: Annotated[
        Literal["exponential", "piecewise"], typer.Option(help="Cost between the options.")
    ] = "exponential",
    backend: Annotated[
        str | None, typer.Option(help="Max-flow backend; see 'lowtime backends'.")
    ] = None,
    check: Annotated[
        Literal["always", "final", "off"] | None,
        typer.Option(help="Which points to prove optimal.  [default: as the backend deserves]"),
    ] = None,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run",
            help="Say which backend would run and how long tracing would take; write nothing.",
        ),
    ] = False,
) -> None:
    """The complete time-energy frontier of a training pipeline, written to a folder."""
    from lowtime.cli.energy import energies
    from lowtime.frontier.solve import solve
    from lowtime.network.event_times import shortening
    from lowtime.network.project import Project
    from lowtime.perseus.pipeline import CommunicationTimes, pipeline_dag
    from lowtime.perseus.schedules import schedule_named
    from lowtime.perseus.stage_profile import StageProfile
    from lowtime.perseus.stage_specs import OptionRules, stage_specs

    start = time.perf_counter()
    seconds = dict.fromkeys(("read", "fit", "compile", "trace", "write", "total"), 0.0)
    rules = OptionRules(unit_time, blocking_power, option_filter, noise_factor, cost_model)
    asked = schedule_named(schedule)
    communication = CommunicationTimes(transfer=transfer_time)
    check_output_folder(output)

    measured = StageProfile.read(profile)
    if stages is None:
        stages = asked.shape[0] if asked.shape else measured.num_stages
    if microbatches is None:
        if not asked.shape:
            raise typer.BadParameter(f"--microbatches is missing; schedule {schedule!r} needs it")
        microbatches = asked.shape[1]
    order = asked.order(stages, microbatches)
    seconds["read"] = time.perf_counter() - start
    mark = time.perf_counter()
    specs = stage_specs(measured, order.needs, rules)
    _warn_of_coarse_quanta(specs)
    seconds["fit"] = time.perf_counter() - mark
    mark = time.perf_counter()
    dag = pipeline_dag(order, specs, communication)
    with phase("compile"):
        try:
            project = Project.from_dag(dag)
        except InvalidGraph:
            _check_order(order, dag)
            raise
    points = shortening(project.network) + 1
    if points > MAX_ROWS:
        raise CapacityRange(
            f"the frontier has {points:,} points, each a row of frontier.csv; expected"
            f" {MAX_ROWS:,} at most; use a longer --unit-time than {unit_time:g} s"
        )
    seconds["compile"] = time.perf_counter() - mark
    if dry_run:
        from lowtime.backends.explanation import explain

        typer.echo(explain(project.network, backend=backend))
        before = sum(seconds.values())
        typer.echo(
            "times are those of tracing alone; what comes before it took"
            f" {before:.2g} s now, and writing comes after it"
        )
        return
    with progress_bar("tracing") as report:
        frontier = solve(project, backend=backend, check=check, progress=report)
    seconds["compile"] += frontier.provenance.seconds["compile"]
    seconds["trace"] = frontier.provenance.seconds["trace"]
    settings = {
        "profile": str(profile),
        "stages": stages,
        "ranks": order.num_ranks,
        "rank_of_stage": order.rank_of_stage,
        "microbatches": microbatches,
        "schedule": schedule,
        "transfer_time": transfer_time,
        "unit_time": unit_time,
        "blocking_power": blocking_power,
        "filter": option_filter,
        "noise_factor": noise_factor,
        "cost_model": cost_model,
    }
    mark = time.perf_counter()
    energy = energies(frontier, order.num_ranks, blocking_power)
    measured_energy = energies(frontier, order.num_ranks, blocking_power, measured=True)
    with output_folder(output) as folder:
        _write_csv(folder / "frontier.csv", frontier, energy, measured_energy)
        frontier.save(folder / "frontier.npz")
        seconds["write"] = time.perf_counter() - mark
        seconds["total"] = time.perf_counter() - start
        write_summary(folder, _summary(frontier, seconds, settings))
    _tell(output, frontier, energy)


def _warn_of_coarse_quanta(specs: Mapping[tuple[int, str], OperationSpec[Any]]) -> None:
    """Say so when rounding down to quanta takes more than a tenth of a measured time."""
    loss, stage, instruction, option = max(
        (
            (1 - option.quant_time * option.unit_time / option.real_time, *key, option)
            for key, spec in specs.items()
            for option in spec.options.options
            if option.real_time > 0
        ),
        key=lambda found: found[0],
        default=(0.0, 0, "", None),
    )
    if option is not None and loss > COARSE:
        warnings.warn(
            f"the unit time {option.unit_time:g} s is coarse: {option.real_time:g} s of stage"
            f" {stage} {instruction} count as {quanta(option.quant_time)}, {loss:.0%} too little,"
            " and plans will take longer than they say; use a shorter --unit-time",
            UserWarning,
            stacklevel=2,
        )


def _check_order(order: PipelineOrder, dag: nx.DiGraph[Any]) -> None:
    """Refuse an order in which actions wait for each other in a circle.

    Raises:
        InvalidProfile: there is a circle; the message names the schedule and the actions.
    """
    import networkx as nx

    if nx.is_directed_acyclic_graph(dag):
        return
    places = {action.node: f"{action} (rank {rank})" for rank, action in order.actions()}
    circle = [places[node] for node, *_ in nx.find_cycle(dag) if node in places]
    shown = ", ".join(circle[:MAX_SHOWN])
    if len(circle) > MAX_SHOWN:
        shown += f", ... ({len(circle)} in all)"
    raise InvalidProfile(
        f"schedule {order.name}: actions wait for each other in a circle: {shown}; expected"
        " every action after those that it needs, such as a backward pass after its forward pass;"
        " put the cells in another order"
    )


@phased("write")
def _write_csv(
    path: Path,
    frontier: Frontier,
    energy: NDArray[np.float64],
    measured_energy: NDArray[np.float64],
) -> None:
    columns = (frontier.times, energy, frontier.costs, measured_energy)
    with path.open("w", encoding="utf-8") as file:
        file.write("time,energy,cost,measured_energy\n")
        for start in range(0, len(frontier), ROWS_AT_ONCE):
            part = [column[start : start + ROWS_AT_ONCE].tolist() for column in columns]
            file.writelines(
                f"{seconds!r},{joules!r},{cost!r},{measured!r}\n"
                for seconds, joules, cost, measured in zip(*part, strict=True)
            )


def _summary(
    frontier: Frontier, seconds: Mapping[str, float], settings: Mapping[str, Any]
) -> dict[str, Any]:
    provenance = frontier.provenance
    return {
        "points": len(frontier),
        "backend": provenance.backend,
        "backend_version": provenance.backend_version,
        "reason": provenance.reason,
        "skipped": dict(provenance.skipped),
        "certificate": provenance.certificate,
        "counters": dict(provenance.counters),
        "seconds": dict(seconds),
        "lowtime_version": provenance.lowtime_version,
        **settings,
    }


def _tell(output: Path, frontier: Frontier, energy: NDArray[np.float64]) -> None:
    provenance = frontier.provenance
    typer.echo(
        f"{counted(len(frontier), 'point', spec=',')} through {provenance.backend}"
        f" {provenance.backend_version} ({provenance.reason})"
    )
    for end, point in (("longest", 0), ("shortest", -1)):
        typer.echo(f"{end:>8}: {frontier.times[point]:.6g} s, {joules(energy[point])}")
    typer.echo(f"   files: {output / 'frontier.csv'}, frontier.npz, summary.json")
