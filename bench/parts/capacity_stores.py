"""Edmonds-Karp on a sparse and on a dense store of capacities: where each wins."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.parts.cold_flow import write_network
from bench.plan import Plan
from bench.registry import usable_backends
from bench.sample import ratio
from bench.side_by_side import disagreements, race
from bench.workloads.frontier_states import state_network
from lowtime.flow.network import FlowNetwork

TITLE = "Edmonds-Karp: sparse against dense capacities"
NAMES = ("rust-ek-sparse", "rust-ek-dense")
NODES = (16, 64, 256, 1024)
DENSITIES = (0.01, 0.05, 0.2, 1.0)
MOST_ARCS = 40_000  # Edmonds-Karp needs minutes beyond
PIPELINES = ((12, 0), (12, 10), (48, 10), (96, 10))  # micro-batches, state
CLAIM = 10.0  # the published claim: sparse up to so many times faster on pipeline DAGs


def random_dag(nodes: int, density: float) -> FlowNetwork:
    """Arcs i -> j, i < j, each with this probability; a path keeps source and sink connected."""
    rng = np.random.default_rng([21, nodes, round(1000 * density)])
    tail, head = np.triu_indices(nodes, k=1)
    kept = (rng.random(len(tail)) < density) | (head == tail + 1)
    capacity = rng.integers(1, 1_000, size=int(kept.sum()))
    return FlowNetwork(nodes, tail[kept], head[kept], capacity, 0, nodes - 1)


def run(plan: Plan) -> dict[str, Any]:
    """Races of the two over density and size, and on states of pipeline frontiers."""
    if not set(NAMES) <= set(usable_backends()):
        return {"rows": [], "skipped": ["the distribution lowtime-rust is not installed"]}
    networks = [
        (f"random DAG, density {density}", nodes, random_dag(nodes, density))
        for nodes in (NODES[:1] if plan.smoke else NODES)
        for density in (DENSITIES[1:2] if plan.smoke else DENSITIES)
        if density * nodes**2 / 2 <= MOST_ARCS
    ]
    if not plan.smoke:
        networks += [
            (f"pipeline, {microbatches} micro-batches, state {state}", 0, network)
            for microbatches, state in PIPELINES
            for network in (state_network("a100_sxm", microbatches, state, cold=True),)
        ]
    rows, skipped = [], []
    for done, (name, _, network) in enumerate(networks):
        if plan.left <= 0:
            skipped.append(name)
            continue
        file = plan.folder / "network.npz"
        write_network(network, file)
        outcomes = race(
            plan.pool,
            [
                plan.contestant(one, "flow_solvers:first_party", backend=one, file=str(file))
                for one in NAMES
            ],
            runs=plan.runs,
            patience=5.0,
            budget=plan.share([1] * (len(networks) - done)),
        )
        row: dict[str, Any] = {
            "workload": name,
            "nodes": network.num_nodes,
            "arcs": network.num_arcs,
            "outcomes": {outcome.name: outcome.to_dict() for outcome in outcomes},
            "disagreements": disagreements(outcomes),
        }
        sparse, dense = outcomes
        if sparse.sample and dense.sample:
            row["dense_over_sparse"] = ratio(dense.sample.seconds, sparse.sample.seconds)
        rows.append(row)
    return {"rows": rows, "skipped": skipped, "claim": CLAIM, **_verdict(rows)}


def _verdict(rows: list[dict[str, Any]]) -> dict[str, Any]:
    on_pipelines = [
        row["dense_over_sparse"][0]
        for row in rows
        if row["workload"].startswith("pipeline") and "dense_over_sparse" in row
    ]
    if not on_pipelines:
        return {}
    return {"most_on_pipelines": max(on_pipelines), "reproduced": max(on_pipelines) >= CLAIM}
