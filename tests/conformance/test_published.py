"""The published inputs are in the package, each of them used."""

from __future__ import annotations

from lowtime.conformance import suite_checks
from lowtime.conformance.checks.projects_by_loop import frontier_points
from lowtime.conformance.expected import expected_of
from lowtime.conformance.loop import loop_segments
from lowtime.conformance.published import case_name, flow_cases, is_plain, load_cases
from lowtime.conformance.published_projects import project_cases


def test_every_plain_flow_case_is_a_check() -> None:
    names = {check.name for check in suite_checks()}
    plain = [case for case in load_cases("flow_cases") if is_plain(case)]
    assert len(plain) == 29
    assert {f"published_{case_name(case)}" for case in plain} <= names


def test_the_others_are_no_maximum_flow_problem_of_64_bits() -> None:
    others = [case for case in load_cases("flow_cases") if not is_plain(case)]
    kinds = {tag for case in others for tag in case["tags"]}
    assert len(others) == 19
    assert all({"lower", "invalid", "infinite", "int64"} & set(case["tags"]) for case in others)
    assert {"lower", "invalid", "infeasible"} <= kinds


def test_stated_answers_are_what_the_reference_finds() -> None:
    for case in flow_cases():
        assert expected_of(case.network) == case.expected, case.name


def test_every_project_case_has_the_stated_frontier() -> None:
    cases = project_cases()
    assert len(cases) == 27
    for case in cases:
        points = frontier_points(case.network, loop_segments(case.network))
        if case.convex:
            assert points == case.frontier, case.name
        else:  # the exact discrete frontier lies on or above the hull's
            hull = dict(points)
            assert all(hull[time] <= cost for time, cost in case.frontier), case.name
