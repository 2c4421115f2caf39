"""One frontier of a project file, through any lowtime from 0.2.0 on."""

import json
import time
from itertools import islice

import networkx as nx

from lowtime.cost_model import ExponentialModel
from lowtime.operation import (
    CandidateExecutionOptions,
    ExecutionOption,
    Operation,
    OperationSpec,
)


def _specs(project):
    specs = []
    for spec in project["specs"]:
        options = [
            ExecutionOption(real_time=t, unit_time=spec["unit_time"], cost=c, knob=k)
            for t, c, k in spec["options"]
        ]
        candidates = CandidateExecutionOptions(options=options)
        coefficients = tuple(spec["coefficients"])
        model = ExponentialModel(candidates, initial_guess=coefficients)
        model.coefficients = coefficients  # not refitted: all versions solve the same problem
        specs.append(OperationSpec(options=candidates, cost_model=model))
    return specs


def _maker(file):
    """A function that makes the DAG anew, operations included; specs are shared."""
    with open(file) as stored:
        project = json.load(stored)
    specs = _specs(project)

    def make():
        dag = nx.DiGraph()
        for node, k in enumerate(project["spec_of"]):
            dag.add_node(node, op=Operation(spec=specs[k]))
        dag.add_edges_from(project["edges"])
        return dag

    return make


def published(file, points, seconds):
    """`PhillipsDessouky` as its users call it; answers the costs of its points.

    Args:
        file: of the project.
        points: as many at most; None for all.
        seconds: as many at most after the first point, but two points at least; None for no limit.
            How many points that are is settled by the first call; the others make as many.
    """
    from lowtime.graph_utils import add_sink_node, add_source_node
    from lowtime.solver import PhillipsDessouky

    make = _maker(file)

    def setup():
        dag = make()
        add_source_node(dag, "source")
        add_sink_node(dag, "sink")
        dag.graph["source_node"] = "source"
        dag.graph["sink_node"] = "sink"
        return (dag,)

    most, allowed = points, float("inf") if seconds is None else seconds

    def call(dag):
        nonlocal most, allowed
        costs = []
        for result in islice(PhillipsDessouky(dag).run(), most):
            costs.append(result.cost)
            if len(costs) == 1:
                end = time.monotonic() + allowed
            elif time.monotonic() > end:
                break
        most, allowed = len(costs), float("inf")
        return costs

    return setup, call


def ours(file, backend):
    """`lowtime.solve`, from the DAG to the whole frontier; answers the costs."""
    import lowtime

    make = _maker(file)

    def call(dag):
        # The published versions begin one quantum below the longest schedule.
        return lowtime.solve(dag, backend=backend).costs[1:].tolist()

    return lambda: (make(),), call
