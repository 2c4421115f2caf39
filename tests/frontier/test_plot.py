"""Pictures of frontiers: what they draw, not how pretty it is."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

import lowtime
from lowtime.operation import CandidateExecutionOptions, ExecutionOption, Operation, OperationSpec


def one_operation(options: list[tuple[float, float, str]]) -> lowtime.Frontier:
    table = [ExecutionOption(real_time=t, unit_time=1.0, cost=c, knob=k) for t, c, k in options]
    dag = nx.DiGraph()
    dag.add_node("a", op=Operation(OperationSpec(CandidateExecutionOptions(table), None)))
    return lowtime.solve(dag, backend="scipy")


@pytest.fixture
def frontier() -> lowtime.Frontier:
    return one_operation([(1.0, 10.0, "fast"), (3.0, 4.0, "slow")])


def test_the_line_is_the_frontier(frontier: lowtime.Frontier) -> None:
    (line,) = frontier.plot().get_lines()
    assert line.get_xdata().tolist() == frontier.times.tolist()
    assert line.get_ydata().tolist() == frontier.costs.tolist()


def test_overhead_is_added_to_both_lines(frontier: lowtime.Frontier) -> None:
    ax = frontier.plot(overhead_per_second=2.0, measured=True)
    measured, model = ax.get_lines()
    assert model.get_ydata().tolist() == (frontier.costs + 2 * frontier.times).tolist()
    assert measured.get_ydata().tolist() == (frontier.measured_costs + 2 * frontier.times).tolist()


def test_plans_are_marked_where_they_are(frontier: lowtime.Frontier) -> None:
    ax = frontier.plot(marked={"fastest": frontier.plan(-1)}, overhead_per_second=1.0)
    mark = ax.get_lines()[-1]
    assert (mark.get_xdata()[0], mark.get_ydata()[0]) == (1.0, 11.0)
    assert "fastest" in [text.get_text() for text in ax.texts]


def test_a_frontier_of_one_point_is_seen() -> None:
    (line,) = one_operation([(2.0, 5.0, "only")]).plot().get_lines()
    assert line.get_marker() == "o"


def test_a_long_frontier_keeps_its_ends() -> None:
    frontier = one_operation([(1.0, 9000.0, "fast"), (8000.0, 1.0, "slow")])
    (line,) = frontier.plot().get_lines()
    drawn = np.asarray(line.get_xdata())
    assert len(drawn) < len(frontier)
    assert (drawn[0], drawn[-1]) == (frontier.times[0], frontier.times[-1])


def test_the_caller_may_style_the_line(frontier: lowtime.Frontier) -> None:
    (line,) = frontier.plot(color="red", linewidth=3).get_lines()
    assert (line.get_color(), line.get_linewidth()) == ("red", 3)


def test_settings_of_the_caller_come_back(frontier: lowtime.Frontier) -> None:
    import matplotlib as mpl

    before = dict(mpl.rcParams)
    frontier.plot()
    assert dict(mpl.rcParams) == before
