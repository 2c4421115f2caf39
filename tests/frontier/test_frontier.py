"""Queries of a frontier, each against its definition over all points."""

from __future__ import annotations

import hashlib
import math
from itertools import pairwise
from random import Random

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from oracle.dags import RandomProject, dag_of, projects, random_project
from oracle.examples import examples

import lowtime
from lowtime.errors import CapacityRange, Infeasible
from lowtime.frontier.frontier import KEYFRAME_SEGMENTS, Frontier


@pytest.fixture(scope="module")
def frontier() -> Frontier:
    """Eleven points from 1.1 s down to 0.1 s, costs 0 up to 30."""
    dag = dag_of({"a": [(0.1, 30), (0.6, 5), (1.1, 0)]}, unit_time=0.1)
    return lowtime.solve(dag, backend="scipy")


def test_length_and_ends(frontier: Frontier) -> None:
    assert len(frontier) == len(frontier.times) == len(frontier.costs) == 11
    assert frontier.quanta.tolist() == list(range(11, 0, -1))
    assert frontier.times.tolist() == [q * 0.1 for q in range(11, 0, -1)]
    assert frontier.costs.tolist() == [0, 1, 2, 3, 4, 5, 10, 15, 20, 25, 30]
    assert frontier.unit_time == 0.1
    assert repr(frontier) == "<Frontier: 11 points, 1.1 s at cost 0 to 0.1 s at cost 30, scipy>"


@pytest.mark.parametrize("name", ["times", "costs", "quanta", "measured_costs"])
def test_arrays_are_read_only(frontier: Frontier, name: str) -> None:
    array = getattr(frontier, name)
    assert array.dtype == (np.int64 if name == "quanta" else np.float64)
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 1


@pytest.mark.parametrize("name", ["times", "costs", "quanta", "measured_costs"])
def test_more_points_than_memory_are_refused(name: str) -> None:
    dag = dag_of({"a": [(1, 30), (2, 5)]}, unit_time=1e-12)
    frontier = lowtime.solve(dag, backend="scipy")
    assert len(frontier) == 10**12 + 1
    with pytest.raises(
        CapacityRange, match=r"1000000000001 points; .* longer unit time than 1e-12"
    ):
        getattr(frontier, name)


def test_segments_are_read_only(frontier: Frontier) -> None:
    with pytest.raises(ValueError, match="read-only"):
        frontier.segments.length[0] = 5


def test_points_count_from_both_ends(frontier: Frontier) -> None:
    assert frontier.plan(0).quanta == {"a": 11}
    assert frontier.plan(-1).quanta == {"a": 1}
    assert frontier.plan(-11).index == 0
    assert frontier.plan(np.int64(3)).index == 3


@pytest.mark.parametrize("index", [11, -12])
def test_no_such_point(frontier: Frontier, index: int) -> None:
    with pytest.raises(IndexError, match=str(index)):
        frontier.plan(index)


def test_an_index_is_an_integer(frontier: Frontier) -> None:
    with pytest.raises(TypeError):
        frontier.plan(1.0)  # type: ignore[arg-type]


def test_a_deadline_is_compared_with_times_and_never_divided(frontier: Frontier) -> None:
    # 0.3 / 0.1 is 2.9999999999999996 and 0.7 / 0.1 is 6.999999999999999.
    for i, time in enumerate(frontier.times.tolist()):
        assert frontier.at_deadline(time).index == i
        assert frontier.at_deadline(math.nextafter(time, math.inf)).index == i
        if i + 1 < len(frontier):
            assert frontier.at_deadline(math.nextafter(time, 0)).index == i + 1
    assert frontier.at_deadline(math.inf).index == 0
    assert frontier.at_deadline(10**6).index == 0


@pytest.mark.parametrize("deadline", [math.nextafter(0.1, 0), 0.0, -1.0, -math.inf, math.nan])
def test_a_deadline_that_no_plan_meets(frontier: Frontier, deadline: float) -> None:
    with pytest.raises(Infeasible, match="deadline" if math.isnan(deadline) else "shortest"):
        frontier.at_deadline(deadline)


def test_a_budget_buys_the_fastest_plan(frontier: Frontier) -> None:
    for i, cost in enumerate(frontier.costs.tolist()):
        assert frontier.at_budget(cost).index == i
        if i:
            assert frontier.at_budget(math.nextafter(cost, -math.inf)).index == i - 1
    assert frontier.at_budget(math.inf).index == 10


