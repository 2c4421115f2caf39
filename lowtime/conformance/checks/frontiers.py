"""Frontier checks: a tracer's segments equal those of lowtime's own loop, bit for bit."""

from __future__ import annotations

import numpy as np

from lowtime.conformance.checks.projects_by_loop import frontier_points
from lowtime.conformance.expected import require
from lowtime.conformance.loop import (
    family_segments,
    joined,
    loop_segments,
    require_same_segments,
    session_segments,
)
from lowtime.conformance.projects import fixed_only, one_operation
from lowtime.conformance.published_projects import project_cases
from lowtime.conformance.registry import check
from lowtime.conformance.subject import Subject
from lowtime.counted import quanta
from lowtime.network.activity import ActivityNetwork
from lowtime.network.event_times import earliest_times


def require_family(subject: Subject, family: str, seeds: range) -> None:
    """Fail unless the tracer's frontier equals the loop's for the seeds of a family."""
    for seed in seeds:
        network, expected = family_segments(family, seed)
        found = session_segments(subject.open_frontier(network), network, 4096)
        require_same_segments(joined(found), expected, f"{family}({seed})")


@check("frontier", "1.0")
def traces_small_projects(subject: Subject) -> None:
    """Any fault of small size: 60 projects of up to 8 events.

    Source: the contract of `FrontierTracer`, "the same segments, bit for bit".
    """
    require_family(subject, "small", range(60))


@check("frontier", "1.0")
def traces_medium_projects(subject: Subject) -> None:
    """Bookkeeping that goes wrong after many steps: 25 events, several pieces an operation.

    Source: the contract of `FrontierTracer`, "the same segments, bit for bit".
    """
    require_family(subject, "medium", range(6))


@check("frontier", "1.0")
def traces_pipelines(subject: Subject) -> None:
    """Ties of equal stages: another cut than the canonical one gives other plans.

    Source: 1F1B schedules of pipeline-parallel training.
    """
    require_family(subject, "pipeline", range(6))


@check("frontier", "1.0")
def traces_linear_costs(subject: Subject) -> None:
    """Steps of single quanta where one long step is due, or steps past a closing slack.

    Source: Phillips and Dessouky (1977), doi:10.1287/mnsc.24.4.393: the step of a cut.
    """
    require_family(subject, "linear", range(8))


@check("frontier", "1.0")
def traces_kinked_costs(subject: Subject) -> None:
    """Steps past a kink: every quantum of an operation has another marginal cost.

    Source: Phillips and Dessouky (1977), doi:10.1287/mnsc.24.4.393: the step of a cut.
    """
    require_family(subject, "kinked", range(8))


@check("frontier", "1.0")
def traces_least_marginals(subject: Subject) -> None:
    """Marginals of one unit taken for none, beside very large ones.

    Source: the published lowtime 0.3.0, which ends when a cost changes by less than 1e-6.
    """
    require_family(subject, "least_marginals", range(8))


@check("frontier", "1.0")
def traces_large_numbers(subject: Subject) -> None:
    """Durations or costs beyond 32 bits, or beyond float64's exact integers, that are cut off.

    Source: lowtime's own study.
    """
    require_family(subject, "large_numbers", range(8))


@check("frontier", "1.0")
def traces_parallel_arcs(subject: Subject) -> None:
    """Parallel operations and precedences overwritten by each other.

    Source: the published lowtime 0.3.0, whose graphs keep one arc between two events.
    """
    require_family(subject, "parallel_dummies", range(8))


@check("frontier", "1.0")
def traces_a_long_chain(subject: Subject) -> None:
    """Recursion over events, or work that grows with the square of the chain.

    Source: lowtime's own study.
    """
    require_family(subject, "series", range(300, 301))


@check("frontier", "1.0")
def traces_the_least_projects(subject: Subject) -> None:
    """A single operation, and a project that cannot be shortened: one point, done at once.

    Source: lowtime's own study.
    """
    for name, network in (("one operation", one_operation()), ("fixed", fixed_only())):
        found = session_segments(subject.open_frontier(network), network, 8)
        require_same_segments(joined(found), loop_segments(network), name)


@check("frontier", "1.0")
def traces_published_projects(subject: Subject) -> None:
    """Wrong, missing or surplus points of small projects with known frontiers.

    Source: the published lowtime 0.3.0 and its users; each case says what went wrong.
    """
    for case in project_cases():
        session = subject.open_frontier(case.network)
        found = joined(session_segments(session, case.network, 4096))
        points = frontier_points(case.network, found)
        if case.convex:
            require(points == case.frontier, f"{case.name}: {points}; expected {case.frontier}")
        require_same_segments(found, loop_segments(case.network), case.name)


@check("frontier", "1.0")
def ends_at_the_shortest_schedule(subject: Subject) -> None:
    """A frontier that ends early, or runs on below what the shortest durations allow.

    Source: the published lowtime 0.3.0, whose fixed infinity of 10,000 ends frontiers early.
    """
    for family in ("small", "kinked", "linear", "least_marginals"):
        for seed in range(8, 20):
            network, _ = family_segments(family, seed)
            session = subject.open_frontier(network)
            found = session_segments(session, network, 4096)
            shortened = sum(length for length, _, _ in found)
            room = _total_time(network, network.longest) - _total_time(network, network.shortest)
            where = f"{family}({seed})"
            require(shortened == room, f"{where}: shortened by {shortened} of {quanta(room)}")
            require(bool(session.state()["done"][0]), f"{where}: the state does not say done")


def _total_time(network: ActivityNetwork, duration: np.ndarray) -> int:
    return int(earliest_times(network, duration)[-1])
