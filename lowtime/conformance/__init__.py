"""The conformance suite for authors of backends."""

from __future__ import annotations

from lowtime.conformance.pytest_ids import parametrize_with_checks
from lowtime.conformance.registry import LEVELS, SUITES, CheckFailed, suite_checks
from lowtime.conformance.report import CheckResult, LevelResult, Report
from lowtime.conformance.suite_run import run

__all__ = [
    "LEVELS",
    "SUITES",
    "CheckFailed",
    "CheckResult",
    "LevelResult",
    "Report",
    "parametrize_with_checks",
    "run",
    "suite_checks",
]
