"""A project as JSON, so that every version of lowtime reads the same one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import networkx as nx

from lowtime.cost_model import ExponentialModel


def write_project(dag: nx.DiGraph[Any], file: Path) -> None:
    """Write nodes, edges and specs (options and the coefficients of the fit).

    Args:
        dag: operations with exponential cost models.
        file: where to.
    """
    nodes = list(dag.nodes)
    index = {node: i for i, node in enumerate(nodes)}
    specs: dict[int, int] = {}
    stored = []
    spec_of = []
    for node in nodes:
        spec = dag.nodes[node]["op"].spec
        if id(spec) not in specs:
            specs[id(spec)] = len(stored)
            model = spec.cost_model
            assert isinstance(model, ExponentialModel)
            stored.append(
                {
                    "options": [
                        [option.real_time, option.cost, option.knob]
                        for option in spec.options.options
                    ],
                    "unit_time": spec.options.options[0].unit_time,
                    "coefficients": [float(x) for x in model.coefficients],
                }
            )
        spec_of.append(specs[id(spec)])
    edges = [[index[u], index[v]] for u, v in dag.edges]
    file.write_text(json.dumps({"specs": stored, "spec_of": spec_of, "edges": edges}))
