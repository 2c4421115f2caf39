"""Steps of a particle-in-cell code whose particles crowd at one side and drift."""

from __future__ import annotations

from typing import Any

import networkx as nx

from bench.workloads.operations import project_dag, spec_of
from bench.workloads.workload import Workload

STEPS = 10
RATIO = 0.9  # every process starts with 0.9 times the particles of its left neighbour
LEAST_QUANTA, MEAN_QUANTA = 4.0, 12.0  # fields of a cell block; particles of the mean process


def loads(processes: int, step: int) -> list[int]:
    """Quanta of every process in one step: geometric, moved on by one process per step.

    The ratio is taken over 16 processes at least, so that the crowd stays one as they grow.
    """
    ratio = RATIO ** (16 / max(processes, 16))
    weights = [ratio ** ((p - step) % processes) for p in range(processes)]
    mean = sum(weights) / processes
    return [round(LEAST_QUANTA + MEAN_QUANTA * weight / mean) for weight in weights]


def particle_dag(processes: int) -> nx.DiGraph[Any]:
    """One operation per process and step; particles come from both neighbours in a ring."""
    edges, quanta = [], []
    for step in range(STEPS):
        quanta += loads(processes, step)
        if step:
            now, before = step * processes, (step - 1) * processes
            edges += [
                (before + (p + shift) % processes, now + p)
                for p in range(processes)
                for shift in (-1, 0, 1)
            ]
    distinct = sorted(set(quanta))
    index = {q: k for k, q in enumerate(distinct)}
    return project_dag([spec_of(float(q)) for q in distinct], [index[q] for q in quanta], edges)


PARTICLE_IN_CELL = Workload(
    "particle_in_cell", "project", "processes", (10, 100, 1_000, 10_000), 4, particle_dag
)
