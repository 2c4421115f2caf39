"""The crash loop: a frontier traced from the longest schedule down, by repeated minimum cuts."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lowtime.backends.protocol import Segments
from lowtime.errors import BackendFault
from lowtime.flow.certificate import certify
from lowtime.flow.cut import canonical_cut
from lowtime.flow.network import FlowNetwork
from lowtime.flow.residual import residual_network
from lowtime.flow.result import MaxFlow
from lowtime.network.activity import ActivityNetwork
from lowtime.network.bounds import ArcBounds
from lowtime.network.event_times import earliest_times
from lowtime.profiling import phase, phased

TURN_SECONDS = 0.05  # a session returns this often, so that Ctrl-C and progress work


class CrashLoop:
    """A `FrontierSession` in NumPy: the readable reference of every native tracer.

    An arc is *tight* when its slack ``event_time[head] - event_time[tail] - duration`` is 0. On
    the tight arcs runs a flow between the bounds of `ArcBounds`; the cut that limits it names the
    operations that shorten the project most cheaply. Three facts keep every step small:

    1. *The last maximum flow stays feasible.* Invariant: an arc that is not tight is at its
       longest duration and carries 0. On a forward cut arc flow = upper, which becomes its lower
       bound when it is crashed; on a backward one flow = lower, which becomes its upper bound when
       it is relaxed (at its longest, where lower = 0, it becomes slack instead and carries 0); a
       newly tight arc carries 0 and, being at its longest, may. So flow is only ever augmented.
    2. *Event times move with the cut.* Every event of the sink side comes earlier by the step.
       They stay the earliest times: the tight arcs that cross forward have shrunk as much.
    3. *The source side only grows between augmentations.* Within the step no arc gains residual
       capacity out of the source side; at its end the arcs that reached a kink or became tight do.

    A cut arc at its shortest has the upper bound UNB, above the sum M of all finite ones. A flow
    above M therefore proves a path of arcs at their shortest: the shortest schedule is reached.

    Args:
        network: the project.
        max_flow: a solver for plain networks; any maximum flow will do (the canonical cut is the
            same for all of them).
        check: certify every flow that ``max_flow`` returns.
        name: the solver's name, for messages.
        state: where to go on, from `state`; None starts at the longest schedule.

    Source:
        Kelley, Critical-path planning and scheduling: mathematical basis (1961),
        doi:10.1287/opre.9.3.296; Fulkerson, A network flow computation for project cost curves
        (1961), doi:10.1287/mnsc.7.2.167; Phillips and Dessouky, Solving the project time/cost
        tradeoff problem using the minimal cut concept (1977), doi:10.1287/mnsc.24.4.393.
    """

    def __init__(
        self,
        network: ActivityNetwork,
        max_flow: Callable[[FlowNetwork], MaxFlow],
        *,
        check: bool = True,
        name: str = "the backend",
        state: Mapping[str, NDArray[Any]] | None = None,
    ) -> None:
        self._network = network
        self._max_flow = max_flow
        self._check = check
        self._name = name
        if state is None:
            self._bounds = ArcBounds(network, network.longest)
            self._time = earliest_times(network, network.longest)
            self._flow = np.zeros(network.num_arcs, dtype=np.int64)
            self._done = False
        else:
            self._bounds = ArcBounds(network, state["duration"])
            self._time = state["event_time"].astype(np.int64)
            self._flow = state["flow"].astype(np.int64)
            self._done = bool(state["done"][0])
        self._slack = self._time[network.head] - self._time[network.tail] - self._bounds.duration
        self._value = int(self._flow[network.tail == network.source].sum())
        self._tails = network.tail.tolist()
        self._heads = network.head.tolist()
        self._leaving = _arcs_at(network.tail, network.num_events)
        self._entering = _arcs_at(network.head, network.num_events)
        self._side = np.zeros(network.num_events, dtype=bool)
        self._side[network.source] = True
        self._steps = self._calls = self._visited = self._searches = 0
        self._extend([network.source])

    def counters(self) -> dict[str, int]:
        """Work done so far.

        ``steps`` taken, ``augmentations`` (calls of the solver), ``searches`` (extensions of the
        source side) and ``nodes_visited`` by them.
        """
        return {
            "steps": self._steps,
            "augmentations": self._calls,
            "searches": self._searches,
            "nodes_visited": self._visited,
        }

    def state(self) -> dict[str, NDArray[Any]]:
        """Copies of ``duration``, ``event_time``, ``flow`` and ``done``."""
        return {
            "duration": self._bounds.duration.copy(),
            "event_time": self._time.copy(),
            "flow": self._flow.copy(),
            "done": np.array([self._done]),
        }

    def advance(self, max_segments: int, /) -> Segments:
        """The next segments; one step is one segment."""
        deadline = time.monotonic() + TURN_SECONDS
        segments: list[tuple[int, int, NDArray[np.int32], NDArray[np.int8]]] = []
        while len(segments) < max_segments and not self._done:
            if self._side[self._network.sink]:
                self._augment()
                continue
            segments.append(self._step())
            if time.monotonic() > deadline:
                break
        if not self._done and self._side[self._network.sink]:
            self._augment()  # so that a session at its end says so without another call
        return _joined(segments, self._done)

    def _augment(self) -> None:
        """Replace the flow by a maximum one, or find that the shortest schedule is reached."""
        network, bounds = self._network, self._bounds
        with phase("bounds"):
            residual = residual_network(
                network.num_events,
                network.tail,
                network.head,
                bounds.lower,
                bounds.upper,
                self._flow,
                np.flatnonzero(self._slack == 0),
                (network.source, network.sink),
                network.unbounded - self._value,
            )
        result = self._max_flow(residual.network)
        self._calls += 1
        if self._check:
            with phase("certificate"):
                side = certify(residual.network, result, self._name)
        else:
            with phase("cut"):
                side = canonical_cut(residual.network, result.flow)
        if self._value + result.value >= network.unbounded:
            self._done = True
            return
        self._value += result.value
        self._flow = residual.augmented(self._flow, result.flow)
        self._side = side[:-1]
        if side[network.sink]:  # unchecked flows only; going on would ask for it forever
            raise BackendFault(
                f"{self._name} returned a flow of {result.value} that can be augmented; it is not"
                " a maximum flow"
            )

    @phased("step")
    def _step(self) -> tuple[int, int, NDArray[np.int32], NDArray[np.int8]]:
        """Shorten the project along the canonical cut, as far as the cut stays minimum."""
        network, bounds, side = self._network, self._bounds, self._side
        from_side, to_side = side[network.tail], side[network.head]
        forward, backward = from_side & ~to_side, to_side & ~from_side
        tight = self._slack == 0
        crashed = np.flatnonzero(forward & tight)
        relaxed = np.flatnonzero(backward & tight & (bounds.duration < network.longest))
        closing = np.flatnonzero(forward & ~tight)
        if not crashed.size or np.any(bounds.upper[crashed] == network.unbounded):
            raise BackendFault(  # unchecked flows only
                f"{self._name} returned a flow of which no minimum cut follows; it is not a"
                " maximum flow"
            )
        step = min(
            int(room.min())
            for room in (
                bounds.crash_room(crashed),
                bounds.relax_room(relaxed),
                self._slack[closing],
            )
            if room.size
        )
        opening = backward.copy()
        opening[relaxed] = False
        bounds.crash(crashed, step)
        bounds.relax(relaxed, step)
        self._slack[closing] -= step
        self._slack[opening] += step
        self._time[~side] -= step
        self._steps += 1
        now_tight = closing[self._slack[closing] == 0]
        onward = np.concatenate((crashed, now_tight))
        onward = onward[self._flow[onward] < bounds.upper[onward]]
        back = relaxed[self._flow[relaxed] > bounds.lower[relaxed]]
        self._extend(network.head[onward].tolist() + network.tail[back].tolist())
        changed = np.concatenate((crashed, relaxed)).astype(np.int32)
        sign = np.repeat(np.array([-1, 1], dtype=np.int8), (len(crashed), len(relaxed)))
        order = np.argsort(changed)
        return step, self._value, changed[order], sign[order]

    @phased("cut")
    def _extend(self, found: list[int]) -> None:
        """Add nodes, and all that they reach in the residual network, to the source side."""
        if not found:
            return
        found = list(dict.fromkeys(found))  # many arcs may lead to one event: it is searched once
        side, flow, slack = self._side, self._flow, self._slack
        lower, upper = self._bounds.lower, self._bounds.upper
        side[found] = True
        self._searches += 1
        while found:
            node = found.pop()
            self._visited += 1
            for arc in self._leaving[node]:
                head = self._heads[arc]
                if not side[head] and slack[arc] == 0 and flow[arc] < upper[arc]:
                    side[head] = True
                    found.append(head)
            for arc in self._entering[node]:
                tail = self._tails[arc]
                if not side[tail] and slack[arc] == 0 and flow[arc] > lower[arc]:
                    side[tail] = True
                    found.append(tail)


def _arcs_at(ends: NDArray[np.int32], num_events: int) -> list[list[int]]:
    """The arcs at every event."""
    arcs: list[list[int]] = [[] for _ in range(num_events)]
    for arc, event in enumerate(ends.tolist()):
        arcs[event].append(arc)
    return arcs


def _joined(
    segments: list[tuple[int, int, NDArray[np.int32], NDArray[np.int8]]], done: bool
) -> Segments:
    lengths, slopes, arcs, signs = zip(*segments, strict=True) if segments else ((), (), (), ())
    return Segments(
        length=np.array(lengths, dtype=np.int64),
        slope=np.array(slopes, dtype=np.int64),
        offset=np.concatenate(([0], np.cumsum([len(a) for a in arcs], dtype=np.int64))),
        arc=np.concatenate(arcs) if arcs else np.zeros(0, dtype=np.int32),
        sign=np.concatenate(signs) if signs else np.zeros(0, dtype=np.int8),
        done=done,
    )
