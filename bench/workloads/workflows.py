"""Executed scientific workflows in WfFormat, read where they lie beside the repository."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import networkx as nx

from bench.workloads.operations import spec_of
from bench.workloads.workload import Workload
from lowtime.operation import Operation

FOLDER = Path(__file__).parents[3] / "shared/data/workflows"
QUANTA = 40  # of the median task


def workflow_dag(file: Path) -> nx.DiGraph[Any]:
    """The tasks of a workflow, each as long as it ran; slower, cheaper machines are made up.

    Args:
        file: WfFormat 1.5.
    """
    workflow = json.loads(file.read_text())["workflow"]
    seconds = {task["id"]: task["runtimeInSeconds"] for task in workflow["execution"]["tasks"]}
    unit_time = max(sorted(seconds.values())[len(seconds) // 2] / QUANTA, 1e-6)
    dag: nx.DiGraph[Any] = nx.DiGraph()
    for task in workflow["specification"]["tasks"]:
        spec = spec_of(max(seconds[task["id"]], unit_time), unit_time=unit_time)
        dag.add_node(task["id"], op=Operation(spec))
    for task in workflow["specification"]["tasks"]:
        dag.add_edges_from((task["id"], child) for child in task["children"])
    return dag


def _files() -> list[Path]:
    return sorted(FOLDER.glob("*.json"))


def _nth(index: int) -> nx.DiGraph[Any]:
    return workflow_dag(_files()[index])


_FOUND = len(_files())
WORKFLOWS = Workload(
    "workflow",
    "project",
    "file",
    tuple(range(_FOUND)),
    0,
    _nth,
    missing="" if _FOUND else f"no workflows in {FOLDER}",
)
