"""The backend `rust`: our own solver and tracer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from lowtime.backends.protocol import BackendInfo
from lowtime.flow.network import INT64_MAX, FlowNetwork
from lowtime.flow.result import MaxFlow
from lowtime.network.activity import ActivityNetwork
from lowtime_rust import _native
from lowtime_rust.frontier import RustFrontierSession
from lowtime_rust.version import __version__


class RustBackend:
    """The engine written for lowtime; exact over the whole range of int64.

    Attributes:
        info: name, version and exact range.
    """

    info = BackendInfo(
        name="rust", version=__version__, max_capacity=INT64_MAX, max_total=INT64_MAX
    )

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        """A maximum flow of the network.

        The half-arcs of parallel and antiparallel arcs stay apart, so no sum of capacities is
        formed that could leave int64, other than what leaves the source.
        """
        value, flow = _native.max_flow(
            network.num_nodes,
            network.tail,
            network.head,
            network.capacity,
            network.source,
            network.sink,
        )
        return MaxFlow(value, flow)

    def open_frontier(
        self, network: ActivityNetwork, /, state: Mapping[str, NDArray[Any]] | None = None
    ) -> RustFrontierSession:
        """A session at the longest schedule, or where ``state`` (from `state()`) was taken."""
        return RustFrontierSession(network, state)
