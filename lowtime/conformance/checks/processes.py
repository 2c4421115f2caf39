"""Robustness checks: several threads, forked and fresh processes."""

from __future__ import annotations

import json
import multiprocessing
import os
import pickle
import subprocess
import sys
import warnings
from multiprocessing.connection import Connection
from threading import Barrier, Thread

from lowtime.backends.protocol import MaxFlowBackend
from lowtime.conformance.expected import require
from lowtime.conformance.goldens import golden
from lowtime.conformance.reference_to_backend import referenced_backend
from lowtime.conformance.registry import CheckFailed, check
from lowtime.conformance.subject import Subject

PROCESS_SECONDS = 30.0  # for another process to solve a handful of small networks
WORK = (("grid", 2), ("layered", 1), ("parallel", 3), ("pipeline", 0), ("tiny", 9))


def solve_work(subject: Subject) -> None:
    """Prove the backend right on a few instances of different size."""
    for family, seed in WORK:
        network, expected = golden(family, seed)
        subject.require_exact(network, f"{family}({seed})", expected)


@check("robustness", "1.0")
def threads_at_once(subject: Subject) -> None:
    """Storage shared between calls: four threads call one object, which says it is thread-safe.

    A backend that says it is not is called by one thread at a time; lowtime sees to that.

    Source: the contract of `BackendInfo.thread_safe`.
    """
    problems: list[BaseException] = []
    shared = [golden(family, seed) for family, seed in WORK]
    start = Barrier(4)

    def work(shift: int) -> None:
        try:
            start.wait()
            for turn in range(6):
                network, expected = shared[(turn + shift) % len(shared)]
                subject.require_exact(network, f"instance {turn} of thread {shift}", expected)
        except BaseException as problem:
            problems.append(problem)

    threads = [Thread(target=work, args=(shift,), daemon=True) for shift in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if problems:
        raise CheckFailed(f"{type(problems[0]).__name__}: {problems[0]}") from problems[0]


@check("robustness", "1.0")
def calls_from_another_thread(subject: Subject) -> None:
    """Storage bound to the thread that made the backend or called it first.

    Source: native objects that are not `Send`.
    """
    problems: list[BaseException] = []

    def work() -> None:
        try:
            solve_work(subject)
        except BaseException as problem:
            problems.append(problem)

    solve_work(subject)
    thread = Thread(target=work, daemon=True)
    thread.start()
    thread.join()
    if problems:
        raise CheckFailed(f"{type(problems[0]).__name__}: {problems[0]}") from problems[0]


@check("robustness", "1.0")
def forked_process(subject: Subject) -> None:
    """A backend that was used before a fork and hangs or dies after it: pools, locks, handles.

    Source: thread pools of native libraries, whose threads do not survive a fork.
    """
    solve_work(subject)
    if not hasattr(os, "fork"):
        return
    context = multiprocessing.get_context("fork")
    receiving, sending = context.Pipe(duplex=False)
    process = context.Process(target=_child, args=(sending, subject.backend), daemon=True)
    with warnings.catch_warnings():
        # CPython 3.12 warns of forks beside threads; whether the backend bears one is the question.
        warnings.simplefilter("ignore", DeprecationWarning)
        process.start()
    sending.close()
    try:
        arrived = receiving.poll(PROCESS_SECONDS)
        require(arrived, f"no answer from a forked process within {PROCESS_SECONDS:g} s")
        try:
            _take(subject, receiving.recv())
        except EOFError:
            raise CheckFailed("a forked process died in the backend") from None
    finally:
        process.kill()
        process.join()
        receiving.close()


def _child(connection: Connection, backend: MaxFlowBackend) -> None:
    connection.send(_answer(backend))
    connection.close()


def _answer(backend: MaxFlowBackend) -> tuple[int, str]:
    subject = Subject(backend)
    try:
        solve_work(subject)
    except BaseException as problem:
        return subject.calls, f"{type(problem).__name__}: {problem}"
    return subject.calls, ""


def _take(subject: Subject, answer: tuple[int, str]) -> None:
    calls, problem = answer
    subject.counted.count(calls)
    require(not problem, f"in another process: {problem}")
    require(calls > 0, "the other process never called the backend")


@check("robustness", "1.0")
def fresh_process(subject: Subject) -> None:
    """A backend that works only where it was first made: spawned workers get it by name or pickle.

    Source: `multiprocessing` with start method spawn, the default on macOS and Windows.
    """
    solve_work(subject)
    if subject.reference is not None:
        payload = pickle.dumps(subject.reference)
    else:
        try:
            payload = pickle.dumps(subject.backend)
        except Exception as problem:
            raise CheckFailed(
                f"the backend object cannot be pickled for a spawned worker ({problem}); run the"
                " suite with its name or module:attribute instead, or make it picklable"
            ) from problem
    start = (
        f"import sys; sys.path[:] = {sys.path!r}; from {__name__} import fresh_main; fresh_main()"
    )
    try:
        finished = subprocess.run(
            [sys.executable, "-c", start],
            input=payload,
            capture_output=True,
            timeout=PROCESS_SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise CheckFailed(f"no answer from a fresh process within {PROCESS_SECONDS:g} s") from None
    require(
        finished.returncode == 0,
        f"a fresh process ended with status {finished.returncode}:"
        f" {finished.stderr.decode(errors='replace')[-300:]}",
    )
    _take(subject, tuple(json.loads(finished.stdout.splitlines()[-1])))


def fresh_main() -> None:
    """Solve with the backend that is pickled on standard input; print calls and problem."""
    found = pickle.loads(sys.stdin.buffer.read())
    backend = referenced_backend(found) if isinstance(found, str) else found
    print(json.dumps(_answer(backend)))
