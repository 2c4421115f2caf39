"""Timelines of plans: every operation once, in its lane, at its time."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from matplotlib.collections import PolyCollection

import lowtime
from lowtime.errors import InvalidGraph
from lowtime.frontier.lanes import lanes, rows
from lowtime.operation import (
    CandidateExecutionOptions,
    DummyOperation,
    ExecutionOption,
    Operation,
    OperationSpec,
)


def spec(knobs: tuple[Any, Any] = (1410, 1005)) -> OperationSpec[Any]:
    pairs = zip((1.0, 2.0), (10.0, 6.0), knobs, strict=True)
    options = [ExecutionOption(real_time=t, unit_time=1.0, cost=c, knob=k) for t, c, k in pairs]
    return OperationSpec(CandidateExecutionOptions(options), None)


@pytest.fixture
def frontier() -> lowtime.Frontier:
    """Two machines; (0, "b") and (1, "c") run side by side; (1, "c") has slack."""
    dag = nx.DiGraph()
    for node in [(0, "a"), (0, "b"), (0, "d"), (0, "e"), (1, "c")]:
        dag.add_node(node, op=Operation(spec()))
    dag.add_node("end", op=DummyOperation())
    dag.add_edges_from(
        [
            ((0, "a"), (0, "b")),
            ((0, "b"), (0, "d")),
            ((0, "d"), (0, "e")),
            ((0, "a"), (1, "c")),
            ((1, "c"), "end"),
        ]
    )
    return lowtime.solve(dag, backend="scipy")


def boxes(ax: Any) -> dict[str, list[tuple[float, ...]]]:
    """(left, top, right, bottom) of the bars with slack and of the critical ones."""
    found = {}
    for name, collection in zip(
        ("slack", "critical"),
        [c for c in ax.collections if isinstance(c, PolyCollection)],
        strict=True,
    ):
        found[name] = [
            (*path.vertices.min(axis=0), *path.vertices.max(axis=0))
            for path in collection.get_paths()
        ]
    return found


def test_bars_are_where_the_plan_says(frontier: lowtime.Frontier) -> None:
    plan = frontier.plan(-1)
    drawn = boxes(plan.plot(lane="packed"))
    spans = {
        (plan.start_times[node], plan.start_times[node] + plan.durations[node])
        for node in plan.critical
    }
    assert {(box[0], box[2]) for box in drawn["critical"]} == spans
    (slack,) = drawn["slack"]
    assert (slack[0], slack[2]) == (1.0, 3.0)


def test_critical_bars_are_taller(frontier: lowtime.Frontier) -> None:
    drawn = boxes(frontier.plan(-1).plot(lane="packed"))
    height = {name: {round(b[3] - b[1], 6) for b in found} for name, found in drawn.items()}
    assert min(height["critical"]) > max(height["slack"])


def test_dummies_are_not_drawn(frontier: lowtime.Frontier) -> None:
    drawn = boxes(frontier.plan(0).plot(lane="packed"))
    assert sum(len(found) for found in drawn.values()) == 5


@pytest.mark.parametrize(
    "choice",
    [
        0,
        lambda node: node[0],
        {(0, "a"): 0, (0, "b"): 0, (0, "d"): 0, (0, "e"): 0, (1, "c"): 1},
        None,
    ],
)
def test_lanes_by_attribute(frontier: lowtime.Frontier, choice: Any) -> None:
    found = lanes(frontier.problem, choice)
    assert found.labels == (0, 1)
    assert found.of.tolist() == [0, 0, 0, 0, 1, -1]
    ax = frontier.plan(0).plot(lane=choice)
    assert [text.get_text() for text in ax.get_yticklabels()] == ["0", "1"]


def test_packed_rows_never_overlap_and_are_few(frontier: lowtime.Frontier) -> None:
    plan = frontier.plan(0)
    row, height = rows(plan, lanes(frontier.problem, "packed"))
    start, end = plan.start_quanta, plan.start_quanta + plan.operation_quanta
    for i in range(5):
        for j in range(i):
            assert row[i] != row[j] or end[i] <= start[j] or end[j] <= start[i]
    assert height.tolist() == [2]


def test_a_lane_grows_rows_where_its_operations_overlap(frontier: lowtime.Frontier) -> None:
    _, height = rows(frontier.plan(0), lanes(frontier.problem, lambda node: "all"))
    assert height.tolist() == [2]


@pytest.mark.parametrize("choice", [2, {(0, "a"): 1}, "machine", lambda node: node[5]])
def test_a_node_without_lane_is_named(frontier: lowtime.Frontier, choice: Any) -> None:
    with pytest.raises(InvalidGraph, match="lane"):
        lanes(frontier.problem, choice)


def test_power_includes_the_base_power(frontier: lowtime.Frontier) -> None:
    ax = frontier.plan(0).plot(color="power", base_power=5.0)
    key = ax.figure.axes[1]
    assert key.get_ylim() == pytest.approx((6.0 / 2.0 + 5.0, 10.0 / 1.0 + 5.0))


def test_knobs_that_are_no_numbers_are_categories() -> None:
    dag = nx.DiGraph()
    dag.add_node("a", op=Operation(spec(("big", "small"))))
    ax = lowtime.solve(dag, backend="scipy").plan(0).plot()
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["big", "small"]


def test_an_unknown_colouring_is_refused(frontier: lowtime.Frontier) -> None:
    with pytest.raises(ValueError, match="knob"):
        frontier.plan(0).plot(color="rainbow")


def test_wide_bars_carry_their_label(frontier: lowtime.Frontier) -> None:
    ax = frontier.plan(0).plot(label=lambda node: f"{node[1]}!")
    assert {text.get_text() for text in ax.texts} == {"a!", "b!", "c!", "d!", "e!"}


def test_a_project_without_operations_has_an_empty_timeline() -> None:
    dag = nx.DiGraph()
    dag.add_node(0, op=DummyOperation())
    plan = lowtime.solve(dag, backend="scipy").plan(0)
    assert np.isfinite(plan.plot().get_xlim()).all()