@pytest.mark.parametrize("budget", [-1e-9, -math.inf, math.nan])
def test_a_budget_below_the_cheapest_plan(frontier: Frontier, budget: float) -> None:
    with pytest.raises(Infeasible):
        frontier.at_budget(budget)


def test_overhead_moves_the_cheapest_plan(frontier: Frontier) -> None:
    # Slopes are 10 and 50 a second.
    assert frontier.cheapest().index == 0
    assert frontier.cheapest(9.9).index == 0
    assert frontier.cheapest(10.1).index == 5
    assert frontier.cheapest(49.9).index == 5
    assert frontier.cheapest(50.1).index == 10
    assert frontier.cheapest(-1.0).index == 0


def test_of_equally_cheap_plans_the_longest() -> None:
    frontier = lowtime.solve(dag_of({"a": [(1, 6), (3, 2)]}), backend="scipy")
    assert frontier.cheapest(2.0).index == 0


@pytest.mark.parametrize("overhead", [math.inf, -math.inf, math.nan])
def test_an_overhead_is_finite(frontier: Frontier, overhead: float) -> None:
    with pytest.raises(Infeasible, match="overhead"):
        frontier.cheapest(overhead)


def test_a_slowdown_is_a_multiple_of_the_shortest_time(frontier: Frontier) -> None:
    assert frontier.at_slowdown(1).index == 10
    assert frontier.at_slowdown(1.99).index == 10
    assert frontier.at_slowdown(2).index == 9
    assert frontier.at_slowdown(100).index == 0


@pytest.mark.parametrize("factor", [0.99, 0, -1, math.nan])
def test_a_slowdown_below_one_is_infeasible(frontier: Frontier, factor: float) -> None:
    with pytest.raises(Infeasible):
        frontier.at_slowdown(factor)


@pytest.mark.parametrize(
    ("count", "points"),
    [(2, [0, 10]), (3, [0, 5, 10]), (11, list(range(11))), (1000, list(range(11)))],
)
def test_a_sample_holds_both_ends(frontier: Frontier, count: int, points: list[int]) -> None:
    assert [plan.index for plan in frontier.sample(count)] == points


def test_a_sample_of_one_point() -> None:
    frontier = lowtime.solve(dag_of({"a": [(1, 6)]}), backend="scipy")
    assert [plan.index for plan in frontier.sample(5)] == [0]


@pytest.mark.parametrize("count", [1, 0, -3])
def test_a_sample_has_two_plans_at_least(frontier: Frontier, count: int) -> None:
    with pytest.raises(ValueError, match=str(count)):
        frontier.sample(count)


@examples(30)
@given(projects(max_nodes=8))
def test_digest_cost_and_measured_cost_are_those_of_the_plans(project: RandomProject) -> None:
    frontier = lowtime.solve(project.dag(0.1))
    plans = [frontier.plan(i) for i in range(len(frontier))]
    every = hashlib.sha256()
    for plan in plans:
        quanta = np.array(list(plan.quanta.values()), dtype="<i8").tobytes()
        every.update(quanta)
        assert plan.digest() == hashlib.sha256(quanta).hexdigest()
    assert frontier.digest() == every.hexdigest()
    assert frontier.costs.tolist() == [plan.cost for plan in plans]
    assert frontier.measured_costs.tolist() == [plan.measured_cost for plan in plans]


def test_plans_between_keyframes() -> None:
    nodes = range(3 * KEYFRAME_SEGMENTS)
    dag = dag_of({i: [(1, 2 + i), (2, 0)] for i in nodes}, pairwise(nodes))
    frontier = lowtime.solve(dag)
    assert len(frontier.segments.length) == len(nodes)
    for index in (0, 1, 255, 256, 257, 511, 512, 513, 767, 768):
        crashed = [node for node, quanta in frontier.plan(index).quanta.items() if quanta == 1]
        assert crashed == list(range(index)), "the cheapest ones first"


def test_spent_cost_units_may_pass_64_bits() -> None:
    options = {"a": [(0, 1e21), (10**9, 0)], "b": [(0, 1e12), (4, 0)]}
    frontier = lowtime.solve(dag_of(options, [("a", "b")]), backend="scipy")
    segments = frontier.segments
    spent = sum(
        s * n for s, n in zip(segments.slope.tolist(), segments.length.tolist(), strict=True)
    )
    assert spent > 2**63
    assert spent * frontier.problem.cost_unit == 1e21 + 1e12


