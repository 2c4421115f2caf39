"""A profile as a text table, as statistics for JSON, and as a Chrome trace."""

from __future__ import annotations

import os
import platform
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lowtime.profiling.recorder import Profile

UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (0.0, "ns"))


def table(profile: Profile) -> str:
    """Phases (own time, share, first call, later calls) and counters, aligned."""
    rows: list[tuple[str, ...]] = [
        ("phase", "calls", "own", "share", "total", "first", "median", "p90", "p99", "max")
    ]
    wall = profile.seconds
    phases = profile.phases()
    for times in phases:
        later = (times.median, times.p90, times.p99, times.most)
        rows.append(
            (
                times.phase,
                f"{times.calls:,}",
                _seconds(times.own),
                f"{times.own / wall:.1%}",
                _seconds(times.total),
                _seconds(times.first),
                *(_seconds(value) if times.calls > 1 else "-" for value in later),
            )
        )
    other = wall - sum(times.own for times in phases)
    blank = ("",) * (len(rows[0]) - 4)
    rows.append(("(other)", "", _seconds(max(other, 0.0)), f"{max(other, 0.0) / wall:.1%}", *blank))
    rows.append(("wall", "", _seconds(wall), "100.0%", *blank))
    width = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        "  ".join(
            cell.ljust(width[k]) if k == 0 else cell.rjust(width[k]) for k, cell in enumerate(row)
        ).rstrip()
        for row in rows
    ]
    for solve in profile.solves:
        counted = ", ".join(f"{name} {count:,}" for name, count in solve["counters"].items())
        lines.append(f"{solve['backend']} {solve['version']}: {counted}")
    return "\n".join(lines) + "\n"


def to_dict(profile: Profile) -> dict[str, Any]:
    """Statistics of every phase, counters of every solve, versions; JSON-ready."""
    return {
        "seconds": profile.seconds,
        "phases": {times.phase: times.to_dict() for times in profile.phases()},
        "counters": profile.counters,
        "solves": profile.solves,
        **_origin(),
    }


def chrome_trace(profile: Profile) -> dict[str, Any]:
    """Complete events (``"ph": "X"``, microseconds), counters as metadata; JSON-ready.

    Source:
        Trace Event Format, as read by Chrome's about:tracing and by Perfetto.
    """
    process = os.getpid()
    return {
        "traceEvents": [
            {
                "name": event.phase,
                "cat": "lowtime",
                "ph": "X",
                "ts": event.start / 1e3,
                "dur": event.duration / 1e3,
                "pid": process,
                "tid": event.thread,
            }
            for event in sorted(profile.events, key=lambda event: event.start)
        ],
        "displayTimeUnit": "ms",
        "otherData": {"counters": profile.counters, "solves": profile.solves, **_origin()},
    }


def _origin() -> dict[str, str]:
    from lowtime import __version__

    return {
        "lowtime_version": __version__,
        "python_version": platform.python_version(),
        "platform": platform.platform(),
    }


def _seconds(value: float) -> str:
    scale, unit = next((scale, unit) for scale, unit in UNITS if value >= scale)
    return f"{value / (scale or 1e-9):.3g} {unit}"
