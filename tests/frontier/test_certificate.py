"""The proof of one point: it holds exactly where primal and dual fit together."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lowtime_scipy import ScipyBackend
from oracle.examples import examples
from oracle.networks import Arc, activity_networks, network_of
from oracle.textbook import bounds, event_times

from lowtime.errors import BackendFault
from lowtime.frontier.certificate import certify_point
from lowtime.frontier.crash_loop import CrashLoop
from lowtime.network.activity import ActivityNetwork

State = dict[str, Any]


def proves(network: ActivityNetwork, state: State) -> bool:
    """Whether durations and flow are feasible and satisfy complementary slackness."""
    duration, times, flow = (state[k].tolist() for k in ("duration", "event_time", "flow"))
    balance = [0] * network.num_events
    for arc in range(network.num_arcs):
        tail, head = int(network.tail[arc]), int(network.head[arc])
        balance[tail] -= flow[arc]
        balance[head] += flow[arc]
        if not network.shortest[arc] <= duration[arc] <= network.longest[arc]:
            return False
        if times[head] - times[tail] == duration[arc]:
            lower, upper = bounds(network, arc, duration[arc])
            limit = network.unbounded if upper is None else upper
            if not lower <= flow[arc] <= limit:
                return False
        elif flow[arc] or duration[arc] != network.longest[arc]:
            return False
    shortest = event_times(network, network.shortest.tolist())[-1]
    return (
        times == event_times(network, duration)
        and not any(balance[1:-1])
        and (times[-1] == shortest or not state["done"][0])
    )


@examples(300)
@given(activity_networks(), st.integers(0, 2**32))
def test_a_changed_state_is_proved_only_if_it_is_right(network: ActivityNetwork, seed: int) -> None:
    random = Random(seed)
    session = CrashLoop(network, ScipyBackend().max_flow)
    for _ in range(random.randint(0, 4)):
        if session.advance(1).done:
            break
    state = session.state()
    for _ in range(random.randint(0, 2)):
        key = random.choice(["duration", "event_time", "flow", "flow", "done"])
        if key == "done":
            state["done"] = ~state["done"]
        else:
            place = random.randrange(len(state[key]))
            state[key][place] += random.choice([-1, 1]) * random.choice([1, 1, 2])
    if proves(network, state):
        certify_point(network, state)
    else:
        with pytest.raises(BackendFault):
            certify_point(network, state)


# a, then b or c beside it, all of one quantum; b costs 3 to crash, c has only one duration.
NETWORK = network_of(
    4,
    [Arc(0, 1, table=0), Arc(1, 2, table=1), Arc(0, 2, duration=1), Arc(2, 3, duration=1)],
    [],
    [(0, ((2, 5),)), (0, ((1, 3),))],
)


def state(**changes: list[Any]) -> State:
    """The longest schedule with a flow of nothing, with some entries changed."""
    values = {
        "duration": [2, 1, 1, 1],
        "event_time": [0, 2, 3, 4],
        "flow": [0, 0, 0, 0],
        "done": [False],
    }
    return {key: np.array(changes.get(key, value)) for key, value in values.items()}


def test_right_states_pass() -> None:
    certify_point(NETWORK, state())
    certify_point(NETWORK, state(flow=[2, 2, 0, 2]))
    certify_point(NETWORK, state(flow=[3, 3, 0, 3]))
    crashed = {"duration": [2, 0, 1, 1], "event_time": [0, 2, 2, 3]}
    certify_point(NETWORK, state(**crashed, flow=[3, 3, 0, 3]))
    certify_point(NETWORK, state(**crashed, flow=[5, 5, 0, 5]))
    shortest = {"duration": [1, 0, 1, 1], "event_time": [0, 1, 1, 2]}
    certify_point(NETWORK, state(**shortest, flow=[5, 5, 4, 9]))
    certify_point(NETWORK, state(**shortest, flow=[5, 5, 0, 5], done=[True]))


@pytest.mark.parametrize(
    ("changes", "match"),
    [
        ({"duration": [3, 1, 1, 1]}, r"arc 0 a duration of 3 quanta, outside 0 \.\. 2"),
        ({"duration": [2, -1, 1, 1]}, r"arc 1 a duration of -1"),
        ({"duration": [2, 1, 2, 1]}, r"arc 2 a duration of 2 quanta, outside 1 \.\. 1"),
        ({"event_time": [0, 2, 3, -1]}, "event 3 happen at -1"),
        ({"event_time": [0, 2, 3, 2**62 + 1]}, "event 3 happen at"),
        # Event 2 is tight after a short way round, but before arc 1 is over.
        ({"event_time": [0, 2, 1, 2]}, "event 2 happen 2 quanta before arc 1 is over"),
        ({"event_time": [0, 2, 4, 5]}, "event 2 its earliest time"),
        ({"event_time": [0, 2, 3, 5]}, "event 3 its earliest time"),
        ({"event_time": [1, 3, 4, 5]}, "event 0 its earliest time"),
        ({"flow": [0, 0, 1, 1]}, "sent flow over it although it has a slack of 2"),
        ({"flow": [6, 6, 0, 6]}, r"6 over arc 0, outside 0 \.\. 5"),
        ({"flow": [4, 4, 0, 4]}, r"4 over arc 1, outside 0 \.\. 3"),
        ({"flow": [-1, -1, 0, -1]}, r"-1 over arc 0, outside 0"),
        ({"flow": [2, 1, 0, 1]}, "lost flow at event 1"),
        ({"flow": [2, 2, 0, 1]}, "lost flow at event 2"),
        ({"done": [True]}, "ended at 4 quanta; the shortest schedule takes 2"),
    ],
)
def test_the_first_condition_that_fails_is_told(changes: dict[str, Any], match: str) -> None:
    with pytest.raises(BackendFault, match=f"^b .*{match}"):
        certify_point(NETWORK, state(**changes), "b")


def test_a_crash_off_the_critical_path_is_told() -> None:
    network = network_of(
        3, [Arc(0, 1, table=0), Arc(0, 1, duration=3), Arc(1, 2, duration=1)], [], [(0, ((2, 5),))]
    )
    times, flow = np.array([0, 3, 4]), np.zeros(3, dtype=np.int64)
    right = {"duration": np.array([2, 3, 1]), "event_time": times, "flow": flow}
    certify_point(network, {**right, "done": np.array([True])})
    crashed = {**right, "duration": np.array([1, 3, 1]), "done": np.array([True])}
    with pytest.raises(BackendFault, match="crashed arc 0"):
        certify_point(network, crashed)


def test_a_relaxed_arc_gives_a_crash_too_little_flow() -> None:
    crashed = {"duration": [2, 0, 1, 1], "event_time": [0, 2, 2, 3]}
    with pytest.raises(BackendFault, match=r"2 over arc 1, outside 3 \.\."):
        certify_point(NETWORK, state(**crashed, flow=[2, 2, 0, 2]))
