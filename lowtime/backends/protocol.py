"""The contract between lowtime and a max-flow backend."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from lowtime.flow.network import FlowNetwork
from lowtime.flow.result import MaxFlow
from lowtime.network.activity import ActivityNetwork

PROTOCOL_VERSION = 1


@dataclass(frozen=True, slots=True)
class BackendInfo:
    """What a backend declares about itself.

    Attributes:
        name: the entry point's name, ``[a-z][a-z0-9-]*``.
        version: version of the distribution that ships the backend.
        max_capacity: largest capacity of one arc for which the flow is exact (after merging
            parallel arcs, where the backend merges them).
        max_total: largest sum of the capacities that leave the source for which it is exact.
        thread_safe: whether one backend object may be called from several threads at once.
        protocol: version of this contract, 1.
        max_nodes: the most nodes that it takes.
    """

    name: str
    version: str
    max_capacity: int
    max_total: int
    thread_safe: bool = True
    protocol: int = PROTOCOL_VERSION
    max_nodes: int = 2**31 - 1


@runtime_checkable
class MaxFlowBackend(Protocol):
    """A max-flow solver.

    A backend never logs, times, retries, falls back, mutates its input or picks a cut. lowtime
    refuses a network outside the declared range before calling it, and certifies what it returns.
    """

    info: BackendInfo

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        """A maximum flow of the network; any of the maximum flows will do."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Segments:
    """A run of consecutive frontier segments.

    Segment ``k`` shortens the project by ``length[k]`` quanta. Each of those quanta costs
    ``slope[k]`` cost units more, and changes the duration of arc ``arc[j]`` by ``sign[j]`` quanta
    for every ``j`` in ``offset[k] .. offset[k + 1]``.

    Attributes:
        length: int64[k], quanta, at least 1.
        slope: int64[k], cost units per quantum, at least 1, never decreasing.
        offset: int64[k + 1], where the changes of each segment start; ``offset[0] == 0``.
        arc: int32[c], arc indices of the activity network, increasing within a segment.
        sign: int8[c], -1 crash, +1 relax.
        done: True when the last segment ends at the shortest schedule.
    """

    length: NDArray[np.int64]
    slope: NDArray[np.int64]
    offset: NDArray[np.int64]
    arc: NDArray[np.int32]
    sign: NDArray[np.int8]
    done: bool


@runtime_checkable
class FrontierSession(Protocol):
    """A crash loop that stands at one point of a frontier and moves towards shorter schedules."""

    def advance(self, max_segments: int, /) -> Segments:
        """The next segments, at most ``max_segments``; fewer is legal, none only with ``done``.

        A session returns at least every 50 ms, so that Ctrl-C and progress work; it then returns
        what it has (one segment at least).
        """
        ...

    def state(self) -> Mapping[str, NDArray[Any]]:
        """The point where the session stands, as plain arrays.

        Keys that every session provides (others may follow):
            duration: int64[m], quanta, of every arc of the network.
            event_time: int64[n], earliest time of every event, quanta.
            flow: int64[m], a flow that proves the point optimal: within ``[lower, upper]`` on
                tight arcs, 0 on others (see `lowtime.frontier.crash_loop`), conserved at every
                event but the source and the sink, with a value of at most ``unbounded``.
            done: bool[1], whether the shortest schedule is reached.
        """
        ...

    def counters(self) -> Mapping[str, int]:
        """Work done so far: ``steps``, ``augmentations``, ``searches``, ``nodes_visited``, ..."""
        ...


@runtime_checkable
class FrontierTracer(MaxFlowBackend, Protocol):
    """A backend that runs the whole crash loop itself.

    It gives the same segments, bit for bit, as lowtime's own loop, apart from where a segment of
    one slope is divided: lowtime joins neighbours with equal slope and equal changes.
    """

    def open_frontier(
        self, network: ActivityNetwork, /, state: Mapping[str, NDArray[Any]] | None = None
    ) -> FrontierSession:
        """A session at the longest schedule, or where ``state`` (from `state()`) was taken."""
        ...
