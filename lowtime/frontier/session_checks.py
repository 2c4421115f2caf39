"""What the answers of a session must satisfy before anybody uses them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lowtime.backends.protocol import Segments
from lowtime.errors import BackendFault
from lowtime.network.activity import ActivityNetwork
from lowtime.network.bounds import adjacent_pieces

_DTYPES = {
    "length": np.int64,
    "slope": np.int64,
    "offset": np.int64,
    "arc": np.int32,
    "sign": np.int8,
}


def check_segments(network: ActivityNetwork, part: Segments, backend: str) -> None:
    """Refuse segments that break the contract of `Segments` in form.

    Raises:
        BackendFault: an array of another type or length, a value out of its range.
    """
    for name, dtype in _DTYPES.items():
        array = getattr(part, name)
        if not isinstance(array, np.ndarray) or array.dtype != dtype or array.ndim != 1:
            raise BackendFault(
                f"{backend} returned segments with {name} {_described(array)};"
                f" expected {np.dtype(dtype)}[]"
            )
    if not isinstance(part.done, bool):
        raise BackendFault(f"{backend} returned segments with done {part.done!r}; expected a bool")
    rules: dict[str, Callable[[], Any]] = {
        "one slope for each length": lambda: len(part.slope) == len(part.length),
        "one offset more than lengths": lambda: len(part.offset) == len(part.length) + 1,
        "one sign for each arc": lambda: len(part.sign) == len(part.arc),
        "offsets from 0 to the number of arcs": lambda: (
            part.offset[0] == 0 and part.offset[-1] == len(part.arc)
        ),
        "lengths of 1 or more": lambda: not np.any(part.length < 1),
        "slopes of 1 or more": lambda: not np.any(part.slope < 1),
        "slopes that never fall": lambda: not np.any(part.slope[1:] < part.slope[:-1]),
        "changes in every segment": lambda: not np.any(part.offset[1:] <= part.offset[:-1]),
        "arcs of operations": lambda: (
            not np.any((part.arc < 0) | (part.arc >= network.num_operations))
        ),
        "arcs that increase within a segment": lambda: _arcs_increase(part),
        "signs of -1 or 1": lambda: not np.any((part.sign != 1) & (part.sign != -1)),
    }
    for rule, holds in rules.items():
        if not holds():
            raise BackendFault(f"{backend} returned segments without {rule}")


def _arcs_increase(part: Segments) -> bool:
    rises = np.ones(len(part.arc), dtype=bool)
    rises[1:] = part.arc[1:] > part.arc[:-1]
    rises[part.offset[:-1]] = True
    return bool(rises.all())


def check_state(network: ActivityNetwork, state: Mapping[str, NDArray[Any]], backend: str) -> None:
    """Refuse a state that breaks the contract of `FrontierSession.state` in form.

    Raises:
        BackendFault: a missing array, or one of another type or length.
    """
    sizes = {
        "duration": network.num_arcs,
        "event_time": network.num_events,
        "flow": network.num_arcs,
        "done": 1,
    }
    if not isinstance(state, Mapping):
        raise BackendFault(f"{backend} returned the state {_described(state)}; expected a mapping")
    for key, size in sizes.items():
        array = state.get(key)
        dtype = np.dtype(bool if key == "done" else np.int64)
        if not isinstance(array, np.ndarray) or array.dtype != dtype or array.shape != (size,):
            raise BackendFault(
                f"{backend} returned a state with {key} {_described(array)};"
                f" expected {dtype}[{size}]"
            )


def check_prices(
    network: ActivityNetwork, duration: NDArray[np.int64], part: Segments, backend: str
) -> None:
    """Refuse a segment whose slope is not what its first and its last quantum cost.

    Costs are convex, so those two bound all between: such a segment crosses no kink.

    Args:
        network: the project.
        duration: int64[m], quanta, of every arc where the segments start.
        part: the segments, sound in form.
        backend: name for the message.

    Raises:
        BackendFault: durations outside of a cost table, or another slope.
    """
    duration = duration.copy()
    for k, (length, slope) in enumerate(
        zip(part.length.tolist(), part.slope.tolist(), strict=True)
    ):
        changes = slice(int(part.offset[k]), int(part.offset[k + 1]))
        arcs, sign = part.arc[changes], part.sign[changes].astype(np.int64)
        before = duration[arcs]
        after = before + sign * length
        for at in (before, after):
            if np.any((at < network.shortest[arcs]) | (at > network.longest[arcs])):
                raise BackendFault(f"{backend} changed a duration beyond its shortest or longest")
        if np.any(network.table[arcs] < 0):
            raise BackendFault(f"{backend} changed the duration of a fixed arc")
        # A crash costs what the quantum below would have saved, a relaxation saves the one above.
        below, above = adjacent_pieces(network, arcs.astype(np.int64), before)
        first = sum((-sign * network.marginal[np.where(sign < 0, below, above)]).tolist())
        below, above = adjacent_pieces(network, arcs.astype(np.int64), after)
        last = sum((-sign * network.marginal[np.where(sign < 0, above, below)]).tolist())
        if not first == slope == last:
            raise BackendFault(
                f"{backend} counted {slope} cost units a quantum; the first one costs {first},"
                f" the last one {last}"
            )
        duration[arcs] = after


def _described(value: object) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{list(value.shape)}"
    return f"{value!r:.40}"
