"""The backends `rust-ek-sparse` and `rust-ek-dense`: Edmonds-Karp of the `pathfinding` crate."""

from __future__ import annotations

from lowtime.backends.protocol import BackendInfo
from lowtime.flow.network import INT64_MAX, FlowNetwork
from lowtime.flow.result import MaxFlow
from lowtime_rust import _native
from lowtime_rust.version import __version__


class SparseEdmondsKarpBackend:
    """Capacities in ordered maps, one per node; exact over the whole range of int64.

    Attributes:
        info: name, version and exact range.
    """

    info = BackendInfo(
        name="rust-ek-sparse", version=__version__, max_capacity=INT64_MAX, max_total=INT64_MAX
    )

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        """A maximum flow of the network, in O(nodes x arcs^2)."""
        value, flow = _native.max_flow_edmonds_karp_sparse(
            network.num_nodes,
            network.tail,
            network.head,
            network.capacity,
            network.source,
            network.sink,
        )
        return MaxFlow(value, flow)


class DenseEdmondsKarpBackend:
    """Capacities in two matrices; exact over the whole range of int64.

    Attributes:
        info: name, version and exact range.
    """

    info = BackendInfo(
        name="rust-ek-dense",
        version=__version__,
        max_capacity=INT64_MAX,
        max_total=INT64_MAX,
        max_nodes=_native.MAX_DENSE_NODES,  # two tables of 8 bytes x nodes^2 reach 1 GiB there
    )

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        """A maximum flow of the network, in O(nodes^2 x augmentations).

        Raises:
            CapacityRange: more than ``info.max_nodes`` nodes.
        """
        value, flow = _native.max_flow_edmonds_karp_dense(
            network.num_nodes,
            network.tail,
            network.head,
            network.capacity,
            network.source,
            network.sink,
        )
        return MaxFlow(value, flow)
