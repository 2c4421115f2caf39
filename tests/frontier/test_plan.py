"""A plan: mappings from the user's nodes, consistent with each other."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from oracle.dags import RandomProject, dag_of, projects
from oracle.examples import examples

import lowtime
from lowtime.frontier.plan import Plan

TABLE = [(1.0, 9.0), (2.0, 4.0), (4.0, 1.0)]  # knobs k0, k1, k2


def plan_with(quanta: int) -> Plan:
    """The plan in which the only operation takes so many quanta of 0.5 s."""
    frontier = lowtime.solve(dag_of({"a": TABLE}, unit_time=0.5), backend="scipy")
    return next(p for p in map(frontier.plan, range(len(frontier))) if p.quanta["a"] == quanta)


@pytest.mark.parametrize(
    ("quanta", "knob", "measured"),
    [(8, "k2", 1.0), (7, "k1", 4.0), (4, "k1", 4.0), (3, "k0", 9.0), (2, "k0", 9.0)],
)
def test_the_knob_is_that_of_the_slowest_option_that_fits(
    quanta: int, knob: str, measured: float
) -> None:
    plan = plan_with(quanta)
    assert plan.knobs == {"a": knob}
    assert plan.measured_cost == measured
    assert plan.measured_cost >= plan.cost
    assert plan.durations == {"a": quanta * 0.5}
    assert plan.time == quanta * 0.5


def test_a_duration_below_every_option_has_the_knob_of_the_fastest() -> None:
    dag = dag_of({"a": [(2, 5), (4, 1)], "b": [(1, 1)]}, [("a", "b")])
    dag.nodes["a"]["op"].min_duration = 1  # a program may count on more than was measured
    plan = lowtime.solve(dag, backend="scipy").plan(-1)
    assert plan.quanta == {"a": 1, "b": 1}
    assert plan.knobs == {"a": "k0", "b": "k0"}


def test_dummies_have_durations_and_starts_but_no_knobs() -> None:
    dag = dag_of({"s": None, "a": [(2, 1)], "t": None}, [("s", "a"), ("a", "t")])
    plan = lowtime.solve(dag, backend="scipy").plan(0)
    assert plan.quanta == {"s": 0, "a": 2, "t": 0}
    assert plan.start_times == {"s": 0.0, "a": 0.0, "t": 2.0}
    assert plan.knobs == {"a": "k0"}
    assert plan.critical == ("a",)


def test_critical_operations_are_those_that_delay_the_project() -> None:
    dag = dag_of(
        {"a": [(3, 0)], "b": [(1, 0)], "c": [(2, 0)], "d": [(0, 0)]},
        [("a", "d"), ("b", "c"), ("c", "d")],
    )
    plan = lowtime.solve(dag, backend="scipy").plan(0)
    assert plan.critical == ("a", "b", "c", "d")
    dag = dag_of({"a": [(4, 0)], "b": [(1, 0)], "c": [(2, 0)]}, [("b", "c")])
    plan = lowtime.solve(dag, backend="scipy").plan(0)
    assert plan.critical == ("a",)
    assert plan.slack_quanta.tolist() == [0, 1, 1]


@examples(40)
@given(projects(max_nodes=9))
def test_slack_is_how_much_longer_an_operation_may_take(project: RandomProject) -> None:
    frontier = lowtime.solve(project.dag())
    plan = frontier.plan(len(frontier) // 2)

    def makespan(quanta: dict[int, int]) -> int:
        finish: dict[int, int] = {}
        for node in project.operations:
            before = [finish[u] for u, v in project.edges if v == node]
            finish[node] = quanta[node] + max(before, default=0)
        return max(finish.values())

    quanta = {int(str(node)): q for node, q in plan.quanta.items()}
    total = makespan(quanta)
    for node, slack in zip(quanta, plan.slack_quanta.tolist(), strict=True):
        assert makespan({**quanta, node: quanta[node] + slack}) == total
        assert makespan({**quanta, node: quanta[node] + slack + 1}) == total + 1


def test_arrays_of_a_plan_are_read_only() -> None:
    plan = plan_with(5)
    with pytest.raises(ValueError, match="read-only"):
        plan.operation_quanta[0] = 1


def test_measured_cost_is_a_compensated_sum() -> None:
    dag = dag_of({i: [(1, cost)] for i, cost in enumerate([1e16, 1.0, -1e16])})
    plan = lowtime.solve(dag, backend="scipy").plan(0)
    assert plan.measured_cost == plan.cost == 1.0
    assert math.fsum([1e16, 1.0, -1e16]) == 1.0


def test_repr_tells_time_and_cost() -> None:
    assert repr(plan_with(8)) == "<Plan 0: 4 s at cost 1>"
