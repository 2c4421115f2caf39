"""Whole frontiers from sessions, right ones and ones with a fault."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from lowtime_scipy import ScipyBackend
from oracle.examples import examples
from oracle.networks import Arc, activity_networks, network_of
from oracle.sessions import FaultySession, State, changed

from lowtime.backends.protocol import Segments
from lowtime.errors import BackendFault
from lowtime.frontier.crash_loop import CrashLoop
from lowtime.frontier.trace import trace
from lowtime.network.activity import ActivityNetwork

# a-b is critical, c-d is not; a, b, c have kinks: seven segments.
NETWORK = network_of(
    4,
    [Arc(0, 1, table=0), Arc(1, 3, table=1), Arc(0, 2, table=1), Arc(2, 3, duration=2)],
    [],
    [(1, ((2, 9), (2, 2))), (1, ((2, 6), (2, 3)))],
)
CHECKS = ("always", "final")


def test_the_network_of_these_tests_has_segments_to_spoil() -> None:
    segments = trace(NETWORK, CrashLoop(NETWORK, ScipyBackend().max_flow), check="always")
    assert len(segments.length) >= 4
    assert len(np.unique(segments.slope)) >= 3
    assert segments.done


@examples(40)
@given(activity_networks())
def test_right_sessions_pass_every_check(network: ActivityNetwork) -> None:
    parts = [
        trace(network, CrashLoop(network, ScipyBackend().max_flow), check=check)
        for check in ("always", "final", "off")
    ]
    for part in parts[1:]:
        for name in ("length", "slope", "offset", "arc", "sign"):
            assert np.array_equal(getattr(part, name), getattr(parts[0], name))


@examples(40)
@given(activity_networks())
def test_neighbours_that_do_the_same_are_joined(network: ActivityNetwork) -> None:
    segments = trace(network, CrashLoop(network, ScipyBackend().max_flow), check="final")
    described = [
        (
            int(segments.slope[k]),
            segments.arc[segments.offset[k] : segments.offset[k + 1]].tolist(),
            segments.sign[segments.offset[k] : segments.offset[k + 1]].tolist(),
        )
        for k in range(len(segments.length))
    ]
    assert all(a != b for a, b in pairwise(described))


def test_only_what_does_the_same_is_joined() -> None:
    def scripted(part: Segments, call: int) -> Segments:
        return Segments(
            length=np.array([1, 2, 1, 1, 1]),
            slope=np.array([2, 2, 2, 3, 3]),
            offset=np.array([0, 1, 2, 3, 4, 6]),
            arc=np.array([0, 0, 0, 0, 0, 1], dtype=np.int32),
            sign=np.array([-1, -1, 1, 1, 1, 1], dtype=np.int8),
            done=True,
        )

    joined = trace(NETWORK, FaultySession(NETWORK, scripted), check="off")
    assert joined.length.tolist() == [3, 1, 1, 1]
    assert joined.slope.tolist() == [2, 2, 3, 3]
    assert joined.offset.tolist() == [0, 1, 2, 3, 5]
    assert joined.sign.tolist() == [-1, 1, 1, 1, 1]


def divided(part: Segments, call: int) -> Segments:
    """The same segments, each in single quanta."""
    count = np.repeat(np.diff(part.offset), part.length)
    changes = [
        slice(part.offset[k], part.offset[k + 1])
        for k, length in enumerate(part.length.tolist())
        for _ in range(length)
    ]
    pick = np.concatenate([np.arange(c.start, c.stop) for c in changes] or [[]]).astype(int)
    return Segments(
        length=np.ones(len(count), dtype=np.int64),
        slope=np.repeat(part.slope, part.length),
        offset=np.concatenate(([0], np.cumsum(count))).astype(np.int64),
        arc=part.arc[pick],
        sign=part.sign[pick],
        done=part.done,
    )


def test_how_a_session_divides_its_segments_does_not_matter() -> None:
    whole = trace(NETWORK, CrashLoop(NETWORK, ScipyBackend().max_flow), check="final")
    parts = trace(NETWORK, FaultySession(NETWORK, divided), check="final")
    for name in ("length", "slope", "offset", "arc", "sign"):
        assert np.array_equal(getattr(whole, name), getattr(parts, name))


def shifted(position: int, by: int) -> Callable[[Any], Any]:
    """An array with one entry changed, if there is one."""

    def change(array: Any) -> Any:
        result = array.copy()
        if len(result) > position:
            result[position] += by
        return result

    return change


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("length", shifted(0, 1)),
        ("slope", shifted(0, 1)),
        ("slope", shifted(-1, 1)),
        ("arc", shifted(-1, 1)),
        ("sign", np.negative),
        ("sign", lambda array: array * np.int8(2)),
        ("slope", lambda array: array[::-1].copy()),
    ],
    ids=["longer", "dearer", "dearer-end", "other-arc", "turned", "doubled", "reversed"],
)
def test_a_session_whose_segments_are_wrong(
    check: str, name: str, change: Callable[[Any], Any]
) -> None:
    if check == "always" and name == "slope" and change([1, 2]) == [2, 1]:
        return  # calls of one segment cannot be reversed
    with pytest.raises(BackendFault, match="'faulty'"):
        trace(
            NETWORK,
            FaultySession(NETWORK, changed(name, change)),
            check=check,
            backend="backend 'faulty'",
        )


def test_wrong_slopes_that_rise_and_add_up_are_told() -> None:
    # Only the price of each segment gives them away.
    network = network_of(2, [Arc(0, 1, table=0)], [], [(0, ((1, 30), (1, 20)))])

    def smoothed(part: Segments, call: int) -> Segments:
        return replace(part, slope=part.slope + (1 - 2 * call))

    with pytest.raises(BackendFault, match="21 cost units a quantum; the first one costs 20"):
        trace(network, FaultySession(network, smoothed), check="always")
    unproved = trace(network, CallOfOne(FaultySession(network, smoothed)), check="final")
    assert unproved.slope.tolist() == [21, 29]


@pytest.mark.parametrize("check", CHECKS)
def test_changes_of_another_operation_at_the_same_price_are_told(check: str) -> None:
    network = network_of(
        3,
        [Arc(0, 1, table=0), Arc(1, 2, table=0), Arc(0, 2, duration=2)],
        [],
        [(0, ((2, 5),))],
    )
    session = FaultySession(network, changed("arc", lambda arc: 1 - arc))
    with pytest.raises(BackendFault, match="its own durations"):
        trace(network, session, check=check)


def test_slopes_that_fall_between_calls_are_told_without_any_check() -> None:
    def falling(part: Segments, call: int) -> Segments:
        return replace(part, slope=part.slope + (100 if call == 0 else 0))

    session = FaultySession(NETWORK, falling)
    one_by_one = CallOfOne(session)
    with pytest.raises(BackendFault, match="never fall"):
        trace(NETWORK, one_by_one, check="off")


class CallOfOne:
    """A session that returns one segment a call, as it may."""

    def __init__(self, session: FaultySession) -> None:
        self._session = session
        self.state = session.state
        self.counters = session.counters

    def advance(self, max_segments: int, /) -> Segments:
        return self._session.advance(1)


def spoiled(key: str, change: Callable[[Any], Any]) -> Callable[[State], State]:
    """A state with one array changed."""
    return lambda state: {**state, key: change(state[key])}


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize(
    ("key", "change"),
    [
        ("duration", shifted(0, -1)),
        ("duration", shifted(2, -1)),
        ("duration", lambda array: array[:-1]),
        ("duration", lambda array: array.astype(np.float64)),
        ("duration", list),
        ("event_time", shifted(0, 1)),
        ("event_time", shifted(-1, 1)),
        ("event_time", shifted(2, 1)),
        ("event_time", lambda array: array - 2**62),
        ("flow", shifted(0, 1)),
        ("flow", shifted(1, -1)),
        ("flow", np.zeros_like),
        ("flow", lambda array: array * 1000),
        ("done", np.logical_not),
        ("done", lambda array: array.astype(np.int64)),
        ("done", lambda array: bool(array[0])),
    ],
)
def test_a_session_whose_state_is_wrong(check: str, key: str, change: Callable[[Any], Any]) -> None:
    with pytest.raises(BackendFault, match="'faulty'"):
        trace(
            NETWORK,
            FaultySession(NETWORK, state=spoiled(key, change)),
            check=check,
            backend="backend 'faulty'",
        )


@pytest.mark.parametrize("key", ["duration", "event_time", "flow", "done"])
def test_a_state_without_one_of_its_arrays(key: str) -> None:
    def without(state: State) -> Mapping[str, Any]:
        return {name: array for name, array in state.items() if name != key}

    with pytest.raises(BackendFault, match=key):
        trace(NETWORK, FaultySession(NETWORK, state=without), check="final")


def test_a_state_that_is_none() -> None:
    with pytest.raises(BackendFault, match="None"):
        trace(NETWORK, FaultySession(NETWORK, state=lambda state: None), check="final")  # type: ignore[arg-type,return-value]


@pytest.mark.parametrize("check", CHECKS)
def test_a_session_that_ends_early(check: str) -> None:
    session = FaultySession(
        NETWORK,
        lambda part, call: replace(part, done=True),
        lambda state: {**state, "done": np.array([True])},
    )
    small = CallOfOne(session)
    with pytest.raises(BackendFault, match="ended at"):
        trace(NETWORK, small, check=check)


@pytest.mark.parametrize("check", [*CHECKS, "off"])
def test_a_session_that_never_ends(check: str) -> None:
    session = FaultySession(
        NETWORK,
        lambda part, call: replace(part, done=False),
        lambda state: {**state, "done": np.array([False])},
    )
    with pytest.raises(BackendFault, match="done = False"):
        trace(NETWORK, session, check=check)


def test_more_segments_than_asked_for() -> None:
    class Eager(CallOfOne):
        def advance(self, max_segments: int, /) -> Segments:
            return self._session.advance(99)

    with pytest.raises(BackendFault, match=r"1 \.\. 1"):
        trace(NETWORK, Eager(FaultySession(NETWORK)), check="always")


def test_a_crash_off_the_cheapest_cut_is_not_optimal() -> None:
    # Two operations in series, the dearer one crashed first: all in form, priced right, feasible.
    network = network_of(
        3, [Arc(0, 1, table=0), Arc(1, 2, table=1)], [], [(0, ((1, 2),)), (0, ((1, 7),))]
    )

    class Dear:
        def __init__(self) -> None:
            self.durations, self.times = np.array([1, 1]), np.array([0, 1, 2])

        def advance(self, max_segments: int, /) -> Segments:
            self.durations, self.times = np.array([1, 0]), np.array([0, 1, 1])
            one = np.ones(1, dtype=np.int64)
            return Segments(
                length=one,
                slope=7 * one,
                offset=np.array([0, 1]),
                arc=np.array([1], dtype=np.int32),
                sign=np.array([-1], dtype=np.int8),
                done=False,
            )

        def state(self) -> State:
            flow = np.full(2, 7 if self.durations[1] == 0 else 0)
            return {
                "duration": self.durations,
                "event_time": self.times,
                "flow": flow,
                "done": np.array([False]),
            }

        def counters(self) -> dict[str, int]:
            return {}

    with pytest.raises(BackendFault, match=r"7 over arc 0, outside 0 \.\. 2"):
        trace(network, Dear(), check="always", time_limit=0)


def test_progress_and_time_limit() -> None:
    calls: list[int] = []
    session = CrashLoop(NETWORK, ScipyBackend().max_flow)
    part = trace(NETWORK, session, check="always", progress=calls.append, time_limit=0)
    assert not part.done
    assert calls == [int(part.length.sum())]
