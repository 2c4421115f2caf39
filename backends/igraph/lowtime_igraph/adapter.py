"""A max-flow backend on igraph's push-relabel."""

from __future__ import annotations

import igraph  # type: ignore[import-untyped]
import numpy as np

from lowtime.backends.protocol import BackendInfo
from lowtime.flow.network import FlowNetwork
from lowtime.flow.result import MaxFlow
from lowtime_igraph import __version__


class IgraphBackend:
    """igraph's `maxflow`, which computes in float64.

    The numbers it handles (capacity, flow, excess of a node) are integers of at most the total that
    leaves the source, and float64 holds every integer up to 2^53. At a total of 2^54 flows were
    seen to lose units.

    Source:
        Cherkassky and Goldberg, On implementing the push-relabel method for the maximum flow
        problem (1997). doi:10.1007/PL00009180
    """

    info = BackendInfo(
        name="igraph",
        version=__version__,
        max_capacity=2**63 - 1,  # clipped to the total
        max_total=2**53,
    )

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        """A maximum flow of the network; any of the maximum flows will do."""
        live = np.flatnonzero((network.capacity > 0) & (network.tail != network.head))
        # A flow without cycles sends no more over an arc than leaves the source in all.
        bound = min(network.total_leaving_source, network.total_entering_sink)
        capacity = np.minimum(network.capacity[live], bound).astype(np.float64)
        arcs = np.stack((network.tail[live], network.head[live]), axis=1).astype(
            np.intp
        )  # igraph reads its own integer type only
        graph = igraph.Graph(network.num_nodes, arcs, directed=True)
        # `Graph.maxflow` would wrap the same answer in objects.
        value, arc_flow, _cut, _sides = igraph.GraphBase.maxflow(
            graph, network.source, network.sink, capacity.tolist()
        )
        flow = np.zeros(network.num_arcs, dtype=np.int64)
        flow[live] = np.asarray(arc_flow, dtype=np.float64).astype(np.int64)
        return MaxFlow(int(value), flow)
