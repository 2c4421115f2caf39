"""A frontier session in native code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lowtime.backends.protocol import Segments
from lowtime.errors import InvalidNetwork
from lowtime.network.activity import ActivityNetwork
from lowtime_rust import _native


class RustFrontierSession:
    """A `lowtime.backends.protocol.FrontierSession`; may be shared between threads.

    Every call releases the GIL; calls on one session wait for each other.

    Args:
        network: the project.
        state: where to go on, from `state`; None starts at the longest schedule.

    Raises:
        InvalidNetwork: a state that does not belong to the network.
    """

    def __init__(
        self, network: ActivityNetwork, state: Mapping[str, NDArray[Any]] | None = None
    ) -> None:
        self._session = _native.FrontierSession(
            network.num_events,
            network.tail,
            network.head,
            network.shortest,
            network.longest,
            network.table,
            network.table_start,
            network.piece_start,
            network.piece_end,
            network.marginal,
            network.unbounded,
            None if state is None else _state_arrays(state),
        )

    def advance(self, max_segments: int, /) -> Segments:
        """The next segments, one per step, at most ``max_segments``; back within 50 ms."""
        return Segments(*self._session.advance(max_segments))

    def state(self) -> dict[str, NDArray[Any]]:
        """``duration``, ``event_time``, ``flow`` and ``done`` of the point where it stands."""
        duration, event_time, flow, done = self._session.state()
        return {
            "duration": duration,
            "event_time": event_time,
            "flow": flow,
            "done": np.array([done]),
        }

    def counters(self) -> dict[str, int]:
        """Work done so far.

        ``steps`` taken; ``augmentations``: times the sink was reached and the flow had to grow, by
        ``pushes`` along one path each; ``searches``, ``nodes_visited`` by them, ``orphans`` that
        looked for another place in the search tree; ``events``: arcs that became tight.
        """
        return self._session.counters()


def _state_arrays(
    state: Mapping[str, NDArray[Any]],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], bool]:
    missing = {"duration", "event_time", "flow", "done"} - set(state)
    if missing:
        raise InvalidNetwork(f"the state lacks {', '.join(sorted(missing))}")
    duration, event_time, flow = (
        np.ascontiguousarray(state[name], dtype=np.int64)
        for name in ("duration", "event_time", "flow")
    )
    return duration, event_time, flow, bool(state["done"][0])
