"""Record what lowtime 0.3.0 does, as goldens for the compatibility tests.

Run with an interpreter that has ``lowtime==0.3.0`` installed, from the root of the repository::

    python -m venv /tmp/v030 && /tmp/v030/bin/pip install lowtime==0.3.0 'matplotlib<3.9'
    /tmp/v030/bin/python bench/record_as_published.py

It writes ``tests/data/v030/``: every point of the two A100 pipelines with 12 micro-batches (digest
of the durations, cost), and every point of small random projects (all durations and times).
"""

from __future__ import annotations

import csv
import hashlib
import json
import random
import struct
from itertools import product
from pathlib import Path

import networkx as nx

from lowtime.cost_model import CostModel, ExponentialModel
from lowtime.graph_utils import (
    DependencyResolver,
    add_sink_node,
    add_source_node,
    aoa_to_critical_dag,
    aon_dag_to_aoa_dag,
)
from lowtime.operation import (
    CandidateExecutionOptions,
    ExecutionOption,
    Operation,
    OperationSpec,
)
from lowtime.perseus.instruction import (
    Backward,
    Forward,
    Instruction,
    backward_dep,
    forward_dep,
)
from lowtime.perseus.schedule import Synchronous1F1B
from lowtime.solver import PhillipsDessouky

DATA = Path(__file__).parents[1] / "tests" / "data"
NAMES = {Forward: "forward", Backward: "backward"}


def pipeline(model: str, unit_time: float, blocking_power: float, micro_batches: int) -> nx.DiGraph:
    """The DAG as the published example programs build it."""
    rows: dict[tuple[int, str], list[dict[str, str]]] = {}
    with open(DATA / "sosp24" / "stage_profile" / f"{model}_bf16.csv", newline="") as file:
        for row in csv.DictReader(file):
            rows.setdefault((int(row["stage"]), row["instruction"]), []).append(row)
    fits = json.loads((DATA / "sosp24" / "published_fit" / f"{model}_bf16.json").read_text())
    dag = nx.DiGraph()
    for stage in range(8):
        specs = {}
        for kind, name in NAMES.items():
            options = CandidateExecutionOptions[int](
                options=[
                    ExecutionOption[int](
                        real_time=float(row["time"]),
                        unit_time=unit_time,
                        cost=float(row["energy"]),
                        knob=int(row["frequency"]),
                    )
                    for row in rows[stage, name]
                ]
            )
            for option in options.options:
                option.cost -= blocking_power * option.quant_time * unit_time
            fit = fits[f"{stage}/{name}"]
            model_of = ExponentialModel(options, initial_guess=fit)
            model_of.coefficients = tuple(fit)
            specs[kind] = OperationSpec[int](options=options, cost_model=model_of)
        previous = None
        for instruction in Synchronous1F1B(8, micro_batches, stage, specs):
            node = dag.number_of_nodes()
            dag.add_node(node, op=instruction)
            if previous is not None:
                dag.add_edge(previous, node)
            previous = node
    resolver = DependencyResolver([forward_dep, backward_dep], node_type=Instruction)
    for first, second in product(list(dag.nodes), list(dag.nodes)):
        if resolver.is_dependent(dag.nodes[first]["op"], dag.nodes[second]["op"]):
            dag.add_edge(first, second)
    for name, add in (("source_node", add_source_node), ("sink_node", add_sink_node)):
        dag.graph[name] = dag.number_of_nodes()
        add(dag, dag.graph[name])
    return dag


class TableModel(CostModel):
    """A cost for every duration."""

    def __init__(self, costs: dict[int, float]) -> None:
        self.costs = costs

    def __call__(self, quant_time: int) -> float:
        return self.costs[quant_time]


