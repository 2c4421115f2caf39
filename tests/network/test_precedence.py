"""From operations on nodes to arcs between topologically numbered events."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from oracle.dags import RandomProject, dag_of, operation_of, projects
from oracle.examples import examples

from lowtime.errors import InvalidGraph
from lowtime.network.precedence import precedence

FINE = [(1, 3), (2, 1)]


@examples(80)
@given(projects(max_nodes=10))
def test_events_follow_the_order_of_the_operations(project: RandomProject) -> None:
    dag = project.dag()
    order = precedence(dag, "op")
    count = len(dag)
    assert order.nodes == tuple(dag.nodes)
    assert order.num_events == 2 * count + 2
    assert all(order.tail < order.head)
    start = dict(zip(dag.nodes, order.tail[:count].tolist(), strict=True))
    finish = dict(zip(dag.nodes, order.head[:count].tolist(), strict=True))
    assert all(finish[node] == start[node] + 1 for node in dag)
    arcs = set(zip(order.tail[count:].tolist(), order.head[count:].tolist(), strict=True))
    assert arcs == (
        {(finish[u], start[v]) for u, v in dag.edges}
        | {(0, start[v]) for v in dag if dag.in_degree(v) == 0}
        | {(finish[u], 2 * count + 1) for u in dag if dag.out_degree(u) == 0}
    )


def test_a_view_of_a_graph_is_read_as_it_shows() -> None:
    dag = dag_of(dict.fromkeys("abcd", FINE), pairwise("abcd"))
    order = precedence(dag.subgraph("bcd"), "op")
    assert order.nodes == ("b", "c", "d")
    assert len(order.tail) == 3 + 2 + 2
    turned = precedence(dag.reverse(copy=False), "op")
    assert turned.tail[:4].tolist() == [7, 5, 3, 1]


def test_work_is_linear_in_edges() -> None:
    dag = dag_of(dict.fromkeys(range(300), FINE))
    dag.add_edges_from((u, v) for v in range(300) for u in range(v))
    order = precedence(dag, "op")
    assert len(order.tail) == len(dag) + dag.number_of_edges() + 2


def test_a_cycle_is_shown() -> None:
    dag = dag_of(dict.fromkeys("abcd", FINE), [*pairwise("abcd"), ("d", "b")])
    with pytest.raises(InvalidGraph, match="'b' -> 'c' -> 'd' -> 'b'") as caught:
        precedence(dag, "op")
    assert "'a'" not in caught.value.message


def test_a_self_loop_is_shown() -> None:
    dag = dag_of({"a": FINE, "b": FINE}, [("a", "b"), ("b", "b")])
    with pytest.raises(InvalidGraph, match="'b' -> 'b'"):
        precedence(dag, "op")


def test_a_cycle_through_20_000_nodes_is_found_without_recursion() -> None:
    count = 20_000
    dag: nx.DiGraph[int] = nx.DiGraph([*pairwise(range(count)), (count - 1, 0)])
    operations = dag_of({0: FINE}).nodes[0]["op"]
    for node in dag:
        dag.nodes[node]["op"] = type(operations)(operations.spec)
    with pytest.raises(InvalidGraph, match="20000 nodes"):
        precedence(dag, "op")


def test_what_only_looks_like_an_operation_is_refused() -> None:
    """A stand-in would be planned, but could not tell its times."""

    class StandIn:
        is_dummy = False

        def __getattr__(self, name: str) -> Any:
            return getattr(operation_of([(1, 4), (2, 1)]), name)

    dag = dag_of({"a": [(1, 4)], "b": None})
    dag.nodes["b"]["op"] = StandIn()
    with pytest.raises(InvalidGraph, match=r"'b'.*StandIn"):
        precedence(dag, "op")
