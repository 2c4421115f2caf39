"""Core checks: parallel and antiparallel arcs, self-loops, zeros, what cannot be reached, order."""

from __future__ import annotations

import numpy as np

from lowtime.conformance.expected import expected_of, require
from lowtime.conformance.instances import FAMILIES, make
from lowtime.conformance.registry import check
from lowtime.conformance.splitmix import SplitMix64
from lowtime.conformance.subject import Subject
from lowtime.flow.network import FlowNetwork


@check("core", "1.0")
def parallel_arcs(subject: Subject) -> None:
    """Parallel arcs overwritten by the last one, or merged so that one carries the flow of all.

    Source: networkx.DiGraph and the pathfinding crate, which keep the last of several arcs.
    """
    subject.require_golden("parallel", range(20))


@check("core", "1.0")
def parallel_arcs_of_every_size(subject: Subject) -> None:
    """Parallel arcs of which the first, the last, a zero or the narrowest is taken for all.

    Source: lowtime's own study.
    """
    for capacities in ([1, 2], [2, 1], [0, 3], [3, 0], [2, 2, 2], [5, 0, 1], [1] * 50):
        total = sum(capacities)
        for far, side in ((total + 1, (True, False, False)), (total - 1, (True, True, False))):
            arcs = [(0, 1, c) for c in capacities] + [(1, 2, far)]
            subject.require_known(make(3, arcs, 0, 2), f"{capacities}", min(total, far), side)


@check("core", "1.0")
def antiparallel_arcs(subject: Subject) -> None:
    """An arc's residual overwritten by its partner's, where both directions have arcs.

    Source: the published lowtime 0.3.0, whose last residual graph keeps one of the two.
    """
    subject.require_golden("antiparallel", range(20))


@check("core", "1.0")
def antiparallel_arcs_at_the_ends(subject: Subject) -> None:
    """Arcs into the source and out of the sink counted in the value.

    Source: https://github.com/YaccConstructor/QuickGraph/issues/183
    """
    for back in (1, 4, 7):
        arcs = [(0, 1, 4), (1, 0, back), (1, 2, 6), (2, 1, back), (2, 0, 3), (0, 0, 2), (2, 2, 2)]
        subject.require_known(make(3, arcs, 0, 2), f"back {back}", 4, (True, False, False))


@check("core", "1.0")
def self_loops(subject: Subject) -> None:
    """Self-loops that carry flow, or are counted in the value, at the source and elsewhere.

    Source: https://github.com/networkx/networkx/issues/425
    """
    subject.require_golden("self_loops", range(20))


@check("core", "1.0")
def zero_capacities(subject: Subject) -> None:
    """A capacity of 0 taken for a missing one, or for an unbounded one.

    Source: https://github.com/networkx/networkx/issues/733
    """
    subject.require_golden("zeros", range(20))


@check("core", "1.0")
def sink_out_of_reach(subject: Subject) -> None:
    """An error, or a flow, where no path leads to the sink; all that the source reaches is cut off.

    Source: https://github.com/networkx/networkx/issues/733
    """
    subject.require_golden("unreachable", range(5))


@check("core", "1.0")
def no_arcs(subject: Subject) -> None:
    """Empty arrays mishandled: no arcs at all, or none but self-loops and dead ends.

    Source: lowtime's own study.
    """
    subject.require_known(make(2, [], 0, 1), "no arcs", 0, (True, False))
    subject.require_known(make(5, [], 4, 2), "no arcs", 0, (False, False, False, False, True))
    subject.require_known(make(2, [(0, 0, 5)], 0, 1), "a loop", 0, (True, False))
    subject.require_known(make(3, [(0, 2, 5)], 0, 1), "a dead end", 0, (True, False, True))
    subject.require_known(make(2, [(1, 0, 5)], 0, 1), "backwards only", 0, (True, False))


@check("core", "1.0")
def terminals_without_arcs(subject: Subject) -> None:
    """Nodes known only from arcs: source, sink or both touch none, or have the highest numbers.

    Source: OR-tools SimpleMaxFlow, to which a node in no arc is out of range.
    """
    arcs = [(1, 2, 3), (1, 3, 2), (2, 3, 4)]
    for source, sink in ((0, 5), (0, 3), (1, 5), (4, 5), (5, 0), (5, 3)):
        network = make(6, arcs, source, sink)
        subject.require_exact(network, f"source {source}, sink {sink}")


@check("core", "1.0")
def source_and_sink_in_every_place(subject: Subject) -> None:
    """Source and sink swapped, or assumed to be the first and the last node.

    Source: lowtime's own study.
    """
    arcs = [(0, 1, 3), (1, 2, 2), (2, 3, 4), (3, 0, 1), (0, 2, 5), (3, 1, 6)]
    for source in range(4):
        for sink in range(4):
            if source != sink:
                subject.require_exact(make(4, arcs, source, sink), f"{source} to {sink}")


@check("core", "1.0")
def cycles_out_of_reach(subject: Subject) -> None:
    """Flow that enters a cycle which the source does not reach, or never leaves one.

    Source: lowtime's own study.
    """
    cycle = [(2, 3, 7), (3, 4, 7), (4, 2, 7)]
    side = (True, False, False, False, False, False)
    subject.require_known(make(6, [*cycle, (0, 5, 2)], 0, 5), "apart", 2, side)
    subject.require_known(make(6, [*cycle, (0, 5, 2), (4, 5, 9)], 0, 5), "into the sink", 2, side)
    subject.require_exact(make(6, [*cycle, (0, 2, 3), (4, 5, 2)], 0, 5), "on the way")


@check("core", "1.0")
def order_of_arcs(subject: Subject) -> None:
    """Flow returned in another order than the arcs': sorted, grouped by node, or reversed.

    Source: compressed sparse rows, into which most solvers sort.
    """
    for family in ("layered", "parallel", "antiparallel"):
        network = FAMILIES[family](0)
        expected = expected_of(network)
        rng = SplitMix64(1)
        for turn in range(3):
            order = np.array(rng.shuffled(range(network.num_arcs)))
            permuted = FlowNetwork(
                network.num_nodes,
                network.tail[order],
                network.head[order],
                network.capacity[order],
                network.source,
                network.sink,
            )
            subject.require_exact(permuted, f"{family}, order {turn}", expected)


@check("core", "1.0")
def distinct_arcs_in_falling_order(subject: Subject) -> None:
    """Flow returned in another order, where each arc's flow is forced and no two are equal.

    Source: compressed sparse rows, into which most solvers sort.
    """
    paths = 9
    arcs = []
    for k in reversed(range(paths)):
        arcs += [(1 + k, 0, 10 * k + 1), (paths + 1, 1 + k, 10 * k + 2)]
    network = make(paths + 2, arcs, paths + 1, 0)
    result = subject.require_exact(network, "nine paths")
    forced = subject.fitted(network).capacity.reshape(-1, 2).min(axis=1).repeat(2)
    require(result.flow.tolist() == forced.tolist(), "nine paths: the flow is in another order")
