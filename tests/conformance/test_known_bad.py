"""The suite catches every known fault by the check that is named for it."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from lowtime.conformance import CheckResult, suite_checks
from lowtime.conformance import honest as honest_module
from lowtime.conformance.execution import result_of
from lowtime.conformance.honest import HonestBackend
from lowtime.conformance.known_bad import KNOWN_BAD, KnownBad
from lowtime.conformance.known_bad.tracers import HonestTracer
from lowtime.conformance.suite_run import run

CHECKS = {check.name: check for check in suite_checks()}


def found(bad: KnownBad) -> CheckResult:
    limit = 0.5 if bad.name == "bad-hangs" else 60.0
    return result_of(CHECKS[bad.caught_by], bad.make(), None, limit)


@pytest.mark.parametrize("bad", KNOWN_BAD, ids=lambda bad: bad.name)
def test_caught_by_name(bad: KnownBad) -> None:
    result = found(bad)
    assert result.status == "failed"
    assert result.message
    assert result.level == bad.level
    assert result.calls > 0


@pytest.mark.parametrize("name", sorted({bad.caught_by for bad in KNOWN_BAD}))
def test_the_same_checks_pass_the_honest(name: str) -> None:
    assert result_of(CHECKS[name], HonestTracer()).status == "passed"


def test_the_faults_have_names_of_their_own() -> None:
    assert len({bad.name for bad in KNOWN_BAD}) == len(KNOWN_BAD) >= 20


def test_a_hang_is_reported_as_one() -> None:
    hanging = next(bad for bad in KNOWN_BAD if bad.name == "bad-hangs")
    assert "time limit" in found(hanging).message


def test_the_honest_backend_conforms_and_is_short() -> None:
    report = run(HonestBackend())
    assert [result.message for result in report.failures] == []
    assert report.conforms
    offered = {level.level: level.status for level in report.levels}
    assert offered["frontier"] == "not offered"
    assert len(inspect.getsource(HonestBackend).splitlines()) < 40
    assert Path(honest_module.__file__ or "").name == "honest.py"


def test_the_honest_tracer_conforms_at_frontier() -> None:
    report = run(HonestTracer(), "frontier")
    assert [result.message for result in report.failures] == []
    assert report.conforms
