"""The proof that one point of a frontier is optimal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lowtime.counted import quanta
from lowtime.errors import BackendFault
from lowtime.flow.certificate import node_excess
from lowtime.frontier.session_checks import check_state
from lowtime.network.activity import MAX_TOTAL_TIME, ActivityNetwork
from lowtime.network.bounds import ArcBounds
from lowtime.network.event_times import earliest_times


def certify_point(
    network: ActivityNetwork, state: Mapping[str, NDArray[Any]], backend: str = "the backend"
) -> None:
    """Prove that no plan of the same total time is cheaper.

    Durations and flow form a primal and a dual solution of the linear program of the project.
    They are feasible and satisfy complementary slackness, hence optimal, when

    * event times are the earliest ones and leave every arc its duration;
    * an arc that is not tight is at its longest duration and carries no flow;
    * a tight arc carries at least the marginal cost above its duration and at most the one below;
    * flow is conserved at every event but the source and the sink.

    A session that is done must also have reached the time that a longest path takes at the
    shortest durations, which no plan can undercut.

    Args:
        network: the project.
        state: ``duration``, ``event_time``, ``flow`` and ``done``, as in
            `lowtime.backends.protocol.FrontierSession.state`.
        backend: name for the message.

    Raises:
        BackendFault: the first condition that does not hold, with the arc or event.

    Source:
        Fulkerson, A network flow computation for project cost curves (1961), section 4,
        doi:10.1287/mnsc.7.2.167.
    """
    check_state(network, state, backend)
    duration, event_time, flow = state["duration"], state["event_time"], state["flow"]
    tail, head = network.tail, network.head
    _none(
        (duration < network.shortest) | (duration > network.longest),
        lambda arc: (
            f"{backend} gave arc {arc} a duration of {quanta(int(duration[arc]))}, outside"
            f" {network.shortest[arc]} .. {network.longest[arc]}"
        ),
    )
    _none(
        (event_time < 0) | (event_time > MAX_TOTAL_TIME),
        lambda event: f"{backend} let event {event} happen at {quanta(int(event_time[event]))}",
    )
    slack = event_time[head] - event_time[tail] - duration
    _none(
        slack < 0,
        lambda arc: (
            f"{backend} let event {head[arc]} happen {quanta(-int(slack[arc]))} before arc {arc} is"
            " over"
        ),
    )
    tight = slack == 0
    reached = np.zeros(network.num_events, dtype=bool)
    reached[head[tight]] = True
    reached[network.source] = event_time[network.source] == 0
    _none(~reached, lambda event: f"{backend} did not give event {event} its earliest time")
    bounds = ArcBounds(network, duration)
    _none(
        ~tight & ((flow != 0) | (duration != network.longest)),
        lambda arc: (
            f"{backend} crashed arc {arc} or sent flow over it although it has a slack of"
            f" {quanta(int(slack[arc]))}"
        ),
    )
    _none(
        tight & ((flow < bounds.lower) | (flow > bounds.upper)),
        lambda arc: (
            f"{backend} sent {flow[arc]} over arc {arc}, outside {bounds.lower[arc]} .."
            f" {bounds.upper[arc]}"
        ),
    )
    high, low = node_excess(network.num_events, tail, head, flow)
    excess = (high != 0) | (low != 0)
    excess[[network.source, network.sink]] = False
    _none(excess, lambda event: f"{backend} lost flow at event {event}")
    if state["done"][0]:
        shortest = int(earliest_times(network, network.shortest)[network.sink])
        if event_time[network.sink] != shortest:
            raise BackendFault(
                f"{backend} ended at {quanta(int(event_time[network.sink]))}; the shortest schedule"
                f" takes {shortest}"
            )


def _none(wrong: NDArray[np.bool_], message: Any) -> None:
    """Raise a fault that names the first place where something is wrong."""
    places = np.flatnonzero(wrong)
    if places.size:
        raise BackendFault(message(int(places[0])))
