"""The names of lowtime 0.3.0, and the page that says what became of it."""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
PAGE = TESTS.parent / "docs" / "compatibility.md"

NAMES = {
    "lowtime.operation": (
        "ExecutionOption",
        "CandidateExecutionOptions",
        "OperationSpec",
        "Operation",
        "DummyOperation",
    ),
    "lowtime.cost_model": ("CostModel", "ExponentialModel"),
    "lowtime.solver": ("PhillipsDessouky", "IterationResult"),
    "lowtime.graph_utils": (
        "add_source_node",
        "add_sink_node",
        "DependencyResolver",
        "aon_dag_to_aoa_dag",
        "aoa_to_critical_dag",
        "get_total_cost",
        "relabel_nodes_to_int",
        "get_critical_aoa_dag_total_time",
        "get_critical_aon_dag_total_time",
    ),
    "lowtime.exceptions": ("LowtimeBaseError", "LowtimeFlowError", "LowtimeGraphError"),
    "lowtime.perseus.instruction": (
        "Instruction",
        "Forward",
        "Backward",
        "ForwardBackward",
        "Recomputation",
        "forward_dep",
        "backward_dep",
        "DependencyResolver",
    ),
    "lowtime.perseus.schedule": (
        "PipelineSchedule",
        "Synchronous1F1B",
        "EarlyRecomputation1F1B",
    ),
    "lowtime.perseus.visualizer": (
        "PipelineVisualizer",
        "ANNOTATE_ARGS",
        "LINE_ARGS",
        "RECTANGLE_ARGS",
    ),
}


@pytest.mark.parametrize(
    ("module", "name"), [(module, name) for module, names in NAMES.items() for name in names]
)
def test_every_published_name_can_be_imported(module: str, name: str) -> None:
    assert hasattr(importlib.import_module(module), name)


def rows() -> list[str]:
    equal_and_better = PAGE.read_text(encoding="utf-8").split("## Gone")[0]
    return [
        line
        for line in equal_and_better.splitlines()
        if line.startswith("| ") and not re.match(r"\| (---|what|0\.3\.0) ", line)
    ]


def test_the_page_has_its_rows() -> None:
    assert len(rows()) > 40


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.split("|")[1].strip()[:40])
def test_every_row_of_the_page_names_tests_that_exist(row: str) -> None:
    named = re.findall(r"`([\w/]+\.py)::(\w+)`", row.rsplit("|", 2)[1])
    assert named
    for file, test in named:
        tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
        functions = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        assert test in functions
