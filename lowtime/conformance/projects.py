"""Activity networks in families, each made from its seed alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from lowtime.conformance.splitmix import SplitMix64
from lowtime.network.activity import ActivityNetwork

Piece = tuple[int, int]


@dataclass
class ProjectArcs:
    """Arcs of an activity network as they are collected.

    Attributes:
        operations: ``(tail, head, shortest, pieces)``; a piece is ``(length, marginal)``, from
            short to long durations; no pieces is a fixed duration.
        precedences: ``(tail, head)``.
    """

    operations: list[tuple[int, int, int, Sequence[Piece]]] = field(default_factory=list)
    precedences: list[tuple[int, int]] = field(default_factory=list)

    def network(self, num_events: int) -> ActivityNetwork:
        """The activity network; operations of equal tables share one, as from a real DAG."""
        tables: dict[tuple[int, tuple[Piece, ...]], int] = {}
        starts, ends, marginals, bounds = [], [], [], [0]
        table, shortest, longest, largest = [], [], [], 0
        for _, _, short, pieces in self.operations:
            shortest.append(short)
            longest.append(short + sum(length for length, _ in pieces))
            if not pieces:
                table.append(-1)
                continue
            largest += pieces[0][1]
            key = (short, tuple(pieces))
            if key not in tables:
                tables[key] = len(tables)
                at = short
                for length, marginal in pieces:
                    starts.append(at)
                    ends.append(at + length)
                    marginals.append(marginal)
                    at += length
                bounds.append(len(starts))
            table.append(tables[key])
        fixed = [0] * len(self.precedences)
        arcs = [arc[:2] for arc in self.operations] + self.precedences
        return ActivityNetwork(
            num_events=num_events,
            num_operations=len(self.operations),
            tail=[tail for tail, _ in arcs],  # type: ignore[arg-type]  # made arrays when checked
            head=[head for _, head in arcs],  # type: ignore[arg-type]
            shortest=shortest + fixed,  # type: ignore[arg-type]
            longest=longest + fixed,  # type: ignore[arg-type]
            table=table + [-1] * len(fixed),  # type: ignore[arg-type]
            table_start=bounds,  # type: ignore[arg-type]
            piece_start=starts,  # type: ignore[arg-type]
            piece_end=ends,  # type: ignore[arg-type]
            marginal=marginals,  # type: ignore[arg-type]
            unbounded=1 + largest,
            cost_unit=1.0,
            start_cost=0.0,
        )


def _pieces(rng: SplitMix64, count: int, longest_piece: int, steepest: int) -> list[Piece]:
    """Up to ``count`` pieces with strictly falling marginals in ``1 .. steepest``."""
    chosen = {rng.between(1, steepest) for _ in range(count)}
    return [(rng.between(1, longest_piece), marginal) for marginal in sorted(chosen, reverse=True)]


def _random(
    rng: SplitMix64, events: int, extra: int, pieces: Callable[[], Sequence[Piece]]
) -> ActivityNetwork:
    """A connected project: every event has an arc in and an arc out."""
    arcs = ProjectArcs()
    pairs = [(rng.below(v), v) for v in range(1, events)]
    pairs += [(v, rng.between(v + 1, events - 1)) for v in range(events - 1)]
    for _ in range(extra):
        v = rng.between(1, events - 1)
        pairs.append((rng.below(v), v))
    for tail, head in pairs:
        kind = rng.below(10)
        if kind < 6:
            arcs.operations.append((tail, head, rng.below(4), pieces()))
        elif kind < 7:
            arcs.operations.append((tail, head, rng.below(5), ()))
        else:
            arcs.precedences.append((tail, head))
    return arcs.network(events)


def small(seed: int) -> ActivityNetwork:
    """3 .. 8 events, few durations, marginals 1 .. 4: nearly every step ties."""
    rng = SplitMix64(seed)
    return _random(rng, rng.between(3, 8), rng.between(0, 8), lambda: _pieces(rng, 2, 3, 4))


def medium(seed: int) -> ActivityNetwork:
    """25 events, up to 5 pieces, marginals up to 200."""
    rng = SplitMix64(seed)
    return _random(rng, 25, 40, lambda: _pieces(rng, 5, 6, 200))


def linear(seed: int) -> ActivityNetwork:
    """15 events, one long piece an operation, equal slopes: long steps that end at slacks."""
    rng = SplitMix64(seed)
    return _random(rng, 15, 20, lambda: [(rng.between(20, 60), rng.between(1, 3))])


def kinked(seed: int) -> ActivityNetwork:
    """12 events, a kink at every quantum: every step has length 1."""
    rng = SplitMix64(seed)
    return _random(rng, 12, 12, lambda: [(1, marginal) for _, marginal in _pieces(rng, 9, 1, 40)])


def least_marginals(seed: int) -> ActivityNetwork:
    """12 events whose marginals are 1, the least there is, or 10^9."""
    rng = SplitMix64(seed)

    def pieces() -> list[Piece]:
        steep = [(rng.between(1, 3), 10**9)] if rng.below(2) else []
        return [*steep, (rng.between(1, 3), 1)]

    return _random(rng, 12, 14, pieces)


def large_numbers(seed: int) -> ActivityNetwork:
    """10 events, durations up to 2^41 quanta and marginals up to 2^42."""
    rng = SplitMix64(seed)
    return _random(rng, 10, 10, lambda: _pieces(rng, 3, 2**40, 2**42))


def parallel_dummies(seed: int) -> ActivityNetwork:
    """8 events in a row, each pair joined by two operations and two precedences."""
    rng = SplitMix64(seed)
    arcs = ProjectArcs()
    for event in range(7):
        for _ in range(2):
            arcs.operations.append((event, event + 1, rng.below(3), _pieces(rng, 2, 3, 3)))
        arcs.precedences += [(event, event + 1)] * 2
        arcs.precedences += [(event, rng.between(event + 1, 7))]
    return arcs.network(8)


def series(length: int) -> ActivityNetwork:
    """A chain of operations, each beside a precedence."""
    arcs = ProjectArcs()
    for event in range(length):
        arcs.operations.append((event, event + 1, event % 3, [(1 + event % 2, 1 + event % 7)]))
        arcs.precedences.append((event, event + 1))
    return arcs.network(length + 1)


def one_operation() -> ActivityNetwork:
    """A single operation of 3 .. 9 quanta with two pieces."""
    return ProjectArcs(operations=[(0, 1, 3, [(2, 5), (4, 2)])]).network(2)


def fixed_only() -> ActivityNetwork:
    """Two operations that cannot be crashed and a precedence: one point, no segment."""
    return ProjectArcs([(0, 1, 4, ()), (0, 2, 1, ())], [(1, 2)]).network(3)


def pipeline(seed: int) -> ActivityNetwork:
    """3 stages and 5 micro-batches in 1F1B order, forward and backward operations."""
    rng = SplitMix64(seed)
    stages, batches = 3, 5
    profiles = {
        (stage, kind): (rng.between(3, 6), _pieces(rng, 4, 3, 60))
        for stage in range(stages)
        for kind in "FB"
    }
    cells: list[tuple[int, str, int]] = []
    before: dict[tuple[int, str, int], list[tuple[int, str, int]]] = {}
    for stage in range(stages):
        warm = min(stages - stage, batches)
        order = [("F", b) for b in range(warm)]
        for batch in range(batches):
            order.append(("B", batch))
            if warm + batch < batches:
                order.append(("F", warm + batch))
        for at, (kind, batch) in enumerate(order):
            needs = [(stage, *order[at - 1])] if at else []
            if kind == "F" and stage:
                needs.append((stage - 1, "F", batch))
            if kind == "B":
                needs.append((stage + 1, "B", batch) if stage < stages - 1 else (stage, "F", batch))
            before[stage, kind, batch] = needs
            cells.append((stage, kind, batch))
    number: dict[tuple[int, str, int], int] = {}
    while len(number) < len(cells):  # a topological order, so that every arc rises
        for cell in cells:
            if cell not in number and all(need in number for need in before[cell]):
                number[cell] = len(number)
    arcs = ProjectArcs()
    sink = 2 * len(cells) + 1
    for cell in cells:
        start = 1 + 2 * number[cell]
        arcs.operations.append((start, start + 1, *profiles[cell[:2]]))
        arcs.precedences += [(2 + 2 * number[need], start) for need in before[cell]]
        arcs.precedences += [(0, start), (start + 1, sink)]
    return arcs.network(sink + 1)


FAMILIES: dict[str, Callable[[int], ActivityNetwork]] = {
    family.__name__: family
    for family in (
        small,
        medium,
        linear,
        kinked,
        least_marginals,
        large_numbers,
        parallel_dummies,
        pipeline,
        series,
    )
}
