"""DAGs that broke real solvers (tests/data/cases), with their exact frontiers."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from oracle.dags import MODELS, Model, operation_of

import lowtime
from lowtime.errors import LowtimeError
from lowtime.operation import DummyOperation

CASES = Path(__file__).parent / "data" / "cases"


def cases(name: str) -> list[Any]:
    """The cases of a file as pytest parameters, each with its id."""
    return [
        pytest.param(case, id=f"{case['id']}-{case['title'].replace(' ', '-')}")
        for case in json.loads((CASES / name).read_text())
    ]


def number(written: Any) -> Any:
    """A number of a case as a program would have it: an int, or the float that it wrote."""
    if isinstance(written, str):
        return float(Fraction(written)) if "/" in written else float(written)
    return written


def dag_of_case(case: dict[str, Any], model: Model) -> nx.DiGraph[Any]:
    """The DAG of a case; its source and sink are dummies unless it names its terminals."""
    dag: nx.DiGraph[Any] = nx.DiGraph()
    unit = number(case["unit_time"])
    shared = None
    for name, options in case["ops"].items():
        if options == "missing":
            dag.add_node(name)
            continue
        operation = operation_of([(number(t), number(c)) for t, c in options], unit, model)
        if case.get("share_op"):
            shared = operation = shared or operation
        dag.add_node(name, op=operation)
    dag.add_edges_from(case["edges"])
    if "terminals" not in case:
        nodes = list(dag)
        dag.add_edges_from(("source", node) for node in nodes if not dag.in_degree(node))
        dag.add_edges_from((node, "sink") for node in nodes if not dag.out_degree(node))
        dag.nodes["source"]["op"] = DummyOperation()
        dag.nodes["sink"]["op"] = DummyOperation()
    return dag


@pytest.fixture(params=MODELS, ids=lambda model: model.__name__)
def model(request: pytest.FixtureRequest) -> Model:
    """Both ways to ask for the hull of the options."""
    chosen: Model = request.param
    return chosen


@pytest.mark.parametrize("case", cases("dag.json"))
def test_case(case: dict[str, Any], model: Model, backend_name: str) -> None:
    dag = dag_of_case(case, model)
    if case.get("share_op"):
        with pytest.raises(lowtime.InvalidGraph, match=r"'a'.*'b'"):
            lowtime.solve(dag, backend=backend_name)
        return
    if case.get("nonconvex"):
        with pytest.warns(UserWarning, match="not convex"):
            frontier = lowtime.solve(dag, backend=backend_name, check="always")
    else:
        frontier = lowtime.solve(dag, backend=backend_name, check="always")
    expected = [(time, Fraction(cost)) for time, cost in case["expected"]["frontier"]]
    assert frontier.quanta.tolist() == [time for time, _ in expected]
    unit = number(case["unit_time"])
    assert frontier.times.tolist() == [time * unit for time, _ in expected]
    spread = float(abs(expected[-1][1] - expected[0][1])) or 1.0
    size = float(max(abs(cost) for _, cost in expected))
    # Start cost and range each round to a float64 once; the marginals of 1/3 to a cost unit.
    tolerance = 1e-12 * spread + 4 * 2.0**-53 * size
    for i, (_, cost) in enumerate(expected):
        if case.get("nonconvex"):
            assert frontier.costs[i] <= float(cost) + tolerance
            assert frontier.plan(i).measured_cost >= float(cost) - tolerance
        else:
            assert frontier.costs[i] == pytest.approx(float(cost), rel=0, abs=tolerance)
    for time, durations in case.get("expected_durations", {}).items():
        plan = frontier.at_deadline(int(time) * unit)
        assert {node: plan.quanta[node] for node in durations} == durations


@pytest.mark.parametrize("case", cases("dag_invalid.json"))
def test_invalid_case(case: dict[str, Any], model: Model) -> None:
    # An ordinary exception, and a lowtime one: when the operation is made, or when it is solved.
    with pytest.raises(LowtimeError):
        lowtime.solve(dag_of_case(case, model), backend="scipy")
