"""What follows from measurements: ranking, expected times, comparison of two reports."""

from __future__ import annotations

import json
from dataclasses import asdict
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import lowtime.backends.expected_time as shipped
from bench import compare
from bench.__main__ import SHARES, main
from bench.expected_times import Measured, Table, fitted, measured, rewritten, split
from bench.parts import expected, ranking
from lowtime.backends.expected_time import ProjectSize, Rate


def _outcome(*seconds: float) -> dict[str, Any]:
    middle = sorted(seconds)[len(seconds) // 2]
    sample = {"median": middle, "seconds": list(seconds), "runs": len(seconds), "spread": 0.0}
    return {"sample": sample, "note": "", "answer": None, "first_call": middle}


def _flows(**by_backend: tuple[float, ...]) -> dict[str, Any]:
    outcomes = {name.replace("_", "-"): _outcome(*values) for name, values in by_backend.items()}
    row = {"workload": "x", "size": 5, "nodes": 10, "arcs": 20, "outcomes": outcomes}
    return {"cold_flow": {"rows": [row]}}


def test_ranking_holds() -> None:
    result = ranking.check(_flows(rust=(1.0, 1.2, 1.1), igraph=(2.0, 2.1, 2.2)))
    assert result["rows"][0]["best"] == "rust"
    assert result["failures"] == []


def test_ranking_fails_where_a_backend_it_ranks_lower_is_faster() -> None:
    result = ranking.check(_flows(rust=(2.0, 2.1, 2.2), rust_ek_sparse=(1.0, 1.1, 1.2)))
    assert len(result["failures"]) == 1
    assert "rust-ek-sparse" in result["failures"][0]


def test_ranking_is_open_where_the_interval_reaches_below() -> None:
    result = ranking.check(_flows(rust=(1.0, 3.0, 1.5), scipy=(1.0, 0.9, 1.1)))
    assert result["failures"] == []
    assert len(result["undecided"]) == 1


def _parts_of(table: Table) -> dict[str, Any]:
    """A report whose times a table gives exactly."""
    rows = []
    for size, arcs in enumerate((100, 300, 1_000, 3_000, 10_000, 30_000, 100_000)):
        row = {"workload": "state_x", "size": size, "nodes": arcs // 2, "arcs": arcs}
        parts = {"cold_flow": {"rows": [{**row, "outcomes": {"rust": _outcome(1.0)}}]}}
        seconds = table.seconds(measured(parts)[0])
        rows.append({**row, "outcomes": {"rust": _outcome(seconds)}})
    return {"cold_flow": {"rows": rows}}


def test_fit_finds_the_constants() -> None:
    rate = Rate(call=2e-5, arc=3e-8, power=1.2, step=1e-5)
    parts = _parts_of(Table({"rust": rate}, shipped.LOOP))
    known, held = split(measured(parts))
    assert known
    assert held
    table = fitted(known)
    for one in held:
        assert table.seconds(one) == pytest.approx(one.seconds, rel=0.05)
    result = expected.check(parts)
    assert len(result["rows"]) == len(held)
    assert result["failures"] == []


def test_warm_flows_have_constants_of_their_own() -> None:
    """Cold and warm networks of one size once shared one time, and were up to six times apart."""
    cold = _parts_of(Table({"rust": Rate(call=2e-5, arc=3e-8, power=1.2)}, shipped.LOOP))
    warm = _parts_of(Table({"rust": Rate(call=5e-6, arc=4e-9)}, shipped.LOOP))
    for row in warm["cold_flow"]["rows"]:
        row["workload"] = "state_warm"
    cold["cold_flow"]["rows"] += warm["cold_flow"]["rows"]
    assert expected.check(cold)["failures"] == []
    found = fitted(measured(cold)).rates["rust"]
    assert (found.warm_call, found.warm_arc) == pytest.approx((5e-6, 4e-9), rel=0.05)


def test_fit_finds_the_constants_of_a_tracer() -> None:
    rate = Rate(1e-6, 2e-9, step=3e-6, sweep=5e-11, sweep_width=1.1, sweep_reach=2.1)
    table = Table({"rust": rate}, shipped.LOOP)
    rows = []
    for size, (parallelism, depth) in enumerate(product((2.0, 9.0, 40.0, 200.0), (8, 60, 400))):
        arcs = int(3 * parallelism * depth)
        project = ProjectSize(2 * arcs // 3, arcs, 50 * depth, parallelism, depth)
        one = Measured("", "rust", project.events, arcs, project, 0.0)
        row = {"workload": "x", "size": size, "verb": "frontier", "project": asdict(project)}
        row |= {"nodes": project.events, "arcs": arcs}
        rows.append({**row, "outcomes": {"rust": _outcome(table.seconds(one))}})
    parts = {"projects": {"rows": rows}}
    known, held = split(measured(parts))
    assert len(known) > len(held) > 2
    found = fitted(known)
    for one in held:
        assert found.seconds(one) == pytest.approx(one.seconds, rel=0.2)
    assert expected.check(parts)["failures"] == []
    far = int(held[0].case.removeprefix("x-n="))
    rows[far]["outcomes"]["rust"] = _outcome(100.0)
    assert len(expected.check(parts)["failures"]) == 1


def test_far_times_fail() -> None:
    parts = _parts_of(Table({"rust": Rate(call=2e-5, arc=3e-8, step=1e-5)}, shipped.LOOP))
    (far,) = (row for row in parts["cold_flow"]["rows"] if row["size"] == 2)
    far["outcomes"]["rust"] = _outcome(10.0)
    assert any("n=2" in failure for failure in expected.check(parts)["failures"])


def test_rewritten_source_holds_the_table() -> None:
    source = Path(shipped.__file__).read_text()
    table = Table({**shipped.RATES, "rust": Rate(call=5e-6, arc=1e-8, step=7e-6)}, shipped.LOOP)
    namespace: dict[str, Any] = {"__name__": "lowtime.backends.expected_time"}
    exec(rewritten(source, table), namespace)
    assert repr(namespace["RATES"]["rust"]) == repr(Rate(call=5e-6, arc=1e-8, step=7e-6))
    assert namespace["LOOP"].calls == shipped.LOOP.calls


def test_comparison_finds_what_became_slower() -> None:
    old = {"parts": _flows(rust=(1.0, 1.0), igraph=(4.0, 4.0))}
    # The machine is half as fast: every time doubles, no ratio changes.
    same = {"parts": _flows(rust=(2.0, 2.0), igraph=(8.0, 8.0))}
    worse = {"parts": _flows(rust=(2.0, 2.0), igraph=(4.0, 4.0))}
    assert compare.compare(old, same)[1] == []
    assert len(compare.compare(old, worse)[1]) == 1


def test_comparison_of_published_versions_is_per_point() -> None:
    parts = _flows(rust=(1.0, 1.0), igraph=(4.0, 4.0))
    more = _flows(rust=(1.0, 1.0), igraph=(8.0, 8.0))
    for report in (parts, more):  # twice the time for igraph, and twice the points
        (row,) = report["cold_flow"]["rows"]
        row["outcomes"]["rust"]["seconds_per_point"] = 0.1
        row["outcomes"]["igraph"]["seconds_per_point"] = 0.4
    assert "1.00 x by ratio" in compare.compare({"parts": parts}, {"parts": more})[0][0]


def test_shares_sum_to_one() -> None:
    assert sum(SHARES.values()) == pytest.approx(1)


def test_smoke_report(required: frozenset[str], tmp_path: Path) -> None:
    """All parts once, at tiny sizes, without the other libraries' environments."""
    main(["--smoke", "--no-peers", "--output", str(tmp_path / "report")])
    report = json.loads((tmp_path / "report/report.json").read_text())
    assert report["parts"].keys() == SHARES.keys()
    native = {"capacity_stores": {"rust-ek-sparse", "rust-ek-dense"}}  # what a part is about
    for name, result in report["parts"].items():
        assert result["rows"] or not native.get(name, set()) <= required, name
        for row in result["rows"]:
            assert not row.get("disagreements"), name
    text = (tmp_path / "report/report.md").read_text()
    assert "A smoke run" in text
    for picture in ("projects.svg", "binding.svg"):
        assert (tmp_path / "report" / picture).exists()
        assert picture in text
    assert compare.main([str(tmp_path / "report/report.json")] * 2) == 0
