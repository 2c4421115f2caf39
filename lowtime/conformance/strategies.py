"""Hypothesis strategies for networks and projects, for authors' own property tests.

Needs the extra ``lowtime[conformance]``.
"""

from __future__ import annotations

from hypothesis import strategies as st

from lowtime.conformance.instances import make
from lowtime.conformance.projects import Piece, ProjectArcs
from lowtime.counted import counted
from lowtime.flow.network import INT64_MAX, FlowNetwork
from lowtime.network.activity import ActivityNetwork


@st.composite
def flow_networks(
    draw: st.DrawFn, max_nodes: int = 8, max_arcs: int = 20, max_capacity: int = 4
) -> FlowNetwork:
    """Flow networks with parallel and antiparallel arcs, self-loops, zeros and isolated nodes.

    Small capacities make ties; a large ``max_capacity`` tests a declared range.

    Args:
        draw: given by Hypothesis.
        max_nodes: 2 or more.
        max_arcs: 0 or more.
        max_capacity: largest capacity of one arc, at most ``(2^63 - 1) // max_arcs``, so that
            no sum leaves 64 bits.
    """
    if max_capacity * max(max_arcs, 1) > INT64_MAX:
        raise ValueError(f"{counted(max_arcs, 'arc')} of {max_capacity} sum beyond 2^63 - 1")
    n = draw(st.integers(2, max_nodes))
    node = st.integers(0, n - 1)
    capacity = st.one_of(
        st.integers(0, min(3, max_capacity)),
        st.integers(0, max_capacity),
        st.integers(max(0, max_capacity - 2), max_capacity),
    )
    arcs = draw(st.lists(st.tuples(node, node, capacity), max_size=max_arcs))
    source, sink = draw(st.permutations(range(n)))[:2]
    return make(n, arcs, source, sink)


@st.composite
def activity_networks(
    draw: st.DrawFn, max_events: int = 7, max_arcs: int = 12, max_marginal: int = 5
) -> ActivityNetwork:
    """Connected projects with kinked tables, fixed operations and parallel precedences.

    Args:
        draw: given by Hypothesis.
        max_events: 2 or more.
        max_arcs: arcs beyond those that connect the events.
        max_marginal: largest marginal cost, cost units; small ones make ties.
    """
    n = draw(st.integers(2, max_events))
    pairs = [(draw(st.integers(0, v - 1)), v) for v in range(1, n)]
    pairs += [(v, draw(st.integers(v + 1, n - 1))) for v in range(n - 1)]
    for _ in range(draw(st.integers(0, max_arcs))):
        head = draw(st.integers(1, n - 1))
        pairs.append((draw(st.integers(0, head - 1)), head))
    arcs = ProjectArcs()
    for tail, head in pairs:
        if draw(st.integers(0, 2)) == 0:
            arcs.precedences.append((tail, head))
        else:
            arcs.operations.append(
                (tail, head, draw(st.integers(0, 4)), draw(_tables(max_marginal)))
            )
    return arcs.network(n)


@st.composite
def _tables(draw: st.DrawFn, max_marginal: int) -> list[Piece]:
    marginals = draw(st.sets(st.integers(1, max_marginal), max_size=3))
    return [(draw(st.integers(1, 4)), marginal) for marginal in sorted(marginals, reverse=True)]
