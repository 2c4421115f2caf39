"""The project as arrays: an activity-on-arc network with integer marginal-cost tables."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lowtime.counted import counted
from lowtime.errors import CapacityRange, InvalidNetwork

if TYPE_CHECKING:
    import networkx as nx

MAX_UNBOUNDED = 2**50  # float64 solvers were seen to go wrong from 2^52 on
MAX_TOTAL_TIME = 2**62  # quanta; leaves int64 room for one addition


@dataclass(frozen=True, slots=True, eq=False)
class ActivityNetwork:
    """An activity-on-arc network, checked once, when it is made.

    Events are numbered in topological order: every arc has ``tail < head``, the source is event 0
    and the sink is event ``num_events - 1``; no event hangs loose: an arc enters every event but
    the source, and one leaves every event but the sink. The first ``num_operations`` arcs are the
    operations, in the order of the user's nodes; the others are precedences, fixed at duration 0.
    Parallel arcs are legal.

    Cost tables are piecewise linear and convex. Table ``k`` owns the pieces
    ``table_start[k] .. table_start[k + 1]``, from short to long durations. Piece ``j`` covers the
    durations ``piece_start[j] .. piece_end[j]``; one quantum more within it saves ``marginal[j]``
    cost units. Marginals fall strictly from piece to piece and are at least 1.

    Attributes:
        num_events: number of events, n.
        num_operations: number of leading arcs that are operations.
        tail: int32[m], event where the arc starts.
        head: int32[m], event where the arc ends.
        shortest: int64[m], shortest duration, quanta.
        longest: int64[m], longest useful duration, quanta.
        table: int32[m], cost table of the arc; -1 where ``shortest == longest`` (a fixed arc).
        table_start: int64[t + 1], first piece of every table.
        piece_start: int64[p], quanta.
        piece_end: int64[p], quanta.
        marginal: int64[p], cost units per quantum.
        unbounded: UNB, the integer that stands for "unbounded": 1 + the sum over all arcs of their
            largest marginal; at most 2^50.
        cost_unit: what one cost unit is worth in the user's cost, a power of two.
        start_cost: cost of the longest schedule, in the user's cost (compensated sum).
    """

    num_events: int
    num_operations: int
    tail: NDArray[np.int32]
    head: NDArray[np.int32]
    shortest: NDArray[np.int64]
    longest: NDArray[np.int64]
    table: NDArray[np.int32]
    table_start: NDArray[np.int64]
    piece_start: NDArray[np.int64]
    piece_end: NDArray[np.int64]
    marginal: NDArray[np.int64]
    unbounded: int
    cost_unit: float
    start_cost: float

    def __post_init__(self) -> None:
        for name in (*_INT32_ARRAYS, *_INT64_ARRAYS):
            dtype = np.int32 if name in _INT32_ARRAYS else np.int64
            array = _integers(getattr(self, name), dtype, name)
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        _check_numbers(self)
        _check_arcs(self)
        _check_tables(self)

    @property
    def num_arcs(self) -> int:
        """Number of arcs, operations and precedences."""
        return len(self.tail)

    @property
    def source(self) -> int:
        """The first event, 0."""
        return 0

    @property
    def sink(self) -> int:
        """The last event."""
        return self.num_events - 1

    @classmethod
    def from_dag(cls, dag: nx.DiGraph[Any], attr_name: str = "op") -> ActivityNetwork:
        """The network of a DAG of operations; see `lowtime.network.project`."""
        from lowtime.network.project import Project

        return Project.from_dag(dag, attr_name).network


_INT32_ARRAYS = ("tail", "head", "table")
_INT64_ARRAYS = ("shortest", "longest", "table_start", "piece_start", "piece_end", "marginal")


def _integers(values: ArrayLike, dtype: type[np.signedinteger[Any]], name: str) -> NDArray[Any]:
    """A private copy of a vector of integers that fit the type."""
    array = np.asarray(values)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise InvalidNetwork(f"{name} is {array.dtype}{list(array.shape)}; expected integers")
    result = array.astype(dtype)
    if not np.array_equal(result, array):
        raise InvalidNetwork(f"{name} has entries that do not fit {np.dtype(dtype)}")
    return result


def _check_numbers(network: ActivityNetwork) -> None:
    for name in ("num_events", "num_operations", "unbounded"):
        value = getattr(network, name)
        if isinstance(value, bool) or not isinstance(value, int):
            raise InvalidNetwork(f"{name} is {value!r}; expected an int")
    if not (0 < network.cost_unit < math.inf and math.frexp(network.cost_unit)[0] == 0.5):
        raise InvalidNetwork(f"cost_unit is {network.cost_unit}; expected a power of two")
    if not math.isfinite(network.start_cost):
        raise InvalidNetwork(f"start_cost is {network.start_cost}; expected a finite number")


def _check_arcs(network: ActivityNetwork) -> None:
    n, m = network.num_events, network.num_arcs
    if n < 2:
        raise InvalidNetwork(f"num_events is {n}; expected 2 or more")
    for name in ("head", "shortest", "longest", "table"):
        if len(getattr(network, name)) != m:
            entries = counted(len(getattr(network, name)), "entry", "entries")
            raise InvalidNetwork(f"{name} has {entries} for {counted(m, 'arc')}")
    if not 0 <= network.num_operations <= m:
        raise InvalidNetwork(f"num_operations is {network.num_operations} of {counted(m, 'arc')}")
    wrong = np.flatnonzero(
        (network.tail < 0) | (network.tail >= network.head) | (network.head >= n)
    )
    if wrong.size:
        arc = int(wrong[0])
        raise InvalidNetwork(
            f"arc {arc} goes {network.tail[arc]} -> {network.head[arc]};"
            f" expected 0 <= tail < head < {n}"
        )
    if n > m + 1:
        raise InvalidNetwork(
            f"num_events is {n} for {counted(m, 'arc')}; expected {m + 1} at most: an arc"
            " enters every event but the source"
        )
    loose = np.ones((2, n), dtype=bool)
    loose[0, network.head] = loose[1, network.tail] = False
    loose[0, 0] = loose[1, n - 1] = False
    if loose.any():
        end, event = np.argwhere(loose)[0].tolist()
        raise InvalidNetwork(f"no arc {('enters', 'leaves')[end]} event {event}; expected one")
    wrong = np.flatnonzero(
        (network.shortest < 0)
        | (network.shortest > network.longest)
        | ((network.table < 0) != (network.shortest == network.longest))
    )
    if wrong.size:
        arc = int(wrong[0])
        raise InvalidNetwork(
            f"arc {arc} lasts {network.shortest[arc]} .. {network.longest[arc]} quanta with cost"
            f" table {network.table[arc]}; expected 0 <= shortest <= longest, and a table unless"
            " they are equal"
        )
    total = float(network.longest.sum(dtype=np.float64))
    if total > MAX_TOTAL_TIME:
        raise CapacityRange(
            f"the longest durations sum to {total:.3g} quanta, above 2^62; use a longer unit time"
        )


def _check_tables(network: ActivityNetwork) -> None:
    start, end, marginal = network.piece_start, network.piece_end, network.marginal
    bounds, pieces = network.table_start, len(start)
    if len(end) != pieces or len(marginal) != pieces:
        raise InvalidNetwork(
            f"{counted(pieces, 'piece start')}, {counted(len(end), 'end')},"
            f" {counted(len(marginal), 'marginal')}; expected one of each per piece"
        )
    if len(bounds) < 1 or bounds[0] != 0 or bounds[-1] != pieces or np.any(np.diff(bounds) < 1):
        raise InvalidNetwork(f"table_start must rise strictly from 0 to {pieces}")
    inner = np.ones(max(pieces - 1, 0), dtype=bool)
    inner[bounds[1:-1] - 1] = False
    broken = (
        np.any(start >= end)
        or np.any(marginal < 1)
        or np.any(inner & (start[1:] != end[:-1]))
        or np.any(inner & (marginal[1:] >= marginal[:-1]))
    )
    if broken:
        raise InvalidNetwork(
            "cost pieces must join end to start with marginals that fall strictly and are >= 1"
        )
    with_table = network.table >= 0
    table = network.table[with_table]
    if np.any(table >= len(bounds) - 1):
        raise InvalidNetwork(f"an arc names cost table {table.max()} of {len(bounds) - 1}")
    if np.any(network.shortest[with_table] != start[bounds[table]]) or np.any(
        network.longest[with_table] != end[bounds[table + 1] - 1]
    ):
        raise InvalidNetwork("an arc's shortest and longest duration differ from its cost table's")
    largest = sum(marginal[bounds[table]].tolist())
    if not network.unbounded == 1 + largest <= MAX_UNBOUNDED:
        raise InvalidNetwork(
            f"unbounded is {network.unbounded}; expected 1 + {largest}, at most 2^50"
        )
