"""The families of the first DIMACS challenge and of vision, for bare maximum flow.

Sizes count arcs, roughly. Source: Johnson and McGeoch (eds.), Network Flows and Matching: First
DIMACS Implementation Challenge (1993), doi:10.1090/dimacs/012.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bench.workloads.workload import Workload
from lowtime.flow.network import FlowNetwork

Arcs = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]
SIZES = (1_000, 10_000, 100_000, 1_000_000)
MOST = 10_000  # largest random capacity


def _network(num_nodes: int, arcs: list[Arcs], source: int, sink: int) -> FlowNetwork:
    tail, head, capacity = (np.concatenate([part[k] for part in arcs]) for k in range(3))
    return FlowNetwork(num_nodes, tail, head, capacity, source, sink)


def rmf(side: int, frames: int, seed: int) -> FlowNetwork:
    """Square frames in a row: both ways within a frame, a random matching to the next one.

    Source: Goldfarb and Grigoriadis, A computational comparison of the Dinic and network simplex
        methods for maximum flow (1988), doi:10.1007/BF02288322.
    """
    rng = np.random.default_rng([seed, side, frames])
    square = np.arange(side * side).reshape(side, side)
    across = [(square[:, :-1], square[:, 1:]), (square[:-1], square[1:])]
    inner_tail = np.concatenate([np.r_[a.ravel(), b.ravel()] for a, b in across])
    inner_head = np.concatenate([np.r_[b.ravel(), a.ravel()] for a, b in across])
    nodes = side * side
    offset = nodes * np.arange(frames)[:, None]
    most = 100
    inside = (
        (inner_tail + offset).ravel(),
        (inner_head + offset).ravel(),
        np.full(frames * len(inner_tail), most * nodes),  # never the bottleneck
    )
    matching = np.concatenate([rng.permutation(nodes) for _ in range(frames - 1)])
    between = (
        np.arange((frames - 1) * nodes),
        matching + nodes * np.repeat(np.arange(1, frames), nodes),
        rng.integers(1, most + 1, size=(frames - 1) * nodes),
    )
    return _network(nodes * frames, [inside, between], 0, nodes * frames - 1)


def rmf_long(arcs: int) -> FlowNetwork:
    """Many small frames: frames = side^2."""
    side = max(2, round((arcs / 5) ** 0.25))
    return rmf(side, side * side, 11)


def rmf_wide(arcs: int) -> FlowNetwork:
    """Few large frames: frames = the root of the side."""
    side = max(3, round((arcs / 5) ** 0.4))
    return rmf(side, max(2, round(side**0.5)), 12)


def washington_rlg(rows: int, columns: int, seed: int) -> FlowNetwork:
    """Random level graph: every node has three random heads in the next column."""
    rng = np.random.default_rng([seed, rows, columns])
    nodes = rows * columns
    tail = np.repeat(np.arange(nodes - rows), 3)
    head = (tail // rows + 1) * rows + rng.integers(0, rows, size=len(tail))
    inner = (tail, head, rng.integers(1, MOST + 1, size=len(tail)))
    ends = np.arange(rows)
    most = np.full(rows, 3 * MOST)
    source = (np.full(rows, nodes), ends, most)
    sink = (nodes - rows + ends, np.full(rows, nodes + 1), most)
    return _network(nodes + 2, [inner, source, sink], nodes, nodes + 1)


def rlg_long(arcs: int) -> FlowNetwork:
    """64 rows, or fewer in a small one."""
    rows = max(4, min(64, round((arcs / 3) ** 0.5)))
    return washington_rlg(rows, max(2, round(arcs / 3 / rows)), 13)


def rlg_wide(arcs: int) -> FlowNetwork:
    """64 columns, or fewer in a small one."""
    columns = max(4, min(64, round((arcs / 3) ** 0.5)))
    return washington_rlg(max(2, round(arcs / 3 / columns)), columns, 14)


def acyclic_dense(arcs: int) -> FlowNetwork:
    """All arcs i -> j with i < j."""
    nodes = max(3, round((2 * arcs) ** 0.5))
    rng = np.random.default_rng([15, nodes])
    tail, head = np.triu_indices(nodes, k=1)
    return FlowNetwork(nodes, tail, head, rng.integers(1, MOST + 1, size=len(tail)), 0, nodes - 1)


def grid(shape: tuple[int, ...], seed: int) -> FlowNetwork:
    """A lattice as in vision: neighbours both ways, every node at the source or at the sink."""
    rng = np.random.default_rng([seed, *shape])
    nodes = int(np.prod(shape))
    lattice = np.arange(nodes).reshape(shape)
    arcs: list[Arcs] = []
    for axis in range(len(shape)):
        low = np.delete(lattice, -1, axis).ravel()
        high = np.delete(lattice, 0, axis).ravel()
        for tail, head in ((low, high), (high, low)):
            arcs.append((tail, head, rng.integers(1, 101, size=len(tail))))
    to_source = rng.random(nodes) < 0.5
    capacity = rng.integers(1, 201, size=nodes)
    ends = np.arange(nodes)
    arcs.append((np.full(to_source.sum(), nodes), ends[to_source], capacity[to_source]))
    arcs.append((ends[~to_source], np.full((~to_source).sum(), nodes + 1), capacity[~to_source]))
    return _network(nodes + 2, arcs, nodes, nodes + 1)


def grid_2d(arcs: int) -> FlowNetwork:
    """A square; 5 arcs per node."""
    side = max(2, round((arcs / 5) ** 0.5))
    return grid((side, side), 16)


def grid_3d(arcs: int) -> FlowNetwork:
    """A cube; 7 arcs per node."""
    side = max(2, round((arcs / 7) ** (1 / 3)))
    return grid((side, side, side), 17)


DIMACS = tuple(
    Workload(build.__name__, "flow", "arcs", SIZES, 60, build)
    for build in (rmf_long, rmf_wide, rlg_long, rlg_wide, acyclic_dense, grid_2d, grid_3d)
)
