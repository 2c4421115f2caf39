"""Native sessions give the bits of the NumPy loop, from any state, in any thread."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy as np
import pytest
from lowtime_scipy import ScipyBackend
from oracle.networks import random_activity_network

from lowtime.backends.protocol import FrontierSession, FrontierTracer, Segments
from lowtime.conformance import projects
from lowtime.errors import InvalidNetwork
from lowtime.frontier.crash_loop import CrashLoop
from lowtime.network.activity import ActivityNetwork

Change = tuple[int, int, tuple[int, ...], tuple[int, ...]]

FAMILIES: dict[str, tuple[Callable[[int], ActivityNetwork], int]] = {
    "small": (projects.small, 60),
    "medium": (projects.medium, 6),
    "linear": (projects.linear, 15),
    "kinked": (projects.kinked, 10),
    "least_marginals": (projects.least_marginals, 30),
    "large_numbers": (projects.large_numbers, 20),
    "parallel_dummies": (projects.parallel_dummies, 30),
    "oracle": (lambda seed: random_activity_network(Random(seed)), 100),
}


def rows(segments: Segments) -> Iterator[Change]:
    """Length, slope, arcs and signs of every segment."""
    for k, (start, end) in enumerate(zip(segments.offset, segments.offset[1:], strict=False)):
        arcs, signs = segments.arc[start:end], segments.sign[start:end]
        yield (
            int(segments.length[k]),
            int(segments.slope[k]),
            tuple(arcs.tolist()),
            tuple(signs.tolist()),
        )


def joined(changes: list[Change]) -> list[Change]:
    """The same changes without borders between equal neighbours: where those lie is free."""
    result: list[Change] = []
    for length, *rest in changes:
        if result and result[-1][1:] == tuple(rest):
            result[-1] = (result[-1][0] + length, *result[-1][1:])
        else:
            result.append((length, *rest))  # type: ignore[arg-type]
    return result


def whole(session: FrontierSession, max_segments: int = 10**6) -> list[Change]:
    """All changes from a session's place to its end, `joined`."""
    changes: list[Change] = []
    while True:
        turn = session.advance(max_segments)
        changes += rows(turn)
        if turn.done:
            return joined(changes)


@pytest.mark.parametrize("family", FAMILIES)
def test_native_sessions_give_the_bits_of_the_numpy_loop(native: Any, family: str) -> None:
    make, count = FAMILIES[family]
    solve = ScipyBackend().max_flow
    for seed in range(count):
        network = make(seed)
        expected = whole(CrashLoop(network, solve))
        assert whole(native.RustBackend().open_frontier(network)) == expected


def test_a_state_restores_into_either_loop(native: Any) -> None:
    solve = ScipyBackend().max_flow
    for seed in range(40):
        network = projects.small(seed)
        expected = whole(CrashLoop(network, solve))
        session = native.RustBackend().open_frontier(network)
        changes: list[Change] = []
        while True:
            turn = session.advance(1)
            changes += rows(turn)
            state = session.state()
            assert bool(state["done"][0]) == turn.done
            rest = whole(CrashLoop(network, solve, state=state))
            assert joined(changes + rest) == expected
            session = native.RustBackend().open_frontier(network, state)
            if turn.done:
                break
        assert joined(changes) == expected


def test_a_restored_session_says_at_its_end_that_it_is_done(native: Any) -> None:
    network = projects.small(1)
    session = native.RustBackend().open_frontier(network)
    whole(session)
    again = native.RustBackend().open_frontier(network, session.state())
    turn = again.advance(5)
    assert turn.done
    assert len(turn.length) == 0


def test_the_classes_are_what_the_protocol_asks_for(native: Any) -> None:
    backend = native.RustBackend()
    assert isinstance(backend, FrontierTracer)
    assert isinstance(backend.open_frontier(projects.small(0)), FrontierSession)


