"""The suite as pytest parameters, one test per check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lowtime.backends.protocol import MaxFlowBackend
from lowtime.conformance.execution import TIME_LIMIT, check_time_limit, result_of
from lowtime.conformance.reference_to_backend import referenced_backend
from lowtime.conformance.registry import SUITES, Check, CheckFailed, Level, suite_checks


@dataclass(frozen=True, slots=True)
class PytestCheck:
    """A check that a test calls with the backend.

    Attributes:
        check: the check.
        time_limit: seconds.
    """

    check: Check
    time_limit: float

    def __call__(self, backend: str | MaxFlowBackend) -> None:
        """Pass, fail, or skip where the backend does not offer the level.

        Raises:
            CheckFailed: the backend failed the check.
        """
        import pytest

        reference = backend if isinstance(backend, str) else None
        found = referenced_backend(backend) if isinstance(backend, str) else backend
        result = result_of(self.check, found, reference, self.time_limit)
        if result.status == "not offered":
            pytest.skip(f"not offered: {result.message}")
        if result.status != "passed":
            raise CheckFailed(result.message)


def parametrize_with_checks(
    backends: Sequence[str | MaxFlowBackend],
    *,
    expected_failures: Mapping[str, str] | None = None,
    level: Level | None = None,
    suite: str = SUITES[-1],
    time_limit: float = TIME_LIMIT,
) -> Any:
    """A decorator that runs a test function once per backend and check.

    The function takes ``backend`` and ``check`` and calls ``check(backend)``. pytest is imported
    here and nowhere else in lowtime.

    Args:
        backends: names, ``module:attribute`` references or backend objects.
        expected_failures: check -> reason; such a check must fail (``xfail(strict=True)``).
        level: only this level; None for all.
        suite: version of the suite; name it, and a later lowtime cannot redden the tests.
        time_limit: seconds, for each check; above 0, 10^6 at most.

    Raises:
        ValueError: an expected failure names no check of the suite, no such suite or level, or a
            time limit out of range.

    Example:
        >>> @parametrize_with_checks(["scipy"], suite="1.0")
        ... def test_conformance(backend, check):
        ...     check(backend)
    """
    import pytest

    check_time_limit(time_limit)
    expected = dict(expected_failures or {})
    checks = suite_checks(suite, level)
    unknown = sorted(set(expected) - {check.name for check in checks})
    if unknown:
        raise ValueError(f"expected_failures names no check of the suite: {', '.join(unknown)}")
    return pytest.mark.parametrize(
        ("backend", "check"),
        [
            pytest.param(
                backend,
                PytestCheck(check, time_limit),
                id=f"{backend if isinstance(backend, str) else backend.info.name}-{check.name}",
                marks=[pytest.mark.xfail(reason=expected[check.name], strict=True)]
                if check.name in expected
                else [],
            )
            for backend in backends
            for check in checks
        ],
    )
