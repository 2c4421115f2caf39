"""The right answer for a flow network, and whether a backend's answer is it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from lowtime.conformance.reference import reference_flow, reference_source_side
from lowtime.conformance.registry import CheckFailed
from lowtime.flow.network import FlowNetwork
from lowtime.flow.result import MaxFlow


@dataclass(frozen=True, slots=True)
class Expected:
    """What every right answer for one network has in common.

    Attributes:
        value: value of the maximum flow.
        source_side: bool per node, the canonical cut; the same for all maximum flows.
    """

    value: int
    source_side: tuple[bool, ...]


def expected_of(network: FlowNetwork) -> Expected:
    """The answer that the reference solver finds, in Python integers."""
    value, flow = reference_flow(network)
    return Expected(value, tuple(reference_source_side(network, flow)))


def require(condition: bool, message: str) -> None:
    """Fail the check unless the condition holds."""
    if not condition:
        raise CheckFailed(message)


def require_max_flow(
    network: FlowNetwork, result: Any, expected: Expected, where: str
) -> list[int]:
    """The flow as Python integers, after proving that the result is a maximum flow.

    Sums are of Python integers, apart from lowtime's own certificate: the suite must also see what
    that one might miss.

    Args:
        network: the network that was solved.
        result: what the backend returned.
        expected: the right answer.
        where: names the instance in the message.

    Raises:
        CheckFailed: the result is of another type, or not a maximum flow of the network.
    """
    require(
        isinstance(result, MaxFlow), f"{where}: returned {type(result).__name__}; expected MaxFlow"
    )
    value, flow = result.value, result.flow
    require(
        type(value) is int, f"{where}: value is a {type(value).__name__}; expected a Python int"
    )
    require(
        isinstance(flow, np.ndarray) and flow.dtype == np.int64 and flow.dtype.isnative,
        f"{where}: flow is {getattr(flow, 'dtype', type(flow).__name__)}; expected int64",
    )
    require(
        flow.shape == (network.num_arcs,),
        f"{where}: flow has shape {flow.shape}; expected ({network.num_arcs},)",
    )
    flows: list[int] = flow.tolist()
    excess = [0] * network.num_nodes
    ends = zip(network.tail.tolist(), network.head.tolist(), strict=True)
    capacities = network.capacity.tolist()
    for arc, ((tail, head), used) in enumerate(zip(ends, flows, strict=True)):
        if tail == head:
            require(used == 0, f"{where}: flow {used} on arc {arc}, a self-loop; expected 0")
        require(
            0 <= used <= capacities[arc],
            f"{where}: flow {used} on arc {arc} ({tail} -> {head}); capacity {capacities[arc]}",
        )
        excess[tail] -= used
        excess[head] += used
    for node, surplus in enumerate(excess):
        if node not in (network.source, network.sink):
            require(surplus == 0, f"{where}: node {node} takes in {surplus} more than it passes on")
    require(
        -excess[network.source] == value,
        f"{where}: value {value}, but {-excess[network.source]} leaves the source",
    )
    require(value == expected.value, f"{where}: value {value}; expected {expected.value}")
    side = reference_source_side(network, flows)
    require(
        tuple(side) == expected.source_side,
        f"{where}: the flow's canonical cut is not the expected one",
    )
    return flows
