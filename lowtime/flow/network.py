"""The plain s-t network that every backend solves."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lowtime.counted import counted
from lowtime.errors import CapacityRange, InvalidNetwork

if TYPE_CHECKING:
    from fractions import Fraction

    import networkx as nx

INT64_MAX = 2**63 - 1
INT32_MAX = 2**31 - 1


def exact_sum(values: NDArray[np.int64]) -> int:
    """Sum of non-negative int64 values as a Python int; never wraps.

    The halves are summed apart: 2^32 terms below 2^31 (high) or 2^32 (low) fit int64 and uint64.
    """
    high = int((values >> 32).sum(dtype=np.int64))
    low = int((values & 0xFFFFFFFF).sum(dtype=np.int64))
    return (high << 32) + low


def _integer_array(values: ArrayLike, name: str, limit: int) -> NDArray[np.int64]:
    array = np.asarray(values)
    if array.ndim != 1:
        raise InvalidNetwork(
            f"{name} has {counted(array.ndim, 'dimension')}; expected one entry per arc"
        )
    if array.size == 0:
        return np.zeros(0, dtype=np.int64)
    # NumPy makes floats or objects of ints that no int64 holds.
    given: Any = (
        values if array.dtype.kind in "fO" and not isinstance(values, np.ndarray) else array
    )
    if array.dtype.kind in "fO" and all(
        isinstance(v, int | np.integer) and not isinstance(v, bool) for v in given
    ):
        for index, value in enumerate(given):
            if not -INT64_MAX - 1 <= value <= INT64_MAX:
                raise CapacityRange(f"arc {index}: {name} {value} does not fit 64 bits")
    elif array.dtype.kind not in "iu":
        raise InvalidNetwork(
            f"{name} has dtype {array.dtype}; expected integers (FlowNetwork.from_networkx takes"
            " decimals with scale=)"
        )
    if array.dtype.kind == "u" and array.dtype.itemsize == 8:
        above = np.flatnonzero(array > INT64_MAX)
        if above.size:
            raise CapacityRange(f"arc {above[0]}: {name} {array[above[0]]} is above 2^63 - 1")
    result = array.astype(np.int64)  # a private copy
    outside = np.flatnonzero((result < 0) | (result > limit))
    if outside.size:
        index = int(outside[0])
        what = "negative" if result[index] < 0 else f"above {limit}"
        raise InvalidNetwork(f"arc {index}: {name} {int(result[index])} is {what}")
    return result


def _freeze(array: NDArray[Any]) -> NDArray[Any]:
    array.setflags(write=False)
    return array


@dataclass(frozen=True, slots=True, eq=False)
class FlowNetwork:
    """A directed network with integer capacities, checked once, when it is made.

    Arc ``i`` goes ``tail[i] -> head[i]``. Parallel arcs, antiparallel arcs and self-loops are
    legal. The arrays are private, read-only copies of what was passed.

    Attributes:
        num_nodes: number of nodes; nodes are ``0 .. num_nodes - 1``; at most 2^31 - 1.
        tail: int32[m], tail node of every arc.
        head: int32[m], head node of every arc.
        capacity: int64[m], capacity of every arc, 0 .. 2^63 - 1.
        source: node the flow leaves.
        sink: node the flow reaches, another one than ``source``.
        labels: the user's names of the nodes (any hashables), or None for 0 .. num_nodes - 1.

    Raises:
        InvalidNetwork: a node out of range, a negative capacity, arrays of different length,
            floats, ``source == sink``.
        CapacityRange: what leaves the source, or a set of parallel arcs, sums beyond 2^63 - 1.

    Example:
        >>> network = FlowNetwork(3, [0, 1], [1, 2], [5, 3], source=0, sink=2)
        >>> network.num_arcs
        2
    """

    num_nodes: int
    tail: NDArray[np.int32]
    head: NDArray[np.int32]
    capacity: NDArray[np.int64]
    source: int
    sink: int
    labels: Sequence[Hashable] | None = None

    def __init__(
        self,
        num_nodes: int,
        tail: ArrayLike,
        head: ArrayLike,
        capacity: ArrayLike,
        source: int,
        sink: int,
        labels: Sequence[Hashable] | None = None,
    ) -> None:
        num_nodes, source, sink = (
            _node_number(value, name)
            for value, name in ((num_nodes, "num_nodes"), (source, "source"), (sink, "sink"))
        )
        if not 2 <= num_nodes <= INT32_MAX:
            raise InvalidNetwork(f"num_nodes is {num_nodes}; expected 2 .. {INT32_MAX}")
        for node, name in ((source, "source"), (sink, "sink")):
            if not 0 <= node < num_nodes:
                raise InvalidNetwork(f"{name} {node} is not a node; nodes are 0 .. {num_nodes - 1}")
        if source == sink:
            raise InvalidNetwork(f"source and sink are both node {source}; expected two nodes")
        tails = _integer_array(tail, "tail", INT64_MAX)
        heads = _integer_array(head, "head", INT64_MAX)
        capacities = _integer_array(capacity, "capacity", INT64_MAX)
        if not len(tails) == len(heads) == len(capacities):
            raise InvalidNetwork(
                f"tail, head and capacity have {len(tails)}, {len(heads)} and {len(capacities)}"
                " entries; expected one of each per arc"
            )
        for ends, name in ((tails, "tail"), (heads, "head")):
            outside = np.flatnonzero(ends >= num_nodes)
            if outside.size:
                raise InvalidNetwork(
                    f"arc {outside[0]}: {name} {ends[outside[0]]} is not a node;"
                    f" nodes are 0 .. {num_nodes - 1}"
                )
        if labels is not None and len(labels) != num_nodes:
            raise InvalidNetwork(f"{counted(len(labels), 'label')} for {num_nodes} nodes")
        _check_sums(tails, heads, capacities, source, labels or range(num_nodes))
        put = object.__setattr__
        put(self, "num_nodes", num_nodes)
        put(self, "tail", _freeze(tails.astype(np.int32)))
        put(self, "head", _freeze(heads.astype(np.int32)))
        put(self, "capacity", _freeze(capacities))
        put(self, "source", source)
        put(self, "sink", sink)
        put(self, "labels", labels)

    @property
    def num_arcs(self) -> int:
        """Number of arcs, parallel arcs and self-loops counted."""
        return len(self.tail)

    @property
    def total_leaving_source(self) -> int:
        """Sum of the capacities that leave the source, self-loops aside; bounds the flow value."""
        leaving = (self.tail == self.source) & (self.head != self.source)
        return exact_sum(self.capacity[leaving])

    @property
    def total_entering_sink(self) -> int:
        """Sum of the capacities that enter the sink, self-loops aside; bounds the flow value."""
        entering = (self.head == self.sink) & (self.tail != self.sink)
        return exact_sum(self.capacity[entering])

    @classmethod
    def from_networkx(
        cls,
        graph: nx.DiGraph[Any],
        source: Hashable,
        sink: Hashable,
        *,
        capacity: str = "capacity",
        scale: int | float | Fraction | None = None,
    ) -> FlowNetwork:
        """A network from a NetworkX digraph; see `lowtime.flow.from_networkx`."""
        from lowtime.flow.from_networkx import from_networkx

        return from_networkx(graph, source, sink, capacity=capacity, scale=scale)

    @classmethod
    def from_csr(
        cls, indptr: ArrayLike, indices: ArrayLike, data: ArrayLike, source: int, sink: int
    ) -> FlowNetwork:
        """A network from the three arrays of a compressed sparse row matrix of capacities.

        Args:
            indptr: int[n + 1]; row ``u`` holds entries ``indptr[u] .. indptr[u + 1]``.
            indices: int[m], head node of every entry.
            data: int[m], capacity of every entry; explicit zeros and repeats are kept as arcs.
            source: node the flow leaves.
            sink: node the flow reaches.

        Raises:
            InvalidNetwork: ``indptr`` does not start at 0, decreases, or does not end at m.
        """
        rows = _integer_array(indptr, "indptr", INT64_MAX)
        heads = np.asarray(indices)
        if len(rows) < 1 or rows[0] != 0 or rows[-1] != heads.size or np.any(np.diff(rows) < 0):
            raise InvalidNetwork(f"indptr must rise from 0 to the number of entries, {heads.size}")
        tails = np.repeat(np.arange(len(rows) - 1), np.diff(rows))
        return cls(len(rows) - 1, tails, heads, data, source, sink)

    @classmethod
    def from_dimacs(cls, path: str | PathLike[str]) -> FlowNetwork:
        """A network from a DIMACS max-flow file; see `lowtime.flow.dimacs`."""
        from lowtime.flow.dimacs import read_dimacs

        return read_dimacs(path)


def _node_number(value: Any, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise InvalidNetwork(f"{name} is {value!r}; expected an integer")
    return int(value)


def _check_sums(
    tail: NDArray[np.int64],
    head: NDArray[np.int64],
    capacity: NDArray[np.int64],
    source: int,
    names: Sequence[Hashable],
) -> None:
    """Refuse sums beyond int64 that a solver, merging or summing arcs, would wrap."""
    if exact_sum(capacity) <= INT64_MAX:
        return
    leaving = exact_sum(capacity[(tail == source) & (head != source)])
    if leaving > INT64_MAX:
        raise CapacityRange(
            f"the capacities that leave the source {names[source]!r} sum to {leaving},"
            " above 2^63 - 1; scale them down"
        )
    order = np.lexsort((head, tail))
    tail, head, capacity = tail[order], head[order], capacity[order]
    starts = np.flatnonzero(np.r_[True, (np.diff(tail) != 0) | (np.diff(head) != 0)])
    high = np.add.reduceat(capacity >> 32, starts)
    low = np.add.reduceat(capacity & 0xFFFFFFFF, starts)
    wrapped = np.flatnonzero(high + (low >> 32) > INT32_MAX)
    if wrapped.size:
        first = starts[wrapped[0]]
        total = (int(high[wrapped[0]]) << 32) + int(low[wrapped[0]])
        raise CapacityRange(
            f"the parallel arcs {names[tail[first]]!r} -> {names[head[first]]!r} sum to {total},"
            " above 2^63 - 1; scale them down"
        )
