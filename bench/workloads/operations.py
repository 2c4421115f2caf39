"""Operations with random options, and the DAG that they stand in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import networkx as nx
import numpy as np

from lowtime.cost_model import PiecewiseLinearModel
from lowtime.operation import CandidateExecutionOptions, ExecutionOption, Operation, OperationSpec

SPECS = 24  # distinct tables in a generated project; real ones have few, too
SLOWDOWNS = (1.0, 1.15, 1.4, 1.8, 2.5)  # machine types or clocks, fastest first
UNIT_TIME = 1.0


def options_of(seconds: float, watts: float, unit_time: float) -> list[ExecutionOption[int]]:
    """Options of work that takes so long at the fastest; power falls faster than speed."""
    return [
        ExecutionOption(
            real_time=seconds * slower,
            unit_time=unit_time,
            cost=watts * seconds / slower**1.5,
            knob=knob,
        )
        for knob, slower in enumerate(SLOWDOWNS)
    ]


def spec_of(
    seconds: float, watts: float = 100.0, unit_time: float = UNIT_TIME
) -> OperationSpec[int]:
    """A spec with a piecewise-linear cost: nothing is fitted, so that only solving is measured."""
    candidates = CandidateExecutionOptions(options_of(seconds, watts, unit_time))
    return OperationSpec(candidates, PiecewiseLinearModel(candidates))


def random_specs(rng: np.random.Generator, count: int = SPECS) -> list[OperationSpec[int]]:
    """Specs that last 8 .. 40 quanta at the fastest."""
    seconds = rng.integers(8, 41, size=count).tolist()
    watts = rng.uniform(50, 150, size=count).tolist()
    return [spec_of(float(s), w) for s, w in zip(seconds, watts, strict=True)]


def project_dag(
    specs: Sequence[OperationSpec[int]], chosen: Iterable[int], edges: Iterable[tuple[int, int]]
) -> nx.DiGraph[Any]:
    """A DAG with one operation per entry of ``chosen``, an index into ``specs``."""
    dag: nx.DiGraph[Any] = nx.DiGraph()
    for node, k in enumerate(chosen):
        dag.add_node(node, op=Operation(specs[k]))
    dag.add_edges_from(edges)
    return dag
