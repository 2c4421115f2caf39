"""A whole frontier as JSON and as Parquet: what is written is what is read."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import lowtime
from lowtime.errors import InvalidProfile
from lowtime.frontier.frontier import Frontier
from lowtime.operation import (
    CandidateExecutionOptions,
    DummyOperation,
    ExecutionOption,
    Operation,
    OperationSpec,
)
from lowtime.plans import parquet_file
from lowtime.plans.json_file import JsonPlans, write_json
from lowtime.plans.parquet_file import ParquetPlans, write_parquet
from lowtime.plans.stored_plan import StoredPlans

Write = Callable[[Frontier, Path], None]
Read = Callable[[Path], StoredPlans]
FORMS: list[tuple[Write, Read]] = [(write_json, JsonPlans), (write_parquet, ParquetPlans)]

forms = pytest.mark.parametrize(("write", "read"), FORMS, ids=["json", "parquet"])


def frontier(knob: Callable[[int], Any] = lambda count: 1000 + count, seed: int = 0) -> Frontier:
    """A random project with a dummy, several tables, crashes and relaxations."""
    rng = random.Random(seed)
    dag = nx.DiGraph()
    for count in range(9):
        longest = rng.randint(2, 9)
        savings = sorted(rng.randint(1, 40) for _ in range(longest - 1))
        options, cost = [], 5.0
        for duration, saving in zip(range(longest, 0, -1), [0, *savings], strict=True):
            cost += saving
            option = ExecutionOption(
                real_time=duration / 4, unit_time=0.25, cost=cost, knob=knob(duration)
            )
            options.append(option)
        spec = OperationSpec(CandidateExecutionOptions(options=options))
        dag.add_node(("op", count), op=Operation(spec=spec))
    dag.add_node("start", op=DummyOperation())
    nodes = [("op", count) for count in range(9)]
    dag.add_edges_from(
        (nodes[i], nodes[j]) for j in range(9) for i in range(j) if rng.random() < 0.3
    )
    dag.add_edge("start", nodes[0])
    return lowtime.solve(dag)


@forms
@pytest.mark.parametrize(
    "knob",
    [
        lambda count: 1000 + count,
        lambda count: count / 7,
        lambda count: f"mode {count}",
        lambda count: (count, "fp16"),
        lambda count: None if count == 2 else count,
    ],
    ids=["int", "float", "str", "tuple", "mixed"],
)
def test_every_plan_comes_back(
    write: Write,
    read: Read,
    knob: Callable[[int], Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(parquet_file, "VALUES_AT_ONCE", 40)  # several groups of rows
    made = frontier(knob)
    write(made, tmp_path / "plans")
    plans = read(tmp_path / "plans")
    assert len(plans) == len(made) > 10
    assert plans.nodes == made.problem.nodes
    assert plans.unit_time == 0.25
    for ours, theirs in (
        (plans.times, made.times),
        (plans.costs, made.costs),
        (plans.measured_costs, made.measured_costs),
    ):
        assert np.array_equal(ours, theirs)
    for index in range(len(made)):
        expected = made.plan(index)
        found = plans.plan(index)
        assert found.quanta == expected.quanta
        assert found.knobs == expected.knobs
        assert (found.index, found.time, found.cost) == (index, expected.time, expected.cost)
        assert found.measured_cost == made.measured_costs[index]
    assert plans.plan(-1) == plans.plan(len(made) - 1)
    for beyond in (len(made), -len(made) - 1):
        with pytest.raises(IndexError):
            plans.plan(beyond)


@forms
def test_a_single_point_comes_back(write: Write, read: Read, tmp_path: Path) -> None:
    option = ExecutionOption(real_time=2.0, unit_time=1.0, cost=5.0, knob=7)
    spec = OperationSpec(CandidateExecutionOptions(options=[option]))
    dag = nx.DiGraph()
    dag.add_node("only", op=Operation(spec=spec))
    write(lowtime.solve(dag), tmp_path / "plans")
    plan = read(tmp_path / "plans").plan(0)
    assert (plan.time, plan.cost, plan.quanta, plan.knobs) == (2.0, 5.0, {"only": 2}, {"only": 7})


def test_the_json_file_is_what_its_description_says(tmp_path: Path) -> None:
    """Read by hand, as a training system in another language would."""
    made = frontier()
    write_json(made, tmp_path / "plans.json")
    stored = json.loads((tmp_path / "plans.json").read_text())
    assert stored["nodes"][0] == {"tuple": ["op", 0]}
    quanta = list(stored["first"])
    point = 0
    for points, crashed, relaxed in stored["runs"]:
        for _ in range(points):
            for operation in crashed:
                quanta[operation] -= 1
            for operation in relaxed:
                quanta[operation] += 1
            point += 1
            plan = made.plan(point)
            assert quanta == plan.operation_quanta.tolist()
            table = stored["options"][stored["option_of"][0]]
            fitting = [
                k for k, q in zip(table["knob"], table["quanta"], strict=True) if q <= quanta[0]
            ]
            assert fitting[-1] == plan.knobs["op", 0]
    assert point == len(made) - 1


def test_the_parquet_file_reads_as_a_table(tmp_path: Path) -> None:
    import pandas as pd

    made = frontier()
    write_parquet(made, tmp_path / "plans.parquet")
    table = pd.read_parquet(tmp_path / "plans.parquet")
    assert list(table.columns) == ["time", "cost", "measured_cost", "quanta", "knob"]
    assert table["quanta"][3].tolist() == made.plan(3).operation_quanta.tolist()
    assert pd.isna(table["knob"][0][9])  # the dummy


@forms
@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b'{"format": "other"}', b"PAR1 nonsense"])
def test_other_files_are_refused(write: Write, read: Read, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "plans"
    path.write_bytes(content)
    with pytest.raises(InvalidProfile, match="plans"):
        read(path)
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "none")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("time", [1.0]),
        ("runs", [[1, [99], []]]),
        ("option_of", [70] * 10),
        ("first", []),
        ("first", [10**30] * 10),
        ("option_of", [1e999] * 10),
        ("unit_time", 10**400),
        ("options", [None]),
        ("runs", 3),
    ],
)
def test_a_damaged_json_file_is_refused(key: str, value: Any, tmp_path: Path) -> None:
    path = tmp_path / "plans.json"
    write_json(frontier(), path)
    stored = json.loads(path.read_text())
    stored[key] = value
    path.write_text(json.dumps(stored))
    with pytest.raises(InvalidProfile, match=r"plans\.json"):
        JsonPlans(path)


def test_a_plain_parquet_table_is_refused(tmp_path: Path) -> None:
    import pandas as pd

    pd.DataFrame({"time": [1.0]}).to_parquet(tmp_path / "table.parquet")
    with pytest.raises(InvalidProfile, match=r"table\.parquet"):
        ParquetPlans(tmp_path / "table.parquet")


@forms
def test_nothing_is_left_behind_by_a_knob_that_cannot_be_written(
    write: Write, read: Read, tmp_path: Path
) -> None:
    made = frontier(lambda count: {count})
    with pytest.raises(InvalidProfile, match="knob"):
        write(made, tmp_path / "plans")
    assert list(tmp_path.iterdir()) == []


def test_without_pyarrow_the_message_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"lowtime\[parquet\]"):
        write_parquet(frontier(), tmp_path / "plans")
