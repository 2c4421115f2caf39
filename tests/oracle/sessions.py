"""Frontier sessions with a fault of your choice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from lowtime_scipy import ScipyBackend

from lowtime.backends.protocol import Segments
from lowtime.frontier.crash_loop import CrashLoop
from lowtime.network.activity import ActivityNetwork

State = dict[str, Any]


class FaultySession:
    """lowtime's own session, whose answers are changed before anybody sees them.

    Args:
        network: the project.
        segments: changes what `advance` returns; it gets the number of the call, too.
        state: changes what `state` returns.
    """

    def __init__(
        self,
        network: ActivityNetwork,
        segments: Callable[[Segments, int], Segments] = lambda part, call: part,
        state: Callable[[State], Mapping[str, Any]] = lambda state: state,
    ) -> None:
        self._session = CrashLoop(network, ScipyBackend().max_flow)
        self._segments = segments
        self._state = state
        self._calls = 0

    def advance(self, max_segments: int, /) -> Segments:
        """What the session returns, changed."""
        part = self._segments(self._session.advance(max_segments), self._calls)
        self._calls += 1
        return part

    def state(self) -> Mapping[str, Any]:
        """The state, changed."""
        return self._state(self._session.state())

    def counters(self) -> dict[str, int]:
        """The counters."""
        return self._session.counters()


def changed(name: str, change: Callable[[Any], Any]) -> Callable[[Segments, int], Segments]:
    """Segments with one array changed."""
    return lambda part, call: replace(part, **{name: change(getattr(part, name))})
