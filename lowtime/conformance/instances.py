"""Flow networks in families, each made from its seed alone."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from lowtime.conformance.splitmix import SplitMix64
from lowtime.flow.network import FlowNetwork

Arc = tuple[int, int, int]


def make(num_nodes: int, arcs: Iterable[Arc], source: int, sink: int) -> FlowNetwork:
    """The network of ``(tail, head, capacity)`` triples."""
    listed = list(arcs)
    tail, head, capacity = ([arc[k] for arc in listed] for k in range(3))
    return FlowNetwork(num_nodes, tail, head, capacity, source, sink)


def copy_of(
    network: FlowNetwork,
    *,
    capacity: NDArray[np.int64] | None = None,
    source: int | None = None,
    sink: int | None = None,
) -> FlowNetwork:
    """The same arcs in arrays of their own, with other capacities or terminals where given."""
    return FlowNetwork(
        network.num_nodes,
        network.tail,
        network.head,
        network.capacity if capacity is None else capacity,
        network.source if source is None else source,
        network.sink if sink is None else sink,
    )


def tiny(seed: int) -> FlowNetwork:
    """2 .. 7 nodes, up to 16 arcs of capacity 0 .. 3: parallels, loops and ties are the rule."""
    rng = SplitMix64(seed)
    n = rng.between(2, 7)
    source, sink = rng.shuffled(range(n))[:2]
    return make(
        n,
        ((rng.below(n), rng.below(n), rng.below(4)) for _ in range(rng.between(0, 16))),
        source,
        sink,
    )


def sparse(seed: int) -> FlowNetwork:
    """60 nodes, 240 arcs between random nodes."""
    rng = SplitMix64(seed)
    return make(60, ((rng.below(60), rng.below(60), rng.below(50)) for _ in range(240)), 0, 59)


def dense(seed: int) -> FlowNetwork:
    """24 nodes, an arc of capacity 1 .. 1,000 between every ordered pair."""
    rng = SplitMix64(seed)
    pairs = [(t, h) for t in range(24) for h in range(24) if t != h]
    return make(24, ((t, h, rng.between(1, 1000)) for t, h in rng.shuffled(pairs)), 3, 17)


def parallel(seed: int) -> FlowNetwork:
    """5 nodes and 40 arcs: up to a dozen parallel arcs, in mixed order."""
    rng = SplitMix64(seed)
    return make(5, ((rng.below(4), rng.between(1, 4), rng.below(9)) for _ in range(40)), 0, 4)


def antiparallel(seed: int) -> FlowNetwork:
    """12 nodes, every arc with a partner in the other direction."""
    rng = SplitMix64(seed)
    arcs = []
    for _ in range(30):
        t, h = rng.shuffled(range(12))[:2]
        arcs += [(t, h, rng.between(1, 9)), (h, t, rng.between(1, 9))]
    return make(12, rng.shuffled(arcs), 0, 11)


def self_loops(seed: int) -> FlowNetwork:
    """10 nodes, a third of the arcs self-loops, source and sink among them."""
    rng = SplitMix64(seed)
    arcs = [(rng.below(10), rng.below(10), rng.between(1, 9)) for _ in range(30)]
    arcs += [(v, v, rng.between(1, 99)) for v in (0, 9, *(rng.below(10) for _ in range(13)))]
    return make(10, rng.shuffled(arcs), 0, 9)


def zeros(seed: int) -> FlowNetwork:
    """14 nodes, half of the arcs of capacity 0."""
    rng = SplitMix64(seed)
    return make(
        14, ((rng.below(14), rng.below(14), rng.below(2) * rng.below(8)) for _ in range(70)), 0, 13
    )


def unreachable(seed: int) -> FlowNetwork:
    """20 nodes in two halves; arcs lead only from the sink's half to the source's."""
    rng = SplitMix64(seed)
    arcs = []
    for _ in range(60):
        t, h = rng.below(20), rng.below(20)
        if t < 10 <= h:
            t, h = h, t
        arcs.append((t, h, rng.between(1, 9)))
    return make(20, arcs, 0, 19)


def layered(seed: int) -> FlowNetwork:
    """8 layers of 8 nodes, three arcs from each node to the next layer, ties everywhere."""
    rng = SplitMix64(seed)
    arcs = [(0, 1 + k, rng.between(4, 9)) for k in range(8)]
    for layer in range(7):
        for k in range(8):
            here = 1 + 8 * layer + k
            arcs += [(here, 9 + 8 * layer + rng.below(8), rng.between(1, 5)) for _ in range(3)]
    arcs += [(57 + k, 65, rng.between(4, 9)) for k in range(8)]
    return make(66, rng.shuffled(arcs), 0, 65)


def grid(seed: int) -> FlowNetwork:
    """A 12 x 12 grid with arcs both ways, from one side to the other."""
    rng = SplitMix64(seed)
    side, source, sink = 12, 144, 145
    arcs = [(source, side * row, 40) for row in range(side)]
    arcs += [(side * row + side - 1, sink, 40) for row in range(side)]
    for row in range(side):
        for column in range(side):
            here = side * row + column
            for other, inside in ((here + 1, column < side - 1), (here + side, row < side - 1)):
                if inside:
                    arcs += [(here, other, rng.below(20)), (other, here, rng.below(20))]
    return make(146, rng.shuffled(arcs), source, sink)


def pipeline(seed: int) -> FlowNetwork:
    """What a step of a pipeline-parallel frontier looks like: one wide source arc, many unbounded.

    4 stages and 8 micro-batches in 1F1B order; every operation is an arc of capacity 1 .. 30 or, at
    its shortest, of the unbounded capacity; precedences are unbounded arcs.
    """
    rng = SplitMix64(seed)
    stages, batches = 4, 8
    unbounded = 30 * stages * batches * 2 + 1
    start: dict[tuple[int, str, int], int] = {}
    arcs = []
    for stage in range(stages):
        for kind in "FB":
            for batch in range(batches):
                node = 2 + 2 * len(start)
                start[stage, kind, batch] = node
                short = rng.below(8) == 0
                arcs.append((node, node + 1, unbounded if short else rng.between(1, 30)))
        warm = min(stages - stage, batches)
        order = [("F", b) for b in range(warm)]
        for batch in range(batches):
            order.append(("B", batch))
            if warm + batch < batches:
                order.append(("F", warm + batch))
        for (kind, batch), (kind2, batch2) in itertools.pairwise(order):
            arcs.append((start[stage, kind, batch] + 1, start[stage, kind2, batch2], unbounded))
    for batch in range(batches):
        for stage in range(stages - 1):
            arcs.append((start[stage, "F", batch] + 1, start[stage + 1, "F", batch], unbounded))
            arcs.append((start[stage + 1, "B", batch] + 1, start[stage, "B", batch], unbounded))
        last = start[stages - 1, "F", batch] + 1
        arcs.append((last, start[stages - 1, "B", batch], unbounded))
    super_source = 2 + 2 * len(start)
    arcs.append((super_source, 0, unbounded))
    arcs.append((0, start[0, "F", 0], unbounded))
    arcs.append((start[0, "B", batches - 1] + 1, 1, unbounded))
    return make(super_source + 1, arcs, super_source, 1)


def bipartite(seed: int) -> FlowNetwork:
    """A matching of 30 with 30 nodes, unit capacities, four choices each."""
    rng = SplitMix64(seed)
    arcs = [(0, 1 + k, 1) for k in range(30)] + [(31 + k, 61, 1) for k in range(30)]
    arcs += [(1 + k, 31 + rng.below(30), 1) for k in range(30) for _ in range(4)]
    return make(62, rng.shuffled(arcs), 0, 61)


def greedy_trap(seed: int) -> FlowNetwork:
    """Gadgets whose short path blocks two longer ones: most of the flow undoes an earlier choice.

    In each, source-u-v-sink is shortest, but only source-u-y-sink and source-x-v-sink together are
    maximum.
    """
    rng = SplitMix64(seed)
    gadgets = 8
    source, sink = 4 * gadgets, 4 * gadgets + 1
    arcs: list[Arc] = []
    for k in range(gadgets):
        u, v, x, y = range(4 * k, 4 * k + 4)
        width = rng.between(1, 6)
        path = [(source, u), (u, v), (v, sink), (source, x), (x, v), (u, y), (y, sink)]
        arcs += [(tail, head, width) for tail, head in path]
        arcs.append((rng.below(4 * gadgets), rng.below(4 * gadgets), rng.below(3)))
    return make(sink + 1, rng.shuffled(arcs), source, sink)


def ties(seed: int) -> FlowNetwork:
    """Chains of equal capacities side by side, with rungs: a minimum cut at nearly every place."""
    rng = SplitMix64(seed)
    width, length = 4, 9
    source, sink = width * length, width * length + 1
    arcs: list[Arc] = []
    for lane in range(width):
        nodes = [source, *(length * lane + k for k in range(length)), sink]
        arcs += [(t, h, 5) for t, h in itertools.pairwise(nodes)]
        if lane:
            for k in range(length):
                arcs.append((length * lane + k, length * (lane - 1) + k, rng.below(3)))
    return make(sink + 1, rng.shuffled(arcs), source, sink)


def wide(seed: int) -> FlowNetwork:
    """400 disjoint paths of two arcs."""
    rng = SplitMix64(seed)
    arcs: list[Arc] = []
    for k in range(400):
        arcs += [(400, k, rng.below(99)), (k, 401, rng.below(99))]
    return make(402, rng.shuffled(arcs), 400, 401)


def chain(length: int) -> FlowNetwork:
    """One path of ``length`` arcs, node 0 the sink; the bottleneck, 2, lies in the middle."""
    middle = length // 2
    return make(
        length + 1,
        ((k + 1, k, 2 if k == middle else 3 + k % 5) for k in range(length)),
        length,
        0,
    )


def diamond(capacity: int) -> FlowNetwork:
    """Two paths of the given capacity joined by an arc of capacity 1 (Ford and Fulkerson's trap).

    Paths picked carelessly add one unit each: ``2 * capacity`` rounds instead of two.
    """
    arcs = [(0, 1, capacity), (1, 2, 1), (0, 2, capacity), (1, 3, capacity), (2, 3, capacity)]
    return make(4, arcs, 0, 3)


FAMILIES: dict[str, Callable[[int], FlowNetwork]] = {
    family.__name__: family
    for family in (
        tiny,
        sparse,
        dense,
        parallel,
        antiparallel,
        self_loops,
        zeros,
        unreachable,
        layered,
        grid,
        pipeline,
        bipartite,
        greedy_trap,
        ties,
        wide,
    )
}
