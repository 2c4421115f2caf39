"""The smallest backend that conforms: shortest augmenting paths in Python integers."""

from __future__ import annotations

from collections import deque

import numpy as np

from lowtime.backends.protocol import BackendInfo
from lowtime.flow.network import FlowNetwork
from lowtime.flow.result import MaxFlow


class HonestBackend:
    """Edmonds and Karp (1972), doi:10.1145/321694.321699; slow, exact, and easy to read."""

    info = BackendInfo("honest", "1.0.0", max_capacity=2**63 - 1, max_total=2**63 - 1)

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        ends = np.stack((network.head, network.tail), axis=1).ravel().tolist()
        left = np.stack((network.capacity, 0 * network.capacity), axis=1).ravel().tolist()
        leaving: list[list[int]] = [[] for _ in range(network.num_nodes)]
        for half, end in enumerate(ends):  # half 2i is arc i, half 2i + 1 its reverse
            if end != ends[half ^ 1]:
                leaving[ends[half ^ 1]].append(half)
        value = 0
        while True:
            found = {network.source: -1}
            queue = deque(found)
            while queue and network.sink not in found:
                for half in leaving[queue.popleft()]:
                    if left[half] and ends[half] not in found:
                        found[ends[half]] = half
                        queue.append(ends[half])
            if network.sink not in found:
                return MaxFlow(value, np.array(left[1::2], dtype=np.int64))
            path, node = [], network.sink
            while node != network.source:
                path.append(found[node])
                node = ends[found[node] ^ 1]
            step = min(left[half] for half in path)
            value += step
            for half in path:
                left[half] -= step
                left[half ^ 1] += step
