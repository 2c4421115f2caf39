"""The compilation of a DAG: distinct tables, fixed operations, start cost, one warning."""

from __future__ import annotations

import math
import warnings
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from oracle.dags import MODELS, Model, RandomProject, dag_of, operation_of, projects
from oracle.examples import examples

import lowtime
from lowtime.cost_model import ExponentialModel
from lowtime.errors import CapacityRange, InvalidProfile
from lowtime.network.project import Project
from lowtime.operation import Operation

TABLE = [(1, 9), (2, 4), (4, 1)]


def marginals(project: Project, arc: int) -> list[float]:
    """What every quantum of an operation saves, in the user's cost."""
    network = project.network
    table = network.table[arc]
    pieces = slice(network.table_start[table], network.table_start[table + 1])
    lengths = network.piece_end[pieces] - network.piece_start[pieces]
    return np.repeat(network.marginal[pieces] * network.cost_unit, lengths).tolist()


@examples(60)
@given(projects(max_nodes=8))
def test_every_operation_has_the_costs_of_its_options(project: RandomProject) -> None:
    compiled = Project.from_dag(project.dag())
    network = compiled.network
    for arc, (node, options) in enumerate(project.operations.items()):
        assert compiled.nodes[arc] == node
        if options is None:
            assert compiled.option_of[arc] == -1
            assert network.longest[arc] == 0
            continue
        cheapest = min(options, key=lambda option: (option[1], option[0]))
        assert network.shortest[arc] == options[0][0]
        assert network.longest[arc] == cheapest[0]
        if network.table[arc] >= 0:
            saved = sum(marginals(compiled, arc))
            assert saved == pytest.approx(options[0][1] - cheapest[1], rel=1e-12)
    costs = [min(c for _, c in options) for options in project.operations.values() if options]
    assert network.start_cost == sum(costs)


def test_operations_of_one_kind_share_a_table() -> None:
    spec = operation_of(TABLE).spec
    dag: nx.DiGraph[Any] = nx.DiGraph()
    dag.add_nodes_from((i, {"op": Operation(spec)}) for i in range(5))
    project = Project.from_dag(dag)
    assert project.network.table[:5].tolist() == [0] * 5
    assert len(project.options) == 1
    assert project.option_of == (0,) * 5


def test_durations_cut_on_an_operation_are_its_own() -> None:
    # A program may narrow the durations of one operation; its spec is shared.
    spec = operation_of(TABLE).spec
    dag: nx.DiGraph[Any] = nx.DiGraph()
    dag.add_nodes_from((i, {"op": Operation(spec)}) for i in range(2))
    dag.nodes[1]["op"].min_duration = 2
    project = Project.from_dag(dag)
    assert project.network.shortest[:2].tolist() == [1, 2]
    assert marginals(project, 0) == [5.0, 1.5, 1.5]
    assert marginals(project, 1) == [1.5, 1.5]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("min_duration", -1),
        ("min_duration", 9),
        ("max_duration", 0),
        ("max_duration", 3.5),
        ("min_duration", None),
    ],
)
def test_durations_that_are_no_range(name: str, value: Any) -> None:
    dag = dag_of({"a": TABLE})
    setattr(dag.nodes["a"]["op"], name, value)
    with pytest.raises(InvalidProfile, match=r"'a'.*min_duration <= max_duration"):
        Project.from_dag(dag)


def test_an_operation_with_a_cost_of_its_own_is_priced_by_it() -> None:
    class Surcharged(Operation[Any]):
        def get_cost(self, duration: int | None = None) -> float:
            return 3 * super().get_cost(duration)

    dag = dag_of({"a": TABLE})
    dag.add_node("b", op=Surcharged(dag.nodes["a"]["op"].spec))
    project = Project.from_dag(dag)
    assert marginals(project, 0) == [5.0, 1.5, 1.5]
    assert marginals(project, 1) == [15.0, 4.5, 4.5]
    assert project.network.start_cost == 4.0


def test_fixed_operations_keep_their_one_duration() -> None:
    project = Project.from_dag(dag_of({"a": [(3, 5)], "b": [(1, 1), (2, 4)], "c": None}))
    network = project.network
    assert network.table[:3].tolist() == [-1, -1, -1]
    assert network.longest[:3].tolist() == network.shortest[:3].tolist() == [3, 1, 0]
    assert network.unbounded == 1
    assert network.start_cost == 6.0


def test_a_dummy_with_a_duration_is_a_delay() -> None:
    edges = [("a", "wait"), ("wait", "b")]
    dag = dag_of({"a": [(1, 4), (3, 1)], "wait": None, "b": [(1, 1)]}, edges)
    dag.nodes["wait"]["op"].duration = 5
    assert Project.from_dag(dag).network.longest[:3].tolist() == [3, 5, 1]
    assert lowtime.solve(dag).times.tolist() == [9.0, 8.0, 7.0]


@pytest.mark.parametrize("duration", [-1, 2.5, None, 2**62 + 1])
def test_a_dummy_takes_whole_quanta(duration: Any) -> None:
    dag = dag_of({"a": [(1, 4)], "wait": None})
    dag.nodes["wait"]["op"].duration = duration
    with pytest.raises(InvalidProfile, match="'wait'"):
        Project.from_dag(dag)


def test_the_start_cost_is_a_compensated_sum() -> None:
    project = Project.from_dag(dag_of({i: [(1, c)] for i, c in enumerate([1e16, 1.0, -1e16])}))
    assert project.network.start_cost == 1.0


@pytest.mark.parametrize("model", [*MODELS, ExponentialModel])
def test_convex_tables_give_no_warning(model: Model) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        project = Project.from_dag(dag_of({"a": TABLE}, model=model))
    assert project.cost_error == 0.0


def test_hulls_of_options_are_warned_of_once() -> None:
    dented = [(1, 11), (2, 10), (3, 0)]
    dag = dag_of({"a": dented, "b": TABLE, "c": dented})
    with pytest.warns(UserWarning, match=r"2 of 3 operations.*Node 'a'.* 4\.5 ") as caught:
        Project.from_dag(dag)
    assert len(caught) == 1


def test_a_hull_of_a_model_bounds_the_error_of_its_cost() -> None:
    costs = {1: 11.0, 2: 10.0, 3: 0.0}
    dag = dag_of({i: [(1, 11), (3, 0)] for i in "ab"}, model=lambda _: costs.__getitem__)
    with pytest.warns(UserWarning, match="2 of 2"):
        project = Project.from_dag(dag)
    assert project.cost_error == 9.0


def test_costs_that_sum_beyond_float64() -> None:
    Project.from_dag(dag_of({i: [(1, 1e308), (2, 0.9e308)] for i in "a"}))
    with pytest.raises(CapacityRange, match="scale"):
        Project.from_dag(dag_of({"a": [(1, 1e308)], "b": [(1, 1e308)]}))
    with pytest.raises(CapacityRange, match="scale"):
        Project.from_dag(dag_of({i: [(1, 1e308), (2, 0)] for i in "ab"}))


def test_cost_units_are_powers_of_two_that_use_50_bits() -> None:
    network = Project.from_dag(dag_of({"a": TABLE})).network
    assert math.frexp(network.cost_unit)[0] == 0.5
    assert 2**49 < network.unbounded <= 2**50
