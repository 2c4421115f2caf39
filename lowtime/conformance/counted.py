"""A backend that counts the calls into it."""

from __future__ import annotations

from collections.abc import Mapping
from threading import Lock
from typing import Any

from numpy.typing import NDArray

from lowtime.backends.protocol import (
    BackendInfo,
    FrontierSession,
    FrontierTracer,
    MaxFlowBackend,
    Segments,
)
from lowtime.flow.network import FlowNetwork
from lowtime.flow.result import MaxFlow
from lowtime.network.activity import ActivityNetwork


class CountedBackend:
    """Passes every call on to a backend and counts it.

    A check that never reaches the backend would be green on nothing; the count is its proof.

    Attributes:
        backend: the backend under test.
        info: what it declares.
        calls: calls of ``max_flow``, ``open_frontier`` and ``advance`` so far.
    """

    def __init__(self, backend: MaxFlowBackend) -> None:
        self.backend = backend
        self.info: BackendInfo = backend.info
        self.calls = 0
        self._lock = Lock()

    def count(self, calls: int = 1) -> None:
        """Add calls, also those made in another process."""
        with self._lock:
            self.calls += calls

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        """What the backend under test returns."""
        self.count()
        return self.backend.max_flow(network)


class CountedTracer(CountedBackend):
    """Counts the calls into a tracer, its sessions' included."""

    backend: FrontierTracer

    def open_frontier(
        self, network: ActivityNetwork, /, state: Mapping[str, NDArray[Any]] | None = None
    ) -> FrontierSession:
        """A counted session of the tracer under test."""
        self.count()
        return _CountedSession(self, self.backend.open_frontier(network, state=state))


class _CountedSession:
    def __init__(self, tracer: CountedTracer, session: FrontierSession) -> None:
        self._tracer = tracer
        self._session = session

    def advance(self, max_segments: int, /) -> Segments:
        self._tracer.count()
        return self._session.advance(max_segments)

    def state(self) -> Mapping[str, NDArray[Any]]:
        return self._session.state()

    def counters(self) -> Mapping[str, int]:
        return self._session.counters()
