"""Flow bounds of every arc at given durations."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lowtime.network.activity import ActivityNetwork
from lowtime.network.runs import last_not_above


class ArcBounds:
    """Durations of all arcs, with the flow bounds that follow from them.

    ``lower`` is the marginal cost just above the duration (0 at the longest: nothing is saved by
    going on), ``upper`` the one just below it (``unbounded`` at the shortest, and on fixed arcs).
    Both belong to *tight* arcs; the bounds of other arcs are not used.

    Attributes:
        network: the activity network, with m arcs.
        duration: int64[m], quanta.
        lower: int64[m], cost units per quantum.
        upper: int64[m], cost units per quantum.
    """

    def __init__(self, network: ActivityNetwork, duration: NDArray[np.int64]) -> None:
        self.network = network
        self.duration = duration.astype(np.int64)
        # The pieces just below and just above the duration; -1 on fixed arcs. Below the shortest
        # and above the longest duration they are one step outside of the table.
        arcs = np.flatnonzero(network.table >= 0)
        self._below = np.full(network.num_arcs, -1, dtype=np.int64)
        self._above = np.full(network.num_arcs, -1, dtype=np.int64)
        self._below[arcs], self._above[arcs] = adjacent_pieces(network, arcs, self.duration[arcs])
        self._first = np.full(network.num_arcs, -1, dtype=np.int64)
        self._last = np.full(network.num_arcs, -1, dtype=np.int64)
        self._first[arcs] = network.table_start[network.table[arcs]]
        self._last[arcs] = network.table_start[network.table[arcs] + 1] - 1
        self.lower = np.zeros(network.num_arcs, dtype=np.int64)
        self.upper = np.full(network.num_arcs, network.unbounded, dtype=np.int64)
        self._set_lower(arcs)
        self._set_upper(arcs)

    def _set_lower(self, arcs: NDArray[np.int64]) -> None:
        above = self._above[arcs]
        at_longest = above > self._last[arcs]
        self.lower[arcs] = np.where(at_longest, 0, self.network.marginal[above - at_longest])

    def _set_upper(self, arcs: NDArray[np.int64]) -> None:
        below = self._below[arcs]
        at_shortest = below < self._first[arcs]
        self.upper[arcs] = np.where(
            at_shortest, self.network.unbounded, self.network.marginal[below + at_shortest]
        )

    def crash_room(self, arcs: NDArray[np.int64]) -> NDArray[np.int64]:
        """Quanta until each arc, crashed, reaches the next kink of its cost: int64[k]."""
        return self.duration[arcs] - self.network.piece_start[self._below[arcs]]

    def relax_room(self, arcs: NDArray[np.int64]) -> NDArray[np.int64]:
        """Quanta until each arc, relaxed, reaches the next kink of its cost: int64[k]."""
        return self.network.piece_end[self._above[arcs]] - self.duration[arcs]

    def crash(self, arcs: NDArray[np.int64], step: int) -> None:
        """Shorten arcs by ``step`` quanta, at most their `crash_room`."""
        self.duration[arcs] -= step
        below = self._below[arcs]
        self._above[arcs] = below
        self._below[arcs] = below - (self.duration[arcs] == self.network.piece_start[below])
        self._set_lower(arcs)
        self._set_upper(arcs)

    def relax(self, arcs: NDArray[np.int64], step: int) -> None:
        """Lengthen arcs by ``step`` quanta, at most their `relax_room`."""
        self.duration[arcs] += step
        above = self._above[arcs]
        self._below[arcs] = above
        self._above[arcs] = above + (self.duration[arcs] == self.network.piece_end[above])
        self._set_lower(arcs)
        self._set_upper(arcs)


def adjacent_pieces(
    network: ActivityNetwork, arcs: NDArray[np.int64], duration: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The pieces just below and just above the durations of arcs with a cost table.

    Args:
        network: the activity network.
        arcs: int64[k], arcs with a table.
        duration: int64[k], quanta, within ``shortest .. longest``.

    Returns:
        int64[k] twice. At the shortest duration the piece below is the one before the table's
        first, at the longest the piece above is the one after its last.
    """
    first = network.table_start[network.table[arcs]]
    end = network.table_start[network.table[arcs] + 1]
    # Below: the last piece that starts before the duration. Above: the first that ends after it.
    below = last_not_above(network.piece_start, first, end, duration - 1)
    above = last_not_above(network.piece_end, first, end, duration) + 1
    return below, above


def cost_in_units(network: ActivityNetwork, duration: NDArray[np.int64]) -> int:
    """Cost of durations above the cost of the longest schedule, in cost units; exact.

    Args:
        network: the activity network, with m arcs.
        duration: int64[m], quanta, within ``shortest .. longest``.
    """
    arcs = np.flatnonzero((network.table >= 0) & (duration < network.longest))
    _, above = adjacent_pieces(network, arcs, duration[arcs])
    rest = (network.piece_end[above] - duration[arcs]).tolist()
    marginal = network.marginal.tolist()
    beyond = _cost_beyond(network)
    # Python ints: a marginal times a duration can pass 2^63.
    return sum(
        marginal[piece] * quanta + beyond[piece]
        for piece, quanta in zip(above.tolist(), rest, strict=True)
    )


def _cost_beyond(network: ActivityNetwork) -> list[int]:
    """Cost units that the pieces after each piece of the same table save, all together."""
    lengths = (network.piece_end - network.piece_start).tolist()
    ends_table = np.zeros(len(lengths), dtype=bool)
    ends_table[network.table_start[1:] - 1] = True
    beyond = [0] * len(lengths)
    pieces = list(zip(network.marginal.tolist(), lengths, ends_table.tolist(), strict=True))
    for piece in range(len(pieces) - 2, -1, -1):
        if not pieces[piece][2]:
            marginal, length, _ = pieces[piece + 1]
            beyond[piece] = beyond[piece + 1] + marginal * length
    return beyond
