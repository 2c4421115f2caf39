"""A network's arcs merged into one pair of opposite arcs per two joined nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from lowtime.flow.network import FlowNetwork


@dataclass(frozen=True, slots=True, eq=False)
class ArcPairs:
    """What solvers that know one arc per pair of nodes work on, and the way back.

    Pair ``p`` joins ``low[p] < high[p]``; pairs are sorted by ``(low, high)`` and unique. Arcs that
    cannot carry flow (self-loops, capacity 0) are in no pair.

    Attributes:
        low: int64[p], the smaller node.
        high: int64[p], the larger node.
        up: int64[p], sum of the capacities ``low -> high``, 0 .. 2^63 - 1.
        down: int64[p], sum of the capacities ``high -> low``, 0 .. 2^63 - 1.
        num_arcs: number of arcs of the network, m.

    Example:
        >>> network = FlowNetwork(3, [0, 0, 1, 1], [1, 1, 0, 2], [2, 3, 4, 9], source=0, sink=2)
        >>> pairs = ArcPairs.of(network)
        >>> pairs.up.tolist(), pairs.down.tolist()
        ([5, 9], [4, 0])
        >>> pairs.split(np.array([4, 4])).tolist()
        [2, 2, 0, 4]
    """

    low: NDArray[np.int64]
    high: NDArray[np.int64]
    up: NDArray[np.int64]
    down: NDArray[np.int64]
    num_arcs: int
    _arc: NDArray[np.int64]  # [k] the live arcs, grouped by pair and direction
    _pair: NDArray[np.int64]  # [k] pair of each of them
    _rises: NDArray[np.bool_]  # [k] whether it goes low -> high
    _before: NDArray[np.int64]  # [k] capacity of the arcs before it in its group
    _capacity: NDArray[np.int64]  # [k]

    @classmethod
    def of(cls, network: FlowNetwork) -> Self:
        """The pairs of a network, in O(m log m)."""
        live = np.flatnonzero((network.capacity > 0) & (network.tail != network.head))
        tail, head = network.tail[live].astype(np.int64), network.head[live].astype(np.int64)
        low, rises = np.minimum(tail, head), tail < head
        # num_nodes < 2^31, so the key stays below 2^63.
        key = 2 * (low * network.num_nodes + np.maximum(tail, head)) + rises
        order = np.argsort(key, kind="stable")
        arc, key, rises = live[order], key[order], rises[order]
        capacity = network.capacity[arc]
        opens_group = np.ones(len(arc), dtype=bool)
        opens_group[1:] = key[1:] != key[:-1]
        opens_pair = np.ones(len(arc), dtype=bool)
        opens_pair[1:] = key[1:] >> 1 != key[:-1] >> 1
        group_start = np.flatnonzero(opens_group)
        pair = np.cumsum(opens_pair) - 1
        # The running sum may wrap; its differences within a group do not, because FlowNetwork
        # bounds the sum of parallel arcs by 2^63 - 1.
        running = np.cumsum(capacity) - capacity
        before = running - running[group_start][np.cumsum(opens_group) - 1]
        merged = np.add.reduceat(capacity, group_start) if len(arc) else capacity
        group_rises, group_pair = rises[group_start], pair[group_start]
        up = np.zeros(int(opens_pair.sum()), dtype=np.int64)
        down = np.zeros_like(up)
        up[group_pair[group_rises]] = merged[group_rises]
        down[group_pair[~group_rises]] = merged[~group_rises]
        pair_low, pair_high = np.divmod(key[opens_pair] >> 1, network.num_nodes)
        return cls(
            low=pair_low,
            high=pair_high,
            up=up,
            down=down,
            num_arcs=network.num_arcs,
            _arc=arc,
            _pair=pair,
            _rises=rises,
            _before=before,
            _capacity=capacity,
        )

    def split(self, net: NDArray[np.int64]) -> NDArray[np.int64]:
        """Flow of every arc of the network, from the net flow of every pair.

        Parallel arcs are filled one after the other, the first one first.

        Args:
            net: int64[p], flow ``low -> high`` less flow ``high -> low``; -down .. up.

        Returns:
            int64[m]; only one direction of a pair carries flow.
        """
        toward = np.where(self._rises, net[self._pair], -net[self._pair])
        flow = np.zeros(self.num_arcs, dtype=np.int64)
        flow[self._arc] = np.minimum(np.maximum(toward, 0) - self._before, self._capacity)
        return np.maximum(flow, 0, out=flow)

    def value(self, net: NDArray[np.int64], node: int) -> int:
        """Net flow out of a node, from the net flow of every pair; below 2^63 in size."""
        return int(net[self.low == node].sum() - net[self.high == node].sum())
