"""The graph functions that programs import."""

from __future__ import annotations

import math
from itertools import pairwise, product
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lowtime.exceptions import LowtimeGraphError
from lowtime.graph_utils import (
    DependencyResolver,
    add_sink_node,
    add_source_node,
    aoa_to_critical_dag,
    aon_dag_to_aoa_dag,
    get_critical_aoa_dag_total_time,
    get_critical_aon_dag_total_time,
    get_total_cost,
    relabel_nodes_to_int,
)
from lowtime.operation import (
    CandidateExecutionOptions,
    DummyOperation,
    ExecutionOption,
    Operation,
    OperationSpec,
)


def operation(*durations: int) -> Operation[int]:
    """An operation with one option a duration; cost 10 / duration."""
    options = [
        ExecutionOption(real_time=float(d), unit_time=1.0, cost=10 / d, knob=d) for d in durations
    ]
    return Operation(spec=OperationSpec(CandidateExecutionOptions(options=options), None))


def project(durations: dict[Any, int], edges: list[tuple[Any, Any]], ends: bool = True) -> Any:
    dag = nx.DiGraph()
    for node, duration in durations.items():
        dag.add_node(node, op=operation(duration))
    dag.add_edges_from(edges)
    if ends:
        add_source_node(dag, "source")
        add_sink_node(dag, "sink")
        dag.graph.update(source_node="source", sink_node="sink")
    return dag


def times(found: Operation[Any]) -> tuple[int, int, int, int]:
    return (
        found.earliest_start,
        found.latest_start,
        found.earliest_finish,
        found.latest_finish,
    )


def test_source_and_sink_join_all_loose_ends() -> None:
    dag = project({"a": 1, "b": 2, "c": 3}, [("a", "b")])
    assert set(dag.successors("source")) == {"a", "c"}
    assert set(dag.predecessors("sink")) == {"b", "c"}
    assert isinstance(dag.nodes["source"]["op"], DummyOperation)
    assert list(dag.nodes)[-2:] == ["source", "sink"]


def test_another_attribute_can_hold_the_operations() -> None:
    dag = nx.DiGraph()
    dag.add_node(0, work=operation(4))
    add_source_node(dag, 1, "work")
    add_sink_node(dag, 2, "work")
    dag.graph.update(source_node=1, sink_node=2)
    critical = aoa_to_critical_dag(aon_dag_to_aoa_dag(dag, "work"), "work")
    assert get_critical_aoa_dag_total_time(critical, "work") == 4
    assert get_total_cost(dag, "node", "work") == 2.5


def test_nodes_become_consecutive_numbers() -> None:
    dag = project({("a", 1): 1, "b": 2}, [(("a", 1), "b")])
    relabeled, mapping = relabel_nodes_to_int(dag)
    assert mapping == {("a", 1): 0, "b": 1, "source": 2, "sink": 3}
    assert (relabeled.graph["source_node"], relabeled.graph["sink_node"]) == (2, 3)
    assert relabeled.nodes[0]["op"] is dag.nodes["a", 1]["op"]
    assert dag.graph["source_node"] == "source"  # a copy
    with pytest.raises(ValueError, match="source_node"):
        relabel_nodes_to_int(nx.DiGraph())


def test_the_arc_drawing_has_an_arc_for_every_node_and_edge() -> None:
    dag = project({"a": 1, "b": 2, "c": 3}, [("a", "b"), ("a", "c")])
    aoa = aon_dag_to_aoa_dag(dag)
    assert aoa.number_of_nodes() == 2 * dag.number_of_nodes()
    assert aoa.number_of_edges() == dag.number_of_nodes() + dag.number_of_edges()
    assert sorted(aoa.nodes) == list(range(aoa.number_of_nodes()))
    assert aoa.in_degree(aoa.graph["source_node"]) == 0
    assert aoa.out_degree(aoa.graph["sink_node"]) == 0
    held = {id(op) for _, _, op in aoa.edges(data="op")}
    assert held >= {id(op) for _, op in dag.nodes(data="op")}
    assert "sink" in dag  # the input is left alone


