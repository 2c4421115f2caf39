"""An honest tracer in Python, and known-bad ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lowtime.backends.protocol import FrontierSession, Segments
from lowtime.conformance.known_bad.spoiled import honest_flow, info_of
from lowtime.flow.network import FlowNetwork
from lowtime.flow.result import MaxFlow
from lowtime.frontier.crash_loop import CrashLoop
from lowtime.network.activity import ActivityNetwork

State = Mapping[str, NDArray[Any]]


class HonestTracer:
    """lowtime's own loop in the shape of a tracer; it conforms, and proves nothing by that."""

    info = replace(info_of("tracer"), name="honest-tracer")

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        return honest_flow(network)

    def open_frontier(
        self, network: ActivityNetwork, /, state: State | None = None
    ) -> FrontierSession:
        return CrashLoop(network, honest_flow, check=False, state=state)


def mirrored(network: ActivityNetwork) -> ActivityNetwork:
    """The project run backwards; its canonical cut is the source-maximal one of the original."""
    last = network.num_events - 1
    return replace(network, tail=last - network.head, head=last - network.tail)


class SkippedTie(HonestTracer):
    """Of several minimum cuts takes the one nearest to the sink."""

    info = info_of("skipped-tie")

    def open_frontier(
        self, network: ActivityNetwork, /, state: State | None = None
    ) -> FrontierSession:
        return CrashLoop(mirrored(network), honest_flow, check=False, state=state)


class _Wrapped:
    """A session that passes everything on."""

    def __init__(self, loop: CrashLoop, network: ActivityNetwork) -> None:
        self.loop = loop
        self.network = network

    def advance(self, max_segments: int, /) -> Segments:
        return self.loop.advance(max_segments)

    def state(self) -> State:
        return self.loop.state()

    def counters(self) -> Mapping[str, int]:
        return self.loop.counters()


class _Truncated(_Wrapped):
    def advance(self, max_segments: int, /) -> Segments:
        turn = self.loop.advance(max_segments)
        dear = np.flatnonzero(turn.slope > self.network.marginal.max(initial=0))
        if not dear.size:
            return turn
        kept = int(dear[0])
        changes = int(turn.offset[kept])
        return Segments(
            turn.length[:kept],
            turn.slope[:kept],
            turn.offset[: kept + 1],
            turn.arc[:changes],
            turn.sign[:changes],
            done=True,
        )


class EarlyEnd(HonestTracer):
    """Takes any slope above the largest single marginal for unbounded."""

    info = info_of("early-end")

    def open_frontier(
        self, network: ActivityNetwork, /, state: State | None = None
    ) -> FrontierSession:
        return _Truncated(CrashLoop(network, honest_flow, check=False, state=state), network)


class RestoredFromTheStart(HonestTracer):
    """Takes a state and starts from the longest schedule all the same."""

    info = info_of("restored-from-the-start")

    def open_frontier(
        self, network: ActivityNetwork, /, state: State | None = None
    ) -> FrontierSession:
        return CrashLoop(network, honest_flow, check=False)


class RestoredWithoutFlow(HonestTracer):
    """Restores durations and times but not the flow, so the bounds no longer hold."""

    info = info_of("restored-without-flow")

    def open_frontier(
        self, network: ActivityNetwork, /, state: State | None = None
    ) -> FrontierSession:
        if state is not None:
            state = {**state, "flow": np.zeros_like(state["flow"])}
        return CrashLoop(network, honest_flow, check=False, state=state)


class _Versioned(_Wrapped):
    def state(self) -> State:
        return {**self.loop.state(), "version": np.array([1])}


class OwnStateOnly(HonestTracer):
    """Restores only what it wrote itself: it wants a key that the contract does not name."""

    info = info_of("own-state-only")

    def open_frontier(
        self, network: ActivityNetwork, /, state: State | None = None
    ) -> FrontierSession:
        if state is not None and state["version"][0] != 1:
            raise ValueError("a state of another version")
        return _Versioned(CrashLoop(network, honest_flow, check=False, state=state), network)


class _Eager(_Wrapped):
    def advance(self, max_segments: int, /) -> Segments:
        return self.loop.advance(max_segments + 1)


class MoreThanAsked(HonestTracer):
    """Returns one segment more than it was asked for."""

    info = info_of("more-than-asked")

    def open_frontier(
        self, network: ActivityNetwork, /, state: State | None = None
    ) -> FrontierSession:
        return _Eager(CrashLoop(network, honest_flow, check=False, state=state), network)


class _InPlace(_Wrapped):
    def __init__(self, loop: CrashLoop, network: ActivityNetwork) -> None:
        super().__init__(loop, network)
        self._state = dict(loop.state())

    def advance(self, max_segments: int, /) -> Segments:
        turn = self.loop.advance(max_segments)
        for name, array in self.loop.state().items():
            self._state[name][:] = array
        return turn

    def state(self) -> State:
        return self._state


class StateInPlace(HonestTracer):
    """Hands out one set of arrays and keeps writing to it."""

    info = info_of("state-in-place")

    def open_frontier(
        self, network: ActivityNetwork, /, state: State | None = None
    ) -> FrontierSession:
        return _InPlace(CrashLoop(network, honest_flow, check=False, state=state), network)


class _Latest:
    """Passes on to the session that its tracer opened last."""

    def __init__(self, tracer: SharedSession) -> None:
        self._tracer = tracer

    def advance(self, max_segments: int, /) -> Segments:
        return self._tracer.latest.advance(max_segments)

    def state(self) -> State:
        return self._tracer.latest.state()

    def counters(self) -> Mapping[str, int]:
        return self._tracer.latest.counters()


class SharedSession(HonestTracer):
    """Has storage for one session; opening a second one replaces the first."""

    info = info_of("shared-session")
    latest: CrashLoop

    def open_frontier(
        self, network: ActivityNetwork, /, state: State | None = None
    ) -> FrontierSession:
        self.latest = CrashLoop(network, honest_flow, check=False, state=state)
        return _Latest(self)


class _Exhausted(_Wrapped):
    def advance(self, max_segments: int, /) -> Segments:
        if self.loop.state()["done"][0]:
            raise StopIteration
        return self.loop.advance(max_segments)


class RaisesAtTheEnd(HonestTracer):
    """Raises when it is asked again after the end, like an iterator."""

    info = info_of("raises-at-the-end")

    def open_frontier(
        self, network: ActivityNetwork, /, state: State | None = None
    ) -> FrontierSession:
        return _Exhausted(CrashLoop(network, honest_flow, check=False, state=state), network)


class _InScalars(_Wrapped):
    def counters(self) -> Mapping[str, int]:
        return {"steps": np.int64(1)}  # type: ignore[dict-item]


class NumPyCounters(HonestTracer):
    """Counts in NumPy scalars, which no JSON document takes."""

    info = info_of("numpy-counters")

    def open_frontier(
        self, network: ActivityNetwork, /, state: State | None = None
    ) -> FrontierSession:
        return _InScalars(CrashLoop(network, honest_flow, check=False, state=state), network)


class NeedsSomethingToCrash(HonestTracer):
    """Refuses a project without a single cost table."""

    info = info_of("needs-something-to-crash")

    def open_frontier(
        self, network: ActivityNetwork, /, state: State | None = None
    ) -> FrontierSession:
        if not len(network.marginal):
            raise ValueError("no cost tables")
        return CrashLoop(network, honest_flow, check=False, state=state)
