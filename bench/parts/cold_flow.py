"""One cold maximum flow: lowtime's backends and other libraries on the same arrays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from bench.peers.flow_solvers import NETWORKX, SOLVERS
from bench.plan import Plan
from bench.pool import Contestant
from bench.reach import Reach
from bench.sample import geometric_mean, growth_exponent
from bench.side_by_side import disagreements
from bench.workloads.dimacs_families import DIMACS
from bench.workloads.frontier_states import STATES
from lowtime.flow.network import FlowNetwork

TITLE = "Cold maximum flow"
PATIENCE = 10.0  # seconds of one call
# Beyond so many arcs a solver would take most of the budget and be last all the same.
SLOW = ("networkx", "rust-ek-sparse", "rust-ek-dense", *(f"networkx {name}" for name in NETWORKX))
LARGEST = dict.fromkeys(SLOW, 2_000)
FEW = ("igraph", "scipy", "igraph (library)", "scipy (library)")
LARGEST_FEW = 200_000


def write_network(network: FlowNetwork, file: Path) -> None:
    """The arrays of a network, for `bench.peers.flow_solvers`."""
    np.savez(
        file,
        num_nodes=network.num_nodes,
        source=network.source,
        sink=network.sink,
        tail=network.tail,
        head=network.head,
        capacity=network.capacity,
    )


def run(plan: Plan) -> dict[str, Any]:
    """Races on every family and size, smallest first."""
    inputs = [
        (workload, size)
        for workload in (*STATES, *DIMACS)
        for size in ((workload.smoke,) if plan.smoke else workload.sizes)
    ]
    inputs.sort(key=lambda chosen: chosen[1])
    inputs = inputs[:: 3 if plan.smoke else 1]
    weights = [max(size, 1_000) ** 0.2 for _, size in inputs]
    rows, skipped, reach = [], [], Reach(PATIENCE)
    for done, (workload, size) in enumerate(inputs):
        if plan.left <= 0:
            skipped.append(f"{workload.name}-n={size}")
            continue
        network = workload.build(size)
        file = plan.folder / "network.npz"
        write_network(network, file)
        outcomes = reach.race(
            plan.pool,
            _contestants(plan, network.num_arcs, str(file)),
            workload.name,
            network.num_arcs,
            runs=plan.runs,
            budget=plan.share(weights[done:]),
        )
        rows.append(
            {
                "workload": workload.name,
                "size": size,
                "nodes": network.num_nodes,
                "arcs": network.num_arcs,
                "outcomes": {outcome.name: outcome.to_dict() for outcome in outcomes},
                "disagreements": disagreements(outcomes),
            }
        )
    return {"rows": rows, "skipped": skipped, **_summary(rows)}


def _contestants(plan: Plan, arcs: int, file: str) -> list[Contestant]:
    contestants = [
        plan.contestant(name, "flow_solvers:first_party", backend=name, file=file)
        for name in plan.backends()
    ]
    if plan.peers:
        contestants += [
            plan.contestant(
                f"{name} (library)" if name in FEW else name,
                "flow_solvers:peer",
                solver=name,
                file=file,
            )
            for name in SOLVERS
        ]
    contestants.sort(key=lambda one: one.name in SLOW)  # the budget ends with the slow ones
    limits = LARGEST | dict.fromkeys(FEW, LARGEST_FEW)
    return [one for one in contestants if arcs <= limits.get(one.name, arcs)]


def _summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Geometric mean of rust over the best other library, and growth exponents."""
    others = ("ortools", "igraph (library)", "PyMaxflow")
    ratios: dict[str, list[float]] = {"states": [], "families": []}
    growth: dict[str, dict[str, list[tuple[float, float]]]] = {}
    for row in rows:
        medians = {
            name: outcome["sample"]["median"]
            for name, outcome in row["outcomes"].items()
            if outcome["sample"]
        }
        best = min((medians[name] for name in others if name in medians), default=None)
        if best is not None and "rust" in medians:
            kind = "states" if row["workload"].startswith("state") else "families"
            ratios[kind].append(medians["rust"] / best)
        if not row["workload"].startswith("state"):
            for name, median in medians.items():
                family = growth.setdefault(row["workload"], {})
                family.setdefault(name, []).append((row["arcs"], median))
    return {
        "rust_over_best": {
            kind: {"geometric_mean": geometric_mean(of), "cases": len(of)}
            for kind, of in ratios.items()
            if of
        },
        "growth": {
            family: {
                name: growth_exponent(*zip(*points, strict=True))
                for name, points in by_name.items()
                if len(points) > 1
            }
            for family, by_name in growth.items()
        },
    }
