"""`lowtime.solve`: every point optimal, the same plans through every backend, both ends right."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from random import Random
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle.brute_force import every_frontier_point
from oracle.dags import MODELS, Model, RandomProject, dag_of, projects, random_project
from oracle.examples import examples
from oracle.linear_program import least_cost

import lowtime
from lowtime.cost_model import CostModel
from lowtime.errors import BackendFault, LowtimeError
from lowtime.frontier.frontier import Frontier
from lowtime.network.event_times import earliest_times
from lowtime.network.project import Project
from lowtime.operation import CandidateExecutionOptions, Operation, OperationSpec


def sizes(project: RandomProject) -> float:
    """The largest cost of a project, at least 1: costs are compared in units of it."""
    return max([abs(c) for o in project.operations.values() if o for _, c in o] or [1]) or 1


# ------------------------------------------------------------------ optimal, at every point


@examples(25)
@given(projects(), st.sampled_from(MODELS), st.sampled_from([-6, -3, 0, 3, 6, 9]))
def test_every_point_equals_a_linear_program(
    project: RandomProject, model: Model, decade: int
) -> None:
    scale = 10.0**decade
    frontier = lowtime.solve(project.dag(scale, model), backend="scipy")
    size = sizes(project)
    for time, cost in zip(frontier.quanta.tolist(), frontier.costs.tolist(), strict=True):
        expected = least_cost(project.operations, project.edges, time)
        assert expected is not None
        assert cost / scale / size == pytest.approx(expected / size, rel=1e-7, abs=1e-7)
    shortest = int(frontier.quanta[-1])
    assert shortest == 0 or least_cost(project.operations, project.edges, shortest - 1) is None


@examples(60)
@given(projects(max_nodes=6, dense_tables=True), st.sampled_from(MODELS))
def test_integer_marginals_are_exact(project: RandomProject, model: Model) -> None:
    frontier = lowtime.solve(project.dag(model=model), backend="scipy", check="always")
    points = dict(zip(frontier.quanta.tolist(), frontier.costs.tolist(), strict=True))
    assert points == every_frontier_point(project.operations, project.edges)
    assert frontier.measured_costs.tolist() == frontier.costs.tolist()


class Marginals(CostModel):
    """A model that names its marginals itself: small integers with many ties."""

    def __init__(self, options: CandidateExecutionOptions[Any]) -> None:
        self.lo, self.hi = options.options[-1].quant_time, options.options[0].quant_time
        random = Random(31 * self.lo + self.hi)
        self.savings = sorted(
            (random.randint(0, 3) for _ in range(self.hi - self.lo)), reverse=True
        )

    def __call__(self, quant_time: int) -> float:
        return 7.0 - sum(self.savings[: quant_time - self.lo])

    def marginals(self, lo: int, hi: int) -> np.ndarray:
        return np.array(self.savings[lo - self.lo : hi - self.lo], dtype=float)


def differenced(options: CandidateExecutionOptions[Any]) -> Callable[[int], float]:
    """A bare callable with the costs of `Marginals`."""
    model = Marginals(options)
    return lambda quant_time: model(quant_time)


@examples(40)
@given(projects(max_nodes=6))
def test_models_with_and_without_marginals_give_the_same_plans(project: RandomProject) -> None:
    named = lowtime.solve(project.dag(model=Marginals), backend="scipy")
    bare = lowtime.solve(project.dag(model=differenced), backend="scipy")
    assert named.digest() == bare.digest()
    assert named.costs.tolist() == bare.costs.tolist()
    tables = {
        node: None
        if options is None
        else [(t, Marginals(model_options(options))(t)) for t in span(options)]
        for node, options in project.operations.items()
    }
    points = dict(zip(named.quanta.tolist(), named.costs.tolist(), strict=True))
    assert points == every_frontier_point(tables, project.edges)


def model_options(options: list[tuple[int, int]]) -> CandidateExecutionOptions[Any]:
    """Candidates of (time, cost) options."""
    candidates: CandidateExecutionOptions[Any] = dag_of({0: options}).nodes[0]["op"].spec.options
    return candidates


def span(options: list[tuple[int, int]]) -> range:
    """Every number of quanta that an operation may take."""
    kept = model_options(options).options
    return range(kept[-1].quant_time, kept[0].quant_time + 1)


# --------------------------------------------------------------------- shape of a frontier


@examples(60)
@given(projects(max_nodes=10))
def test_the_frontier_is_strictly_monotone_and_has_both_ends(project: RandomProject) -> None:
    dag = project.dag()
    compiled = Project.from_dag(dag)
    frontier = lowtime.solve(dag)
    assert frontier.complete
    assert np.all(np.diff(frontier.costs) > 0)
    assert np.all(np.diff(frontier.quanta) == -1)
    network = compiled.network
    assert frontier.quanta[0] == earliest_times(network, network.longest)[-1]
    assert frontier.quanta[-1] == earliest_times(network, network.shortest)[-1]
    # Steps get dearer: the frontier is convex, to half a unit of rounding.
    steps = np.diff(frontier.segments.slope)
    assert np.all(steps >= 0)


@examples(40)
@given(projects(max_nodes=10))
def test_every_plan_is_feasible_and_takes_its_time(project: RandomProject) -> None:
    frontier = lowtime.solve(project.dag())
    for plan in frontier.sample(8) if len(frontier) > 1 else [frontier.plan(0)]:
        finish: dict[int, int] = {}
        for node in project.operations:
            before = [finish[u] for u, v in project.edges if v == node]
            start = max(before, default=0)
            assert plan.start_times[node] == start * frontier.unit_time
            finish[node] = start + plan.quanta[node]
        assert max(finish.values()) == frontier.quanta[plan.index]
        assert plan.time == frontier.times[plan.index]


@examples(40)
@given(projects(max_nodes=10))
def test_an_operation_off_the_critical_paths_keeps_its_longest_useful_duration(
    project: RandomProject,
) -> None:
    dag = project.dag()
    longest = Project.from_dag(dag).network.longest
    frontier = lowtime.solve(dag)
    for plan in frontier.sample(8) if len(frontier) > 1 else [frontier.plan(0)]:
        for i, (node, options) in enumerate(project.operations.items()):
            if options is not None and node not in plan.critical:
                assert plan.quanta[node] == longest[i]


def test_dominated_durations_are_trimmed() -> None:
    # 4 and 5 quanta cost what 3 do: no plan takes them, though max_duration still says so.
    dag = dag_of({"a": [(1, 9), (3, 4), (4, 4), (5, 4)]})
    frontier = lowtime.solve(dag, backend="scipy")
    assert frontier.quanta.tolist() == [3, 2, 1]

    class Flat(CostModel):
        def __call__(self, quant_time: int) -> float:
            return max(9.0 - 2 * quant_time, 3.0)

    dag = dag_of({"a": [(1, 9), (5, 1)]}, model=lambda _: Flat())
    assert dag.nodes["a"]["op"].max_duration == 5
    assert lowtime.solve(dag, backend="scipy").costs.tolist() == [3.0, 5.0, 7.0]


# ----------------------------------------------------------- the same through every backend


@pytest.mark.parametrize("seed", range(12))
def test_plans_are_the_same_bits_through_every_backend(seed: int, backend_name: str) -> None:
    project = random_project(Random(seed), 14, dense_tables=seed % 2 == 0, max_slope=3)
    for model in (*MODELS, Marginals):
        dag = project.dag(0.1 if seed % 3 == 0 else 1.0, model)
        frontier = lowtime.solve(dag, backend=backend_name, check="always")
        reference = lowtime.solve(dag, backend="networkx", check="off")
        assert frontier.digest() == reference.digest()
        assert frontier.costs.tolist() == reference.costs.tolist()
        assert frontier.segments.slope.tolist() == reference.segments.slope.tolist()
        assert frontier.provenance.backend == backend_name


def test_a_tie_in_series_crashes_the_operation_nearest_the_source(backend_name: str) -> None:
    nodes = "abcd"
    dag = dag_of({node: [(1, 5), (3, 1)] for node in nodes}, pairwise(nodes))
    frontier = lowtime.solve(dag, backend=backend_name)
    durations = [list(frontier.plan(i).quanta.values()) for i in range(len(frontier))]
    assert durations == [
        [3, 3, 3, 3],
        [2, 3, 3, 3],
        [1, 3, 3, 3],
        [1, 2, 3, 3],
        [1, 1, 3, 3],
        [1, 1, 2, 3],
        [1, 1, 1, 3],
        [1, 1, 1, 2],
        [1, 1, 1, 1],
    ]


def test_the_order_of_edges_does_not_matter_but_for_names(backend_name: str) -> None:
    project = random_project(Random(99), 12, dense_tables=False, max_slope=3)
    dag = project.dag()
    turned: nx.DiGraph[Any] = nx.DiGraph()
    turned.add_nodes_from((node, dag.nodes[node]) for node in dag)
    turned.add_edges_from(reversed(list(dag.edges)))
    first, second = (lowtime.solve(g, backend=backend_name) for g in (dag, turned))
    assert first.digest() == second.digest()


# ------------------------------------------------------------------------- legal, if unusual


def one_point(dag: nx.DiGraph[Any]) -> tuple[float, float]:
    """Time and cost of a frontier of one point."""
    frontier = lowtime.solve(dag, backend="scipy")
    assert len(frontier) == 1
    assert frontier.complete
    assert frontier.plan(-1).index == 0
    return float(frontier.times[0]), float(frontier.costs[0])


def test_one_node_without_edges() -> None:
    assert lowtime.solve(dag_of({"a": [(1, 3), (2, 1)]})).costs.tolist() == [1.0, 3.0]


def test_a_project_of_dummies_takes_no_time() -> None:
    assert one_point(dag_of({"a": None, "b": None}, [("a", "b")])) == (0.0, 0.0)


def test_a_project_of_fixed_operations_is_one_point() -> None:
    dag = dag_of({"a": [(2, 5)], "b": [(3, 4)], "c": [(9, -1)]}, [("a", "b")])
    assert one_point(dag) == (9.0, 8.0)


def test_operations_without_duration_are_legal() -> None:
    dag = dag_of({"a": [(0, 5)], "b": [(0, 4), (1, 1)]}, [("a", "b")])
    assert lowtime.solve(dag).costs.tolist() == [6.0, 9.0]


def test_dense_transitive_edges_change_nothing(backend_name: str) -> None:
    chain = {i: [(1, 9 + i), (2, 4), (4, 1)] for i in range(12)}
    edges = list(pairwise(range(12)))
    every = [(u, v) for v in range(12) for u in range(v)]
    sparse, dense = (lowtime.solve(dag_of(chain, e), backend=backend_name) for e in (edges, every))
    assert sparse.digest() == dense.digest()


@pytest.mark.parametrize(
    "nodes",
    [
        [0, 1.5, "s"],
        [("F", 0), frozenset([1]), b"b"],
        [True, 2, (None, (1, 2))],
        [float("inf"), -0.0, complex(1, 2)],
        [Operation, len, object()],
    ],
    ids=["numbers", "tuples", "bools", "floats", "objects"],
)
def test_nodes_of_any_hashable_kind(nodes: list[Any]) -> None:
    frontier = lowtime.solve(dag_of({node: [(1, 3), (2, 1)] for node in nodes}, pairwise(nodes)))
    plan = frontier.plan(-1)
    assert list(plan.quanta) == nodes
    assert list(plan.knobs.values()) == ["k0", "k0", "k0"]


def test_a_multigraph_is_read_as_its_precedences() -> None:
    dag = dag_of({"a": [(1, 3), (2, 1)], "b": [(1, 4), (2, 1)]}, [("a", "b")])
    multi: nx.MultiDiGraph[Any] = nx.MultiDiGraph(dag)
    multi.add_edge("a", "b")
    assert lowtime.solve(multi).digest() == lowtime.solve(dag).digest()


def test_another_attribute_name() -> None:
    dag = dag_of({"a": [(1, 3), (2, 1)]}, attr_name="work")
    assert len(lowtime.solve(dag, attr_name="work")) == 2
    with pytest.raises(lowtime.InvalidGraph, match="attr_name"):
        lowtime.solve(dag)


def test_a_compiled_project_is_solved_as_its_dag() -> None:
    dag = random_project(Random(8), 10, dense_tables=False, max_slope=4).dag()
    project = Project.from_dag(dag)
    assert lowtime.solve(project).digest() == lowtime.solve(dag).digest()


@pytest.mark.parametrize("seed", range(4))
def test_exponential_costs_give_the_same_plans_everywhere(seed: int, backend_name: str) -> None:
    from lowtime.cost_model import ExponentialModel

    project = random_project(Random(seed), 8, dense_tables=False, max_slope=6)
    dag = project.dag(0.7, ExponentialModel)
    frontier = lowtime.solve(dag, backend=backend_name, check="always")
    assert frontier.digest() == lowtime.solve(dag, backend="networkx").digest()
    assert np.all(np.diff(frontier.costs) > 0) or len(frontier) == 1


def test_operations_are_read_and_never_changed() -> None:
    dag = dag_of({"a": [(1, 3), (2, 1)], "b": [(1, 4), (2, 1)]}, [("a", "b")])
    before = {node: vars(op).copy() for node, op in dag.nodes(data="op")}
    lowtime.solve(dag)
    assert {node: vars(op) for node, op in dag.nodes(data="op")} == before


def spec_of(options: list[tuple[float, float]]) -> OperationSpec[Any]:
    """A kind of operation that many nodes share."""
    spec: OperationSpec[Any] = dag_of({0: options}).nodes[0]["op"].spec
    return spec


def test_a_chain_of_100_000_operations_needs_no_recursion() -> None:
    count = 100_000
    fixed, flexible = spec_of([(1, 5)]), spec_of([(1, 5), (3, 1)])
    dag: nx.DiGraph[Any] = nx.DiGraph(pairwise(range(count)))
    for i in dag:
        dag.nodes[i]["op"] = Operation(fixed if i % 10_000 else flexible)
    frontier = lowtime.solve(dag, check="final")
    assert frontier.quanta[[0, -1]].tolist() == [count + 20, count]
    assert frontier.costs[[0, -1]].tolist() == [5.0 * count - 40, 5.0 * count]
    assert len(frontier.plan(-1).critical) == count


def test_100_000_parallel_operations() -> None:
    count = 100_000
    spec = spec_of([(1, 3), (2, 1)])
    dag: nx.DiGraph[Any] = nx.DiGraph()
    dag.add_nodes_from((i, {"op": Operation(spec)}) for i in range(count))
    frontier = lowtime.solve(dag, check="final")
    assert frontier.costs.tolist() == [1.0 * count, 3.0 * count]
    assert frontier.measured_costs.tolist() == frontier.costs.tolist()


def test_operations_with_tables_of_their_own_take_linear_work() -> None:
    # Choosing options once compared every table with every operation: 10^10 for 10^5 of each.
    count = 10_000
    dag = dag_of({node: [(1, 3 + node), (2, 1)] for node in range(count)})
    frontier = lowtime.solve(dag, backend="scipy", check="final")
    total = count * (count - 1) // 2
    assert frontier.costs.tolist() == [1.0 * count, 3.0 * count + total]
    assert frontier.measured_costs.tolist() == frontier.costs.tolist()
    assert len(frontier.plan(0).knobs) == count


# --------------------------------------------------------------------- scales and number types


def shape(frontier: Frontier) -> list[float]:
    """Costs above the cheapest plan, as parts of the range."""
    rise = (frontier.costs - frontier.costs[0]) / (frontier.costs[-1] - frontier.costs[0])
    return [float(x) for x in rise]


@pytest.mark.parametrize("exponent", [-320, -300, -20, -7, 0, 15, 100, 300])
def test_costs_of_any_scale_a_float64_holds(exponent: int, backend_name: str) -> None:
    options = {"a": [1, 4, 9], "b": [2, 3, 7], "c": [5, 5, 6]}
    dags = [
        dag_of(
            {n: [(3 - i, float(f"{c}e{e}")) for i, c in enumerate(o)] for n, o in options.items()},
            [("a", "b"), ("a", "c")],
        )
        for e in (0, exponent)
    ]
    plain, scaled = (lowtime.solve(dag, backend=backend_name) for dag in dags)
    assert plain.digest() == scaled.digest()
    # Near 1e-320 a float64 has three digits left.
    tolerance = 1e-2 if exponent < -307 else 1e-9
    assert shape(scaled) == pytest.approx(shape(plain), abs=tolerance)


def test_small_differences_of_huge_costs_survive() -> None:
    # 10^18 and 10^18 + 1 are one float64; ints, decimals and fractions tell them apart.
    from decimal import Decimal
    from fractions import Fraction

    for kind in (
        lambda k: 10**18 + k,
        lambda k: Decimal(10**18 + k),
        lambda k: Fraction(10**18 + k),
    ):
        options = {"a": [(3 - k, kind(10**18 + k * k)) for k in range(3)], "b": [(2, 0), (1, 2)]}
        dag = dag_of(options, [("a", "b")])
        frontier = lowtime.solve(dag, backend="scipy")
        assert frontier.segments.slope.tolist() == sorted(frontier.segments.slope.tolist())
        units = frontier.segments.slope * frontier.problem.cost_unit
        assert units.tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize("kind", ["float32", "float64", "int32", "int64", "longdouble"])
def test_numpy_scalars_are_numbers(kind: str) -> None:
    number = getattr(np, kind)
    dag = dag_of({"a": [(number(1), number(9)), (number(3), number(2))]}, unit_time=number(1))
    frontier = lowtime.solve(dag)
    assert frontier.costs.tolist() == [2.0, 5.5, 9.0]
    assert frontier.times.tolist() == [3.0, 2.0, 1.0]


def test_decimals_and_fractions_are_exact_numbers() -> None:
    from decimal import Decimal
    from fractions import Fraction

    third = Fraction(1, 3)
    dag = dag_of({"a": [(third, 4), (2 * third, 2), (5 * third, 1)]}, unit_time=third)
    assert lowtime.solve(dag).quanta.tolist() == [5, 4, 3, 2, 1]
    dag = dag_of({"a": [(Decimal("0.3"), 4), (Decimal("0.7"), 2)]}, unit_time=Decimal("0.1"))
    assert lowtime.solve(dag).quanta.tolist() == [7, 6, 5, 4, 3]


@pytest.mark.parametrize("unit", [0.1, 0.3, 0.7, 1e-3, 1e-7])
def test_whole_multiples_of_a_decimal_unit_are_whole_quanta(unit: float) -> None:
    from decimal import Decimal

    step = Decimal(str(unit))
    dag = dag_of({"a": [(float(step * k), 100.0 - 7 * k) for k in (3, 6, 7, 9)]}, unit_time=unit)
    assert lowtime.solve(dag).quanta[[0, -1]].tolist() == [9, 3]


def test_a_fine_unit_of_time_costs_nothing_with_piecewise_linear_costs() -> None:
    dag = dag_of(
        {"a": [(1.0, 9), (2.0, 4), (4.0, 1)], "b": [(1.0, 5), (3.0, 1)]}, [("a", "b")], 1e-7
    )
    frontier = lowtime.solve(dag, backend="scipy")
    assert len(frontier) == 50_000_001
    assert len(frontier.segments.length) == 3
    assert frontier.provenance.counters["steps"] == 3


# --------------------------------------------------------------------------------- refused


def refused(error: type[Exception], match: str, dag: nx.DiGraph[Any]) -> None:
    """Solving the DAG raises a lowtime error of the type, with a message that says where."""
    with pytest.raises(error, match=match) as caught:
        lowtime.solve(dag, backend="scipy")
    assert isinstance(caught.value, LowtimeError)


FINE = [(1, 3), (2, 1)]


def test_an_undirected_graph() -> None:
    graph: nx.Graph[Any] = nx.Graph(dag_of({"a": FINE}))
    refused(lowtime.InvalidGraph, "directed", graph)  # type: ignore[arg-type]


def test_no_graph_at_all() -> None:
    refused(lowtime.InvalidGraph, "list", [1, 2])  # type: ignore[arg-type]


def test_an_empty_graph() -> None:
    refused(lowtime.InvalidGraph, "no nodes", nx.DiGraph())


def test_a_long_cycle_is_named_in_part() -> None:
    nodes = range(100)
    dag = dag_of(dict.fromkeys(nodes, FINE), [*pairwise(nodes), (99, 0)])
    refused(lowtime.InvalidGraph, "cycle of 100 nodes", dag)


def test_a_node_without_an_operation() -> None:
    dag = dag_of({"a": FINE})
    dag.add_node("b")
    refused(lowtime.InvalidGraph, "'b'.*'op'", dag)


def test_a_node_with_something_else() -> None:
    dag = dag_of({"a": FINE})
    dag.add_node("b", op=3.0)
    refused(lowtime.InvalidGraph, "'b'.*float", dag)


def test_the_same_operation_on_two_nodes() -> None:
    dag = dag_of({"a": FINE})
    dag.add_node("b", op=dag.nodes["a"]["op"])
    refused(lowtime.InvalidGraph, "'a' and 'b'", dag)


def test_a_unit_time_longer_than_every_option() -> None:
    refused(lowtime.InvalidProfile, "unit time 5.*longer", dag_of({"a": FINE}, unit_time=5))


def test_mixed_unit_times() -> None:
    dag = dag_of({"a": FINE})
    dag.add_node("b", **dag_of({"b": FINE}, unit_time=0.5).nodes["b"])
    refused(lowtime.InvalidProfile, "'b'.*0.5.*'a'.*1", dag)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, None, "5 J", "5", 1 + 2j, [1]])
@pytest.mark.parametrize("model", MODELS)
def test_costs_edited_to_what_is_no_number(bad: Any, model: Model) -> None:
    dag = dag_of({"a": FINE, "b": FINE}, model=model)
    dag.nodes["b"]["op"].spec.options.options[0].cost = bad
    refused(lowtime.InvalidProfile, "'b'.*cost", dag)


@pytest.mark.parametrize("bad", [math.nan, math.inf, None, "expensive", "5", 1j])
def test_a_model_that_returns_no_number(bad: Any) -> None:
    class Broken(CostModel):
        def __call__(self, quant_time: int) -> float:
            value: float = bad if quant_time == 2 else 3.0
            return value

    dag = dag_of({"a": [(1, 3), (3, 1)]}, model=lambda _: Broken())
    refused(lowtime.InvalidProfile, "'a'.*2 quanta", dag)


@pytest.mark.parametrize(
    "bad", [[1.0], [1.0, 2.0, 3.0], [[2.0, 1.0]], [math.nan, 1.0], [1.0, math.inf], "ab", 3.0]
)
def test_marginals_of_the_wrong_shape_or_value(bad: Any) -> None:
    class Broken(CostModel):
        def __call__(self, quant_time: int) -> float:
            return 9.0 - quant_time

        def marginals(self, lo: int, hi: int) -> Any:
            return bad

    dag = dag_of({"a": [(1, 3), (3, 1)]}, model=lambda _: Broken())
    refused(lowtime.InvalidProfile, "'a'", dag)


def test_a_subclass_with_costs_of_its_own_is_not_asked_for_its_parents_marginals() -> None:
    from lowtime.cost_model import PiecewiseLinearModel

    class Taxed(PiecewiseLinearModel):
        def __call__(self, quant_time: int) -> float:
            return 10 * super().__call__(quant_time)

    dag = dag_of({"a": [(1, 4), (2, 2), (3, 1)]}, model=Taxed)
    assert lowtime.solve(dag).costs.tolist() == [10.0, 20.0, 40.0]


def test_what_a_model_raises_passes_unchanged() -> None:
    class Broken(CostModel):
        def __call__(self, quant_time: int) -> float:
            raise ZeroDivisionError("of the model's own")

    with pytest.raises(ZeroDivisionError, match="own"):
        lowtime.solve(dag_of({"a": FINE}, model=lambda _: Broken()))


@pytest.mark.parametrize("model", [*MODELS, lambda options: dict(points_of(options)).get])
@pytest.mark.parametrize("steps", [1, 2])
def test_costs_that_differ_by_more_than_a_float64_holds(model: Model, steps: int) -> None:
    options = [(1 + k, 1.7e308 * (1 - 2 * k / steps)) for k in range(steps + 1)]
    refused(lowtime.InvalidProfile, "'a'.*(scale|finite)", dag_of({"a": options}, model=model))


def test_costs_that_sum_to_more_than_a_float64_holds() -> None:
    dag = dag_of({"a": [(1, 1.5e308), (2, 1e308)], "b": [(1, 1.5e308), (2, 1e308)]})
    refused(lowtime.CapacityRange, "scale", dag)


def test_times_beyond_64_bits() -> None:
    refused(lowtime.CapacityRange, "longer unit", dag_of({"a": [(1.0, 3), (1e300, 1)]}))
    chain = {node: [(1, 3), (2**60, 1)] for node in range(9)}
    refused(lowtime.CapacityRange, "longer unit", dag_of(chain, pairwise(range(9))))


def test_a_refused_project_never_reaches_a_backend() -> None:
    with pytest.raises(lowtime.InvalidGraph):
        lowtime.solve(nx.DiGraph(), backend="no-such-backend")


# ------------------------------------------------------------------ hulls, and their one warning


def test_one_warning_for_the_whole_project_names_the_operation_hulled_most() -> None:
    dented = [(1, 11), (2, 10), (3, 0)]
    worse = [(1, 110), (2, 109), (3, 0)]
    dag = dag_of({"a": dented, "b": FINE, "c": worse, "d": [(3, 8)]})
    with pytest.warns(UserWarning, match=r"2 of 4 operations.*'c'.* 54 ") as caught:
        lowtime.solve(dag)
    assert len(caught) == 1
    assert caught[0].filename == __file__


@pytest.mark.parametrize("model", [*MODELS, lambda options: dict(points_of(options)).get])
def test_a_hull_costs_less_than_the_options_that_are_chosen(model: Model) -> None:
    dag = dag_of({"a": [(1, 11), (2, 10), (3, 0)]}, model=model)
    with pytest.warns(UserWarning, match="not convex"):
        frontier = lowtime.solve(dag)
    assert frontier.costs.tolist() == [0.0, 5.5, 11.0]
    assert frontier.measured_costs.tolist() == [0.0, 10.0, 11.0]


def points_of(options: CandidateExecutionOptions[Any]) -> list[tuple[int, float]]:
    """(quanta, cost) of candidates."""
    return [(option.quant_time, float(option.cost)) for option in options.options]


def test_options_slower_than_the_cheapest_one_are_no_reason_to_warn() -> None:
    dag = dag_of({"a": [(1, 5), (2, 2), (3, 1)]})
    dag.nodes["a"]["op"].spec.options.options[0].cost = 9  # the slowest, now the dearest
    assert lowtime.solve(dag).costs.tolist() == [2.0, 5.0]


def test_a_dent_of_rounding_noise_is_no_reason_to_warn() -> None:
    dag = dag_of({"a": [(1, 2.0), (2, 1.0 + 1e-12), (3, 0.0)]})
    assert len(lowtime.solve(dag)) == 3


# --------------------------------------------------------- limits, progress, checks, provenance


def long_chain() -> nx.DiGraph[Any]:
    """A chain whose frontier has two segments for every node, of one step each."""
    nodes = range(60)
    return dag_of({i: [(1, 40 + i), (9, 20), (20, 1)] for i in nodes}, pairwise(nodes))


def test_a_time_limit_gives_what_there_is() -> None:
    dag = long_chain()
    part = lowtime.solve(dag, backend="scipy", check="always", time_limit=0.0)
    assert not part.complete
    whole = lowtime.solve(dag, backend="scipy")
    assert whole.complete
    assert 1 < len(part) < len(whole)
    assert part.costs.tolist() == whole.costs[: len(part)].tolist()
    assert part.plan(-1).quanta == whole.plan(len(part) - 1).quanta


@pytest.mark.parametrize("limit", [-1.0, math.nan])
def test_a_time_limit_below_zero_is_refused(limit: float) -> None:
    with pytest.raises(ValueError, match="time_limit"):
        lowtime.solve(dag_of({"a": FINE}), time_limit=limit)


def test_progress_rises_to_the_total(backend_name: str) -> None:
    calls: list[tuple[int, int]] = []
    frontier = lowtime.solve(
        long_chain(), backend=backend_name, progress=lambda *call: calls.append(call)
    )
    total = len(frontier) - 1
    done = [done for done, _ in calls]
    assert {total for _, total in calls} == {total}
    assert done == sorted(done)
    assert done[-1] == total


def test_an_exception_of_progress_ends_the_solve() -> None:
    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        lowtime.solve(long_chain(), backend="scipy", progress=stop)


@pytest.mark.parametrize("check", ["always", "final", "off"])
def test_checks_change_no_plan(check: str, backend_name: str) -> None:
    dag = random_project(Random(5), 10, dense_tables=False, max_slope=4).dag()
    frontier = lowtime.solve(dag, backend=backend_name, check=check)
    assert frontier.provenance.certificate == check
    assert frontier.digest() == lowtime.solve(dag, backend="scipy").digest()


def test_an_unknown_check_is_refused() -> None:
    with pytest.raises(ValueError, match="sometimes"):
        lowtime.solve(dag_of({"a": FINE}), check="sometimes")


def test_a_default_check_suits_the_backend(backend_name: str) -> None:
    # Proving every state of a tracer costs extra; proving every flow of a solver is how it is used.
    provenance = lowtime.solve(dag_of({"a": FINE}), backend=backend_name).provenance
    assert provenance.certificate == ("final" if backend_name == "rust" else "always")


def test_provenance_tells_where_a_frontier_comes_from() -> None:
    provenance = lowtime.solve(dag_of({"a": FINE}), backend="scipy").provenance
    assert provenance.backend == "scipy"
    assert provenance.backend_version
    assert provenance.lowtime_version == lowtime.__version__
    assert provenance.counters["steps"] == 1
    assert set(provenance.seconds) >= {"compile", "trace"}
    assert all(seconds >= 0 for seconds in provenance.seconds.values())


@pytest.mark.parametrize("check", ["always", "final"])
def test_a_backend_that_finds_too_little_flow_is_a_fault(check: str) -> None:
    from lowtime_scipy import ScipyBackend

    from lowtime.flow.result import MaxFlow

    class Lazy:
        info = lowtime.BackendInfo("lazy", "1", 2**50, 2**50)

        def max_flow(self, network: lowtime.FlowNetwork, /) -> MaxFlow:
            result = ScipyBackend().max_flow(network)
            return result if result.value < 4 else MaxFlow(0, np.zeros_like(result.flow))

    dag = dag_of({"a": [(1, 30), (3, 4), (5, 1)]})
    with pytest.raises(BackendFault, match="'lazy'"):
        lowtime.solve(dag, backend=Lazy(), check=check)
