"""`PhillipsDessouky`, and 0.3.0's results."""

from __future__ import annotations

import copy
import importlib.util
import json
from itertools import islice
from pathlib import Path
from types import GeneratorType, ModuleType
from typing import Any

import networkx as nx
import pytest

import lowtime
from lowtime.cost_model import CostModel
from lowtime.exceptions import LowtimeBaseError, LowtimeFlowError, LowtimeGraphError
from lowtime.graph_utils import (
    add_sink_node,
    add_source_node,
    aoa_to_critical_dag,
    aon_dag_to_aoa_dag,
    get_total_cost,
)
from lowtime.operation import (
    CandidateExecutionOptions,
    ExecutionOption,
    Operation,
    OperationSpec,
)
from lowtime.solver import IterationResult, PhillipsDessouky

V030 = Path(__file__).parent / "data" / "v030"


@pytest.fixture(scope="module")
def published() -> ModuleType:
    """The program that recorded the goldens with 0.3.0, run with this library."""
    path = Path(__file__).parents[1] / "bench" / "record_as_published.py"
    spec = importlib.util.spec_from_file_location("record_as_published", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def operation(*pairs: tuple[float, float], unit: float = 1.0) -> Operation[int]:
    options = [
        ExecutionOption(real_time=time, unit_time=unit, cost=cost, knob=index)
        for index, (time, cost) in enumerate(pairs)
    ]
    return Operation(spec=OperationSpec(CandidateExecutionOptions(options=options), None))


def with_ends(dag: Any) -> Any:
    add_source_node(dag, "source")
    add_sink_node(dag, "sink")
    dag.graph.update(source_node="source", sink_node="sink")
    return dag


def two_in_a_row() -> Any:
    dag = nx.DiGraph()
    dag.add_node("a", op=operation((1.0, 10.0), (3.0, 4.0)))
    dag.add_node("b", op=operation((2.0, 9.0), (5.0, 3.0)))
    dag.add_edge("a", "b")
    return with_ends(dag)


# Equal to 0.3.0


@pytest.mark.parametrize(("model", "ties"), [("gpt3-175b+a100_sxm", 0), ("bloom+a100_sxm", 21)])
def test_a_published_pipeline_gives_equal_plans_at_every_iteration(
    published: ModuleType, model: str, ties: int
) -> None:
    """At ``ties`` points of BLOOM several plans cost the same and another one is chosen."""
    expected = json.loads((V030 / f"{model}_mb12.json").read_text())
    points = published.pipeline_points(published.pipeline(model, 1e-3, 83.64, 12))
    assert [point[2] for point in points] == [point[2] for point in expected]
    assert [point[1] for point in points] == pytest.approx(
        [point[1] for point in expected], rel=1e-14
    )
    different = sum(ours[0] != theirs[0] for ours, theirs in zip(points, expected, strict=True))
    assert different == ties


def test_random_projects_give_equal_plans_and_times_at_every_iteration(
    published: ModuleType,
) -> None:
    goldens = json.loads((V030 / "random_projects.json").read_text())
    for seed, expected in enumerate(goldens):
        points = published.project_points(published.random_project(seed))
        assert len(points) == len(expected), seed
        for ours, theirs in zip(points, expected, strict=True):
            assert ours[2:] == theirs[2:], seed
            assert ours[:2] == pytest.approx(theirs[:2], rel=1e-12), seed


def test_the_first_critical_path_is_the_same_while_it_is_shortened_by_hand(
    published: ModuleType,
) -> None:
    goldens = json.loads((V030 / "first_critical_paths.json").read_text())
    for seed, expected in enumerate(goldens):
        assert published.first_critical_paths(published.random_project(seed)) == expected, seed


# The generator


def test_the_first_point_is_one_quantum_below_the_longest_schedule() -> None:
    dag = two_in_a_row()
    results = list(PhillipsDessouky(dag).run())
    assert [result.quant_time for result in results] == [7, 6, 5, 4, 3]
    assert [result.iteration for result in results] == [1, 2, 3, 4, 5]
    assert [result.cost_change for result in results] == [2.0, 2.0, 2.0, 3.0, 3.0]
    assert [result.cost for result in results] == [9.0, 11.0, 13.0, 16.0, 19.0]
    assert dag.nodes["a"]["op"].assigned_knob == 0


def test_durations_that_save_nothing_are_trimmed_before_the_first_point() -> None:
    dag = nx.DiGraph()
    dag.add_node("a", op=operation((1.0, 10.0), (3.0, 4.0)))
    flat = Table({5: 1.0, 6: 1.0, 7: 1.0, 4: 3.0})
    dag.add_node("b", op=operation((4.0, 3.0), (7.0, 1.0)))
    dag.nodes["b"]["op"].spec.cost_model = flat
    dag.add_edge("a", "b")
    run = PhillipsDessouky(with_ends(dag)).run()
    assert next(run).quant_time == 3 + 5 - 1
    assert dag.nodes["b"]["op"].max_duration == 7  # as published


class Table(CostModel):
    """A cost for every duration."""

    def __init__(self, costs: dict[int, float]) -> None:
        self.costs = costs

    def __call__(self, quant_time: int) -> float:
        return self.costs[quant_time]


def test_run_is_a_lazy_generator() -> None:
    dag = two_in_a_row()
    solver = PhillipsDessouky(dag)
    op = dag.nodes["a"]["op"]
    op.spec.options.options[0].cost = 6.0  # counts: the DAG is compiled at the first point
    run = solver.run()
    assert isinstance(run, GeneratorType)
    assert next(run).cost == 6.0 + 3.0 + 2.0
    run.close()


def test_the_end_leaves_the_shortest_plan(published: ModuleType) -> None:
    """The published solver changed some durations before it found that the step is impossible."""
    for seed in range(6):
        dag = published.random_project(seed)
        ops = published.operations(dag)
        durations: list[int] = [op.max_duration for op in ops]
        for _ in PhillipsDessouky(dag).run():
            durations = [op.duration for op in ops]
        assert [op.duration for op in ops] == durations


def test_nothing_to_shorten_yields_nothing() -> None:
    dag = nx.DiGraph()
    dag.add_node("a", op=operation((2.0, 1.0)))
    assert list(PhillipsDessouky(with_ends(dag)).run()) == []
    assert dag.nodes["a"]["op"].latest_finish == 2


def test_the_same_objects_change_between_points_and_copies_do_not() -> None:
    dag = two_in_a_row()
    a = dag.nodes["a"]["op"]
    kept = []
    for result in PhillipsDessouky(dag).run():
        assert dag.nodes["a"]["op"] is a
        kept.append((result.quant_time, copy.deepcopy(dag)))
    for total, plan in kept:
        ops = [plan.nodes[node]["op"] for node in "ab"]
        assert sum(op.duration for op in ops) == total
        assert ops[1].latest_finish == total
        assert get_total_cost(plan, "node") == 9.0 + [0, 2, 4, 7, 10][7 - total]


def test_knobs_and_costs_are_current_at_every_point(published: ModuleType) -> None:
    dag = published.pipeline("gpt3-175b+a100_sxm", 1e-3, 83.64, 2)
    ops = published.operations(dag)
    previous = None
    for result in islice(PhillipsDessouky(dag).run(), 200):
        assert result.cost == get_total_cost(dag, mode="node")  # to the last bit
        for op in ops:
            assert op.assigned_knob == op.spec.options.get_knob_for(op.duration)
        if previous is not None:
            assert result.cost_change == pytest.approx(result.cost - previous, abs=1e-9)
        previous = result.cost


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("every", [1, 3])
def test_times_are_right_at_every_point_that_reads_them(
    published: ModuleType, seed: int, every: int
) -> None:
    dag = published.random_project(seed)
    twin = published.random_project(seed)
    pairs = [(op, twin.nodes[node]["op"]) for node, op in dag.nodes(data="op")]
    for result in PhillipsDessouky(dag).run():
        if result.iteration % every:
            continue
        for op, other in pairs:
            other.duration = op.duration
        aoa_to_critical_dag(aon_dag_to_aoa_dag(twin))
        for op, other in pairs:
            for name in ("earliest_start", "latest_start", "earliest_finish", "latest_finish"):
                assert getattr(op, name) == getattr(other, name)


def test_a_real_source_operation_has_right_times_at_every_point() -> None:
    dag = nx.DiGraph()
    dag.add_node("a", op=operation((1.0, 10.0), (3.0, 4.0)))
    dag.add_node("b", op=operation((2.0, 9.0), (5.0, 3.0)))
    dag.add_edge("a", "b")
    dag.graph.update(source_node="a", sink_node="b")
    a, b = dag.nodes["a"]["op"], dag.nodes["b"]["op"]
    for result in PhillipsDessouky(dag).run():
        assert (a.earliest_start, a.earliest_finish) == (0, a.duration)
        assert (a.latest_start, a.latest_finish) == (0, a.duration)
        assert (b.earliest_start, b.latest_finish) == (a.duration, result.quant_time)


def test_after_a_run_the_operations_hold_their_times_themselves() -> None:
    for points in (1, 100):
        dag = two_in_a_row()
        a = dag.nodes["a"]["op"]
        fields = set(vars(a))
        run = PhillipsDessouky(dag).run()
        total = [result.quant_time for result in islice(run, points)][-1]
        run.close()
        assert set(vars(a)) == fields
        assert vars(a)["earliest_finish"] == a.duration
        assert vars(dag.nodes["b"]["op"])["latest_finish"] == total


def test_in_a_run_no_outdated_time_lies_about() -> None:
    dag = two_in_a_row()
    a = dag.nodes["a"]["op"]
    for _ in PhillipsDessouky(dag).run():
        assert vars(a).get("latest_finish", a.duration) == a.duration
        assert a.latest_finish == vars(a)["latest_finish"] == a.duration


def test_a_duration_changed_between_two_points_is_told() -> None:
    dag = two_in_a_row()
    a = dag.nodes["a"]["op"]
    run = PhillipsDessouky(dag).run()
    next(run)
    planned = a.duration
    a.duration = 1
    a.duration = planned  # looked at another plan, and went back
    next(run)
    a.duration = a.max_duration + 5
    with pytest.raises(LowtimeGraphError, match="'a'"):
        next(run)
    assert [result.iteration for result in PhillipsDessouky(dag).run()] == [1, 2, 3, 4, 5]


def test_a_second_run_takes_over() -> None:
    dag = two_in_a_row()
    solver = PhillipsDessouky(dag)
    first = solver.run()
    assert next(first).quant_time == 7
    assert next(first).quant_time == 6
    second = solver.run()
    assert next(second).quant_time == 7
    assert dag.nodes["b"]["op"].latest_finish == 7
    first.close()
    assert dag.nodes["b"]["op"].latest_finish == 7
    assert [result.quant_time for result in second] == [6, 5, 4, 3]


def test_a_hand_set_time_lasts_until_the_next_point() -> None:
    dag = two_in_a_row()
    a = dag.nodes["a"]["op"]
    run = PhillipsDessouky(dag).run()
    next(run)
    a.earliest_start = 99
    assert a.earliest_start == 99
    next(run)
    assert a.earliest_start == 0


def test_where_a_hull_moves_costs_the_result_tells_the_hulls() -> None:
    dag = nx.DiGraph()
    op = operation((1.0, 10.0), (4.0, 1.0))
    op.spec.cost_model = Table({1: 10.0, 2: 9.0, 3: 8.0, 4: 1.0})
    dag.add_node("a", op=op)
    with pytest.warns(UserWarning, match="convex"):
        results = list(PhillipsDessouky(with_ends(dag)).run())
    assert [result.cost for result in results] == pytest.approx([4.0, 7.0, 10.0])
    assert [result.cost_change for result in results] == pytest.approx([3.0, 3.0, 3.0])


def test_marginals_near_and_below_a_millionth_count(published: ModuleType) -> None:
    """The published solver stopped at a cost change below 1e-6, and clipped it at 10000."""
    for scale in (1e-9, 1.0, 1e9):
        dag = nx.DiGraph()
        dag.add_node("a", op=operation((1.0, 10.0 * scale), (3.0, 4.0 * scale)))
        changes = [result.cost_change for result in PhillipsDessouky(with_ends(dag)).run()]
        assert changes == pytest.approx([3.0 * scale, 3.0 * scale])


def test_results_hold_what_they_held() -> None:
    result = IterationResult(iteration=3, cost_change=0.5, cost=7.0, quant_time=12, unit_time=0.25)
    assert result.real_time == 3.0
    assert "IterationResult(iteration=3" in repr(result)


def test_equal_to_solve() -> None:
    dag = two_in_a_row()
    frontier = lowtime.solve(dag)
    for point, result in enumerate(PhillipsDessouky(dag).run(), start=1):
        plan = frontier.plan(point)
        assert plan.quanta["a"] == dag.nodes["a"]["op"].duration
        assert result.real_time == frontier.times[point]


# Checks


def spoiled(what: str) -> Any:
    dag = two_in_a_row()
    if what == "cycle":
        dag.add_edge("b", "a")
    elif what == "no source":
        del dag.graph["source_node"]
    elif what == "no sink":
        del dag.graph["sink_node"]
    elif what == "two sources":
        dag.add_node("c", op=operation((1.0, 1.0)))
        dag.add_edge("c", "sink")
    elif what == "two sinks":
        dag.add_node("c", op=operation((1.0, 1.0)))
        dag.add_edge("source", "c")
    elif what == "wrong source":
        dag.graph["source_node"] = "a"
    elif what == "wrong sink":
        dag.graph["sink_node"] = "a"
    elif what == "unit times":
        dag.nodes["a"]["op"] = operation((1.0, 1.0), unit=0.5)
    elif what == "dummies only":
        dag.remove_nodes_from(["a", "b"])
        dag.add_edge("source", "sink")
    elif what == "same operation":
        dag.nodes["a"]["op"] = dag.nodes["b"]["op"]
    elif what == "no operation":
        del dag.nodes["a"]["op"]
    return dag


@pytest.mark.parametrize(
    "what",
    [
        "cycle",
        "no source",
        "no sink",
        "two sources",
        "two sinks",
        "wrong source",
        "wrong sink",
        "unit times",
        "dummies only",
        "same operation",
        "no operation",
    ],
)
def test_a_dag_that_breaks_a_rule_is_refused_at_once(what: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        PhillipsDessouky(spoiled(what))


def test_broken_costs_are_refused_before_anything_changes() -> None:
    dag = two_in_a_row()
    solver = PhillipsDessouky(dag)
    dag.nodes["a"]["op"].spec.options.options[0].cost = float("nan")
    dag.nodes["b"]["op"].duration = 2
    with pytest.raises(ValueError, match="nan"):
        next(solver.run())
    assert dag.nodes["b"]["op"].duration == 2


def test_published_exceptions_catch_what_the_library_raises() -> None:
    assert LowtimeBaseError is lowtime.errors.LowtimeError
    assert issubclass(lowtime.errors.BackendFault, LowtimeFlowError)
    assert issubclass(lowtime.errors.InvalidGraph, LowtimeGraphError)
    assert LowtimeGraphError("what").message == "what"


def test_the_selected_backend_runs(backend_name: str) -> None:
    with lowtime.use_backend(backend_name):
        results = list(PhillipsDessouky(two_in_a_row()).run())
    assert [result.quant_time for result in results] == [7, 6, 5, 4, 3]