def test_the_cost_error_bounds_what_rounding_does() -> None:
    # Next to 1e15 a marginal of 1e-3 is less than half a cost unit, and is raised to one.
    costs = {"a": [(1, 1e15), (2, 0)], "b": [(1, 3e-4), (2, 0)]}
    frontier = lowtime.solve(dag_of(costs, [("a", "b")]), backend="scipy")
    assert frontier.problem.cost_unit > 6e-4
    exact = [0.0, 3e-4, 1e15 + 3e-4]
    errors = np.abs(frontier.costs - exact)
    assert errors[1] > frontier.problem.cost_unit / 2
    assert np.all(errors <= frontier.cost_error)


@examples(30)
@given(projects(max_nodes=8))
def test_the_cost_of_a_plan_is_the_models_within_the_stated_error(project: RandomProject) -> None:
    dag = project.dag(0.1)
    frontier = lowtime.solve(dag)
    for plan in (frontier.plan(0), frontier.plan(-1)):
        model = math.fsum(
            op.get_cost(plan.quanta[node]) for node, op in dag.nodes(data="op") if not op.is_dummy
        )
        rounding = 1e-14 * (1 + abs(model) + len(dag))  # of the floats that are compared
        assert abs(plan.cost - model) <= frontier.cost_error + rounding


def test_a_table_for_pandas() -> None:
    frontier = lowtime.solve(random_project(Random(3), 8, False, 4).dag(), backend="scipy")
    table = frontier.to_dataframe()
    assert list(table.columns) == ["time", "cost", "measured_cost"]
    assert table["cost"].tolist() == frontier.costs.tolist()


def test_text_is_no_deadline() -> None:
    frontier = lowtime.solve(dag_of({"a": [(1, 5), (3, 1)]}), backend="scipy")
    for query in (frontier.at_deadline, frontier.at_budget, frontier.cheapest):
        with pytest.raises(TypeError, match="'3'"):
            query("3")  # type: ignore[arg-type]


def test_the_plans_of_a_frontier_come_in_order() -> None:
    frontier = lowtime.solve(dag_of({"a": [(1, 5), (3, 1)]}), backend="scipy")
    assert [plan.index for plan in frontier] == [0, 1, 2]
    assert [plan.time for plan in frontier] == frontier.times.tolist()


def test_an_overhead_beyond_all_sums_asks_for_the_shortest() -> None:
    """Every sum was infinite once, and the first, the longest plan was taken."""
    frontier = lowtime.solve(random_project(Random(3), 8, False, 4).dag())
    assert len(frontier) > 1
    scale = 1e308 / min(float(frontier.times[-1]), 1.0)
    assert frontier.cheapest(min(scale, 1.7e308)).index == len(frontier) - 1


def test_a_frontier_of_any_length_can_be_printed() -> None:
    """The text once needed all points, and more than 10^9 were an error."""
    from lowtime.operation import (
        CandidateExecutionOptions,
        ExecutionOption,
        Operation,
        OperationSpec,
    )

    options = [
        ExecutionOption(real_time=t, unit_time=1.0, cost=c, knob=k)
        for k, (t, c) in enumerate([(1e10, 1.0), (1.0, 5.0)])
    ]
    spec = OperationSpec(CandidateExecutionOptions(options))
    dag = nx.DiGraph()
    dag.add_node(0, op=Operation(spec))
    text = repr(lowtime.solve(dag))
    assert text.startswith("<Frontier: 10000000000 points, 1e+10 s at cost 1 to 1 s at cost 5")


@examples(30)
@given(projects(max_nodes=6))
def test_the_text_names_both_ends(project: RandomProject) -> None:
    frontier = lowtime.solve(project.dag(0.1))
    ends = [f"{frontier.times[k]:.6g} s at cost {frontier.costs[k]:.6g}" for k in (0, -1)]
    assert " to ".join(ends) in repr(frontier)


def test_a_frontier_is_indexed_as_it_is_iterated() -> None:
    """``frontier[3]`` was an error, though it had a length and could be iterated over."""
    frontier = lowtime.solve(random_project(Random(3), 8, False, 4).dag())
    assert [plan.index for plan in frontier] == [frontier[k].index for k in range(len(frontier))]
    assert frontier[-1].digest() == frontier.plan(len(frontier) - 1).digest()
    with pytest.raises(IndexError, match=str(len(frontier))):
        frontier[len(frontier)]
