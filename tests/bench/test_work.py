"""Regressions of speed, seen as counts of work: no clock, so no wobble.

After a change that is meant to do more work, or less: ``python -m bench.work --write``.
"""

from __future__ import annotations

import shutil

import pytest

from bench import work
from bench.engine.instructions import can_count

BASELINE = work.baseline()
# A change of the engine that visits nodes in another order moves counts a little; a lost search
# tree or a lost warm start is a factor.
MORE = 1.1
# NumPy and Python versions call a few functions more or less.
MORE_CALLS = 1.25
# Compilers differ.
MORE_INSTRUCTIONS = 1.25


@pytest.mark.parametrize("case", work.CASES)
def test_loop_does_the_same_work(case: str) -> None:
    assert work.counters(case, "scipy") == BASELINE["counters"][f"{case}-scipy"]


@pytest.mark.skipif(shutil.which("cargo") is None, reason="no cargo, so no engine")
@pytest.mark.parametrize("case", work.CASES)
def test_engine_does_no_more_work(case: str) -> None:
    stored = BASELINE["counters"][f"{case}-rust"]
    counted = work.counters(case, "rust")
    for name in ("steps", "searches", "augmentations"):
        assert counted[name] <= MORE * stored[name], name
    assert visits(counted) <= MORE * visits(stored)


def visits(counters: dict[str, int]) -> int:
    """Nodes looked at: reached by a search, or handed on when their subtree was cut off."""
    return counters["nodes_visited"] + counters["orphans"]


def test_loop_calls_no_more_functions() -> None:
    assert work.calls("scipy") <= MORE_CALLS * BASELINE["calls"]["scipy"]


@pytest.mark.skipif(not can_count(), reason="no valgrind, or no cargo")
def test_engine_needs_no_more_instructions() -> None:
    assert work.instructions() <= MORE_INSTRUCTIONS * BASELINE["instructions"]
