"""Whole frontiers of the published profiles: this lowtime and the published ones."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any

from bench.environments import PUBLISHED
from bench.peers.project_file import write_project
from bench.plan import Plan
from bench.pool import Contestant
from bench.sample import ratio
from bench.side_by_side import Outcome, race
from bench.workloads.published import DEVICES, MICROBATCHES, MODELS, published_dag
from lowtime.backends.explanation import project_size
from lowtime.network.project import Project

TITLE = "Frontiers of the published profiles"
PATIENCE = 60.0
POINTS = 60  # at most, of a published version; all of them would take hours on the larger projects
# Micro-batches -> share of the time; a point of a published version takes as much longer.
WEIGHTS = {12: 1, 24: 2, 48: 3, 96: 6}
WEIGHT_TO_THE_END = 5  # besides
# Version -> share of the time of a case that one call may take after its first point. There are
# three calls at least, and the machine may be busy.
CALL = {"0.3.0": 0.07, "0.2.0": 0.035}
FIRST = ", first point"
TO_THE_END = ", to the end"
SAME_COST = 3e-6  # relative; the published versions round marginal costs to 1e-6
COMPARED = (
    "A published version is timed to its first point, which pays for its set-up, and to its first"
    f" {POINTS} points, or as many as fit into the time of the case; its time per point is that of"
    " the points after the first. Of this lowtime, and of whoever goes to the end, it is the whole"
    " time, from the DAG to the last point, over all points."
)


def run(plan: Plan) -> dict[str, Any]:
    """A race per profile and number of micro-batches."""
    cases = [
        (model, device, microbatches)
        for microbatches in ((2,) if plan.smoke else MICROBATCHES)
        for device in DEVICES
        for model in MODELS
    ][: 1 if plan.smoke else None]
    weights = [_weight(plan, *case) for case in cases]
    rows, skipped = [], []
    for done, (model, device, microbatches) in enumerate(cases):
        if plan.left <= 0:
            skipped.append(f"{model} {device} {microbatches}")
            continue
        file = plan.folder / "project.json"
        dag = published_dag(model, device, microbatches)
        write_project(dag, file)
        network = Project.from_dag(dag).network
        share = plan.share(weights[done:])
        contestants = _contestants(plan, model, device, microbatches, str(file), share)
        outcomes = race(plan.pool, contestants, runs=plan.runs, patience=PATIENCE, budget=share)
        rows.append(
            {
                "nodes": network.num_events,
                "arcs": network.num_arcs,
                "project": asdict(project_size(network)),
                **_row(model, device, microbatches, outcomes),
            }
        )
    return {"rows": rows, "skipped": skipped, "compared": COMPARED}


def _to_the_end(plan: Plan, model: str, device: str, microbatches: int) -> bool:
    """Whether it is the one frontier that 0.3.0 finishes within seconds."""
    smallest = (model, device, microbatches) == ("gpt3-175b", "a100_sxm", 12)
    return smallest and plan.peers


def _weight(plan: Plan, model: str, device: str, microbatches: int) -> int:
    longer = _to_the_end(plan, model, device, microbatches)
    return WEIGHTS.get(microbatches, 1) + (WEIGHT_TO_THE_END if longer else 0)


def _contestants(
    plan: Plan, model: str, device: str, microbatches: int, file: str, share: float
) -> list[Contestant]:
    first, *others = plan.backends()
    contestants = [plan.contestant(first, "frontier_runs:ours", file=file, backend=first)]
    for version in reversed(PUBLISHED) if plan.peers else ():
        contestants += _published(plan, version, file, share * CALL[version])
    if (model, device) == ("gpt3-175b", "a100_sxm") and microbatches <= 12:
        contestants += [
            plan.contestant(name, "frontier_runs:ours", file=file, backend=name)
            for name in others
            if name in ("igraph", "scipy")
        ]
    if _to_the_end(plan, model, device, microbatches):
        make = "frontier_runs:published"
        last = plan.published(PUBLISHED[-1], make, file=file, points=None, seconds=None)
        contestants.append(replace(last, name=f"{last.name}{TO_THE_END}"))
    return contestants


def _published(plan: Plan, version: str, file: str, seconds: float) -> Iterator[Contestant]:
    """A published version to its first point, and to some more."""
    make = "frontier_runs:published"
    one = plan.published(version, make, file=file, points=1, seconds=None)
    yield replace(one, name=f"{one.name}{FIRST}")
    yield plan.published(version, make, file=file, points=POINTS, seconds=seconds)


def _row(model: str, device: str, microbatches: int, outcomes: list[Outcome]) -> dict[str, Any]:
    ours = outcomes[0]
    by_name = {outcome.name: outcome for outcome in outcomes}
    points = len(ours.answer or ())
    stored: dict[str, Any] = {}
    wrong = []
    for outcome in outcomes:
        if outcome.name.endswith(FIRST):
            continue
        entry = stored[outcome.name] = outcome.to_dict()
        first = by_name.get(f"{outcome.name}{FIRST}")
        per_point = _seconds_per_point(outcome, first)
        if first is not None and first.sample is not None:
            entry["first_point"] = first.sample.to_dict()
        if not per_point:
            continue
        entry["points"] = len(outcome.answer)
        entry["seconds_per_point"] = statistics.median(per_point)
        if ours.sample is not None and outcome is not ours:
            mine = [seconds / points for seconds in ours.sample.seconds]
            entry["times_slower_per_point"] = list(ratio(per_point, mine))
            pairs = zip(outcome.answer, ours.answer, strict=False)
            if any(abs(a - b) > SAME_COST * abs(b) for a, b in pairs):
                wrong.append(f"{outcome.name}: other costs than {ours.name}")
    return {
        "workload": f"{model} {device}",
        "size": microbatches,
        "points": points,
        "outcomes": stored,
        "disagreements": wrong,
    }


def _seconds_per_point(outcome: Outcome, first: Outcome | None) -> list[float]:
    """Of every run: the points after the first where that was timed apart, else all points."""
    if outcome.sample is None:
        return []
    points = len(outcome.answer)
    if first is None:
        return [seconds / points for seconds in outcome.sample.seconds]
    if first.sample is None or points < 2:
        return []
    start = first.sample.median
    return [(seconds - start) / (points - 1) for seconds in outcome.sample.seconds]
