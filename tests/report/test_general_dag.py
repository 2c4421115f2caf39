"""The page of a DAG that is no pipeline."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

import lowtime
from lowtime.frontier.lanes import lanes, rows
from lowtime.operation import (
    CandidateExecutionOptions,
    DummyOperation,
    ExecutionOption,
    Operation,
    OperationSpec,
)
from lowtime.report.page import write_report
from lowtime.report.terms import Terms

from .conftest import Open, run_lowtime

MACHINES = ("crane", "digger", "mixer")


def building_site(tasks: int = 24) -> nx.DiGraph[Any]:
    """A layered DAG with named knobs, a dummy, and tasks that overlap on their machine."""
    dag: nx.DiGraph[Any] = nx.DiGraph()
    for i in range(tasks):
        time = 1.0 + (i * 7 % 5) / 2
        options = [
            ExecutionOption(real_time=time * f, unit_time=0.1, cost=c * time * 10, knob=knob)
            for f, c, knob in ((1.0, 3.0, "express"), (1.5, 1.7, "normal"), (2.2, 1.0, "slow"))
        ]
        spec = OperationSpec(CandidateExecutionOptions(options), None)
        dag.add_node(f"task {i}", op=Operation(spec), machine=MACHINES[i % 3])
        for j in (i - 2, i - 5):
            if j >= 0:
                dag.add_edge(f"task {j}", f"task {i}")
    dag.add_node("handover", op=DummyOperation(), machine="nobody")
    dag.add_edge(f"task {tasks - 1}", "handover")
    return dag


@pytest.fixture(scope="module")
def frontier() -> lowtime.Frontier:
    return lowtime.solve(building_site(), backend="scipy")


@pytest.fixture(scope="module")
def by_machine(frontier: lowtime.Frontier, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("general") / "report.html"
    terms = Terms(cost_unit="EUR", knob="speed", lane="machine")
    lane = dict(building_site().nodes(data="machine"))
    write_report(frontier, path, title="A building site", terms=terms, lane=lane)
    return path


def test_lanes_are_the_attribute(
    open_page: Open, frontier: lowtime.Frontier, by_machine: Path, artifacts: Path
) -> None:
    opened = open_page(by_machine)
    assert opened.evaluate("lowtimeReport.data.lanes") == list(MACHINES)
    assert opened.page.locator("#split").is_hidden()  # waiting costs nothing here
    assert opened.page.locator("h2", has_text="cost").count() > 0
    titles = opened.page.locator("#lanes-table thead th").all_inner_texts()
    assert titles[0] == "machine"
    opened.page.screenshot(path=artifacts / "report-general.png", full_page=True)


@pytest.mark.parametrize("choice", ["packed", "machine"])
def test_rows_are_those_of_the_figures(
    open_page: Open, frontier: lowtime.Frontier, tmp_path: Path, choice: str
) -> None:
    lane = "packed" if choice == "packed" else dict(building_site().nodes(data="machine"))
    write_report(frontier, tmp_path / "report.html", lane=lane)
    opened = open_page(tmp_path / "report.html")
    for point in (0, len(frontier) // 2, len(frontier) - 1):
        opened.evaluate("(point) => lowtimeReport.select(point)", point)
        found = opened.evaluate(
            "[Array.from(lowtimeReport.timeline.layout.row), lowtimeReport.timeline.layout.heights]"
        )
        row, height = rows(frontier.plan(point), lanes(frontier.problem, lane))
        assert found == [row.tolist(), height.tolist()]


def test_queries_work_on_costs(
    open_page: Open, frontier: lowtime.Frontier, by_machine: Path
) -> None:
    opened = open_page(by_machine)
    for cost in (frontier.costs[5], frontier.costs[-1]):
        opened.page.locator("#budget").fill(repr(float(cost)))
        opened.page.locator("#budget").press("Enter")
        assert opened.point() == frontier.at_budget(float(cost)).index


def test_a_frontier_of_one_point_can_be_shown(open_page: Open, tmp_path: Path) -> None:
    option = ExecutionOption(real_time=1.0, unit_time=1.0, cost=5.0, knob="only")
    dag: nx.DiGraph[Any] = nx.DiGraph()
    dag.add_node("a", op=Operation(OperationSpec(CandidateExecutionOptions([option]), None)))
    write_report(lowtime.solve(dag, backend="scipy"), tmp_path / "report.html")
    opened = open_page(tmp_path / "report.html")
    assert opened.text("facts").startswith("1 plan \u00b7 1 operation \u00b7")
    assert "1 operation on" in (opened.page.locator("#timeline").get_attribute("aria-label") or "")
    assert opened.point() == 0
    assert opened.page.get_by_role("button", name="One step longer").is_disabled()


def test_a_project_of_dummies_can_be_shown(open_page: Open, tmp_path: Path) -> None:
    dag: nx.DiGraph[Any] = nx.DiGraph()
    dag.add_node("nothing", op=DummyOperation())
    write_report(lowtime.solve(dag, backend="scipy"), tmp_path / "report.html")
    assert open_page(tmp_path / "report.html").point() == 0


def test_a_file_of_any_frontier_becomes_a_page(
    open_page: Open, frontier: lowtime.Frontier, tmp_path: Path
) -> None:
    frontier.save(tmp_path / "site.npz")
    said = run_lowtime("report", tmp_path / "site.npz", "-o", tmp_path / "site.html")
    assert f"{len(frontier):,} plans" in said
    opened = open_page(tmp_path / "site.html")
    assert opened.page.title() == "site"
    with opened.page.expect_download() as waiting:
        opened.page.locator("#downloads").get_by_role("button", name="JSON").click()
    waiting.value.save_as(tmp_path / "plan.json")
    (plan,) = json.loads((tmp_path / "plan.json").read_text())
    knobs = {operation["node"]: operation["knob"] for operation in plan["operations"]}
    assert knobs == frontier.plan(opened.point()).knobs
