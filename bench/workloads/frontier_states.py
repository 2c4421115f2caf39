"""Flow networks met on the way down a published frontier."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np

from bench.workloads.published import profile_path, published_dag
from bench.workloads.workload import Workload
from lowtime.backends.selection import resolve
from lowtime.flow.network import FlowNetwork
from lowtime.flow.residual import residual_network
from lowtime.frontier.solve import open_session
from lowtime.network.bounds import ArcBounds
from lowtime.network.project import Project

STATES_PER_FRONTIER = 20
MODEL = "gpt3-175b"


@cache
def _states(device: str, microbatches: int) -> tuple[Any, ...]:
    """20 states, evenly spread over the segments of a frontier of GPT-3."""
    network = Project.from_dag(published_dag(MODEL, device, microbatches)).network

    def session() -> Any:
        return open_session(network, resolve(), "off")

    counting, segments, done = session(), 0, False
    while not done:
        part = counting.advance(1000)
        segments, done = segments + len(part.length), part.done
    walking, states = session(), []
    stops = np.linspace(0, max(segments - 1, 0), STATES_PER_FRONTIER).astype(int).tolist()
    at = 0
    for stop in stops:
        while at < stop:
            at += len(walking.advance(stop - at).length)
        states.append(walking.state())
    return (network, *states)


def state_network(device: str, microbatches: int, number: int, cold: bool) -> FlowNetwork:
    """The network of one state.

    Args:
        device: of the profile.
        microbatches: of the pipeline.
        number: which state, 0 .. 19, from the longest schedule.
        cold: True for all tight arcs with their upper bounds and no flow kept (lower bounds, which
            a plain network has not, are left out); False for what the NumPy loop hands to its
            backend there: what may be added to the kept flow.
    """
    network, *states = _states(device, microbatches)
    state = states[number]
    bounds = ArcBounds(network, state["duration"])
    slack = state["event_time"][network.head] - state["event_time"][network.tail]
    tight = np.flatnonzero(slack == state["duration"])
    flow = np.zeros(network.num_arcs, dtype=np.int64) if cold else state["flow"]
    lower = np.zeros_like(flow) if cold else bounds.lower
    value = int(flow[network.tail == network.source].sum())
    return residual_network(
        network.num_events,
        network.tail,
        network.head,
        lower,
        bounds.upper,
        flow,
        tight,
        (network.source, network.sink),
        network.unbounded - value,
    ).network


def _size(device: str, microbatches: int, cold: bool, number: int) -> FlowNetwork:
    return state_network(device, microbatches, number, cold)


STATES = tuple(
    Workload(
        f"state_{temperature}{suffix}",
        "flow",
        "state",
        tuple(range(0, STATES_PER_FRONTIER, 5)),
        0,
        partial(_size, device, microbatches, temperature == "cold"),
        missing=""
        if profile_path(MODEL, device).exists()
        else f"no profile of {MODEL} on {device}",
    )
    for device, microbatches, suffix in (("a100_sxm", 12, ""), ("a40", 96, "_a40_96"))
    for temperature in ("cold", "warm")
)
