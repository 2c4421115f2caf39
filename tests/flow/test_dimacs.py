"""DIMACS max-flow files."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lowtime.errors import InvalidNetwork
from lowtime.flow.dimacs import LONELY_NODES, read_dimacs, write_dimacs
from lowtime.flow.network import FlowNetwork

GOOD = """\
c a small network
comment without a space

p max 4 3
n 1 s
n 4 t
a 1 2 5
a 2 4 9223372036854775807
a 3 3 0
"""


def file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "net.max"
    path.write_text(text)
    return path


def test_reads_arcs_in_order(tmp_path: Path) -> None:
    network = FlowNetwork.from_dimacs(file(tmp_path, GOOD))
    assert network.num_nodes == 4
    assert (network.source, network.sink) == (0, 3)
    assert network.tail.tolist() == [0, 1, 2]
    assert network.head.tolist() == [1, 3, 2]
    assert network.capacity.tolist() == [5, 2**63 - 1, 0]
    assert network.labels is not None
    assert list(network.labels) == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("a 1 2 5", "a 1 2", 7),
        ("a 1 2 5", "a 1 2 5 6", 7),
        ("a 1 2 5", "a 1 2 -5", 7),
        ("a 1 2 5", "a 1 2 5.0", 7),
        ("a 1 2 5", "a 1 2 1_0", 7),
        ("a 1 2 5", "a 1 2 ٣", 7),
        ("a 1 2 5", "a 1 2 9223372036854775808", 7),
        ("a 1 2 5", "a 1 2 " + "9" * 5000, 7),
        ("a 1 2 5", "a 0 2 5", 7),
        ("a 1 2 5", "a 1 5 5", 7),
        ("a 1 2 5", "e 1 2 5", 7),
        ("n 4 t", "n 5 t", 6),
        ("n 4 t", "n 4 s", 6),
        ("n 4 t", "n 4 x", 6),
        ("p max 4 3", "p min 4 3", 4),
        ("p max 4 3", "p max 1 3", 4),
        ("p max 4 3", "p max four 3", 4),
        ("p max 4 3", "p max 4 3\np max 4 3", 5),
        ("p max 4 3\n", "", 4),
        ("p max 4 3", "p max 2000000000 3", 4),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, old: str, new: str, line: int) -> None:
    assert old in GOOD
    path = file(tmp_path, GOOD.replace(old, new, 1))
    with pytest.raises(InvalidNetwork) as caught:
        read_dimacs(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (GOOD, ""),
        (GOOD, "c nothing else\n"),
        ("n 4 t\n", ""),
        ("n 1 s\n", ""),
        ("n 4 t", "n 1 t"),
        ("p max 4 3", "p max 4 2"),
        ("p max 4 3", "p max 4 4"),
    ],
)
def test_what_a_whole_file_lacks(tmp_path: Path, old: str, new: str) -> None:
    path = file(tmp_path, GOOD.replace(old, new))
    with pytest.raises(InvalidNetwork, match=r"net\.max"):
        read_dimacs(path)


def test_a_header_that_claims_a_billion_nodes_ended_in_a_memory_error(tmp_path: Path) -> None:
    claim = LONELY_NODES + 2 * 3
    path = file(tmp_path, GOOD.replace("p max 4", f"p max {claim + 1}"))
    with pytest.raises(InvalidNetwork, match=re.escape(f"{path}:4: {claim + 1} nodes for 3 arcs")):
        read_dimacs(path)
    network = read_dimacs(file(tmp_path, GOOD.replace("p max 4", f"p max {claim}")))
    assert sys.getsizeof(network.labels) < 1000


def test_a_byte_order_mark_is_skipped(tmp_path: Path) -> None:
    path = tmp_path / "net.max"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.replace("c a small network\n", "").encode())
    marked = read_dimacs(path)
    assert marked.capacity.tolist() == read_dimacs(file(tmp_path, GOOD)).capacity.tolist()


def test_binary_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "net.max"
    path.write_bytes(bytes(range(256)))
    with pytest.raises(InvalidNetwork, match=r"net\.max:1"):
        read_dimacs(path)


@given(data=st.data())
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    nodes = data.draw(st.integers(2, 9))
    node = st.integers(0, nodes - 1)
    arcs = data.draw(st.lists(st.tuples(node, node, st.integers(0, 2**59)), max_size=8))
    source, sink = data.draw(st.lists(node, min_size=2, max_size=2, unique=True))
    tail, head, capacity = zip(*arcs, strict=True) if arcs else ((), (), ())
    network = FlowNetwork(nodes, tail, head, capacity, source, sink)
    path = tmp_path_factory.mktemp("dimacs") / "net.max"
    write_dimacs(network, path)
    again = read_dimacs(path)
    assert (again.num_nodes, again.source, again.sink) == (nodes, source, sink)
    for name in ("tail", "head", "capacity"):
        assert getattr(again, name).tolist() == getattr(network, name).tolist()


def test_a_file_appears_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = FlowNetwork(2, [0], [1], [7], source=0, sink=1)
    path = tmp_path / "net.max"
    path.write_text("before")

    def full_disk(*_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(os, "replace", full_disk)
    with pytest.raises(OSError, match="no space"):
        write_dimacs(network, path)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_written_file_is_as_readable_as_any_other(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.touch()
    path = tmp_path / "net.max"
    write_dimacs(FlowNetwork(2, [0], [1], [7], source=0, sink=1), path)
    assert path.stat().st_mode == other.stat().st_mode
