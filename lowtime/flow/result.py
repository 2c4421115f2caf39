"""What a solver returns for a `FlowNetwork`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class MaxFlow:
    """A maximum flow.

    Attributes:
        value: net flow out of the source.
        flow: int64[m], flow of every arc, in the order of the network's arcs; 0 on self-loops.
    """

    value: int
    flow: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """The canonical minimum cut: the one with the smallest source side.

    Attributes:
        value: capacity of the cut, equal to the value of a maximum flow.
        source_side: bool[n], True for the nodes reachable from the source in the residual network
            of any maximum flow.
        arcs: int64[c], indices of the arcs that leave the source side, in increasing order.
    """

    value: int
    source_side: NDArray[np.bool_]
    arcs: NDArray[np.int64]
