"""Before/after pairs share their axes; figures are written whole, as vectors, reproducibly."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import pytest

import lowtime
from lowtime.operation import CandidateExecutionOptions, ExecutionOption, Operation, OperationSpec
from lowtime.report.figures import before_after, save_figure


@pytest.fixture(scope="module")
def frontier() -> lowtime.Frontier:
    pairs = [(1.0, 10.0, 2), (3.0, 4.0, 1)]
    table = [ExecutionOption(real_time=t, unit_time=1.0, cost=c, knob=k) for t, c, k in pairs]
    dag = nx.DiGraph()
    dag.add_node("a", op=Operation(OperationSpec(CandidateExecutionOptions(table), None)))
    return lowtime.solve(dag, backend="scipy")


def test_a_pair_shares_time_axis_and_tells_the_change(frontier: lowtime.Frontier) -> None:
    figure = before_after(frontier.plan(-1), frontier.plan(0))
    upper, lower = figure.axes[:2]
    assert upper.get_xlim() == lower.get_xlim() == (0, 3.0)
    assert "cost 10" in upper.get_title("left")
    assert "-60.0 %" in lower.get_title("left")
    assert len(figure.axes) == 3  # one key of colours for both


@pytest.mark.parametrize("kind", ["pdf", "svg"])
def test_a_figure_is_the_same_file_each_time(
    frontier: lowtime.Frontier, tmp_path: Path, kind: str
) -> None:
    for name in ("one", "two"):
        save_figure(frontier.plot().figure, tmp_path / f"{name}.{kind}")
    first = (tmp_path / f"one.{kind}").read_bytes()
    assert first == (tmp_path / f"two.{kind}").read_bytes()
    assert b"<image" not in first
    assert b"/Subtype /Image" not in first
    assert sorted(p.name for p in tmp_path.iterdir()) == [f"one.{kind}", f"two.{kind}"]


def test_text_in_vector_figures_stays_text(frontier: lowtime.Frontier, tmp_path: Path) -> None:
    save_figure(frontier.plot().figure, tmp_path / "frontier.svg")
    assert ">time [s]</text>" in (tmp_path / "frontier.svg").read_text()


def test_a_failed_figure_leaves_nothing(frontier: lowtime.Frontier, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="nonsense"):
        save_figure(frontier.plot().figure, tmp_path / "frontier.nonsense")
    assert list(tmp_path.iterdir()) == []
