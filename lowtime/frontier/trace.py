"""A whole frontier, drained from a session."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from lowtime.backends.protocol import FrontierSession, Segments
from lowtime.frontier.checked_session import CheckedSession
from lowtime.network.activity import ActivityNetwork

CHUNK = 4096  # segments asked for at once; a session returns earlier when its 50 ms are over


def trace(
    network: ActivityNetwork,
    session: FrontierSession,
    *,
    check: str,
    progress: Callable[[int], object] | None = None,
    time_limit: float | None = None,
    backend: str = "the backend",
) -> Segments:
    """All segments of a session, joined where slope and changes are equal, certified as asked.

    Args:
        network: the project.
        session: where to start from, usually the longest schedule.
        check: ``"always"`` proves every point where a segment ends, ``"final"`` the last one,
            ``"off"`` none.
        progress: called now and then with the quanta by which the project was shortened so far.
        time_limit: seconds after which to stop with what there is (``done`` is then False); one
            turn of the session, 50 ms, is always taken.
        backend: name for messages.

    Raises:
        BackendFault: a segment or a state that is not what the contract says.
    """
    deadline = None if time_limit is None else time.monotonic() + time_limit
    checked = CheckedSession(network, session, check, backend)
    parts: list[Segments] = []
    shortened = 0
    while True:
        part = checked.advance(1 if check == "always" else CHUNK)
        parts.append(part)
        if progress is not None:
            shortened += int(part.length.sum())
            progress(shortened)
        if part.done or (deadline is not None and time.monotonic() > deadline):
            break
    checked.certify()
    segments = _joined(_concatenated(parts))
    for array in (segments.length, segments.slope, segments.offset, segments.arc, segments.sign):
        array.setflags(write=False)
    return segments


def _concatenated(parts: list[Segments]) -> Segments:
    starts = np.cumsum([0] + [len(part.arc) for part in parts])
    return Segments(
        length=np.concatenate([part.length for part in parts]),
        slope=np.concatenate([part.slope for part in parts]),
        offset=np.concatenate(
            [np.zeros(1, dtype=np.int64)]
            + [part.offset[1:] + start for part, start in zip(parts, starts[:-1], strict=True)]
        ),
        arc=np.concatenate([part.arc for part in parts]),
        sign=np.concatenate([part.sign for part in parts]),
        done=parts[-1].done,
    )


def _joined(segments: Segments) -> Segments:
    """Join neighbours with equal slope and equal changes, so that plans have one description."""
    count = np.diff(segments.offset)
    k = len(count)
    if k < 2:
        return segments
    alike = np.zeros(k, dtype=bool)
    alike[1:] = (np.diff(segments.slope) == 0) & (np.diff(count) == 0)
    # Change j of segment i stands against change j of segment i - 1, count[i] places before it.
    place = np.arange(len(segments.arc))
    before = np.maximum(place - np.repeat(count, count), 0)
    same = (segments.arc == segments.arc[before]) & (segments.sign == segments.sign[before])
    alike &= np.logical_and.reduceat(same, segments.offset[:-1])
    first = np.flatnonzero(~alike)
    kept = np.repeat(~alike, count)
    return Segments(
        length=np.add.reduceat(segments.length, first),
        slope=segments.slope[first],
        offset=np.concatenate(([0], np.cumsum(count[first]))),
        arc=segments.arc[kept],
        sign=segments.sign[kept],
        done=segments.done,
    )
