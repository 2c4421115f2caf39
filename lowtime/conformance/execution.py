"""The run of one check: timed, counted, and ended by its time limit."""

from __future__ import annotations

import time
import traceback
from threading import Thread

from lowtime.backends.protocol import FrontierTracer, MaxFlowBackend
from lowtime.conformance.registry import Check, CheckFailed
from lowtime.conformance.report import CheckResult
from lowtime.conformance.subject import Subject

TIME_LIMIT = 60.0  # seconds a check; the slowest takes under 2 with a slow but honest backend
MOST_SECONDS = 1e6  # eleven days; what operating systems can wait for ends somewhere above


def result_of(
    check: Check,
    backend: MaxFlowBackend,
    reference: str | None = None,
    time_limit: float = TIME_LIMIT,
) -> CheckResult:
    """What a check finds.

    The check runs in a thread of its own, which is given up after the time limit: Python cannot
    end a thread, so a backend that never returns keeps it.

    Args:
        check: the check.
        backend: the backend under test.
        reference: how another process finds the backend, or None.
        time_limit: seconds.
    """
    if check.level == "frontier" and not isinstance(backend, FrontierTracer):
        return CheckResult(
            check.name, check.level, check.since, "not offered", "the backend traces no frontiers"
        )
    subject = Subject(backend, reference)
    problems: list[str] = []

    def attempt() -> None:
        try:
            check.function(subject)
        except CheckFailed as problem:
            problems.append(str(problem))
        except BaseException as problem:  # a check must not let even SystemExit end the suite
            problems.append(_described(problem))

    thread = Thread(target=attempt, name=f"check {check.name}", daemon=True)
    start = time.perf_counter()
    thread.start()
    thread.join(time_limit)
    if thread.is_alive():
        problems.insert(0, hang_message(time_limit))
    elif not problems and subject.calls == 0:
        problems.append("the backend was never called, so the check proves nothing")
    return CheckResult(
        check.name,
        check.level,
        check.since,
        "failed" if problems else "passed",
        problems[0] if problems else "",
        round(time.perf_counter() - start, 6),
        subject.calls,
    )


def check_time_limit(seconds: float) -> None:
    """Refuse a time limit that no check can be given.

    Raises:
        ValueError: it is not above 0, or beyond `MOST_SECONDS`.
    """
    if not 0 < seconds <= MOST_SECONDS:
        raise ValueError(
            f"the time limit is {seconds} s; expected seconds above 0, {MOST_SECONDS:g} at most"
        )


def hang_message(time_limit: float) -> str:
    """What is said of a check that its time limit ended."""
    return f"no end within the time limit of {time_limit:g} s"


def _described(problem: BaseException) -> str:
    place = traceback.extract_tb(problem.__traceback__)[-1]
    return f"{type(problem).__name__}: {problem} ({place.filename}:{place.lineno})"
