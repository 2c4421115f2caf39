"""Generated max-flow networks of the DIMACS families, by seed, as plain arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Arrays(NamedTuple):
    """A network: number of nodes, tail and head int32[m], capacity int64[m], terminals."""

    num_nodes: int
    tail: NDArray[np.int32]
    head: NDArray[np.int32]
    capacity: NDArray[np.int64]
    source: int
    sink: int


def _arrays(
    num_nodes: int, arcs: list[tuple[NDArray[np.int64], ...]], source: int, sink: int
) -> Arrays:
    tail, head, capacity = (np.concatenate(parts) for parts in zip(*arcs, strict=True))
    return Arrays(
        num_nodes,
        tail.astype(np.int32),
        head.astype(np.int32),
        capacity.astype(np.int64),
        source,
        sink,
    )


def rmf(side: int, depth: int, seed: int, largest: int = 1000) -> Arrays:
    """Frames of ``side x side`` nodes in a row; neighbours in a frame are joined with large
    capacities, every node with a random one of the next frame.

    Source: Goldfarb and Grigoriadis, A computational comparison of the Dinic and network simplex
    methods for maximum flow (1988), doi:10.1007/BF02288322.
    """
    rng = np.random.default_rng(seed)
    frame = np.arange(side * side).reshape(side, side)
    base = np.arange(depth)[:, None] * side * side
    arcs = []
    inner = largest * side * side
    for one, other in ((frame[:, :-1], frame[:, 1:]), (frame[:-1], frame[1:])):
        u, v = (base + one.ravel()).ravel(), (base + other.ravel()).ravel()
        capacity = np.full(len(u), inner)
        arcs += [(u, v, capacity), (v, u, capacity)]
    for k in range(depth - 1):
        u = frame.ravel() + k * side * side
        v = rng.permutation(side * side) + (k + 1) * side * side
        arcs.append((u, v, rng.integers(1, largest + 1, len(u))))
    return _arrays(side * side * depth, arcs, 0, side * side * depth - 1)


def washington_rlg(rows: int, columns: int, seed: int, largest: int = 10_000) -> Arrays:
    """Rows of nodes, each joined with three random nodes of the next row; the source feeds the
    first row and the last one drains into the sink (random level graph).

    Source: Anderson and Setubal, generator `washington` of the first DIMACS challenge (1993).
    """
    rng = np.random.default_rng(seed)
    n = rows * columns + 2
    source, sink = n - 2, n - 1
    arcs = []
    level = np.arange(columns)
    for row in range(rows - 1):
        u = np.repeat(level + row * columns, 3)
        v = rng.integers(0, columns, 3 * columns) + (row + 1) * columns
        arcs.append((u, v, rng.integers(1, largest + 1, 3 * columns)))
    wide = np.full(columns, 3 * largest)
    arcs.append((np.full(columns, source), level, wide))
    arcs.append((level + (rows - 1) * columns, np.full(columns, sink), wide))
    return _arrays(n, arcs, source, sink)


def acyclic_dense(num_nodes: int, seed: int, largest: int = 1_000_000) -> Arrays:
    """All arcs from smaller to larger nodes, with random capacities.

    Source: Setubal, generator `ac` of the first DIMACS challenge (1993).
    """
    rng = np.random.default_rng(seed)
    u, v = np.triu_indices(num_nodes, 1)
    return _arrays(num_nodes, [(u, v, rng.integers(1, largest + 1, len(u)))], 0, num_nodes - 1)


def grid(shape: tuple[int, ...], seed: int, largest: int = 100) -> Arrays:
    """A grid with random capacities both ways between neighbours; random arcs from the source to
    every node or from it to the sink, as in image segmentation."""
    rng = np.random.default_rng(seed)
    cells = int(np.prod(shape))
    index = np.arange(cells).reshape(shape)
    source, sink = cells, cells + 1
    arcs = []
    for axis in range(len(shape)):
        one = np.take(index, range(shape[axis] - 1), axis).ravel()
        other = np.take(index, range(1, shape[axis]), axis).ravel()
        for u, v in ((one, other), (other, one)):
            arcs.append((u, v, rng.integers(1, largest + 1, len(u))))
    unary = rng.integers(-4 * largest, 4 * largest + 1, cells)
    near, far = np.flatnonzero(unary > 0), np.flatnonzero(unary < 0)
    arcs.append((np.full(len(near), source), near, unary[near]))
    arcs.append((far, np.full(len(far), sink), -unary[far]))
    return _arrays(cells + 2, arcs, source, sink)


INSTANCES: dict[str, Callable[[], Arrays]] = {
    "rmf-long-1e3": lambda: rmf(4, 16, 1),
    "rmf-long-1e4": lambda: rmf(6, 50, 2),
    "rmf-long-1e5": lambda: rmf(9, 230, 3),
    "rmf-long-1e6": lambda: rmf(12, 1400, 4),
    "rmf-wide-1e3": lambda: rmf(7, 4, 5),
    "rmf-wide-1e4": lambda: rmf(20, 5, 6),
    "rmf-wide-1e5": lambda: rmf(50, 8, 7),
    "rmf-wide-1e6": lambda: rmf(128, 12, 8),
    "rlg-long-1e4": lambda: washington_rlg(128, 26, 9),
    "rlg-long-1e5": lambda: washington_rlg(512, 64, 10),
    "rlg-long-1e6": lambda: washington_rlg(2600, 128, 11),
    "rlg-wide-1e4": lambda: washington_rlg(26, 128, 12),
    "rlg-wide-1e5": lambda: washington_rlg(64, 512, 13),
    "rlg-wide-1e6": lambda: washington_rlg(128, 2600, 14),
    "acyclic-1e3": lambda: acyclic_dense(46, 15),
    "acyclic-1e4": lambda: acyclic_dense(142, 16),
    "acyclic-1e5": lambda: acyclic_dense(448, 17),
    "acyclic-1e6": lambda: acyclic_dense(1415, 18),
    "grid2-1e3": lambda: grid((15, 15), 19),
    "grid2-1e4": lambda: grid((45, 45), 20),
    "grid2-1e5": lambda: grid((142, 142), 21),
    "grid2-1e6": lambda: grid((448, 448), 22),
    "grid3-1e4": lambda: grid((11, 11, 12), 23),
    "grid3-1e5": lambda: grid((24, 24, 25), 24),
    "grid3-1e6": lambda: grid((52, 52, 53), 25),
}
