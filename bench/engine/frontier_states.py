"""Max-flow networks as they occur along frontiers of pipelines, as plain arrays."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from lowtime_rust import RustBackend

from bench.engine.families import Arrays
from bench.engine.pipelines import pipeline_network
from lowtime.network.activity import ActivityNetwork
from lowtime.network.bounds import ArcBounds

STATES = 20
CASES = {
    "frontier-a100-mb12": ("gpt3-175b", "a100_sxm", 8, 12, 1e-3),
    "frontier-a40-mb96": ("gpt3-175b", "a40", 8, 96, 1e-4),
}


def frontier_networks() -> Iterator[tuple[str, Arrays]]:
    """``STATES`` evenly spaced states of every case: tight arcs with their upper bounds."""
    for case, (model, device, stages, microbatches, unit_time) in CASES.items():
        network = pipeline_network(model, device, stages, microbatches, unit_time)
        points = _points(network)
        session = RustBackend().open_frontier(network)
        passed = 0
        for k in range(STATES):
            goal = points * k // STATES
            while passed < goal:
                passed += len(session.advance(goal - passed).length)
            yield f"{case}-{k:02d}", tight_network(network, session.state())


def _points(network: ActivityNetwork) -> int:
    session = RustBackend().open_frontier(network)
    count, done = 0, False
    while not done:
        turn = session.advance(2**40)
        count, done = count + len(turn.length), turn.done
    return count


def tight_network(network: ActivityNetwork, state: dict[str, np.ndarray]) -> Arrays:
    """The tight arcs at a state behind one super-source arc, capacities = upper bounds."""
    duration, time = state["duration"], state["event_time"]
    upper = ArcBounds(network, duration).upper
    tight = np.flatnonzero(time[network.head] - time[network.tail] == duration)
    n = network.num_events
    return Arrays(
        n + 1,
        np.r_[np.int32(n), network.tail[tight]].astype(np.int32),
        np.r_[np.int32(0), network.head[tight]].astype(np.int32),
        np.r_[np.int64(network.unbounded), upper[tight]],
        n,
        n - 1,
    )
