"""A max-flow backend on `scipy.sparse.csgraph.maximum_flow`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lowtime import __version__
from lowtime.backends.protocol import BackendInfo
from lowtime.flow.cut import reachable
from lowtime.flow.network import FlowNetwork, exact_sum
from lowtime.flow.pairs import ArcPairs
from lowtime.flow.result import MaxFlow

if TYPE_CHECKING:
    from scipy.sparse import csr_array

# SciPy's solver computes `capacity - flow` in int32. On an arc that is used backwards this is the
# sum of both capacities of its pair, so each of them gets 30 bits: 2 (2^30 - 1) < 2^31.
SOLVER_BITS = 30


class ScipyBackend:
    """SciPy's Dinic, called at a coarse scale first and refined until the flow is exact.

    SciPy takes any integers and cuts them to int32 without a word. Here every residual capacity is
    clipped to what can still be sent at most and shifted right until it has 30 bits; the flow found
    is shifted back and kept, and what is left is solved the same way. Two rounds do for a total of
    2^50.

    Source:
        Gabow, Scaling algorithms for network problems (1985), section 2.
        doi:10.1016/0022-0000(85)90039-X
    """

    info = BackendInfo(
        name="scipy",
        version=__version__,
        max_capacity=2**63 - 1,  # clipped to the total
        max_total=2**62 - 1,  # both residual capacities of a pair sum to less than 2^63
    )

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        """A maximum flow of the network; any of the maximum flows will do."""
        pairs = ArcPairs.of(network)
        halves = _HalfArcs(pairs, network.num_nodes)
        # Invariant: at most `bound` more can be sent. A flow of that value without cycles sends no
        # more than `bound` over any arc, so clipping a residual capacity to it loses nothing.
        bound = min(network.total_leaving_source, network.total_entering_sink)
        residual = halves.both(np.minimum(pairs.up, bound), np.minimum(pairs.down, bound))
        flow = np.zeros_like(residual)
        while bound > 0:
            shift = max(0, bound.bit_length() - SOLVER_BITS)
            coarse = np.minimum(residual, bound) >> shift
            sent = halves.solve(coarse.astype(np.int32), network.source, network.sink)
            flow += sent << shift
            residual -= sent << shift
            if shift == 0:
                break
            # No coarse arc leaves this side any more: each of them has less than 2^shift left, or
            # was clipped and took all of `bound` but 2^shift. So the bound falls below
            # (number of pairs) 2^shift, and the next shift is a smaller one below 2^29 pairs.
            side = halves.reachable(coarse > sent, network.source)
            left = exact_sum(residual[halves.crossing(side)])
            bound = min(bound - (halves.out_of(sent, network.source) << shift), left)
        net = halves.upward(flow)
        return MaxFlow(pairs.value(net, network.source), pairs.split(net))


class _HalfArcs:
    """Both directions of every pair as the entries of one CSR matrix.

    SciPy adds the missing reverse arcs to its matrix; ours has them all, sorted, so its answer has
    the entries of ours.
    """

    def __init__(self, pairs: ArcPairs, num_nodes: int) -> None:
        self._num_nodes = num_nodes
        self._num_pairs = len(pairs.low)
        # Downward entries first: within a row, sorted stably, their heads are the smaller ones.
        tail = np.concatenate((pairs.high, pairs.low))
        head = np.concatenate((pairs.low, pairs.high))
        self._order = np.argsort(tail, kind="stable")
        self._tail = tail[self._order].astype(np.int32)
        self._head = head[self._order].astype(np.int32)
        degree = np.bincount(tail, minlength=num_nodes)
        self._indptr = np.concatenate(([0], np.cumsum(degree))).astype(np.int32)

    def both(self, up: NDArray[np.int64], down: NDArray[np.int64]) -> NDArray[np.int64]:
        """One value per entry from one per pair and direction."""
        return np.concatenate((down, up))[self._order]

    def upward(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        """The values of the entries low -> high, one per pair."""
        by_pair = np.empty_like(values)
        by_pair[self._order] = values
        return by_pair[self._num_pairs :]

    def solve(self, capacity: NDArray[np.int32], source: int, sink: int) -> NDArray[np.int64]:
        """SciPy's maximum flow; skew-symmetric: what one entry gains its reverse loses."""
        from scipy.sparse.csgraph import maximum_flow

        return maximum_flow(self._matrix(capacity), source, sink).flow.data.astype(np.int64)

    def _matrix(self, data: NDArray[np.int32]) -> csr_array:
        from scipy.sparse import csr_array

        shape = (self._num_nodes, self._num_nodes)
        return csr_array((data, self._head, self._indptr), shape=shape)

    def reachable(self, live: NDArray[np.bool_], source: int) -> NDArray[np.bool_]:
        """Nodes reachable from the source over the live entries."""
        return reachable(self._num_nodes, self._tail[live], self._head[live], source)

    def crossing(self, side: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Entries that leave a set of nodes."""
        return side[self._tail] & ~side[self._head]

    def out_of(self, flow: NDArray[np.int64], node: int) -> int:
        """Net flow out of a node."""
        return int(flow[self._indptr[node] : self._indptr[node + 1]].sum())