def random_project(seed: int) -> nx.DiGraph:
    """A small DAG with strictly convex costs; Python's generator is the same everywhere."""
    rng = random.Random(seed)
    dag = nx.DiGraph()
    count = rng.randint(2, 9)
    for node in range(count):
        shortest = rng.randint(1, 4)
        longest = shortest + rng.choice([0, 1, 2, 3, 4, 5])
        savings = sorted(rng.uniform(0.1, 10.0) for _ in range(longest - shortest))
        costs = {longest: rng.uniform(1.0, 5.0)}
        for duration, saving in zip(range(longest - 1, shortest - 1, -1), savings, strict=False):
            costs[duration] = costs[duration + 1] + saving
        options = CandidateExecutionOptions(
            options=[
                ExecutionOption(real_time=float(d), unit_time=1.0, cost=costs[d], knob=d)
                for d in range(shortest, longest + 1)
            ]
        )
        # The published solver also asks for durations one quantum outside of the options.
        costs[longest + 1], costs[shortest - 1] = costs[longest], costs[shortest] + 100.0
        model = TableModel(costs)
        dag.add_node(node, op=Operation(spec=OperationSpec(options=options, cost_model=model)))
    for tail in range(count):
        for head in range(tail + 1, count):
            if rng.random() < 0.35:
                dag.add_edge(tail, head)
    for name, add in (("source_node", add_source_node), ("sink_node", add_sink_node)):
        dag.graph[name] = name
        add(dag, name)
    return dag


def operations(dag: nx.DiGraph) -> list:
    """The operations that are no dummies, in the order of the nodes."""
    return [op for _, op in dag.nodes(data="op") if not op.is_dummy]


def digest(durations: list[int]) -> str:
    """16 hex digits that stand for the durations."""
    return hashlib.sha256(struct.pack(f"<{len(durations)}q", *durations)).hexdigest()[:16]


def pipeline_points(dag: nx.DiGraph) -> list[list]:
    """Digest of the durations, cost and total time of every point."""
    found = operations(dag)
    return [
        [digest([op.duration for op in found]), result.cost, result.quant_time]
        for result in PhillipsDessouky(dag).run()
    ]


def project_points(dag: nx.DiGraph) -> list[list]:
    """Cost change, cost, total time, and of every operation duration and times, at every point."""
    found = operations(dag)
    return [
        [
            result.cost_change,
            result.cost,
            result.quant_time,
            [
                [
                    op.duration,
                    op.earliest_start,
                    op.latest_start,
                    op.earliest_finish,
                    op.latest_finish,
                ]
                for op in found
            ],
        ]
        for result in PhillipsDessouky(dag).run()
    ]


def first_critical_paths(dag: nx.DiGraph) -> list[list[int]]:
    """Nodes on the first critical path found, again and again, shortened by hand in between."""
    aoa = aon_dag_to_aoa_dag(dag)
    node_of = {id(op): node for node, op in dag.nodes(data="op")}
    found = []
    for _ in range(8):
        critical = aoa_to_critical_dag(aoa)
        ends = critical.graph["source_node"], critical.graph["sink_node"]
        path = next(nx.all_simple_edge_paths(critical, *ends))
        ops = [aoa[tail][head]["op"] for tail, head in path]
        real = [op for op in ops if not op.is_dummy]
        found.append([node_of[id(op)] for op in real])
        slowest = max(real, key=lambda op: op.duration - op.min_duration)
        slowest.duration = max(slowest.duration - 1, slowest.min_duration)
    return found


def main() -> None:
    """Write all goldens."""
    folder = DATA / "v030"
    folder.mkdir(exist_ok=True)
    for model in ("gpt3-175b+a100_sxm", "bloom+a100_sxm"):
        points = pipeline_points(pipeline(model, 1e-3, 83.64, 12))
        (folder / f"{model}_mb12.json").write_text(json.dumps(points, separators=(",", ":")))
    projects = [project_points(random_project(seed)) for seed in range(40)]
    (folder / "random_projects.json").write_text(json.dumps(projects, separators=(",", ":")))
    paths = [first_critical_paths(random_project(seed)) for seed in range(40)]
    (folder / "first_critical_paths.json").write_text(json.dumps(paths, separators=(",", ":")))


if __name__ == "__main__":
    main()
