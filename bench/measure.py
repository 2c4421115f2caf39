"""Seconds of one call, repeated inside the timer where a call is short."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable

SHORTEST = 1e-3  # seconds inside the timer; clocks and caches wobble below
MOST_REPEATS = 100_000


def repeats_for(seconds: float) -> int:
    """How often to repeat a call that takes so long, so that the timer sees 1 ms."""
    return min(MOST_REPEATS, max(1, math.ceil(SHORTEST / max(seconds, 1e-9))))


def seconds_per_call(call: Callable[[], object], repeats: int = 1) -> float:
    """Seconds of one of ``repeats`` calls, garbage collection put off."""
    collecting = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        start = time.perf_counter()
        for _ in range(repeats):
            call()
        return (time.perf_counter() - start) / repeats
    finally:
        if collecting:
            gc.enable()


def warmed_up(call: Callable[[], object]) -> tuple[float, int]:
    """Seconds of the first call, and the repeats that the second one asks for."""
    first = seconds_per_call(call)
    if first > 0.1:  # a second warm-up would cost more than it tells
        return first, 1
    return first, repeats_for(seconds_per_call(call))
