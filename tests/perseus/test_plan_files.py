"""Plan files as training systems read them."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import networkx as nx
import pytest

import lowtime
from lowtime.errors import InvalidProfile
from lowtime.frontier.frontier import Frontier
from lowtime.operation import Operation
from lowtime.perseus.order import PipelineOrder
from lowtime.perseus.pipeline import CommunicationTimes, pipeline_dag
from lowtime.perseus.plan_files import (
    lanes_of,
    plan_file_name,
    plan_file_text,
    read_plan_file,
    write_plan_files,
)
from lowtime.perseus.schedules import schedule_named
from lowtime.solver import PhillipsDessouky
from tests.perseus.equal_stages import spec, specs

OPTIONS = {
    "forward": [(2.0, 20.0), (3.0, 12.0), (5.0, 10.0)],
    "backward": [(4.0, 44.0), (5.0, 30.0), (8.0, 21.0)],
    "recompute": [(2.0, 18.0), (3.0, 11.0)],
}


def solved(name: str, stages: int, batches: int, transfer: float = 0.0) -> tuple[Any, Frontier]:
    order = schedule_named(name).order(stages, batches)
    dag = pipeline_dag(order, specs(order, OPTIONS), CommunicationTimes(transfer=transfer))
    return order, lowtime.solve(dag)


@pytest.fixture(scope="module")
def published() -> ModuleType:
    """The program that builds pipelines as published examples do."""
    path = Path(__file__).parents[2] / "bench" / "record_as_published.py"
    found = importlib.util.spec_from_file_location("record_as_published", path)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def test_files_equal_those_that_published_programs_write(
    published: ModuleType, tmp_path: Path
) -> None:
    """The loop of the published example beside one call, on a pipeline of its own."""
    dag = published.pipeline("gpt3-175b+a100_sxm", 1e-3, 83.64, 3)
    stages: dict[int, list[Any]] = {}
    for inst in published.operations(dag):
        stages.setdefault(inst.stage_id, []).append(inst)
    expected = {}
    for iteration, result in enumerate(PhillipsDessouky(dag).run()):
        lanes = [
            f"{[(type(i).__name__.lower(), i.assigned_knob) for i in insts]},"
            for insts in stages.values()
        ]
        lines = ["[", *lanes, "]"]
        energy = result.cost + 8 * result.real_time * 83.64
        expected[f"freqs_pipeline_{iteration:05d}.py"] = (lines, result, energy)

    order = schedule_named("1f1b").order(8, 3)
    by_kind = {
        (inst.stage_id, type(inst).__name__.lower()): inst.spec
        for inst in published.operations(dag)
    }
    frontier = lowtime.solve(pipeline_dag(order, by_kind))
    written = write_plan_files(frontier, range(1, len(frontier)), tmp_path, blocking_power=83.64)
    assert [path.name for path in written] == sorted(expected)
    for path in written:
        lines, result, energy = expected[path.name]
        found = path.read_text().splitlines()
        assert found[: len(lines)] == lines
        number = int(path.stem[-5:])
        notes = dict(
            line.removeprefix(f"# Iteration {number} ").rsplit(": ", 1)
            for line in found[len(lines) :]
        )
        assert float(notes["cost change"]) == pytest.approx(result.cost_change, rel=1e-6)
        assert float(notes["total cost"]) == pytest.approx(result.cost, rel=1e-12)
        assert float(notes["total cost with P2P"]) == pytest.approx(energy, rel=1e-12)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    _, frontier = solved("1f1b", 2, 3)
    (path,) = write_plan_files(frontier, [4], tmp_path)
    assert path.name == "freqs_pipeline_00003.py"
    lanes = read_plan_file(path)
    assert lanes == lanes_of(frontier.plan(4))
    assert [[name for name, _ in lane] for lane in lanes] == [
        ["forward", "forward", "backward", "forward", "backward", "backward"],
        ["forward", "backward"] * 3,
    ]
    measured = frontier.plan(4).measured_cost
    assert f"# Iteration 3 measured cost: {measured}\n" in path.read_text()


def test_ranks_that_hold_several_stages_have_one_list() -> None:
    order, frontier = solved("interleaved-1f1b", 4, 4)
    assert order.rank_of_stage == (0, 1, 0, 1)
    lanes = lanes_of(frontier.plan(2), order.rank_of_stage)
    assert [len(lane) for lane in lanes] == [16, 16]
    knobs = frontier.plan(2).knobs
    expected = [
        (action.kind.title, knobs[action.node]) for cell in order.ranks[1] for action in cell
    ]
    assert lanes[1] == expected


def test_communication_has_no_knob_and_recomputation_its_published_name() -> None:
    _, frontier = solved("early-recomputation-1f1b", 2, 2, transfer=1.0)
    names = {name for lane in lanes_of(frontier.plan(1)) for name, _ in lane}
    assert names == {"forward", "backward", "recomputation"}


def test_the_longest_schedule_has_no_number(tmp_path: Path) -> None:
    _, frontier = solved("1f1b", 2, 2)
    assert plan_file_name(1) == "freqs_pipeline_00000.py"
    with pytest.raises(InvalidProfile, match="longest"):
        write_plan_files(frontier, [3, 0], tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_other_projects_have_no_lanes() -> None:
    dag = nx.DiGraph()
    dag.add_node("a", op=Operation(spec=spec([(1.0, 5.0), (2.0, 1.0)])))
    with pytest.raises(InvalidProfile, match="'a'"):
        plan_file_text(lowtime.solve(dag), 1)


@pytest.mark.parametrize(
    "text",
    [
        "[[('forward', __import__('os').system('true'))]]",
        "print('hello')",
        "{'forward': 1410}",
        "[('forward', 1410)]",
        "[[('forward',)]]",
        "[[(1410, 'forward')]]",
        "[" * 100_000,
        "",
    ],
)
def test_nothing_but_a_literal_is_read(text: str, tmp_path: Path) -> None:
    path = tmp_path / "freqs_pipeline_00000.py"
    path.write_text(text)
    with pytest.raises(InvalidProfile, match="freqs_pipeline_00000"):
        read_plan_file(path)


def test_the_rank_of_a_stage_is_where_its_forward_passes_run() -> None:
    csv = Path(__file__).parents[1] / "data" / "schedules" / "dualpipev_4rank_10mb.csv"
    order: PipelineOrder = schedule_named(csv).order(8, 10)
    assert order.rank_of_stage == (0, 1, 2, 3, 3, 2, 1, 0)
