"""Known-bad backends whose numbers are narrower than they say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lowtime.conformance.instances import copy_of
from lowtime.conformance.known_bad.spoiled import honest_flow, info_of
from lowtime.flow.network import FlowNetwork
from lowtime.flow.result import MaxFlow


class Int32Wrap:
    """Stores capacities in 32 bits; what wraps to a negative number carries nothing."""

    info = info_of("int32-wrap")

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        wrapped = network.capacity.astype(np.int32).astype(np.int64)
        return honest_flow(copy_of(network, capacity=np.maximum(wrapped, 0)))


class FloatRounding:
    """Stores capacities as float64, which skips integers from 2^53 on."""

    info = info_of("float-rounding")

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        rounded = [min(int(float(c)), 2**63 - 1) for c in network.capacity.tolist()]
        return honest_flow(copy_of(network, capacity=np.array(rounded, dtype=np.int64)))


class FloatTolerance:
    """Takes what is below a millionth of the widest arc for nothing."""

    info = info_of("float-tolerance")

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        step = int(network.capacity.max(initial=0)) // 10**6
        seen = network.capacity > step
        return honest_flow(copy_of(network, capacity=network.capacity * seen))


class TooLargeRange:
    """Clips capacities at 2^40 and declares all of 64 bits."""

    info = info_of("too-large-range")

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        return honest_flow(copy_of(network, capacity=np.minimum(network.capacity, 2**40)))


class WrappedTotal:
    """Adds the value up in 62 bits; every single arc is exact."""

    info = replace(info_of("wrapped-total"), max_capacity=2**61)

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        right = honest_flow(network)
        return MaxFlow(right.value % 2**62, right.flow)


class FloatLimits:
    """Declares its range as a float, with which no integer of 64 bits compares exactly."""

    info = replace(info_of("float-limits"), max_capacity=2.0**62)  # type: ignore[arg-type]

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        return honest_flow(network)
