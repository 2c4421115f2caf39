"""Pictures of pipelines, on the matplotlib that is installed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import matplotlib as mpl
import networkx as nx
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from lowtime.graph_utils import add_sink_node, add_source_node
from lowtime.operation import Operation
from lowtime.perseus import visualizer
from lowtime.perseus.instruction import Backward, Forward, Instruction
from lowtime.perseus.schedule import Synchronous1F1B
from lowtime.perseus.visualizer import (
    ANNOTATE_ARGS,
    LINE_ARGS,
    RECTANGLE_ARGS,
    PipelineVisualizer,
)
from lowtime.solver import PhillipsDessouky
from tests.perseus.equal_stages import spec

UNIT = 0.5


@pytest.fixture(autouse=True)
def styles() -> Iterator[None]:
    """Leaves the module's dictionaries as they were."""
    tables: list[dict[Any, Any]] = [RECTANGLE_ARGS, ANNOTATE_ARGS, {0: LINE_ARGS}]
    kept = [{key: dict(style) for key, style in table.items()} for table in tables]
    yield
    for table, before in zip(tables, kept, strict=True):
        for key, style in before.items():
            table[key].clear()
            table[key].update(style)


def pipeline(stages: int = 2, batches: int = 2) -> Any:
    """A planned 1F1B pipeline; forward passes last 2 or 4 quanta, backward ones 4 or 8."""
    kinds = {
        Forward: spec([(1.0, 50.0), (2.0, 20.0)], UNIT),
        Backward: spec([(2.0, 90.0), (4.0, 30.0)], UNIT),
    }
    dag = nx.DiGraph()
    node_of = {}
    for stage in range(stages):
        nodes = []
        for made in Synchronous1F1B(stages, batches, stage, dict(kinds)):
            nodes.append(len(dag))
            node_of[type(made), stage, made.micro_batch_id] = len(dag)
            dag.add_node(len(dag), op=made)
        dag.add_edges_from(pairwise(nodes))
    for (kind, stage, batch), node in node_of.items():
        other = node_of.get((kind, stage + (1 if kind is Forward else -1), batch))
        if other is not None:
            dag.add_edge(node, other)
    for name, add in (("source_node", add_source_node), ("sink_node", add_sink_node)):
        dag.graph[name] = len(dag)
        add(dag, dag.graph[name])
    return dag


def boxes(ax: Axes) -> list[Rectangle]:
    return [patch for patch in ax.patches if isinstance(patch, Rectangle)]


def planned(points: int = 1) -> Any:
    dag = pipeline()
    run = PhillipsDessouky(dag).run()
    for _ in range(points):
        next(run)
    return dag


def test_boxes_stand_where_and_as_long_as_the_plan_says() -> None:
    dag = planned(3)
    picture = PipelineVisualizer(dag)
    ax = Figure().subplots()
    picture.draw(ax, power_color=None)
    drawn = {(box.get_x(), box.get_y(), box.get_width()) for box in boxes(ax)}
    assert drawn == {
        (made.earliest_start * UNIT, made.stage_id, made.duration * UNIT)
        for made in picture.instructions
    }
    assert len(boxes(ax)) == 8
    assert {text.get_text() for text in ax.texts} == {"0", "1"}
    assert ax.yaxis_inverted()
    assert not ax.axison


def test_power_colours_the_boxes_and_what_waits() -> None:
    dag = planned()
    ax = Figure().subplots()
    PipelineVisualizer(dag).draw(
        ax, power_color="Blues", p2p_power=100.0, normalizer_range=(0.0, 200.0)
    )
    background, *rest = boxes(ax)
    assert background.get_facecolor() == mpl.colormaps["Blues"](0.5)
    assert (background.get_width(), background.get_height()) == (17.5, 2)
    made = PipelineVisualizer(dag).instructions[0]
    power = made.get_cost() / (made.duration * UNIT) + 100.0
    assert rest[0].get_facecolor() == mpl.colormaps["Blues"](power / 200.0)


