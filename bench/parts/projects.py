"""Generated, scheduled and executed projects: compile, step and whole frontier by first parties."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from bench.plan import Plan
from bench.reach import Reach
from bench.registry import GENERATED
from bench.sample import growth_exponent
from bench.side_by_side import disagreements
from bench.workloads.schedules import SCHEDULE_FILES, SCHEDULES
from bench.workloads.workflows import WORKFLOWS
from lowtime.backends.explanation import project_size
from lowtime.network.project import Project

TITLE = "Projects of every kind"
PATIENCE = 20.0
VERBS = ("compile", "step", "frontier")
PROJECTS = (
    *SCHEDULES,
    SCHEDULE_FILES,
    *GENERATED,
    WORKFLOWS,
)  # the published profiles have a part of their own
LARGEST = dict.fromkeys(("networkx", "rust-ek-sparse", "rust-ek-dense"), 1_000)
LARGEST |= {"scipy": 6_000, "igraph": 6_000}
LARGEST_FRONTIER = {name: limit // 10 for name, limit in LARGEST.items()}  # arcs


def run(plan: Plan) -> dict[str, Any]:
    """Every project workload by rising size; a size is left out when the budget is over."""
    backends = plan.backends()
    inputs = [
        (workload, size)
        for workload in PROJECTS
        if not workload.missing
        for size in ((workload.smoke,) if plan.smoke else workload.sizes)
        if plan.smoke is False or workload.name in ("layered", "pipeline_1f1b")
    ]
    inputs.sort(key=lambda chosen: chosen[1], reverse=plan.smoke)
    weights = [max(size, 1_000) ** 0.35 for _, size in inputs]
    rows, skipped, reach = [], [], Reach(PATIENCE)
    for done, (workload, size) in enumerate(inputs):
        if plan.left <= 0:
            skipped.append(f"{workload.name}-n={size}")
            continue
        network = Project.from_dag(workload.build(size)).network
        end = plan.left - plan.share(weights[done:])  # of the budget, when this input is done
        for verb in VERBS:
            limits = LARGEST_FRONTIER if verb == "frontier" else LARGEST
            entering = [
                name for name in backends if network.num_arcs <= limits.get(name, network.num_arcs)
            ]
            outcomes = reach.race(
                plan.pool,
                [
                    plan.contestant(
                        name or "lowtime",
                        "registry_runs:case",
                        verb=verb,
                        workload=workload.name,
                        size=size,
                        backend=name,
                    )
                    for name in (("",) if verb == "compile" else entering)
                ],
                f"{verb} {workload.name}",
                network.num_arcs,
                runs=plan.runs,
                budget=plan.left - end,
            )
            rows.append(
                {
                    "workload": workload.name,
                    "size": size,
                    "unit": workload.unit,
                    "verb": verb,
                    "nodes": network.num_events,
                    "arcs": network.num_arcs,
                    "project": asdict(project_size(network)),
                    "outcomes": {outcome.name: outcome.to_dict() for outcome in outcomes},
                    "disagreements": disagreements(outcomes),
                }
            )
    missing = {workload.name: workload.missing for workload in PROJECTS if workload.missing}
    return {"rows": rows, "skipped": skipped, "missing": missing, "growth": _growth(rows)}


def _growth(rows: list[dict[str, Any]]) -> dict[str, dict[str, float]]:
    """Growth exponents in arcs, per verb and workload, of the first contestant."""
    points: dict[str, dict[str, list[tuple[float, float]]]] = {}
    for row in rows:
        for name, outcome in row["outcomes"].items():
            if outcome["sample"] and name in ("rust", "lowtime"):
                of = points.setdefault(row["verb"], {}).setdefault(row["workload"], [])
                of.append((row["arcs"], outcome["sample"]["median"]))
    return {
        verb: {
            workload: growth_exponent(*zip(*of, strict=True))
            for workload, of in by_workload.items()
            if len({arcs for arcs, _ in of}) > 1
        }
        for verb, by_workload in points.items()
    }
