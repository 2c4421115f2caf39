"""Pictures of a pipeline's plan, drawn with matplotlib."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lowtime.errors import InvalidGraph
from lowtime.operation import Operation
from lowtime.perseus.instruction import (
    Backward,
    Forward,
    ForwardBackward,
    InputGradient,
    Instruction,
    Recomputation,
    WeightGradient,
)

if TYPE_CHECKING:
    import networkx as nx
    from matplotlib.axes import Axes

Style = dict[str, Any]

# Styles by kind of instruction; a kind without one takes that of the class it derives from.
# Programs change these dictionaries; they are read when drawing.
# Okabe and Ito's colours: told apart by colour-blind readers.
RECTANGLE_ARGS: dict[type[Instruction], Style] = {
    Instruction: {"facecolor": "#999999", "edgecolor": "#202020", "linewidth": 0.8},
    Forward: {"facecolor": "#56b4e9", "edgecolor": "#202020", "linewidth": 0.8},
    Backward: {"facecolor": "#009e73", "edgecolor": "#202020", "linewidth": 0.8},
    Recomputation: {"facecolor": "#f0e442", "edgecolor": "#202020", "linewidth": 0.8},
    ForwardBackward: {"facecolor": "#cc79a7", "edgecolor": "#202020", "linewidth": 0.8},
    InputGradient: {"facecolor": "#009e73", "edgecolor": "#202020", "linewidth": 0.8},
    WeightGradient: {"facecolor": "#e69f00", "edgecolor": "#202020", "linewidth": 0.8},
}
ANNOTATE_ARGS: dict[type[Instruction], Style] = {
    kind: {"color": "#101010", "fontsize": 9.0, "ha": "center", "va": "center"}
    for kind in RECTANGLE_ARGS
}
LINE_ARGS: Style = {"color": "#0072b2", "linewidth": 3.5}


class PipelineVisualizer:
    """Draws the plan that a DAG of instructions carries: one lane per stage, time to the right.

    Args:
        dag: has an `Instruction` or a dummy in attribute ``op`` of every node, planned by
            `PhillipsDessouky.run`.
        rectangle_args: keywords of `matplotlib.patches.Rectangle` by kind of instruction.
        annotate_args: keywords of `Axes.annotate` by kind of instruction.
        line_args: keywords of `Axes.plot` for the critical path.

    Raises:
        ValueError: when a node holds something else, no instruction is there, stages are missing
            in between, or the DAG has not been planned.
    """

    def __init__(
        self,
        dag: nx.DiGraph[Any],
        rectangle_args: dict[type[Instruction], Style] = RECTANGLE_ARGS,
        annotate_args: dict[type[Instruction], Style] = ANNOTATE_ARGS,
        line_args: Style = LINE_ARGS,
    ) -> None:
        self.dag = dag
        self.rectangle_args = rectangle_args
        self.annotate_args = annotate_args
        self.line_args = line_args
        self.instructions = _instructions(dag)
        stages = {instruction.stage_id for instruction in self.instructions}
        self.num_stages = len(stages)
        if max(stages) - min(stages) + 1 != self.num_stages:
            raise InvalidGraph(f"the stages are {sorted(stages)}; expected consecutive numbers")
        self.unit_time = self.instructions[0].spec.options.options[0].unit_time
        self.critical_dag = _back_to_back(dag)
        self.total_real_time = (
            max(instruction.earliest_finish for instruction in self.instructions) * self.unit_time
        )

    def draw(
        self,
        ax: Axes,
        draw_time_axis: bool = False,
        annotation_hook: Callable[[Instruction], str] | None = None,
        power_color: str | None = "Oranges",
        p2p_power: float = 75.5,
        normalizer_range: tuple[float, float] = (0.0, 400.0),
    ) -> None:
        """Draw every instruction as a box.

        Args:
            ax: where to draw.
            draw_time_axis: whether to show the time axis.
            annotation_hook: text of a box; its knob if None.
            power_color: name of the matplotlib colormap for the power that an instruction draws;
                None colours by kind of instruction.
            p2p_power: power drawn while a stage waits, and beneath every instruction, W.
            normalizer_range: power at the two ends of the colormap, W.
        """
        import matplotlib as mpl
        from matplotlib.colors import Normalize
        from matplotlib.patches import Rectangle

        colour = None
        if power_color is not None:
            colormap, scale = mpl.colormaps[power_color], Normalize(*normalizer_range)

            def colour(power: float) -> Any:
                return colormap(scale(power))

            waiting = colour(p2p_power)
            first = float(min(instruction.stage_id for instruction in self.instructions))
            ax.add_patch(
                Rectangle(
                    (0.0, first),
                    self.total_real_time,
                    self.num_stages,
                    facecolor=waiting,
                    edgecolor=waiting,
                )
            )
        for instruction in self.instructions:
            start = instruction.earliest_start * self.unit_time
            width = instruction.duration * self.unit_time
            box: Style = {"xy": (start, instruction.stage_id), "width": width, "height": 1.0}
            box |= _style(self.rectangle_args, instruction)
            if colour is not None and width > 0:
                box["facecolor"] = colour(instruction.get_cost() / width + p2p_power)
            ax.add_patch(Rectangle(**box))
            text = str(instruction.assigned_knob)
            if annotation_hook is not None:
                text = annotation_hook(instruction)
            label: Style = {"text": text, "xy": (start + width / 2, instruction.stage_id + 0.5)}
            ax.annotate(**label | _style(self.annotate_args, instruction))
        if draw_time_axis:
            self._draw_time_axis(ax)
        else:
            ax.set_axis_off()
        ax.autoscale()
        ax.invert_yaxis()

    def draw_critical_path(self, ax: Axes) -> None:
        """Draw a line through all instructions that run back to back without slack.

        Args:
            ax: where to draw, after `draw`.
        """
        for before, after in self.critical_dag.edges:
            ends = [self.dag.nodes[node]["op"] for node in (before, after)]
            if any(end.is_dummy for end in ends):
                continue
            ax.plot(
                [(end.earliest_start + end.earliest_finish) / 2 * self.unit_time for end in ends],
                [end.stage_id + 0.75 for end in ends],
                **self.line_args,
            )

    def _draw_time_axis(self, ax: Axes) -> None:
        ax.yaxis.set_visible(False)
        ax.grid(visible=False)
        ax.set_xlabel("Time (s)")
        ax.xaxis.set_major_formatter("{x:.2f}")
        # Every 5 s, but none so close to the end that the last two labels would overlap.
        ticks = [float(tick) for tick in range(0, int(self.total_real_time), 5)]
        while len(ticks) > 1 and self.total_real_time - ticks[-1] < 2.5:
            ticks.pop()
        ax.set_xticks([*ticks, self.total_real_time])
        for side in ("top", "left", "right"):
            ax.spines[side].set_visible(False)
        ax.spines["bottom"].set_bounds(0.0, self.total_real_time)


def _style(styles: dict[type[Instruction], Style], instruction: Instruction) -> Style:
    """The style of the kind of instruction, or of the nearest class that it derives from."""
    for kind in type(instruction).__mro__:
        if kind in styles:
            return styles[kind]
    raise KeyError(f"no style for {type(instruction).__name__}; add one to the dictionary")


def _operations(dag: nx.DiGraph[Any]) -> dict[Any, Operation[Any]]:
    operations: dict[Any, Operation[Any]] = dict(dag.nodes(data="op"))
    return operations


def _instructions(dag: nx.DiGraph[Any]) -> list[Instruction]:
    """The instructions of the DAG without its dummies."""
    instructions: list[Instruction] = []
    for node, operation in _operations(dag).items():
        if getattr(operation, "is_dummy", False):
            continue
        if not isinstance(operation, Instruction):
            raise InvalidGraph(f"node {node!r} holds {operation!r}; expected an Instruction")
        instructions.append(operation)
    if not instructions:
        raise InvalidGraph("the DAG holds no instruction; nothing to draw")
    return instructions


def _back_to_back(dag: nx.DiGraph[Any]) -> nx.DiGraph[Any]:
    """The critical nodes, and the edges between those that follow each other at once."""
    operations = _operations(dag)
    critical = [
        node
        for node, operation in operations.items()
        if operation.earliest_finish == operation.latest_finish
    ]
    if not critical:
        raise InvalidGraph(
            "no operation is critical; draw the DAG after a point of PhillipsDessouky.run()"
        )
    joined = dag.subgraph(critical).copy()
    for before, after in list(joined.edges):
        if operations[before].earliest_finish != operations[after].earliest_start:
            joined.remove_edge(before, after)
    return joined
