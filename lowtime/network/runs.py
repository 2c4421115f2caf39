"""Binary search of many keys at once, each in its own sorted run of one array."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def last_not_above(
    values: NDArray[np.int64],
    first: NDArray[np.int64],
    end: NDArray[np.int64],
    keys: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Index of the last entry of each run that is at most the key.

    Args:
        values: int64[v], increasing within every run.
        first: int64[k], where the run of each key starts.
        end: int64[k], where it ends; above ``first``.
        keys: int64[k].

    Returns:
        int64[k], index into ``values``; ``first - 1`` where all entries are above the key.

    Complexity: O(k log(longest run)).
    """
    low, high = first - 1, end.copy()  # values[low] <= key < values[high], as far as they exist
    for _ in range(int((end - first).max(initial=0)).bit_length()):
        middle = (low + high) // 2
        searching = high - low > 1
        below = values[middle] <= keys
        low = np.where(searching & below, middle, low)
        high = np.where(searching & ~below, middle, high)
    return low
