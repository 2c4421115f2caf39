"""Small projects that broke real tools, as activity networks of exact integers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import Any

from lowtime.conformance.projects import Piece, ProjectArcs
from lowtime.conformance.published import case_fault, case_name, load_cases
from lowtime.network.activity import ActivityNetwork

Option = tuple[int, Fraction]  # quanta, cost


@dataclass(frozen=True, slots=True)
class ProjectCase:
    """A published project.

    Attributes:
        name: title in lower case, words joined by underscores.
        fault: what went wrong, and where it was seen.
        network: the project; one cost unit is ``1 / scale`` of the case's cost.
        frontier: ``(quanta, cost units above the longest schedule)``, from longest to shortest;
            of the convex hull where ``convex`` is False.
        convex: whether the stated frontier holds for the hull too.
    """

    name: str
    fault: str
    network: ActivityNetwork
    frontier: tuple[tuple[int, int], ...]
    convex: bool


def project_cases() -> tuple[ProjectCase, ...]:
    """The published projects, compiled here without lowtime's own cost tables."""
    return tuple(_project(case) for case in load_cases("project_cases"))


def useful_options(options: list[list[Any]], unit_time: Fraction) -> list[Option]:
    """The options that the frontier is made of, from fast to slow, on a falling convex line.

    Of two within one quantum the faster stays (it fits), of two equally fast ones the cheaper; one
    that is not cheaper than a faster one is never useful.
    """
    measured = sorted((Fraction(time), Fraction(cost)) for time, cost in options)
    by_quanta: dict[int, Fraction] = {}
    for time, cost in measured:
        by_quanta.setdefault(time // unit_time, cost)
    falling: list[Option] = []
    for quanta, cost in sorted(by_quanta.items()):
        if not falling or cost < falling[-1][1]:
            falling.append((quanta, cost))
    hull: list[Option] = []
    for point in falling:
        while len(hull) > 1 and _slope(hull[-2], hull[-1]) >= _slope(hull[-1], point):
            hull.pop()
        hull.append(point)
    return hull


def _slope(left: Option, right: Option) -> Fraction:
    return (right[1] - left[1]) / (right[0] - left[0])


def _project(case: dict[str, Any]) -> ProjectCase:
    unit_time = Fraction(case["unit_time"])
    options = {name: useful_options(ops, unit_time) for name, ops in case["ops"].items()}
    slopes = {name: [-_slope(a, b) for a, b in pairwise(hull)] for name, hull in options.items()}
    scale = lcm(*(slope.denominator for each in slopes.values() for slope in each))
    order = _topological(list(options), case["edges"])
    start = {name: 1 + 2 * k for k, name in enumerate(order)}
    sink = 2 * len(order) + 1
    arcs = ProjectArcs()
    for name, hull in options.items():
        pieces: list[Piece] = []
        for (left, right), slope in zip(pairwise(hull), slopes[name], strict=True):
            marginal = int(scale * slope)
            if pieces and pieces[-1][1] == marginal:  # options on one line are no kink
                pieces.append((pieces.pop()[0] + right[0] - left[0], marginal))
            else:
                pieces.append((right[0] - left[0], marginal))
        arcs.operations.append((start[name], start[name] + 1, hull[0][0], pieces))
        arcs.precedences += [(0, start[name]), (start[name] + 1, sink)]
    arcs.precedences += [(start[tail] + 1, start[head]) for tail, head in case["edges"]]
    points = [(int(time), Fraction(cost)) for time, cost in case["expected"]["frontier"]]
    return ProjectCase(
        case_name(case),
        case_fault(case),
        arcs.network(sink + 1),
        tuple((time, int(scale * (cost - points[0][1]))) for time, cost in points),
        not case.get("nonconvex", False),
    )


def _topological(names: list[str], edges: list[list[str]]) -> list[str]:
    order: list[str] = []
    while len(order) < len(names):
        for name in names:
            if name not in order and all(tail in order for tail, head in edges if head == name):
                order.append(name)
    return order
