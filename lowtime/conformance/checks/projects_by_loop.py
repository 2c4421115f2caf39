"""Core checks: whole frontiers, traced by lowtime's loop with the backend's flows."""

from __future__ import annotations

from lowtime.conformance.expected import require
from lowtime.conformance.loop import (
    Segment,
    family_segments,
    loop_segments,
    require_same_segments,
)
from lowtime.conformance.published_projects import project_cases
from lowtime.conformance.registry import check
from lowtime.conformance.subject import Subject
from lowtime.network.activity import ActivityNetwork
from lowtime.network.event_times import earliest_times


@check("core", "1.0")
def frontiers_of_published_projects(subject: Subject) -> None:
    """Wrong, missing or surplus points of small projects with known frontiers.

    Source: the published lowtime 0.3.0 and its users; each case says what went wrong.
    """
    for case in project_cases():
        if case.network.unbounded <= _largest_unbounded(subject):
            segments = loop_segments(case.network, subject.solve)
            points = frontier_points(case.network, segments)
            if case.convex:
                require(points == case.frontier, f"{case.name}: {points}; expected {case.frontier}")
            require_same_segments(segments, loop_segments(case.network), case.name)
    # Every backend's range holds a project whose costs differ by single units.
    network, expected = family_segments("small", 0)
    require_same_segments(loop_segments(network, subject.solve), expected, "small(0)")


@check("core", "1.0")
def frontiers_of_random_projects(subject: Subject) -> None:
    """A flow that is right on one network but not on the next, which starts where it ended.

    Source: `lowtime.frontier.crash_loop`, "the last maximum flow stays feasible".
    """
    for family, seeds in (("small", 12), ("pipeline", 2), ("parallel_dummies", 2), ("linear", 2)):
        for seed in range(seeds):
            network, expected = family_segments(family, seed)
            if network.unbounded <= _largest_unbounded(subject):
                found = loop_segments(network, subject.solve)
                require_same_segments(found, expected, f"{family}({seed})")


def _largest_unbounded(subject: Subject) -> int:
    """The widest arc lowtime's loop would hand over, half of it for merging parallel arcs."""
    return min(subject.info.max_capacity // 8, subject.info.max_total)


def frontier_points(
    network: ActivityNetwork, segments: list[Segment]
) -> tuple[tuple[int, int], ...]:
    """``(quanta, cost units above the longest schedule)`` of every point, one per quantum."""
    time = int(earliest_times(network, network.longest)[-1])
    cost = 0
    points = [(time, cost)]
    for length, slope, _ in segments:
        for _ in range(length):
            time, cost = time - 1, cost + slope
            points.append((time, cost))
    return tuple(points)
