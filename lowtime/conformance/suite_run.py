"""The suite, run against one backend."""

from __future__ import annotations

from collections.abc import Iterator

from lowtime.backends.protocol import MaxFlowBackend
from lowtime.conformance.execution import TIME_LIMIT, check_time_limit, result_of
from lowtime.conformance.reference_to_backend import referenced_backend
from lowtime.conformance.registry import LEVELS, MINIMUM, SUITES, Check, Level, suite_checks
from lowtime.conformance.report import CheckResult, Report, level_results
from lowtime.conformance.worker import isolated_results

GIVE_UP_AFTER = 3  # checks without an end; each costs its whole time limit


def run(
    backend: str | MaxFlowBackend,
    level: Level | None = None,
    suite: str = SUITES[-1],
    *,
    time_limit: float = TIME_LIMIT,
) -> Report:
    """What the suite finds.

    Args:
        backend: an installed backend's name, ``module:attribute``, or a backend object. The first
            two run in a process of their own, so that a crash or a hang inside native code is
            reported like any other failure. An object runs in this process.
        level: only this level; None for all.
        suite: version of the suite.
        time_limit: seconds, for each check; above 0, 10^6 at most.

    Raises:
        BackendNotFound, BackendUnusable: no such backend, or it cannot be loaded.
        ValueError: no such suite or level, or a time limit out of range.

    Example:
        >>> from lowtime.conformance.honest import HonestBackend
        >>> run(HonestBackend(), level="limits").conforms
        True
    """
    check_time_limit(time_limit)
    checks = suite_checks(suite, level)
    if isinstance(backend, str):
        found = referenced_backend(backend)
        results = isolated_results(backend, checks, suite, time_limit)
    else:
        found = backend
        results = (result_of(check, found, None, time_limit) for check in checks)
    finished = tuple(_until_given_up(results, checks))
    required = {each: MINIMUM[suite][each] for each in LEVELS if level in (None, each)}
    return Report(
        suite=suite,
        backend=found.info.name,
        backend_version=found.info.version,
        requested=level,
        levels=level_results(finished, required),
        checks=finished,
    )


def _until_given_up(
    results: Iterator[CheckResult], checks: tuple[Check, ...]
) -> Iterator[CheckResult]:
    """One result per check; those after too many hangs are not run."""
    hangs = 0
    for check in checks:
        if hangs == GIVE_UP_AFTER:
            message = f"given up after {hangs} checks without an end"
            yield CheckResult(check.name, check.level, check.since, "not run", message)
            continue
        result = next(results)
        hangs += "no end within" in result.message
        yield result
