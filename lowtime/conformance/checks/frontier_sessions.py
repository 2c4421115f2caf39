"""Frontier checks: what a session says of itself, and how it goes on from there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from threading import Barrier, Thread
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lowtime.conformance.expected import require
from lowtime.conformance.loop import (
    Segment,
    family_segments,
    joined,
    reference_max_flow,
    require_same_segments,
    session_segments,
    turn_segments,
)
from lowtime.conformance.registry import CheckFailed, check
from lowtime.conformance.subject import Subject
from lowtime.frontier.certificate import certify_point
from lowtime.frontier.crash_loop import CrashLoop
from lowtime.network.activity import ActivityNetwork

State = Mapping[str, NDArray[Any]]


def copied(state: State) -> dict[str, NDArray[Any]]:
    """The arrays of a state that the contract names, as a file would keep them."""
    return {name: np.array(state[name]) for name in ("duration", "event_time", "flow", "done")}


@check("frontier", "1.0")
def keeps_to_the_asked_number(subject: Subject) -> None:
    """More segments than asked for, or other segments when asked for one at a time.

    Source: the contract of `FrontierSession.advance`.
    """
    for family in ("small", "pipeline"):
        for max_segments in (1, 2, 7):
            network, expected = family_segments(family, 1)
            found = session_segments(subject.open_frontier(network), network, max_segments)
            require_same_segments(joined(found), expected, f"{family}(1) by {max_segments}")


@check("frontier", "1.0")
def stays_at_the_end(subject: Subject) -> None:
    """Segments after the end, or an error when a finished session is asked again.

    Source: the contract of `FrontierSession.advance`.
    """
    network, _ = family_segments("small", 3)
    session = subject.open_frontier(network)
    session_segments(session, network, 4096)
    for _ in range(2):
        turn = session.advance(5)
        require(turn.done and len(turn.length) == 0, "a finished session went on")


@check("frontier", "1.0")
def state_matches_the_segments(subject: Subject) -> None:
    """Durations or event times that differ from what the segments say.

    Source: the contract of `FrontierSession.state`.
    """
    for family in ("small", "medium", "pipeline"):
        network, _ = family_segments(family, 2)
        session = subject.open_frontier(network)
        loop = CrashLoop(network, reference_max_flow)
        duration = network.longest.copy()
        done = False
        while not done:
            turn = session.advance(1)
            done = turn.done
            shortened = 0
            for length, _, changes in turn_segments(turn, network, 1):
                shortened += length
                for arc, sign in changes:
                    duration[arc] += sign * length
            _advance_by(loop, shortened)
            state, own = session.state(), loop.state()
            where = f"{family}(2)"
            require(np.array_equal(state["duration"], duration), f"{where}: other durations")
            if _quanta(own) == _quanta(state):  # the loop may join what the tracer divides
                same = np.array_equal(state["event_time"], own["event_time"])
                require(same, f"{where}: other event times")


def _quanta(state: State) -> int:
    return int(state["event_time"][-1])


def _advance_by(loop: CrashLoop, quanta: int) -> None:
    goal = _quanta(loop.state()) - quanta
    while _quanta(loop.state()) > goal:
        loop.advance(1)


@check("frontier", "1.0")
def state_proves_the_point(subject: Subject) -> None:
    """A flow that does not prove the point optimal: out of bounds, not conserved, on slack arcs.

    Source: Fulkerson (1961), doi:10.1287/mnsc.7.2.167: complementary slackness.
    """
    for family in ("small", "kinked", "pipeline"):
        network, _ = family_segments(family, 4)
        session = subject.open_frontier(network)
        done = False
        certify_point(network, session.state(), subject.info.name)
        while not done:
            done = session.advance(1).done
            certify_point(network, session.state(), subject.info.name)


@check("frontier", "1.0")
def restores_from_any_state(subject: Subject) -> None:
    """A restored session that loses the flow, the slacks or a tie, and goes on elsewhere.

    Source: the contract of `FrontierTracer.open_frontier`.
    """
    for family, seed in (("small", 5), ("linear", 1), ("kinked", 1), ("pipeline", 3)):
        network, expected = family_segments(family, seed)
        session = subject.open_frontier(network)
        before = []
        states = [copied(session.state())]
        done = False
        while not done:
            turn = session.advance(1)
            before.append(turn_segments(turn, network, 1))
            states.append(copied(session.state()))
            done = turn.done
        for at in sorted({0, 1, len(before) // 3, len(before) // 2, len(before) - 1}):
            restored = subject.open_frontier(network, states[at])
            rest = session_segments(restored, network, 4096)
            whole = joined([segment for turn in before[:at] for segment in turn] + rest)
            require_same_segments(whole, expected, f"{family}({seed}) restored at {at}")


@check("frontier", "1.0")
def restores_from_the_loop(subject: Subject) -> None:
    """A state that only the tracer itself can read: the four documented arrays must be enough.

    Source: the contract of `FrontierSession.state`.
    """
    for family, seed in (("small", 6), ("medium", 1), ("pipeline", 1)):
        network, expected = family_segments(family, seed)
        loop = CrashLoop(network, reference_max_flow)
        before = []
        for _ in range(len(expected) // 2):
            before += turn_segments(loop.advance(1), network, 1)
        restored = subject.open_frontier(network, copied(loop.state()))
        whole = joined(before + session_segments(restored, network, 4096))
        require_same_segments(whole, expected, f"{family}({seed})")


@check("frontier", "1.0")
def state_is_a_copy(subject: Subject) -> None:
    """A state that moves on with its session, or a session that moves with its state.

    Source: native bindings that return views of a solver's storage.
    """
    network, expected = family_segments("pipeline", 2)
    session = subject.open_frontier(network)
    found = turn_segments(session.advance(2), network, 2)
    state = session.state()
    kept = copied(state)
    found += turn_segments(session.advance(2), network, 2)
    for name, array in kept.items():
        require(np.array_equal(state[name], array), f"{name} of an earlier state changed")
    for array in (state["duration"], state["event_time"], state["flow"]):
        if array.flags.writeable:
            array[:] = -1
    found += session_segments(session, network, 4096)
    require_same_segments(joined(found), expected, "pipeline(2) after its state was overwritten")


@check("frontier", "1.0")
def sessions_in_turn(subject: Subject) -> None:
    """Two sessions of one backend that share storage.

    Source: reused workspaces.
    """
    pairs = [family_segments(family, 7) for family in ("small", "medium")]
    sessions = [subject.open_frontier(network) for network, _ in pairs]
    found: list[list[Any]] = [[], []]
    done = [False, False]
    while not all(done):
        for k, (network, _) in enumerate(pairs):
            if not done[k]:
                turn = sessions[k].advance(1)
                found[k] += turn_segments(turn, network, 1)
                done[k] = turn.done
    for k, (_, expected) in enumerate(pairs):
        require_same_segments(joined(found[k]), expected, f"session {k}")


@check("frontier", "1.0")
def sessions_in_threads(subject: Subject) -> None:
    """Two sessions that disturb each other when threads advance them at the same time.

    A backend that says it is not thread-safe is called by one thread at a time.

    Source: the contract of `BackendInfo.thread_safe`; native code that releases the GIL.
    """
    pairs = [family_segments("medium", 4), family_segments("pipeline", 5)]
    problems: list[BaseException] = []
    start = Barrier(len(pairs))

    def work(network: ActivityNetwork, expected: list[Segment], where: str) -> None:
        try:
            session = subject.open_frontier(network)
            start.wait()
            found = session_segments(session, network, 1)
            require_same_segments(joined(found), expected, where)
        except BaseException as problem:
            problems.append(problem)
            start.abort()  # so that the other thread does not wait for this one

    threads = [
        Thread(target=work, args=(*pair, f"thread {k}"), daemon=True)
        for k, pair in enumerate(pairs)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if problems:
        raise CheckFailed(f"{type(problems[0]).__name__}: {problems[0]}") from problems[0]


@check("frontier", "1.0")
def project_left_alone(subject: Subject) -> None:
    """A tracer that works in its input's arrays.

    Source: the contract of `MaxFlowBackend`, "a backend never mutates its input".
    """
    network, expected = family_segments("medium", 3)
    before = {
        field.name: getattr(network, field.name).copy()
        for field in fields(network)
        if isinstance(getattr(network, field.name), np.ndarray)
    }
    found = session_segments(subject.open_frontier(network), network, 4096)
    require_same_segments(joined(found), expected, "medium(3)")
    for name, array in before.items():
        require(np.array_equal(getattr(network, name), array), f"{name} was changed")


@check("frontier", "1.0")
def counts_its_work(subject: Subject) -> None:
    """Counters that are missing or no integers; they end in the provenance of every result.

    Source: the contract of `FrontierSession.counters`.
    """
    network, _ = family_segments("small", 8)
    session = subject.open_frontier(network)
    session_segments(session, network, 4096)
    counters = session.counters()
    require(isinstance(counters.get("steps"), int), f"counters {dict(counters)} lack steps")
    wrong = {name: count for name, count in counters.items() if type(count) is not int}
    require(not wrong, f"counters {wrong} are no Python integers")
