"""Random activity networks and flow networks, small and full of ties."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import TypeVar

import numpy as np
from hypothesis import strategies as st

from lowtime.flow.network import FlowNetwork
from lowtime.network.activity import ActivityNetwork

Made = TypeVar("Made")


@dataclass(frozen=True)
class Arc:
    """An arc with its duration, fixed or from a table."""

    tail: int
    head: int
    duration: int = 0
    table: int = -1


Pieces = tuple[int, tuple[tuple[int, int], ...]]  # shortest, then (length, marginal), from short


def network_of(
    num_events: int, operations: list[Arc], precedences: list[Arc], tables: list[Pieces]
) -> ActivityNetwork:
    """An activity network with the right UNB; precedences are added where an event hangs loose."""
    arcs = [*operations, *precedences]
    ends = {arc.head for arc in arcs}
    arcs += [Arc(event - 1, event) for event in range(1, num_events) if event not in ends]
    starts = {arc.tail for arc in arcs}
    arcs += [Arc(event, event + 1) for event in range(num_events - 1) if event not in starts]
    table_start, starts_at, ends_at, marginals = [0], [], [], []
    spans = []
    for shortest, pieces in tables:
        at = shortest
        for length, marginal in pieces:
            starts_at.append(at)
            at += length
            ends_at.append(at)
            marginals.append(marginal)
        table_start.append(len(marginals))
        spans.append((shortest, at))
    unbounded = 1 + sum(tables[arc.table][1][0][1] for arc in arcs if arc.table >= 0)
    return ActivityNetwork(
        num_events=num_events,
        num_operations=len(operations),
        tail=np.array([arc.tail for arc in arcs], dtype=np.int32),
        head=np.array([arc.head for arc in arcs], dtype=np.int32),
        shortest=np.array([spans[a.table][0] if a.table >= 0 else a.duration for a in arcs]),
        longest=np.array([spans[a.table][1] if a.table >= 0 else a.duration for a in arcs]),
        table=np.array([arc.table for arc in arcs], dtype=np.int32),
        table_start=np.array(table_start, dtype=np.int64),
        piece_start=np.array(starts_at, dtype=np.int64),
        piece_end=np.array(ends_at, dtype=np.int64),
        marginal=np.array(marginals, dtype=np.int64),
        unbounded=unbounded,
        cost_unit=1.0,
        start_cost=0.0,
    )


def seeded(make: Callable[[Random], Made]) -> st.SearchStrategy[Made]:
    """What ``make`` makes of random seeds: even the smallest example is not a trivial one."""
    return st.integers(0, 2**48).map(lambda seed: make(Random(seed)))


def activity_networks() -> st.SearchStrategy[ActivityNetwork]:
    """Networks with parallel arcs, fixed operations, zero durations, shared and kinked tables.

    Marginals are small, so that many of them are equal, times a common factor. Arcs reach over few
    events, so that bridges occur, whose operations are crashed first and relaxed later.
    """
    return seeded(random_activity_network)


def random_activity_network(random: Random) -> ActivityNetwork:
    """See `activity_networks`."""
    scale = random.choice([1, 1, 1, 3, 2**40])
    num_events = random.randint(2, 9)
    tables: list[Pieces] = []
    for _ in range(random.randint(1, 5)):
        marginals = sorted(random.sample(range(1, 10), random.randint(1, 3)), reverse=True)
        pieces = tuple((random.randint(1, 4), marginal * scale) for marginal in marginals)
        tables.append((random.randint(0, 3), pieces))

    def ends(reach: int) -> tuple[int, int]:
        tail = random.randrange(num_events - 1)
        return tail, min(num_events - 1, tail + random.randint(1, reach))

    operations = [
        Arc(*ends(3), duration=random.randint(0, 6))
        if random.random() < 0.15
        else Arc(*ends(3), table=random.randrange(len(tables)))
        for _ in range(random.randint(1, 2 * num_events + 2))
    ]
    precedences = [Arc(*ends(num_events)) for _ in range(random.randint(0, 2))]
    return network_of(num_events, operations, precedences, tables)


def flow_networks() -> st.SearchStrategy[FlowNetwork]:
    """Networks with parallel and antiparallel arcs, self-loops, zero capacities, many ties."""
    return seeded(random_flow_network)


def random_flow_network(random: Random) -> FlowNetwork:
    """See `flow_networks`."""
    num_nodes = random.randint(2, 7)
    arcs = random.randint(0, 16)
    scale = random.choice([1, 2**31, 2**50])
    source, sink = random.sample(range(num_nodes), 2)
    return FlowNetwork(
        num_nodes,
        [random.randrange(num_nodes) for _ in range(arcs)],
        [random.randrange(num_nodes) for _ in range(arcs)],
        [random.choice([0, 1, 1, 2, 3]) * scale for _ in range(arcs)],
        source,
        sink,
    )