def test_the_arc_drawing_is_numbered_and_ordered_as_a_search_from_the_source_goes() -> None:
    edges = ["sc", "cd", "ad", "bd", "ae", "ce", "de", "sb", "sa", "et"]
    dag = project(dict.fromkeys("edcbats", 1), [(tail, head) for tail, head in edges], ends=False)
    dag.graph.update(source_node="s", sink_node="t")
    # Breadth first, as the edges of each node were added: s, c, b, a, d, e, t.
    aoa = aon_dag_to_aoa_dag(dag)
    assert list(aoa.nodes) == list(range(14))
    assert (aoa.graph["source_node"], aoa.graph["sink_node"]) == (0, 13)
    named = {id(op): node for node, op in dag.nodes(data="op")}
    arcs = [(tail, head, named.get(id(op))) for tail, head, op in aoa.edges(data="op")]
    order = [node for _, _, node in arcs if node is not None]
    assert order == list("scbadet")
    assert list(aoa.successors(3)) == list(aoa.successors(7)) == [8, 10]
    assert list(aoa.predecessors(8)) == [3, 5, 7]
    assert list(aoa.predecessors(10)) == [3, 7, 9]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda dag: dag.add_edge("b", "a"),
        lambda dag: dag.graph.pop("source_node"),
        lambda dag: dag.graph.update(sink_node="a"),
        lambda dag: dag.add_node("loose", op=operation(1)),
        lambda dag: dag.nodes["a"].pop("op"),
    ],
)
def test_a_graph_that_breaks_the_rules_is_refused(spoil: Any) -> None:
    dag = project({"a": 1, "b": 2}, [("a", "b")])
    spoil(dag)
    with pytest.raises(ValueError, match=r".") as caught:
        aon_dag_to_aoa_dag(dag)
    assert isinstance(caught.value, LowtimeGraphError)


def test_critical_arcs_and_times_of_durations_set_by_hand() -> None:
    dag = project({"a": 5, "b": 9, "c": 2}, [("a", "b"), ("a", "c")])
    a, b, c = (dag.nodes[node]["op"] for node in "abc")
    a.duration, b.duration, c.duration = 3, 4, 1
    a.assigned_knob = 77
    aoa = aon_dag_to_aoa_dag(dag)
    critical = aoa_to_critical_dag(aoa)
    assert [times(op) for op in (a, b, c)] == [(0, 0, 3, 3), (3, 3, 7, 7), (3, 6, 4, 7)]
    assert a.assigned_knob == 77
    assert get_critical_aoa_dag_total_time(critical) == 7
    held = [op for _, _, op in critical.edges(data="op") if not op.is_dummy]
    assert {id(op) for op in held} == {id(a), id(b)}
    assert aoa.number_of_edges() > critical.number_of_edges()
    aon_critical = dag.subgraph(["source", "a", "b", "sink"])
    assert get_critical_aon_dag_total_time(aon_critical) == 7


def test_a_real_source_operation_gets_right_times() -> None:
    """The published pass never set the earliest finish of what leaves the source."""
    dag = project({"a": 5, "b": 2}, [("a", "b")], ends=False)
    dag.graph.update(source_node="a", sink_node="b")
    aoa_to_critical_dag(aon_dag_to_aoa_dag(dag))
    assert times(dag.nodes["a"]["op"]) == (0, 0, 5, 5)
    assert times(dag.nodes["b"]["op"]) == (5, 5, 7, 7)
    assert get_critical_aon_dag_total_time(dag) == 7


def test_a_single_operation_is_source_and_sink() -> None:
    dag = project({"a": 5}, [], ends=False)
    dag.graph.update(source_node="a", sink_node="a")
    critical = aoa_to_critical_dag(aon_dag_to_aoa_dag(dag))
    assert get_critical_aoa_dag_total_time(critical) == 5
    assert get_critical_aon_dag_total_time(dag) == 5


def test_a_critical_dag_without_a_path_is_refused() -> None:
    dag = project({"a": 5}, [])
    dag.remove_edge("a", "sink")
    with pytest.raises(ValueError, match="path"):
        get_critical_aon_dag_total_time(dag)


