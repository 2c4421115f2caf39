"""One frontier, timed: a program for lowtime 0.3.0 that also runs with today's lowtime.

    python bench/one_frontier.py PROFILE.csv FIT.json UNIT_TIME BLOCKING_POWER MICROBATCHES
        [BACKEND]

Prints JSON: ``seconds`` from the DAG to the last point, ``points`` without the longest schedule,
and the ``costs`` of these. With BACKEND, `lowtime.solve` makes the frontier, else
`PhillipsDessouky`.
"""

import csv
import json
import sys
import time
from collections import defaultdict

import networkx as nx

from lowtime.cost_model import ExponentialModel
from lowtime.graph_utils import add_sink_node, add_source_node
from lowtime.operation import CandidateExecutionOptions, ExecutionOption, OperationSpec
from lowtime.perseus.instruction import Backward, Forward
from lowtime.perseus.schedule import Synchronous1F1B
from lowtime.solver import PhillipsDessouky

STAGES = 8


def read_specs(path, fit_path, unit_time, blocking_power):
    tables = defaultdict(list)
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            option = ExecutionOption(
                real_time=float(row["time"]),
                unit_time=unit_time,
                cost=float(row["energy"]),
                knob=int(row["frequency"]),
            )
            tables[int(row["stage"]), row["instruction"]].append(option)
    with open(fit_path) as file:
        fits = json.load(file)
    specs = {}
    for (stage, instruction), options in tables.items():
        candidates = CandidateExecutionOptions(options=options)
        for option in candidates.options:
            option.cost -= blocking_power * option.quant_time * unit_time
        coefficients = tuple(fits[f"{stage}/{instruction}"])
        model = ExponentialModel(candidates, initial_guess=coefficients)
        model.coefficients = coefficients  # not refitted: all versions solve the same problem
        specs[stage, instruction] = OperationSpec(options=candidates, cost_model=model)
    return specs


def pipeline(specs, microbatches):
    dag = nx.DiGraph()
    at = {}
    for stage in range(STAGES):
        operation_specs = {Forward: specs[stage, "forward"], Backward: specs[stage, "backward"]}
        previous = None
        for instruction in Synchronous1F1B(
            num_stages=STAGES,
            num_micro_batches=microbatches,
            stage_id=stage,
            operation_spec_map=operation_specs,
        ):
            node = len(at)
            at[type(instruction), stage, instruction.micro_batch_id] = node
            dag.add_node(node, op=instruction)
            if previous is not None:
                dag.add_edge(previous, node)
            previous = node
    for stage in range(STAGES - 1):
        for micro in range(microbatches):
            dag.add_edge(at[Forward, stage, micro], at[Forward, stage + 1, micro])
            dag.add_edge(at[Backward, stage + 1, micro], at[Backward, stage, micro])
    source, sink = len(at), len(at) + 1
    add_source_node(dag, source)
    add_sink_node(dag, sink)
    dag.graph["source_node"] = source
    dag.graph["sink_node"] = sink
    return dag


def main(path, fit_path, unit_time, blocking_power, microbatches, backend=None):
    specs = read_specs(path, fit_path, float(unit_time), float(blocking_power))
    dag = pipeline(specs, int(microbatches))
    start = time.perf_counter()
    if backend is None:
        costs = [result.cost for result in PhillipsDessouky(dag).run()]
    else:
        import lowtime

        costs = lowtime.solve(dag, backend=backend).costs[1:].tolist()
    seconds = time.perf_counter() - start
    json.dump({"seconds": seconds, "points": len(costs), "costs": costs}, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
