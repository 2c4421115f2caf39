"""One pytest test per check, with expected failures."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from lowtime.conformance import CheckFailed, parametrize_with_checks, suite_checks
from lowtime.conformance.honest import HonestBackend
from lowtime.conformance.known_bad.flows import SortedArcs

MODULE = """
from lowtime.conformance import parametrize_with_checks
from lowtime.conformance.known_bad.arithmetic import WrappedTotal

@parametrize_with_checks(
    [WrappedTotal(), "scipy"], level="limits", expected_failures={failures}
)
def test_conformance(backend, check):
    check(backend)
"""


@parametrize_with_checks([HonestBackend()], level="limits", suite="1.0")
def test_conformance(backend: HonestBackend, check: object) -> None:
    assert callable(check)
    check(backend)


def test_ids_name_backend_and_check() -> None:
    mark = parametrize_with_checks([HonestBackend(), "scipy"], level="core").mark
    ids = [parameter.id for parameter in mark.args[1]]
    names = [check.name for check in suite_checks("1.0", "core")]
    assert ids == [f"{name}-{check}" for name in ("honest", "scipy") for check in names]


def test_a_failure_is_raised_and_a_missing_level_skipped() -> None:
    def check_named(name: str) -> object:
        mark = parametrize_with_checks([HonestBackend()]).mark
        return next(p.values[1] for p in mark.args[1] if p.id == f"honest-{name}")

    order = check_named("order_of_arcs")
    tracer = check_named("stays_at_the_end")
    assert callable(order)
    assert callable(tracer)
    with pytest.raises(CheckFailed, match="capacity"):
        order(SortedArcs())
    with pytest.raises(pytest.skip.Exception, match="not offered"):
        tracer(HonestBackend())


def test_expected_failures_must_name_checks() -> None:
    with pytest.raises(ValueError, match="no_such_check"):
        parametrize_with_checks([HonestBackend()], expected_failures={"no_such_check": "?"})


def test_expected_failures_are_strict(tmp_path: Path) -> None:
    failures = {"largest_total": "wraps", "declaration": "is fine, really"}
    (tmp_path / "test_it.py").write_text(MODULE.format(failures=failures))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_it.py"]
    finished = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    # One expected failure of each backend's two comes true: the others pass against expectation.
    assert "3 failed, 20 passed, 1 xfailed" in finished.stdout


def test_the_suite_needs_no_pytest() -> None:
    program = (
        "import sys; sys.modules['pytest'] = sys.modules['hypothesis'] = None;"
        "from lowtime.conformance import run; from lowtime.conformance.honest import HonestBackend;"
        "assert run(HonestBackend(), 'limits').conforms"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
