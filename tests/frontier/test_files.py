"""Frontiers in files: whole or not there, back as they were, and damage is told."""

from __future__ import annotations

import io
import json
import os
import zipfile
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from oracle.dags import dag_of, operation_of, random_project

import lowtime
from lowtime.errors import InvalidProfile
from lowtime.frontier.frontier import Frontier
from lowtime.frontier.labels import to_json


def solved(nodes: list[Any] | None = None) -> Frontier:
    """A frontier with a dummy, a fixed operation, a kink and a shared table."""
    s, a, b, c = nodes or ["s", ("F", 0), ("B", 0, None), 7]
    options = [(1, 9), (2, 4), (4, 1)]
    dag = dag_of({s: None, a: options, b: [(3, 2)], c: options}, [(s, a), (a, b), (s, c)], 0.1 * 10)
    return lowtime.solve(dag, backend="scipy")


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a saved frontier."""
    path = tmp_path_factory.mktemp("saved") / "f.npz"
    solved().save(path)
    return path.read_bytes()


def test_everything_comes_back(tmp_path: Path) -> None:
    for seed in range(5):
        frontier = lowtime.solve(random_project(Random(seed), 10, False, 4).dag(), backend="scipy")
        frontier.save(tmp_path / "f.npz")
        loaded = Frontier.load(tmp_path / "f.npz")
        assert loaded.digest() == frontier.digest()
        assert loaded.complete
        assert loaded.unit_time == frontier.unit_time
        for name in ("times", "costs", "measured_costs", "quanta"):
            assert np.array_equal(getattr(loaded, name), getattr(frontier, name))
        assert loaded.provenance == frontier.provenance
        assert loaded.cost_error == frontier.cost_error
        for i in (0, -1):
            before, after = frontier.plan(i), loaded.plan(i)
            for name in ("quanta", "knobs", "durations", "start_times", "critical"):
                assert getattr(after, name) == getattr(before, name)


def test_nodes_and_knobs_come_back_as_they_were(tmp_path: Path) -> None:
    frontier = solved()
    frontier.save(str(tmp_path / "f.npz"))
    plan = lowtime.Frontier.load(str(tmp_path / "f.npz")).plan(-1)
    assert list(plan.quanta) == ["s", ("F", 0), ("B", 0, None), 7]
    assert plan.knobs == frontier.plan(-1).knobs


def test_an_incomplete_frontier_stays_incomplete(tmp_path: Path) -> None:
    nodes = range(40)
    dag = dag_of({i: [(1, i + 2), (2, 1)] for i in nodes}, [(i, i + 1) for i in nodes[:-1]])
    part = lowtime.solve(dag, backend="scipy", check="always", time_limit=0)
    part.save(tmp_path / "f.npz")
    loaded = Frontier.load(tmp_path / "f.npz")
    assert not loaded.complete
    assert len(loaded) == len(part) < 41


def test_a_loaded_frontier_is_read_only(tmp_path: Path) -> None:
    solved().save(tmp_path / "f.npz")
    with pytest.raises(ValueError, match="read-only"):
        Frontier.load(tmp_path / "f.npz").segments.length[0] = 7


def test_the_name_is_kept_whatever_its_ending(tmp_path: Path) -> None:
    solved().save(tmp_path / "plain")
    assert os.listdir(tmp_path) == ["plain"]
    assert len(Frontier.load(tmp_path / "plain")) == 4


def test_a_file_is_replaced_and_its_mode_is_ordinary(tmp_path: Path) -> None:
    path = tmp_path / "f.npz"
    path.write_text("old")
    solved().save(path)
    assert len(Frontier.load(path)) == 4
    (tmp_path / "plain").touch()
    assert path.stat().st_mode == (tmp_path / "plain").stat().st_mode
    assert sorted(os.listdir(tmp_path)) == ["f.npz", "plain"]


def test_no_pickle_is_needed(saved: bytes) -> None:
    with np.load(io.BytesIO(saved), allow_pickle=False) as arrays:
        assert all(arrays[name].dtype != object for name in arrays.files)


@pytest.mark.parametrize("node", [frozenset([1]), b"bytes", len])
def test_foreign_nodes_are_refused_with_nothing_written(tmp_path: Path, node: Any) -> None:
    frontier = solved(["s", node, "b", "c"])
    (tmp_path / "f.npz").write_text("old")
    with pytest.raises(InvalidProfile, match="node"):
        frontier.save(tmp_path / "f.npz")
    assert os.listdir(tmp_path) == ["f.npz"]
    assert (tmp_path / "f.npz").read_text() == "old"


def test_foreign_knobs_are_refused_with_nothing_written(tmp_path: Path) -> None:
    dag = dag_of({})
    operation = operation_of([(1, 2), (2, 1)])
    operation.spec.options.options[0].knob = {"clock": 1410}
    dag.add_node("a", op=operation)
    with pytest.raises(InvalidProfile, match=r"knob.*clock"):
        lowtime.solve(dag, backend="scipy").save(tmp_path / "f.npz")
    assert os.listdir(tmp_path) == []


def test_a_missing_folder_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        solved().save(tmp_path / "missing" / "f.npz")
    with pytest.raises(FileNotFoundError):
        Frontier.load(tmp_path / "missing.npz")


def test_a_folder_in_its_place_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "f.npz").mkdir()
    with pytest.raises(OSError, match=r"f\.npz"):
        solved().save(tmp_path / "f.npz")
    with pytest.raises(OSError, match=r"f\.npz"):
        Frontier.load(tmp_path / "f.npz")
    assert os.listdir(tmp_path) == ["f.npz"]


def refused(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(InvalidProfile, match=r"f\.npz"):
        Frontier.load(path)


@pytest.mark.parametrize("content", [b"", b"time,cost\n", b"\x80\x04N.", b"PK\x03\x04", b"[1, 2]"])
def test_other_files(tmp_path: Path, content: bytes) -> None:
    refused(tmp_path / "f.npz", content)


def test_the_message_says_what_another_file_is(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text("time,cost\n")
    with pytest.raises(
        InvalidProfile, match=r"table\.csv is not .*: it is no NumPy archive"
    ) as error:
        Frontier.load(tmp_path / "table.csv")
    assert "pickle" not in str(error.value)
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    with pytest.raises(InvalidProfile, match="it lacks 'header'"):
        Frontier.load(tmp_path / "other.npz")


def test_other_arrays(tmp_path: Path) -> None:
    for arrays in ({}, {"a": np.zeros(3)}, {"header": np.zeros(3)}):
        np.savez(tmp_path / "other.npz", **arrays)
        refused(tmp_path / "f.npz", (tmp_path / "other.npz").read_bytes())
    np.save(tmp_path / "other.npy", np.zeros(3))
    refused(tmp_path / "f.npz", (tmp_path / "other.npy").read_bytes())


def test_a_file_cut_short(tmp_path: Path, saved: bytes) -> None:
    for end in range(0, len(saved), 97):
        refused(tmp_path / "f.npz", saved[:end])


def test_bytes_turned_over_never_give_another_frontier(tmp_path: Path, saved: bytes) -> None:
    expected = solved().digest()
    random = Random(7)
    for _ in range(300):
        damaged = bytearray(saved)
        damaged[random.randrange(len(saved))] ^= 1 << random.randrange(8)
        (tmp_path / "f.npz").write_bytes(damaged)
        try:
            loaded = Frontier.load(tmp_path / "f.npz")
        except InvalidProfile:
            continue
        assert loaded.digest() == expected, "only bytes that mean nothing may turn unnoticed"


def changed(saved: bytes, header: dict[str, Any], arrays: dict[str, Any]) -> bytes:
    """The saved frontier with some entries replaced, its check sums right."""
    with np.load(io.BytesIO(saved)) as stored:
        content = {name: stored[name] for name in stored.files}
    content.update({name: np.array(array) for name, array in arrays.items()})
    text = json.dumps({**json.loads(content["header"].tobytes()), **header})
    content["header"] = np.frombuffer(text.encode(), dtype=np.uint8)
    buffer = io.BytesIO()
    np.savez(buffer, **content)
    return buffer.getvalue()


def test_a_file_that_nothing_was_changed_in_is_read(tmp_path: Path, saved: bytes) -> None:
    (tmp_path / "f.npz").write_bytes(changed(saved, {}, {}))
    assert Frontier.load(tmp_path / "f.npz").digest() == solved().digest()


@pytest.mark.parametrize(
    ("header", "arrays"),
    [
        ({"format": "lowtime-frontier-9"}, {}),
        ({"unit_time": -1.0}, {}),
        ({"unit_time": "1"}, {}),
        ({"num_operations": 3}, {}),
        ({"num_events": 5}, {}),
        ({"unbounded": 1}, {}),
        ({"cost_unit": 0.3}, {}),
        ({"done": "yes"}, {}),
        ({"nodes": to_json(["a"], "node")}, {}),
        ({"nodes": "["}, {}),
        ({"nodes": '[{"list": [1]},1,2,3]'}, {}),
        ({"knobs": to_json(["k"], "knob")}, {}),
        ({"provenance": {"backend": "b"}}, {}),
        ({"provenance": None}, {}),
        ({"num_events": 10**12}, {}),
        ({}, {"segments_length": [0, 1]}),
        ({}, {"segments_length": [10**12, 1]}),
        ({}, {"segments_length": [2**62, 2**62]}),
        ({}, {"segments_length": [1.5, 1.0]}),
        ({}, {"segments_arc": [99, 1]}),
        ({}, {"segments_slope": [5, -3]}),
        ({}, {"option_of": [0, 0, 0, 9]}),
        ({}, {"option_of": [0, 0]}),
        ({}, {"option_start": [0, 2, 1]}),
        ({}, {"option_quanta": [5, 5, 5, 5]}),
        ({}, {"network_tail": [-1, 0, 0]}),
        ({}, {"network_marginal": [1, 2]}),
    ],
    ids=repr,
)
def test_content_that_contradicts_itself(
    tmp_path: Path, saved: bytes, header: dict[str, Any], arrays: dict[str, Any]
) -> None:
    refused(tmp_path / "f.npz", changed(saved, header, arrays))


def test_a_missing_array(tmp_path: Path, saved: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(saved)) as archive:
        for left_out in archive.namelist():
            buffer = io.BytesIO()
            with zipfile.ZipFile(buffer, "w") as other:
                for name in archive.namelist():
                    if name != left_out:
                        other.writestr(name, archive.read(name))
            refused(tmp_path / "f.npz", buffer.getvalue())
