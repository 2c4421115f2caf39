"""Earliest and latest event times of an activity network."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lowtime.network.activity import ActivityNetwork


def earliest_times(network: ActivityNetwork, duration: NDArray[np.int64]) -> NDArray[np.int64]:
    """Earliest time of every event: the longest path from the source.

    Args:
        network: the network, with m arcs and n events.
        duration: int64[m], quanta, of every arc.

    Returns:
        int64[n], quanta; 0 at the source.

    Complexity: O(m) after sorting the arcs by tail; one pass, because events are numbered
    topologically.

    Source:
        Kelley and Walker, Critical-path planning and scheduling (1959),
        doi:10.1145/1460299.1460318.
    """
    order = np.argsort(network.tail, kind="stable")
    time = [0] * network.num_events
    arcs = zip(
        network.tail[order].tolist(),
        network.head[order].tolist(),
        duration[order].tolist(),
        strict=True,
    )
    for tail, head, length in arcs:
        finish = time[tail] + length
        if finish > time[head]:
            time[head] = finish
    return np.array(time, dtype=np.int64)


def latest_times(
    network: ActivityNetwork, duration: NDArray[np.int64], end: int
) -> NDArray[np.int64]:
    """Latest time of every event that still lets the sink happen at ``end``.

    Args:
        network: the network, with m arcs and n events.
        duration: int64[m], quanta, of every arc.
        end: time of the sink, quanta.

    Returns:
        int64[n], quanta; ``end`` at the sink.
    """
    order = np.argsort(network.head, kind="stable")[::-1]
    time = [end] * network.num_events
    arcs = zip(
        network.tail[order].tolist(),
        network.head[order].tolist(),
        duration[order].tolist(),
        strict=True,
    )
    for tail, head, length in arcs:
        start = time[head] - length
        if start < time[tail]:
            time[tail] = start
    return np.array(time, dtype=np.int64)


def shortening(network: ActivityNetwork) -> int:
    """Quanta between the longest schedule and the shortest: one less than the frontier's points."""
    longest, shortest = (
        int(earliest_times(network, duration)[network.sink])
        for duration in (network.longest, network.shortest)
    )
    return longest - shortest
