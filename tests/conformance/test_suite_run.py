"""A run reports everything, also what never came back."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import lowtime
from lowtime.conformance import Report, run, suite_checks
from lowtime.conformance.execution import result_of
from lowtime.conformance.honest import HonestBackend
from lowtime.conformance.known_bad.flows import SortedArcs
from lowtime.conformance.registry import Check
from lowtime.conformance.report import CheckResult, level_results
from lowtime.errors import BackendNotFound, BackendUnusable

HERE = "tests.conformance.misbehaving"
FEW = ("no_arcs", "long_path", "unit_arc_between_wide_ones")


def only(monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...]) -> None:
    """Let a run see a few checks only, so that a hang costs its limit once."""
    few = tuple(check for check in suite_checks() if check.name in names)
    monkeypatch.setattr("lowtime.conformance.suite_run.suite_checks", lambda suite, level: few)


def test_report_as_json_is_complete_and_comes_back() -> None:
    report = run(HonestBackend(), "limits")
    document = json.loads(report.to_json())
    assert document["suite"] == "1.0"
    assert document["backend"] == "honest"
    assert document["backend_version"] == "1.0.0"
    assert document["lowtime_version"] == lowtime.__version__
    assert document["platform"]
    assert document["conforms"] is True
    assert {check["name"] for check in document["checks"]} == {
        check.name for check in suite_checks("1.0", "limits")
    }
    assert all(check["seconds"] > 0 and check["calls"] > 0 for check in document["checks"])
    assert Report.from_json(report.to_json()) == report


def test_another_document_is_no_report() -> None:
    for text in ("[]", '{"format": 99}'):
        with pytest.raises(ValueError, match="format"):
            Report.from_json(text)


def test_report_is_saved_whole(tmp_path: Path) -> None:
    report = run(HonestBackend(), "limits")
    report.save(tmp_path / "report.json")
    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]
    assert Report.from_json((tmp_path / "report.json").read_text()) == report


def test_saving_a_report_leaves_a_file_of_a_similar_name_alone(tmp_path: Path) -> None:
    (tmp_path / "report.json.part").write_text("mine")
    run(HonestBackend(), "limits").save(tmp_path / "report.json")
    assert (tmp_path / "report.json.part").read_text() == "mine"


def test_a_level_that_is_not_offered_is_not_passed() -> None:
    report = run(HonestBackend(), "frontier")
    assert [level.status for level in report.levels] == ["not offered"]
    assert {check.status for check in report.checks} == {"not offered"}
    assert not report.conforms
    assert "does not conform" in report.claim


def test_failures_are_listed_with_their_reason() -> None:
    report = run(SortedArcs(), "limits")
    assert not report.conforms
    assert "order" not in report.claim
    assert all(failure.message in report.table() for failure in report.failures)


def test_a_check_without_a_call_fails() -> None:
    idle = Check("idle", "core", "1.0", lambda subject: None, "nothing")
    result = result_of(idle, HonestBackend())
    assert result.status == "failed"
    assert "never called" in result.message


def test_fewer_checks_than_the_suite_has_fail_the_level() -> None:
    passed = tuple(
        CheckResult(check.name, check.level, check.since, "passed", calls=1)
        for check in suite_checks("1.0", "limits")
    )
    assert level_results(passed, {"limits": 12})[0].status == "passed"
    assert level_results(passed[1:], {"limits": 12})[0].status == "failed"
    assert level_results((), {"limits": 12})[0].status == "failed"
    not_run = (replace(passed[0], status="not run"), *passed[1:])
    assert level_results(not_run, {"limits": 12})[0].status == "failed"


def test_even_system_exit_does_not_end_the_suite() -> None:
    def leave(subject: object) -> None:
        raise SystemExit(3)

    result = result_of(Check("leave", "core", "1.0", leave, "leaves"), HonestBackend())
    assert result.status == "failed"
    assert "SystemExit" in result.message


def test_a_named_backend_runs_in_a_process_of_its_own() -> None:
    report = run("scipy", "limits")
    assert report.conforms
    assert report.backend == "scipy"


def test_a_crash_of_the_process_fails_one_check(monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, FEW)
    report = run(f"{HERE}:CrashesOnLongPaths")
    assert {result.name: result.status for result in report.checks} == {
        "no_arcs": "passed",
        "long_path": "failed",
        "unit_arc_between_wide_ones": "passed",
    }
    assert "SIGABRT" in report.failures[0].message


def test_a_hang_fails_one_check_in_either_place(monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, FEW)
    from tests.conformance.misbehaving import HangsOnLongPaths

    for backend in (HangsOnLongPaths(), f"{HERE}:HangsOnLongPaths"):
        report = run(backend, time_limit=2)
        assert [result.name for result in report.failures] == ["long_path"]
        assert "time limit" in report.failures[0].message
        assert not report.conforms


def test_a_run_is_given_up_after_some_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.conformance.misbehaving import AlwaysHangs

    monkeypatch.setattr("lowtime.conformance.suite_run.GIVE_UP_AFTER", 1)
    report = run(AlwaysHangs(), "limits", time_limit=0.1)
    assert [result.status for result in report.checks] == ["failed"] + ["not run"] * 11
    assert report.levels[0].status == "failed"


def test_what_cannot_be_tried_is_an_error() -> None:
    with pytest.raises(BackendNotFound):
        run("no-such-backend")
    for reference in (
        "no.such.module:Backend",
        "lowtime.errors:Nothing",
        "lowtime.errors:Infeasible",
    ):
        with pytest.raises(BackendUnusable):
            run(reference)
