"""What lowtime calls: a network in, a maximum flow out."""

from __future__ import annotations

from importlib.metadata import version

from ortools.graph.python.max_flow import SimpleMaxFlow

from lowtime.backends.protocol import BackendInfo
from lowtime.flow.network import FlowNetwork
from lowtime.flow.result import MaxFlow


class OrToolsBackend:
    """OR-tools' push-relabel, which counts in int64 and reports what it cannot count.

    Source: Goldberg and Tarjan (1988), doi:10.1145/48014.61051, as in OR-tools'
    ``graph/generic_max_flow.h``.
    """

    info = BackendInfo(
        name="ortools",
        version=version("lowtime-ortools-example"),
        max_capacity=2**63 - 1,
        max_total=2**63 - 1,  # beyond it the status is POSSIBLE_OVERFLOW
    )

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        """A maximum flow of the network.

        Raises:
            RuntimeError: a status other than OPTIMAL.
        """
        solver = SimpleMaxFlow()
        arcs = solver.add_arcs_with_capacity(network.tail, network.head, network.capacity)
        status = solver.solve(network.source, network.sink)
        if status != SimpleMaxFlow.OPTIMAL:
            raise RuntimeError(f"OR-tools ended with status {status.name}")
        return MaxFlow(solver.optimal_flow(), solver.flows(arcs))
