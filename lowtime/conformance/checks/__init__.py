"""The checks, one module per theme; importing them adds them to the suite."""

from lowtime.conformance.checks import (  # noqa: F401
    capacity_range,
    faults,
    frontier_sessions,
    frontiers,
    large_numbers,
    processes,
    projects_by_loop,
    published,
    repetition,
    structure,
    values,
)
