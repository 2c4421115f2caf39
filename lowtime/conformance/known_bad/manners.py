"""Known-bad backends that find the right flow and misbehave otherwise."""

from __future__ import annotations

import sys
from threading import Event

import numpy as np

from lowtime.conformance.known_bad.spoiled import honest_flow, info_of
from lowtime.flow.network import FlowNetwork
from lowtime.flow.result import MaxFlow


class FloatResult:
    """Returns the flow as float64 and the value as a NumPy scalar."""

    info = info_of("float-result")

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        right = honest_flow(network)
        flow = right.flow.astype(np.float64)
        return MaxFlow(np.int64(right.value), flow)  # type: ignore[arg-type]


class Panic(BaseException):
    """Stands for pyo3's PanicException, which `except Exception` does not catch."""


class LeakedException:
    """Panics on what is no network."""

    info = info_of("leaked-exception")

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        if not isinstance(network, FlowNetwork):
            raise Panic("called `Option::unwrap()` on a `None` value")
        return honest_flow(network)


class ExitsTheProcess:
    """Calls `sys.exit` where there is no flow, like the command-line program it once was."""

    info = info_of("exits-the-process")

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        right = honest_flow(network)
        if right.value == 0:
            sys.exit("no flow")
        return right


class Hangs:
    """Never returns when capacities are large, as an algorithm of single units would not."""

    info = info_of("hangs")

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        if network.num_nodes == 4 and int(network.capacity.max(initial=0)) >= 2**30:
            Event().wait()
        return honest_flow(network)


class Prints:
    """Reports its progress on standard output."""

    info = info_of("prints")

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        right = honest_flow(network)
        print(f"maximum flow: {right.value}")
        return right


class ReseedsNumPy:
    """Makes itself reproducible with the generator that everybody shares."""

    info = info_of("reseeds-numpy")

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        np.random.seed(network.num_arcs)  # noqa: NPY002  the fault
        return honest_flow(network)
