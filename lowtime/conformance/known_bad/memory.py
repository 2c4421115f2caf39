"""Known-bad backends that keep, share or change what is not theirs."""

from __future__ import annotations

import os
from threading import Event, Lock, get_ident

import numpy as np

from lowtime.conformance.known_bad.spoiled import honest_flow, info_of
from lowtime.conformance.splitmix import SplitMix64
from lowtime.flow.network import FlowNetwork
from lowtime.flow.result import MaxFlow


class MutatedInput:
    """Keeps residual capacities in the network's own array."""

    info = info_of("mutated-input")

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        right = honest_flow(network)
        network.capacity.setflags(write=True)
        network.capacity[:] -= right.flow
        return right


class StaleCapacities:
    """Remembers answers by the arcs, and overlooks that capacities changed."""

    info = info_of("stale-capacities")

    def __init__(self) -> None:
        self._known: dict[object, MaxFlow] = {}

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        ends = network.tail.tobytes(), network.head.tobytes()
        key = (network.num_nodes, network.source, network.sink, ends)
        if key not in self._known:
            self._known[key] = honest_flow(network)
        known = self._known[key]
        return MaxFlow(known.value, known.flow.copy())


class StaleTerminals:
    """Remembers answers by arcs and capacities, and overlooks other terminals."""

    info = info_of("stale-terminals")

    def __init__(self) -> None:
        self._known: dict[object, MaxFlow] = {}

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        arrays = (network.tail, network.head, network.capacity)
        key = (network.num_nodes, *(array.tobytes() for array in arrays))
        if key not in self._known:
            self._known[key] = honest_flow(network)
        known = self._known[key]
        return MaxFlow(known.value, known.flow.copy())


class ReusedBuffer:
    """Returns a view of storage that the next call overwrites."""

    info = info_of("reused-buffer")

    def __init__(self) -> None:
        self._buffer = np.zeros(0, dtype=np.int64)

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        if len(self._buffer) < network.num_arcs:
            self._buffer = np.zeros(network.num_arcs, dtype=np.int64)
        right = honest_flow(network)
        flow = self._buffer[: network.num_arcs]
        flow[:] = right.flow
        return MaxFlow(right.value, flow)


class AnotherFlowEachTime:
    """Visits the arcs in an order that depends on the calls before."""

    info = info_of("another-flow-each-time")

    def __init__(self) -> None:
        self._calls = 0

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        self._calls += 1
        order = np.array(SplitMix64(self._calls).shuffled(range(network.num_arcs)), dtype=np.int64)
        shuffled = FlowNetwork(
            network.num_nodes,
            network.tail[order],
            network.head[order],
            network.capacity[order],
            network.source,
            network.sink,
        )
        right = honest_flow(shuffled)
        flow = np.zeros_like(right.flow)
        flow[order] = right.flow
        return MaxFlow(right.value, flow)


class SharedWorkspace:
    """Keeps the current network in the object, lets other threads run, and goes on with it."""

    info = info_of("shared-workspace")

    def __init__(self) -> None:
        self._network: FlowNetwork | None = None

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        self._network = network
        Event().wait(0.005)  # as native code that releases the GIL
        return honest_flow(self._network)


class OneThreadOnly:
    """Belongs to the thread that called it first."""

    info = info_of("one-thread-only")

    def __init__(self) -> None:
        self._owner: int | None = None

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        if self._owner is None:
            self._owner = get_ident()
        if self._owner != get_ident():
            raise RuntimeError("called from another thread")
        return honest_flow(network)


class DiesAfterFork:
    """Ends the process when it is not the one that made the object."""

    info = info_of("dies-after-fork")

    def __init__(self) -> None:
        self._process = os.getpid()

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        if os.getpid() != self._process:
            os._exit(3)
        return honest_flow(network)


class CannotBePickled:
    """Holds a lock, which no other process can be handed."""

    info = info_of("cannot-be-pickled")

    def __init__(self) -> None:
        self._lock = Lock()

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        with self._lock:
            return honest_flow(network)