def test_a_turn_ends_at_the_number_of_segments_asked_for(native: Any) -> None:
    session = native.RustBackend().open_frontier(projects.medium(3))
    for asked in (1, 2, 3):
        turn = session.advance(asked)
        assert len(turn.length) == asked
        assert turn.offset[0] == 0
        assert turn.offset[-1] == len(turn.arc) == len(turn.sign)
        dtypes = [turn.length.dtype, turn.slope.dtype, turn.offset.dtype]
        assert dtypes == [np.int64] * 3
        assert (turn.arc.dtype, turn.sign.dtype) == (np.int32, np.int8)


def test_counters_tell_the_work_done(native: Any) -> None:
    session = native.RustBackend().open_frontier(projects.medium(4))
    steps = len(session.advance(10**6).length)
    counters = session.counters()
    assert counters["steps"] == steps
    assert {"augmentations", "searches", "nodes_visited", "pushes", "events"} <= set(counters)
    assert counters["pushes"] >= counters["augmentations"] >= 1


def test_a_state_of_another_project_is_refused(native: Any) -> None:
    state = native.RustBackend().open_frontier(projects.medium(1)).state()
    with pytest.raises(InvalidNetwork):
        native.RustBackend().open_frontier(projects.linear(1), state)
    with pytest.raises(InvalidNetwork, match="flow"):
        native.RustBackend().open_frontier(projects.medium(1), {"duration": state["duration"]})


def test_threads_trace_the_same_bits_at_the_same_time(native: Any) -> None:
    networks = [projects.medium(seed) for seed in range(4)]
    expected = [whole(native.RustBackend().open_frontier(n)) for n in networks]
    found: dict[int, list[Change]] = {}

    def trace(index: int) -> None:
        session = native.RustBackend().open_frontier(networks[index % 4])
        found[index] = whole(session, 3)

    threads = [threading.Thread(target=trace, args=(index,)) for index in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[index] for index in range(8)] == expected * 2


def test_threads_that_share_a_session_get_every_segment_once(native: Any) -> None:
    network = projects.medium(5)
    expected = list(rows(native.RustBackend().open_frontier(network).advance(10**6)))
    session = native.RustBackend().open_frontier(network)
    found: list[Change] = []

    def trace() -> None:
        done = False
        while not done:
            turn = session.advance(1)
            found.extend(rows(turn))
            done = turn.done

    threads = [threading.Thread(target=trace) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == sorted(expected)


def chain(arcs: int) -> ActivityNetwork:
    """Operations in series, each with one quantum to give for one cost unit."""
    ones = np.ones(arcs, dtype=np.int64)
    return ActivityNetwork(
        num_events=arcs + 1,
        num_operations=arcs,
        tail=np.arange(arcs, dtype=np.int32),
        head=np.arange(1, arcs + 1, dtype=np.int32),
        shortest=ones,
        longest=2 * ones,
        table=np.zeros(arcs, dtype=np.int32),
        table_start=np.array([0, 1]),
        piece_start=np.array([1]),
        piece_end=np.array([2]),
        marginal=np.array([1]),
        unbounded=arcs + 1,
        cost_unit=1.0,
        start_cost=0.0,
    )


def test_a_very_long_chain_needs_no_stack(native: Any) -> None:
    arcs = 200_000
    session = native.RustBackend().open_frontier(chain(arcs))
    crashed = [arc for _, _, (arc,), _ in whole(session)]  # one arc each: they differ
    assert crashed == list(range(arcs))  # equal marginals: nearest the source first


def test_a_turn_releases_the_interpreter_lock(native: Any) -> None:
    session = native.RustBackend().open_frontier(chain(100_000))
    gate = threading.Lock()
    gate.acquire()
    passed: list[int] = []

    def wait() -> None:
        with gate:
            passed.append(1)

    waiting = threading.Thread(target=wait)
    waiting.start()
    before = sys.getswitchinterval()
    sys.setswitchinterval(10**6)  # nobody gets the lock unless it is given up
    try:
        gate.release()
        done = False
        while not (done or passed):
            done = session.advance(2000).done
    finally:
        sys.setswitchinterval(before)
    reached = list(passed)
    waiting.join()
    assert reached
