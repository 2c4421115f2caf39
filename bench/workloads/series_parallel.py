"""Series-parallel DAGs, the projects whose frontier has a closed recursion."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import networkx as nx
import numpy as np

from bench.workloads.operations import SPECS, project_dag, random_specs
from bench.workloads.workload import Workload

MOST_BRANCHES = 4


def series_parallel_dag(operations: int, seed: int = 2) -> nx.DiGraph[Any]:
    """Blocks split at random into series and parallel compositions until one operation is left.

    A parallel composition of several blocks in series with others is joined by the edges from
    every last operation of one to every first of the next, so a split keeps few branches.
    """
    rng = np.random.default_rng([seed, operations])
    edges: list[tuple[int, int]] = []
    # A block is (first operation, one past the last); joined to (entries, exits) on the way back.
    ends: dict[tuple[int, int], tuple[list[int], list[int]]] = {}
    stack: list[tuple[int, int, bool, list[tuple[int, int]] | None]] = [
        (0, operations, False, None)
    ]
    while stack:
        first, end, parallel, parts = stack.pop()
        if end - first == 1:
            ends[first, end] = ([first], [first])
            continue
        if parts is None:
            branches = int(rng.integers(2, MOST_BRANCHES + 1)) if parallel else 2
            cuts = np.unique(rng.integers(first + 1, end, size=branches - 1)).tolist()
            bounds = [first, *cuts, end]
            parts = list(pairwise(bounds))
            stack.append((first, end, parallel, parts))
            stack.extend((a, b, not parallel, None) for a, b in parts)
            continue
        inner = [ends.pop(part) for part in parts]
        if parallel:
            entries = [node for part in inner for node in part[0]]
            exits = [node for part in inner for node in part[1]]
        else:
            entries, exits = inner[0][0], inner[-1][1]
            for before, after in pairwise(inner):
                edges.extend((tail, head) for tail in before[1] for head in after[0])
        ends[first, end] = (entries, exits)
    return project_dag(random_specs(rng), rng.integers(0, SPECS, size=operations).tolist(), edges)


SERIES_PARALLEL = Workload(
    "series_parallel", "project", "operations", (100, 1_000, 10_000), 30, series_parallel_dag
)
