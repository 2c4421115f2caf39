"""Whether a network lies in the range that a backend declares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lowtime.flow.network import INT64_MAX, FlowNetwork, exact_sum
from lowtime.flow.pairs import ArcPairs

if TYPE_CHECKING:
    from lowtime.backends.protocol import BackendInfo
    from lowtime.network.activity import ActivityNetwork


def crash_loop_nodes(network: ActivityNetwork) -> int:
    """Nodes of the flow networks of a project's crash loop: its events, and a super-source."""
    return network.num_events + 1


def range_excess(
    info: BackendInfo, max_capacity: int, max_total: int, num_nodes: int = 0
) -> str | None:
    """How numbers exceed what a backend declares, or None.

    Args:
        info: what the backend declares.
        max_capacity: largest capacity of one arc, parallel ones merged.
        max_total: sum of the capacities that leave the source.
        num_nodes: nodes of the network.
    """
    if num_nodes > info.max_nodes:
        return f"the network has {num_nodes} nodes; it takes at most {info.max_nodes}"
    if max_total > info.max_total:
        return (
            f"capacities that sum to {max_total} leave the source; it is exact up to"
            f" {info.max_total}"
        )
    if max_capacity > info.max_capacity:
        return f"an arc has capacity {max_capacity}; it is exact up to {info.max_capacity}"
    return None


def network_excess(info: BackendInfo, network: FlowNetwork) -> str | None:
    """How a network exceeds what a backend declares, or None; O(1) where it takes all of int64."""
    total = 0 if info.max_total >= INT64_MAX else network.total_leaving_source
    capacity = 0 if info.max_capacity >= INT64_MAX else _largest_capacity(info, network)
    return range_excess(info, capacity, total, network.num_nodes)


def _largest_capacity(info: BackendInfo, network: FlowNetwork) -> int:
    """Largest capacity of one arc; merged only where that can matter, because it takes a sort."""
    if not network.num_arcs:
        return 0
    largest = int(network.capacity.max())
    if largest > info.max_capacity or exact_sum(network.capacity) <= info.max_capacity:
        return largest
    pairs = ArcPairs.of(network)
    return max(int(array.max(initial=0)) for array in (pairs.up, pairs.down))
