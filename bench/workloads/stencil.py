"""Sweeps of a 2-D stencil over a grid of processes, with halo exchange."""

from __future__ import annotations

from typing import Any

import networkx as nx

from bench.workloads.operations import project_dag, spec_of
from bench.workloads.workload import Workload

WIDTH, HEIGHT = 1000, 700  # cells of the domain
SWEEPS = 8
CELLS_PER_QUANTUM = 2000  # at 16 processes a block takes about 22 quanta


def minimal_surface(processes: int, width: int, height: int) -> tuple[int, int]:
    """The grid p1 x p2 = processes whose blocks have the least halo to exchange.

    The halo of all blocks together is (p1 - 1) x height + (p2 - 1) x width cells each way.
    """
    grids = [(p, processes // p) for p in range(1, processes + 1) if processes % p == 0]
    return min(grids, key=lambda grid: ((grid[0] - 1) * height + (grid[1] - 1) * width, grid))


def stencil_dag(processes: int) -> nx.DiGraph[Any]:
    """One operation per process and sweep; it waits for its neighbours' last sweep.

    The domain grows with the processes (weak scaling); its sides do not divide evenly, so blocks,
    and the times of their sweeps, differ by a row or a column.
    """
    scale = (processes / 16) ** 0.5
    width, height = round(WIDTH * scale), round(HEIGHT * scale)
    p1, p2 = minimal_surface(processes, width, height)
    columns = [width * (i + 1) // p1 - width * i // p1 for i in range(p1)]
    rows = [height * (j + 1) // p2 - height * j // p2 for j in range(p2)]
    areas = sorted({c * r for c in columns for r in rows})
    specs = [spec_of(area / CELLS_PER_QUANTUM) for area in areas]
    index = {area: k for k, area in enumerate(areas)}
    block = [index[columns[p // p2] * rows[p % p2]] for p in range(processes)]
    edges = []
    for sweep in range(1, SWEEPS):
        for p in range(processes):
            i, j = divmod(p, p2)
            for a, b in ((i, j), (i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)):
                if 0 <= a < p1 and 0 <= b < p2:
                    edges.append(((sweep - 1) * processes + a * p2 + b, sweep * processes + p))
    return project_dag(specs, block * SWEEPS, edges)


STENCIL = Workload("stencil_2d", "project", "processes", (16, 128, 1_024, 16_384), 6, stencil_dag)
