"""Whole frontiers of the published profiles: this lowtime and the published ones."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bench.environments import PUBLISHED
from bench.peers.project_file import write_project
from bench.plan import Plan
from bench.sample import ratio
from bench.side_by_side import Contestant, Outcome, race
from bench.workloads.published import DEVICES, MICROBATCHES, MODELS, published_dag
from lowtime.backends.explanation import expected_steps
from lowtime.network.project import Project

TITLE = "Frontiers of the published profiles"
PATIENCE = 60.0
# Points that the published versions are asked for; more would take hours on the larger ones.
CAP = {12: 10, 24: 5, 48: 3, 96: 2}
TO_THE_END = ", to the end"
SAME_COST = 3e-6  # relative; the published versions round marginal costs to 1e-6


def run(plan: Plan) -> dict[str, Any]:
    """A race per profile and number of micro-batches."""
    cases = [
        (model, device, microbatches)
        for microbatches in ((2,) if plan.smoke else MICROBATCHES)
        for device in DEVICES
        for model in MODELS
    ][: 1 if plan.smoke else None]
    rows, skipped = [], []
    for done, (model, device, microbatches) in enumerate(cases):
        share = 2 * plan.share(len(cases) - done)
        if plan.left <= 0:
            skipped.append(f"{model} {device} {microbatches}")
            continue
        file = plan.folder / "project.json"
        dag = published_dag(model, device, microbatches)
        write_project(dag, file)
        network = Project.from_dag(dag).network
        contestants = _contestants(plan, model, device, microbatches, str(file))
        outcomes = race(
            plan.pool, contestants, runs=plan.runs, patience=PATIENCE, budget=min(share, plan.left)
        )
        rows.append(
            {
                "nodes": network.num_events,
                "arcs": network.num_arcs,
                "steps": expected_steps(network),
                **_row(model, device, microbatches, outcomes),
            }
        )
    return {"rows": rows, "skipped": skipped}


def _contestants(
    plan: Plan, model: str, device: str, microbatches: int, file: str
) -> list[Contestant]:
    first, *others = plan.backends()
    contestants = [plan.contestant(first, "frontier_runs:ours", file=file, backend=first)]
    small = (model, device) == ("gpt3-175b", "a100_sxm") and microbatches <= 12
    if plan.peers:
        contestants += [
            plan.published(
                version, "frontier_runs:published", file=file, points=CAP.get(microbatches, 2)
            )
            for version in reversed(PUBLISHED)
        ]
        if small and not plan.smoke:  # the one frontier that it finishes within a minute
            last = plan.published(PUBLISHED[-1], "frontier_runs:published", file=file, points=None)
            contestants.append(replace(last, name=f"{last.name}{TO_THE_END}"))
    if small:
        contestants += [
            plan.contestant(name, "frontier_runs:ours", file=file, backend=name)
            for name in others
            if name in ("igraph", "scipy")
        ]
    return contestants


def _row(model: str, device: str, microbatches: int, outcomes: list[Outcome]) -> dict[str, Any]:
    ours = outcomes[0]
    points = len(ours.answer or ())
    stored: dict[str, Any] = {}
    wrong = []
    for outcome in outcomes:
        entry = outcome.to_dict()
        if outcome.sample is not None:
            traced = len(outcome.answer)
            entry["points"] = traced
            entry["seconds_per_point"] = outcome.sample.median / traced
            if ours.sample is not None and outcome is not ours:
                value, low, high = ratio(
                    [s / traced for s in outcome.sample.seconds],
                    [s / points for s in ours.sample.seconds],
                )
                entry["times_slower_per_point"] = [value, low, high]
                pairs = zip(outcome.answer, ours.answer, strict=False)
                if any(abs(a - b) > SAME_COST * abs(b) for a, b in pairs):
                    wrong.append(f"{outcome.name}: other costs than {ours.name}")
        stored[outcome.name] = entry
    return {
        "workload": f"{model} {device}",
        "size": microbatches,
        "points": points,
        "outcomes": stored,
        "disagreements": wrong,
    }
