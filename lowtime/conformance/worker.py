"""The process in which a backend given by name is tested."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from lowtime.conformance.execution import hang_message, result_of
from lowtime.conformance.reference_to_backend import referenced_backend
from lowtime.conformance.registry import Check, suite_checks
from lowtime.conformance.report import CheckResult

START_SECONDS = 60.0  # to start Python and load the backend, on a slow disk
GRACE_SECONDS = 5.0  # beyond a check's limit, in which the worker may report the hang itself


def isolated_results(
    reference: str, checks: tuple[Check, ...], suite: str, time_limit: float
) -> Iterator[CheckResult]:
    """What the checks find in a process of its own, one by one.

    A crash of native code or a hang that no thread can end is a failure of the check in which it
    happened; a new process goes on with the next one.
    """
    left = list(checks)
    while left:
        worker = _Worker(reference, left, suite, time_limit)
        try:
            while left:
                line = worker.line(time_limit + GRACE_SECONDS + START_SECONDS)
                check = left.pop(0)
                if line is None:
                    yield CheckResult(
                        check.name,
                        check.level,
                        check.since,
                        "failed",
                        worker.end(time_limit),
                        worker.seconds(),
                    )
                    break
                result = CheckResult(**line)
                yield result
                if result.message == hang_message(time_limit):
                    break  # the thread that hangs would disturb the checks that follow
        finally:
            worker.stop()


class _Worker:
    def __init__(self, reference: str, checks: list[Check], suite: str, time_limit: float) -> None:
        names = ",".join(check.name for check in checks)
        # The child finds modules where this process does, also those that pytest made findable.
        start = f"import sys; sys.path[:] = {sys.path!r}; from {__name__} import main; main()"
        self._process = subprocess.Popen(
            [sys.executable, "-c", start, reference, suite, repr(time_limit), names],
            stdout=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        )
        self._lines: SimpleQueue[str] = SimpleQueue()
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()
        self._since = time.perf_counter()

    def _read(self) -> None:
        assert self._process.stdout is not None  # asked for above
        with self._process.stdout as lines:
            for line in lines:
                self._lines.put(line)
        self._lines.put("")

    def line(self, seconds: float) -> dict[str, Any] | None:
        """The next result, or None when the process died or says nothing for too long."""
        self._since = time.perf_counter()
        try:
            text = self._lines.get(timeout=seconds)
        except Empty:
            return None
        result: dict[str, Any] | None = json.loads(text) if text else None
        return result

    def seconds(self) -> float:
        return round(time.perf_counter() - self._since, 6)

    def end(self, time_limit: float) -> str:
        """Why there is no result."""
        try:
            code = self._process.wait(timeout=GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            return f"{hang_message(time_limit)}; not even other threads could run"
        return f"the process died with exit status {code} ({_signal_name(code)})"

    def stop(self) -> None:
        """End the process; one that it forked may hold the pipe, so the wait has an end."""
        self._process.kill()
        self._process.wait()
        self._reader.join(GRACE_SECONDS)


def _signal_name(code: int) -> str:
    import signal

    try:
        return signal.Signals(-code).name if code < 0 else "no signal"
    except ValueError:
        return "unknown signal"


def main() -> None:
    """Run the named checks and write one JSON line per result.

    Standard output becomes standard error for everybody else: a backend that prints must not
    break the lines.
    """
    reference, suite, time_limit, names = sys.argv[1:]
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as lines:
        os.dup2(2, 1)
        backend = referenced_backend(reference)
        wanted = set(names.split(","))
        for check in suite_checks(suite):
            if check.name in wanted:
                result = result_of(check, backend, reference, float(time_limit))
                lines.write(json.dumps(asdict(result)) + "\n")
                lines.flush()
    os._exit(0)  # a thread given up after a hang must not keep the process
