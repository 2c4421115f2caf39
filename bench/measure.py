"""Seconds of one call, repeated inside the timer where a call is short."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable
from typing import Any

SHORTEST = 1e-3  # seconds inside the timer; clocks and caches wobble below
MOST_REPEATS = 100_000
LONG = 5.0  # seconds


def repeats_for(seconds: float) -> int:
    """How often to repeat a call that takes so long, so that the timer sees 1 ms."""
    return min(MOST_REPEATS, max(1, math.ceil(SHORTEST / max(seconds, 1e-9))))


def seconds_per_call(
    call: Callable[..., object],
    repeats: int = 1,
    setup: Callable[[], tuple[Any, ...]] | None = None,
) -> float:
    """Seconds of one of ``repeats`` calls, without collections of garbage in between.

    Args:
        call: what to time.
        repeats: calls inside the timer; 1 where there is a setup.
        setup: makes the arguments of the call, outside the timer.
    """
    arguments = () if setup is None else setup()
    collecting = gc.isenabled()
    gc.disable()
    try:
        start = time.perf_counter()
        for _ in range(repeats):
            call(*arguments)
        return (time.perf_counter() - start) / repeats
    finally:
        if collecting:
            gc.enable()


def warmed_up(
    call: Callable[..., object], setup: Callable[[], tuple[Any, ...]] | None = None
) -> tuple[float, float]:
    """Seconds of the first call, which may import half a library, and of the second.

    Where the first takes 5 s, no second one is made: imports never take that long.
    """
    first = seconds_per_call(call, setup=setup)
    return first, first if first > LONG else seconds_per_call(call, setup=setup)