def test_styles_are_read_when_drawing() -> None:
    """Programs change the dictionaries after the visualizer was made."""
    picture = PipelineVisualizer(planned())
    RECTANGLE_ARGS[Forward]["facecolor"] = "#123456"
    ANNOTATE_ARGS[Backward].update(fontsize=3.0, color="red")
    LINE_ARGS["linewidth"] = 9.0
    ax = Figure().subplots()
    picture.draw(ax, power_color=None)
    picture.draw_critical_path(ax)
    colours = [box.get_facecolor() for box in boxes(ax)]
    assert colours.count(to_rgba("#123456")) == 4
    assert {text.get_fontsize() for text in ax.texts} == {9.0, 3.0}
    assert {line.get_linewidth() for line in ax.lines} == {9.0}


def test_styles_of_ones_own_and_hooks() -> None:
    ax = Figure().subplots()
    picture = PipelineVisualizer(
        planned(),
        rectangle_args={Instruction: {"facecolor": "white"}},
        annotate_args={Instruction: {"color": "black"}},
        line_args={"color": "red"},
    )
    picture.draw(ax, power_color=None, annotation_hook=lambda made: f"S{made.stage_id}")
    picture.draw_critical_path(ax)
    assert {box.get_facecolor() for box in boxes(ax)} == {to_rgba("white")}
    assert {text.get_text() for text in ax.texts} == {"S0", "S1"}
    assert {line.get_color() for line in ax.lines} == {"red"}
    with pytest.raises(KeyError, match="Forward"):
        PipelineVisualizer(planned(), rectangle_args={}).draw(Figure().subplots())


def test_the_critical_path_goes_from_start_to_end_at_every_point() -> None:
    dag = pipeline(3, 4)
    drawn = 0
    for result in PhillipsDessouky(dag).run():
        if result.iteration % 5:
            continue
        ax = Figure().subplots()
        picture = PipelineVisualizer(dag)
        picture.draw(ax)
        picture.draw_critical_path(ax)
        assert picture.total_real_time == pytest.approx(result.real_time)
        spans = sorted(tuple(line.get_xdata()) for line in ax.lines)
        first = dag.nodes[0]["op"]
        assert spans[0][0] == first.duration * UNIT / 2
        # Every line goes forward in time and starts where another one ends, up to the last box.
        reached = {spans[0][0]}
        for start, end in spans:
            assert start in reached
            assert end > start
            reached.add(end)
        drawn += 1
    assert drawn > 3


def test_the_time_axis_ends_with_the_total_time() -> None:
    picture = PipelineVisualizer(planned())
    ax = Figure().subplots()
    picture.draw(ax, draw_time_axis=True)
    assert ax.get_xticks().tolist() == [0.0, 5.0, 10.0, 15.0, 17.5]
    assert ax.get_xlabel() == "Time (s)"
    figure = ax.get_figure()
    assert figure is not None
    figure.canvas.draw()
    assert [label.get_text() for label in ax.get_xticklabels()] == [
        "0.00",
        "5.00",
        "10.00",
        "15.00",
        "17.50",
    ]


def test_drawing_twice_with_the_same_object_shows_the_plan_of_now() -> None:
    dag = pipeline()
    run = PhillipsDessouky(dag).run()
    next(run)
    picture = PipelineVisualizer(dag)
    for _ in range(4):
        next(run)
    ax = Figure().subplots()
    picture.draw(ax, power_color=None)
    assert max(box.get_x() + box.get_width() for box in boxes(ax)) == 15.5


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda dag: dag.add_node("x", op=Operation(spec=spec([(1.0, 1.0)]))), "'x'"),
        (lambda dag: dag.remove_nodes_from(range(8)), "no instruction"),
        (lambda dag: [dag.nodes[n]["op"].reset_times() for n in dag], "run"),
        (lambda dag: setattr(dag.nodes[0]["op"], "stage_id", 7), "consecutive"),
    ],
)
def test_what_cannot_be_drawn_is_refused(spoil: Any, message: str) -> None:
    dag = planned()
    spoil(dag)
    with pytest.raises(ValueError, match=message):
        PipelineVisualizer(dag)


def test_importing_the_visualizer_does_not_import_matplotlib() -> None:
    assert not hasattr(visualizer, "Rectangle")
