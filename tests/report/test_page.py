"""What is in a page, seen without a browser."""

from __future__ import annotations

import base64
import gzip
import json
import sys
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

import lowtime
from lowtime.errors import CapacityRange, InvalidGraph, InvalidProfile
from lowtime.operation import CandidateExecutionOptions, ExecutionOption, Operation, OperationSpec
from lowtime.report.page import ReportUnavailable, report, write_report
from lowtime.report.terms import Terms


def solved(
    node: Any = "a", unit_time: float = 1.0, longest: float = 3.0, shortest: float | None = None
) -> lowtime.Frontier:
    fast = longest - unit_time if shortest is None else shortest
    pairs = [(fast, 10.0, "fast"), (longest, 4.0, "slow")]
    table = [ExecutionOption(real_time=t, unit_time=unit_time, cost=c, knob=k) for t, c, k in pairs]
    dag = nx.DiGraph()
    dag.add_node(node, op=Operation(OperationSpec(CandidateExecutionOptions(table), None)))
    return lowtime.solve(dag, backend="scipy")


def header_of(text: str) -> dict[str, Any]:
    block = text.split('id="data">')[1].split("</script>")[0]
    data = gzip.decompress(base64.b64decode(block))
    header: dict[str, Any] = json.loads(data[4 : 4 + int.from_bytes(data[:4], "little")])
    return header


def test_the_same_frontier_gives_the_same_page() -> None:
    frontier = solved()
    assert report(frontier) == report(frontier)


def test_nothing_but_its_own_scripts_may_run_and_nothing_may_be_loaded() -> None:
    text = report(solved())
    policy = text.split('http-equiv="Content-Security-Policy" content="')[1].split('"')[0]
    assert "default-src 'none'" in policy
    assert policy.count("'sha256-") == 2
    assert "http" not in policy
    assert "unsafe-eval" not in policy
    for tag in ("<script src", '<link rel="stylesheet"', "<img ", "<iframe"):
        assert tag not in text.split('<script type="text/plain"')[0]


def test_titles_and_nodes_are_text_not_markup() -> None:
    text = report(solved("</script><b>"), title="<script>{{data}}</script>")
    head = text.split('<script type="text/plain"')[0]
    assert "&lt;script&gt;{{data}}&lt;/script&gt;" in head
    assert "</script><b>" not in text


def test_segments_are_stored_not_points() -> None:
    few, many = solved(), solved(unit_time=1e-6, shortest=1.0)
    assert len(many) > 1_000_000
    assert abs(len(report(many)) - len(report(few))) < 200


def test_the_header_tells_where_the_frontier_comes_from() -> None:
    header = header_of(report(solved(), settings={"profile": "x.csv"}, terms=Terms.pipeline(1, 7)))
    assert header["settings"] == {"profile": "x.csv"}
    assert header["provenance"]["backend"] == "scipy"
    assert header["terms"]["blockingPower"] == 7


def test_times_that_a_page_cannot_hold_exactly_are_refused() -> None:
    with pytest.raises(CapacityRange, match=r"2\^53"):
        report(solved(longest=2.0**53 + 4))


def test_nodes_that_json_cannot_hold_are_named() -> None:
    with pytest.raises(InvalidProfile, match="frozenset"):
        report(solved(frozenset({1})))


def test_a_lane_that_is_missing_is_named() -> None:
    with pytest.raises(InvalidGraph, match="'a' has no lane"):
        report(solved(), lane={})


def test_a_refused_report_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(InvalidGraph):
        write_report(solved(), tmp_path / "report.html", lane={})
    assert list(tmp_path.iterdir()) == []


def test_without_plotly_the_way_out_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "plotly.offline", None)
    with pytest.raises(ReportUnavailable, match=r"pip install 'lowtime\[report\]'"):
        report(solved())
