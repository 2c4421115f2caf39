"""A network with lower bounds, turned into plain ones."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lowtime.counted import counted
from lowtime.errors import CapacityRange, Infeasible, InvalidNetwork
from lowtime.flow.network import INT64_MAX, FlowNetwork, exact_sum
from lowtime.flow.residual import ResidualNetwork, residual_network
from lowtime.flow.result import MaxFlow

if TYPE_CHECKING:
    import networkx as nx

_SHOWN = 12  # nodes of a set that a message shows


@dataclass(frozen=True, slots=True, eq=False)
class BoundedNetwork:
    """A directed network whose arcs carry at least one number and at most another.

    `lowtime.max_flow` and `lowtime.min_cut` take it as they take a `FlowNetwork`. They solve two
    plain networks: one whose maximum flow tells whether any flow is `feasible_flow`, then what is
    to `spare` on top of that flow. Flow may be forced from the sink to the source; the maximum can
    be negative then.

    Args:
        num_nodes: number of nodes.
        tail: int[m], tail node of every arc.
        head: int[m], head node of every arc.
        lower: int[m], lower bound of every arc, 0 .. ``upper``.
        upper: int[m], capacity of every arc, 0 .. 2^63 - 1.
        source: node the flow leaves.
        sink: node the flow reaches.
        labels: the user's names of the nodes, or None for 0 .. num_nodes - 1.
        unbounded: a path from source to sink that nothing limits, as text; see `from_networkx`.

    Attributes:
        network: the arcs with their upper bounds alone.
        lower: int64[m].
        unbounded: such a path, or None.

    Raises:
        InvalidNetwork: as `FlowNetwork`, or a lower bound above its upper bound.
        CapacityRange: as `FlowNetwork`, or lower bounds that sum beyond 2^63 - 1. Solving raises it
            where 2^63 - 1 or more could be sent on top of the lower bounds.

    Example:
        >>> import lowtime
        >>> network = BoundedNetwork(3, [0, 0, 1], [1, 2, 2], [0, 0, 2], [5, 3, 4], 0, 2)
        >>> lowtime.max_flow(network).flow.tolist()
        [4, 3, 4]

    Source:
        Ford and Fulkerson, Flows in Networks (1962), section I.11.
    """

    network: FlowNetwork
    lower: NDArray[np.int64]
    unbounded: str | None

    def __init__(
        self,
        num_nodes: int,
        tail: ArrayLike,
        head: ArrayLike,
        lower: ArrayLike,
        upper: ArrayLike,
        source: int,
        sink: int,
        labels: tuple[Hashable, ...] | None = None,
        unbounded: str | None = None,
    ) -> None:
        network = FlowNetwork(num_nodes, tail, head, upper, source, sink, labels)
        bounds = np.array(lower)
        if bounds.shape != network.capacity.shape:
            raise InvalidNetwork(
                f"lower has shape {bounds.shape}; expected one entry for each of"
                f" {counted(network.num_arcs, 'arc')}"
            )
        if bounds.size and bounds.dtype.kind not in "iu":
            raise InvalidNetwork(f"lower has dtype {bounds.dtype}; expected integers")
        outside = np.flatnonzero((bounds < 0) | (bounds > network.capacity))
        if outside.size:
            arc = int(outside[0])
            raise InvalidNetwork(
                f"arc {arc} ({network.tail[arc]} -> {network.head[arc]}): lower bound"
                f" {bounds[arc]}; expected 0 .. {network.capacity[arc]}, its upper bound"
            )
        bounds = bounds.astype(np.int64)
        if exact_sum(bounds) > INT64_MAX:
            raise CapacityRange(
                f"the lower bounds sum to {exact_sum(bounds)}, above 2^63 - 1; scale them down"
            )
        bounds.setflags(write=False)
        object.__setattr__(self, "network", network)
        object.__setattr__(self, "lower", bounds)
        object.__setattr__(self, "unbounded", unbounded)

    @classmethod
    def from_networkx(
        cls,
        graph: nx.DiGraph[Any],
        source: Hashable,
        sink: Hashable,
        *,
        lower: str = "lower",
        capacity: str = "capacity",
        scale: int | float | Fraction | Decimal | None = None,
    ) -> Self:
        """A network from a NetworkX digraph; see `lowtime.flow.from_networkx`.

        Args:
            graph: a DiGraph or MultiDiGraph.
            source: node of the graph.
            sink: another node of the graph.
            lower: edge attribute with the lower bound; 0 where it is missing. It is compared with
                the capacity before both are rounded.
            capacity: edge attribute with the upper bound; unbounded where it is missing.
            scale: factor for decimals and fractions.
        """
        from lowtime.flow.from_networkx import read_arcs

        arcs = read_arcs(graph, source, sink, capacity=capacity, lower=lower, scale=scale)
        return cls(
            len(arcs.labels),
            np.array(arcs.tail, dtype=np.int64),
            np.array(arcs.head, dtype=np.int64),
            np.array(arcs.lower, dtype=np.int64),
            np.array(arcs.upper, dtype=np.int64),
            arcs.source,
            arcs.sink,
            arcs.labels,
            arcs.unbounded,
        )

    def balanced(self) -> FlowNetwork:
        """The plain network whose maximum flow, added to the lower bounds, is a feasible flow.

        Its first m arcs are the network's with what is above their lower bounds. What the lower
        bounds bring to a node comes in from a new source s', what they take goes out to a new sink
        t', and whatever arrives at the sink may go on to the source, and back.
        """
        network, nodes = self.network, self.network.num_nodes
        # Sums of lower bounds stay below 2^63; FlowNetwork's own sums are checked by it.
        surplus = np.zeros(nodes, dtype=np.int64)
        np.add.at(surplus, network.head, self.lower)
        np.subtract.at(surplus, network.tail, self.lower)
        gains, loses = np.flatnonzero(surplus > 0), np.flatnonzero(surplus < 0)
        terminals = [network.source, network.sink]
        # All that leaves s' is at most the sum of the lower bounds, and so is what any arc needs.
        free = exact_sum(self.lower)
        spare = np.minimum(network.capacity - self.lower, free)
        return FlowNetwork(
            nodes + 2,
            np.concatenate((network.tail, np.full(len(gains), nodes), loses, terminals)),
            np.concatenate((network.head, gains, np.full(len(loses), nodes + 1), terminals[::-1])),
            np.concatenate((spare, surplus[gains], -surplus[loses], [free, free])),
            source=nodes,
            sink=nodes + 1,
        )

    def feasible_flow(
        self, balanced: FlowNetwork, result: MaxFlow, source_side: NDArray[np.bool_]
    ) -> NDArray[np.int64]:
        """A flow between the bounds, int64[m].

        Args:
            balanced: what `balanced` returned.
            result: a maximum flow of it.
            source_side: bool[n + 2], source side of its canonical cut.

        Raises:
            Infeasible: there is none; the message names a set of nodes into which the lower bounds
                bring more than its arcs can take out (Hoffman's condition).
        """
        network = self.network
        if result.value < balanced.total_leaving_source:
            inner = source_side[:-2]
            entering = inner[network.head] & ~inner[network.tail]
            leaving = inner[network.tail] & ~inner[network.head]
            raise Infeasible(
                f"no flow meets the lower bounds: the nodes {self._named(inner)} must take in at"
                f" least {exact_sum(self.lower[entering])} and can pass on at most"
                f" {exact_sum(network.capacity[leaving])}"
            )
        return self.lower + result.flow[: network.num_arcs]

    def spare(self, flow: NDArray[np.int64]) -> ResidualNetwork:
        """What can be sent on top of a feasible flow, as a plain network."""
        network = self.network
        arcs = np.flatnonzero(network.tail != network.head)
        tail, head = network.tail[arcs], network.head[arcs]
        onward, back = (network.capacity - flow)[arcs], (flow - self.lower)[arcs]
        most = min(
            exact_sum(onward[tail == network.source]) + exact_sum(back[head == network.source]),
            exact_sum(onward[head == network.sink]) + exact_sum(back[tail == network.sink]),
        )
        # One more than can be sent, so that the super-source's arc is in no minimum cut.
        limit = most + 1
        if limit > INT64_MAX:
            raise CapacityRange(
                f"as much as {most} could leave the source {network.source}, which is too close to"
                " 2^63; scale the bounds down"
            )
        return residual_network(
            network.num_nodes,
            network.tail,
            network.head,
            self.lower,
            network.capacity,
            flow,
            arcs,
            (network.source, network.sink),
            limit,
        )

    def value(self, flow: NDArray[np.int64]) -> int:
        """Net flow out of the source; negative where the lower bounds force it back."""
        network = self.network
        loop = network.tail == network.head
        out = exact_sum(flow[(network.tail == network.source) & ~loop])
        return out - exact_sum(flow[(network.head == network.source) & ~loop])

    def _named(self, inner: NDArray[np.bool_]) -> str:
        nodes = np.flatnonzero(inner).tolist()
        labels = self.network.labels
        names = [repr(node if labels is None else labels[node]) for node in nodes[:_SHOWN]]
        more = f" and {len(nodes) - _SHOWN} more" if len(nodes) > _SHOWN else ""
        return ", ".join(names) + more
