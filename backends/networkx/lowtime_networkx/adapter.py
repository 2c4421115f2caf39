"""A max-flow backend on the flow functions of NetworkX."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from lowtime import __version__
from lowtime.backends.protocol import BackendInfo
from lowtime.flow.network import FlowNetwork
from lowtime.flow.pairs import ArcPairs
from lowtime.flow.result import MaxFlow

if TYPE_CHECKING:
    import networkx as nx


class NetworkXBackend:
    """Pure Python, exact with integers of any size; the backend to read first.

    Args:
        flow_func: a function of `networkx.algorithms.flow` that returns a residual network, such as
            `preflow_push`; `boykov_kolmogorov` by default, whose slowest networks of a frontier
            were the fastest of the five.

    Example:
        >>> import networkx as nx
        >>> backend = NetworkXBackend(flow_func=nx.algorithms.flow.preflow_push)
        >>> backend.max_flow(FlowNetwork(2, [0, 0], [1, 1], [1, 2], source=0, sink=1)).value
        3
    """

    info = BackendInfo(
        name="networkx", version=__version__, max_capacity=2**63 - 1, max_total=2**63 - 1
    )

    def __init__(self, flow_func: Callable[..., nx.DiGraph[int]] | None = None) -> None:
        self._flow_func = flow_func

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        """A maximum flow of the network; any of the maximum flows will do."""
        import networkx as nx

        flow_func = self._flow_func or nx.algorithms.flow.boykov_kolmogorov
        pairs = ArcPairs.of(network)
        # A DiGraph keeps one arc per direction, hence the merged pairs. `tolist` makes Python
        # integers: NumPy's would wrap when NetworkX triples their sum to make an "infinity".
        low, high = pairs.low.tolist(), pairs.high.tolist()
        graph: nx.DiGraph[Any] = nx.DiGraph()
        graph.add_nodes_from((network.source, network.sink))
        for tail, head, capacity in ((low, high, pairs.up), (high, low, pairs.down)):
            graph.add_weighted_edges_from(
                (arc for arc in zip(tail, head, capacity.tolist(), strict=True) if arc[2]),
                weight="capacity",
            )
        residual = flow_func(graph, network.source, network.sink, capacity="capacity")
        net = np.array(
            [residual[u][v]["flow"] for u, v in zip(low, high, strict=True)], dtype=np.int64
        )
        return MaxFlow(pairs.value(net, network.source), pairs.split(net))
