"""Seconds of one call, repeated inside the timer where a call is short."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable
from typing import Any, NamedTuple

# Seconds of one run. A process that was just woken finds its caches cold: in runs of 1 ms the calls
# of some libraries took twice as long as in these.
SHORTEST = 2e-2
MOST_REPEATS = 100_000


class Run(NamedTuple):
    """Calls that were timed together.

    Attributes:
        seconds: of one call.
        waited: share of these in which the process waited, for a processor most of all.
        whole: seconds of one call and of its setup.
    """

    seconds: float
    waited: float
    whole: float


def repeats_for(seconds: float) -> int:
    """How often to repeat a call that takes so long, so that the timer sees 20 ms."""
    return min(MOST_REPEATS, max(1, math.ceil(SHORTEST / max(seconds, 1e-9))))


def seconds_per_call(
    call: Callable[..., object],
    repeats: int = 1,
    setup: Callable[[], tuple[Any, ...]] | None = None,
) -> float:
    """As `timed`, the seconds only."""
    return timed(call, repeats, setup).seconds


def timed(
    call: Callable[..., object],
    repeats: int = 1,
    setup: Callable[[], tuple[Any, ...]] | None = None,
) -> Run:
    """Time calls, without collections of garbage in between.

    Args:
        call: what to time.
        repeats: calls inside the timer.
        setup: makes the arguments of every call, outside the timer.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        begin = time.perf_counter()
        wall, busy = (
            _together(call, repeats) if setup is None else _one_by_one(call, repeats, setup)
        )
        whole = time.perf_counter() - begin
    finally:
        if collecting:
            gc.enable()
    return Run(wall / repeats, max(0.0, 1 - busy / wall), whole / repeats)


def _together(call: Callable[..., object], repeats: int) -> tuple[float, float]:
    busy, wall = time.process_time(), time.perf_counter()
    for _ in range(repeats):
        call()
    return time.perf_counter() - wall, time.process_time() - busy


def _one_by_one(
    call: Callable[..., object], repeats: int, setup: Callable[[], tuple[Any, ...]]
) -> tuple[float, float]:
    wall = busy = 0.0
    for _ in range(repeats):
        arguments = setup()
        before, start = time.process_time(), time.perf_counter()
        call(*arguments)
        wall += time.perf_counter() - start
        busy += time.process_time() - before
    return wall, busy
