"""Plan files as training systems read them: ``freqs_pipeline_00000.py`` and so on.

A file holds a Python literal, one list of ``("forward", 1410)`` pairs a rank, in the order in which
the rank runs them, and comment lines behind. Number 0 is the first point that lowtime 0.3.0 gave:
one quantum below the longest schedule.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from lowtime.counted import counted
from lowtime.errors import InvalidProfile
from lowtime.frontier.frontier import Frontier
from lowtime.frontier.plan import Plan
from lowtime.perseus.action import COMPUTATIONS
from lowtime.profiling import phased
from lowtime.whole_file import whole_file

Lanes = list[list[tuple[str, Any]]]

# Published programs write the lower-case names of the classes.
PUBLISHED_NAMES = {kind.title: kind.title for kind in COMPUTATIONS} | {"recompute": "recomputation"}


def plan_file_name(point: int) -> str:
    """Name of the file of a frontier's point.

    Raises:
        InvalidProfile: point 0, the longest schedule, which has no number.
    """
    if point < 1:
        raise InvalidProfile(
            "the longest schedule (point 0) has no number among plan files, which begin one quantum"
            " below it; choose a shorter plan, or write it as JSON or CSV"
        )
    return f"freqs_pipeline_{point - 1:05d}.py"


def lanes_of(plan: Plan, rank_of_stage: Sequence[int] | None = None) -> Lanes:
    """What every rank runs, with its knob; communication, which has none, is left out.

    Args:
        plan: of a DAG made by `lowtime.perseus.pipeline.pipeline_dag`.
        rank_of_stage: rank that holds each stage; None stands for a rank a stage.

    Raises:
        InvalidProfile: a node is not named ``(stage, instruction, micro-batch)``, or its stage has
            no rank.
    """
    lanes: dict[int, list[tuple[str, Any]]] = {}
    for node in plan.problem.nodes:
        if not (isinstance(node, tuple) and len(node) == 3 and isinstance(node[0], int)):
            raise InvalidProfile(
                f"node {node!r} is not (stage, instruction, micro-batch); plan files are for"
                " pipelines, write this plan as JSON or CSV"
            )
        stage, name, _ = node
        if rank_of_stage is not None and not 0 <= stage < len(rank_of_stage):
            raise InvalidProfile(
                f"node {node!r}: its stage has no rank; rank_of_stage is for"
                f" {counted(len(rank_of_stage), 'stage')}; expected a rank for every stage"
            )
        if name in PUBLISHED_NAMES:
            rank = stage if rank_of_stage is None else rank_of_stage[stage]
            lanes.setdefault(rank, []).append((PUBLISHED_NAMES[name], plan.knobs[node]))
    return [lanes[rank] for rank in sorted(lanes)]


def plan_file_text(
    frontier: Frontier,
    point: int,
    rank_of_stage: Sequence[int] | None = None,
    blocking_power: float = 0.0,
) -> str:
    """Text of the plan file of a point.

    Args:
        frontier: of a pipeline.
        point: point of the frontier, 1 or more.
        rank_of_stage: rank that holds each stage; None stands for a rank a stage.
        blocking_power: power that a rank draws all the time, W.

    Raises:
        InvalidProfile: see `plan_file_name` and `lanes_of`.
    """
    plan_file_name(point)
    plan = frontier.plan(point)
    lanes = lanes_of(plan, rank_of_stage)
    change = float(frontier.costs[point] - frontier.costs[point - 1])
    blocking = len(lanes) * plan.time * blocking_power
    comments = {
        "cost change": change,
        "total cost": plan.cost,
        "total cost with P2P": plan.cost + blocking,
        "measured cost": plan.measured_cost,
        "measured cost with P2P": plan.measured_cost + blocking,
        "total time": plan.time,
    }
    body = "".join(f"{lane},\n" for lane in lanes)
    notes = "".join(
        f"# Iteration {point - 1} {title}: {value}\n" for title, value in comments.items()
    )
    return f"[\n{body}]\n{notes}"


@phased("write")
def write_plan_files(
    frontier: Frontier,
    points: Iterable[int],
    folder: str | PathLike[str],
    rank_of_stage: Sequence[int] | None = None,
    blocking_power: float = 0.0,
) -> list[Path]:
    """Write one plan file a point into a folder that exists; returns their paths.

    Args:
        frontier: of a pipeline.
        points: points of the frontier, 1 or more each.
        folder: where to write.
        rank_of_stage: rank that holds each stage; None stands for a rank a stage.
        blocking_power: power that a rank draws all the time, W.

    Raises:
        InvalidProfile: see `plan_file_name` and `lanes_of`; then nothing is written.
        OSError: a file cannot be written.
    """
    wanted = list(points)
    names = [plan_file_name(point) for point in wanted]
    written = []
    for point, name in zip(wanted, names, strict=True):
        text = plan_file_text(frontier, point, rank_of_stage, blocking_power)
        with whole_file(Path(folder) / name) as file:
            file.write(text.encode())
        written.append(Path(folder) / name)
    return written


def read_plan_file(path: str | PathLike[str]) -> Lanes:
    """What every rank runs, with its knob, from a plan file; nothing in it is executed.

    Raises:
        InvalidProfile: the file is no list of lists of (instruction, knob).
        OSError: the file cannot be read.
    """
    text = Path(path).read_text(encoding="utf-8")
    try:
        lanes = ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError) as error:
        raise InvalidProfile(f"{path}: is no plan file: {error}") from error
    sound = isinstance(lanes, list) and all(
        isinstance(lane, list)
        and all(
            isinstance(pair, tuple) and len(pair) == 2 and isinstance(pair[0], str) for pair in lane
        )
        for lane in lanes
    )
    if not sound:
        raise InvalidProfile(
            f"{path}: is no plan file; expected one list of (instruction, knob) pairs a rank"
        )
    return [list(lane) for lane in lanes]
