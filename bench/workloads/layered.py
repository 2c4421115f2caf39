"""Layered random DAGs."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np

from bench.workloads.operations import SPECS, project_dag, random_specs
from bench.workloads.workload import Workload

MOST_BEFORE = 3  # predecessors of an operation, 1 up to this


def layered_dag(operations: int, seed: int = 1) -> nx.DiGraph[Any]:
    """About as many layers as operations in each; predecessors are drawn from the layer before."""
    rng = np.random.default_rng([seed, operations])
    width = max(2, round(operations**0.5))
    edges: set[tuple[int, int]] = set()
    for node in range(width, operations):
        layer = node // width
        before = rng.integers(
            (layer - 1) * width, layer * width, size=rng.integers(1, MOST_BEFORE + 1)
        )
        edges.update((int(other), node) for other in before)
    return project_dag(
        random_specs(rng), rng.integers(0, SPECS, size=operations).tolist(), sorted(edges)
    )


LAYERED = Workload(
    "layered", "project", "operations", (100, 1_000, 10_000, 100_000, 400_000), 30, layered_dag
)
