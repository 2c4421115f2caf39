"""The residual network of a flow between lower and upper bounds, as a plain s-t network."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lowtime.flow.network import FlowNetwork


@dataclass(frozen=True, slots=True, eq=False)
class ResidualNetwork:
    """What can still be sent, or sent back, as capacities without lower bounds.

    Attributes:
        network: the plain network. Its nodes are those of the original and a super-source, the
            last node; its first arc leads from there to the original source.
        arc: int64[k], original arc behind arc ``i + 1`` of the plain network.
        sign: int64[k], +1 where flow over it is added to the original arc, -1 where it is taken.
    """

    network: FlowNetwork
    arc: NDArray[np.int64]
    sign: NDArray[np.int64]

    def augmented(self, flow: NDArray[np.int64], added: NDArray[np.int64]) -> NDArray[np.int64]:
        """The original flow (int64[m]) plus a flow of the plain network (int64[k + 1])."""
        result = flow.copy()
        np.add.at(result, self.arc, self.sign * added[1:])
        return result


def residual_network(
    num_nodes: int,
    tail: NDArray[np.int32],
    head: NDArray[np.int32],
    lower: NDArray[np.int64],
    upper: NDArray[np.int64],
    flow: NDArray[np.int64],
    arcs: NDArray[np.int64],
    terminals: tuple[int, int],
    limit: int,
) -> ResidualNetwork:
    """The residual network over some arcs of a network with bounds.

    However many arcs leave the source, at most ``limit`` leaves the super-source: the sum of
    their capacities, which can pass 2^63, bounds nothing.

    Args:
        num_nodes: number of nodes of the original network.
        tail: int32[m].
        head: int32[m].
        lower: int64[m], lower bounds.
        upper: int64[m], upper bounds.
        flow: int64[m], ``lower <= flow <= upper`` on ``arcs``.
        arcs: int64[a], the arcs that count.
        terminals: source and sink of the original network.
        limit: capacity of the super-source's arc.
    """
    onward = arcs[flow[arcs] < upper[arcs]]
    back = arcs[flow[arcs] > lower[arcs]]
    source, sink = terminals
    network = FlowNetwork(
        num_nodes + 1,
        np.concatenate(([num_nodes], tail[onward], head[back])),
        np.concatenate(([source], head[onward], tail[back])),
        np.concatenate(([limit], upper[onward] - flow[onward], flow[back] - lower[back])),
        source=num_nodes,
        sink=sink,
    )
    sign = np.repeat(np.array([1, -1], dtype=np.int64), (len(onward), len(back)))
    return ResidualNetwork(network, np.concatenate((onward, back)), sign)
