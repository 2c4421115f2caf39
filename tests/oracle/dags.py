"""DAGs of operations, from plain numbers and at random."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any

import networkx as nx
from hypothesis import strategies as st

from lowtime.cost_model import PiecewiseLinearModel
from lowtime.operation import (
    CandidateExecutionOptions,
    DummyOperation,
    ExecutionOption,
    Operation,
    OperationSpec,
)
from oracle.networks import seeded

Options = Sequence[tuple[Any, Any]]  # (time, cost)
Model = Callable[[CandidateExecutionOptions[Any]], Any]


def hull_of_options(options: CandidateExecutionOptions[Any]) -> None:
    """The cost model None: lowtime takes the hull of the options itself."""


def operation_of(
    options: Options, unit_time: Any = 1, model: Model = hull_of_options
) -> Operation[Any]:
    """An operation with the given (time, cost) options; its knobs are ``"k0"``, ``"k1"``, ..."""
    candidates = CandidateExecutionOptions(
        [
            ExecutionOption(real_time=time, unit_time=unit_time, cost=cost, knob=f"k{i}")
            for i, (time, cost) in enumerate(options)
        ]
    )
    return Operation(OperationSpec(candidates, model(candidates)))


def dag_of(
    operations: Mapping[Any, Options | None],
    edges: Iterable[tuple[Hashable, Hashable]] = (),
    unit_time: Any = 1,
    model: Model = hull_of_options,
    attr_name: str = "op",
) -> nx.DiGraph[Any]:
    """A DAG with one operation for every name; None makes a dummy."""
    dag: nx.DiGraph[Any] = nx.DiGraph()
    for node, options in operations.items():
        operation = DummyOperation() if options is None else operation_of(options, unit_time, model)
        dag.add_node(node, **{attr_name: operation})
    dag.add_edges_from(edges)
    return dag


@dataclass(frozen=True)
class RandomProject:
    """The numbers behind a random DAG: times in quanta, integer costs."""

    operations: dict[int, list[tuple[int, int]] | None]
    edges: list[tuple[int, int]] = field(default_factory=list)

    def dag(self, scale: float = 1.0, model: Model = hull_of_options) -> nx.DiGraph[Any]:
        """The DAG, with every cost times ``scale``."""
        scaled = {
            node: None if options is None else [(t, c * scale) for t, c in options]
            for node, options in self.operations.items()
        }
        return dag_of(scaled, self.edges, model=model)


MODELS: tuple[Model, ...] = (hull_of_options, PiecewiseLinearModel)


def projects(
    max_nodes: int = 8, dense_tables: bool = False, max_slope: int = 6
) -> st.SearchStrategy[RandomProject]:
    """Projects with several sources and sinks, dummies, fixed operations and zero durations.

    Tables are linear, kinked or flat at their long end, with few different slopes, so that many
    cuts tie. With ``dense_tables`` every number of quanta is an option: marginals are integers.
    """
    return seeded(lambda random: random_project(random, max_nodes, dense_tables, max_slope))


def random_project(
    random: Random, max_nodes: int, dense_tables: bool, max_slope: int
) -> RandomProject:
    """See `projects`."""
    count = random.randint(1, max_nodes)
    operations: dict[int, list[tuple[int, int]] | None] = {}
    for node in range(count):
        if random.random() < 0.1:
            operations[node] = None
            continue
        time, cost = random.randint(0, 2), random.randint(-5, 20)
        options = [(time, cost)]
        slopes = [random.randint(0, max_slope) for _ in range(random.randint(0, 3))]
        for slope in sorted(slopes, reverse=True):
            length = 1 if dense_tables else random.randint(1, 3)
            time, cost = time + length, cost - slope * length
            options.append((time, cost))
        operations[node] = options
    if all(options is None or options[-1][0] == 0 for options in operations.values()):
        operations[0] = [(1, 3), (2, 1)]
    chance = random.choice([0.15, 0.4])
    edges = [(u, v) for v in range(count) for u in range(v) if random.random() < chance]
    return RandomProject(operations, edges)


def exact(value: Any) -> Fraction:
    """A number of a case file, exactly: an int, or a decimal or fraction in a string."""
    return Fraction(value)