@given(st.integers(1, 7), st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_times_are_longest_paths(count: int, rng: Any) -> None:
    durations = {node: rng.randint(1, 6) for node in range(count)}
    edges = [(i, j) for i, j in product(range(count), repeat=2) if i < j and rng.random() < 0.4]
    dag = project(durations, edges)
    critical = aoa_to_critical_dag(aon_dag_to_aoa_dag(dag))
    paths = list(nx.all_simple_paths(dag, "source", "sink"))
    length = {tuple(path): sum(durations.get(node, 0) for node in path) for path in paths}
    total = max(length.values())
    assert get_critical_aoa_dag_total_time(critical) == total
    for node, duration in durations.items():
        through = [path for path in length if node in path]
        before = max(sum(durations.get(n, 0) for n in path[: path.index(node)]) for path in through)
        after = max(
            sum(durations.get(n, 0) for n in path[path.index(node) + 1 :]) for path in through
        )
        found = dag.nodes[node]["op"]
        assert times(found) == (before, total - after - duration, before + duration, total - after)


def test_total_cost_of_nodes_and_edges_is_rounded_once() -> None:
    dag = project({n: n for n in range(1, 30)}, list(pairwise(range(1, 30))))
    exact = math.fsum(10 / n for n in range(1, 30))
    assert get_total_cost(dag, mode="node") == exact
    assert get_total_cost(aon_dag_to_aoa_dag(dag), mode="edge") == exact
    with pytest.raises(ValueError, match="edge"):
        get_total_cost(dag, mode="nodes")  # type: ignore[arg-type]


def test_a_chain_of_20_000_operations_needs_no_recursion() -> None:
    shared = operation(2).spec
    dag = nx.DiGraph()
    nx.add_path(dag, range(20_000))
    for node in dag.nodes:
        dag.nodes[node]["op"] = Operation(spec=shared)
    dag.graph.update(source_node=0, sink_node=19_999)
    critical = aoa_to_critical_dag(aon_dag_to_aoa_dag(dag))
    assert get_critical_aoa_dag_total_time(critical) == 40_000
    assert get_critical_aon_dag_total_time(dag) == 40_000


# Dependency rules


class First(Operation[int]):
    """A kind of operation."""


class Second(Operation[int]):
    """Another kind of operation."""


class Derived(First):
    """A kind of the first kind."""


def longer_after_shorter(first: First, second: Second) -> bool:
    return first.duration < second.duration


def make(kind: type[Operation[int]], duration: int) -> Operation[int]:
    return kind(spec=operation(duration).spec)


def test_rules_are_selected_by_their_type_hints() -> None:
    resolver = DependencyResolver([longer_after_shorter], node_type=Operation)
    short, long = make(First, 1), make(Second, 2)
    assert resolver.is_dependent(short, long) is True
    assert resolver.is_dependent(long, short) is False
    assert resolver.is_dependent(make(First, 3), long) is False
    assert resolver.is_dependent(make(Derived, 1), long) is True
    assert resolver.is_dependent(operation(1), long) is False


def test_any_rule_may_say_yes() -> None:
    def never(first: First, second: Second) -> bool:
        return False

    never.__annotations__ = {"first": First, "second": Second}
    resolver = DependencyResolver([never, longer_after_shorter], node_type=Operation)
    assert resolver.is_dependent(make(First, 1), make(Second, 2))


@pytest.mark.parametrize(
    "annotations",
    [{"a": First}, {"a": First, "b": Second, "c": First}, {"a": First, "b": int}, {}],
)
def test_rules_with_other_arguments_are_refused(annotations: dict[str, type]) -> None:
    def rule(*args: Any) -> bool:
        return True

    rule.__annotations__ = annotations
    with pytest.raises(ValueError, match="rule"):
        DependencyResolver([rule], node_type=Operation)


def test_a_rule_that_returns_no_bool_is_an_error() -> None:
    def rule(a: Any, b: Any) -> Any:
        return 1

    rule.__annotations__ = {"a": First, "b": First}
    resolver = DependencyResolver([rule], node_type=Operation)
    with pytest.raises(RuntimeError, match="rule"):
        resolver.is_dependent(make(First, 1), make(First, 1))


def test_all_pairs_of_a_large_pipeline_ask_few_rules() -> None:
    """Programs ask about all pairs; a pair of types without a rule must cost a lookup only."""
    asked = 0

    def rule(a: Any, b: Any) -> bool:
        nonlocal asked
        asked += 1
        return False

    rule.__annotations__ = {"a": First, "b": First}
    resolver = DependencyResolver([rule], node_type=Operation)
    operations = [make(First, 1) for _ in range(6)] + [make(Second, 1) for _ in range(300)]
    for first, second in product(operations, operations):
        resolver.is_dependent(first, second)
    assert asked == 36
    assert len(resolver._rules_of) == 4
