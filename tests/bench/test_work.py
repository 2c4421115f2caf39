"""Regressions of speed, seen as counts of work: no clock, so no wobble.

After a change that is meant to do more work, or less: ``python -m bench.work --write``.
"""

from __future__ import annotations

import shutil

import pytest

from bench import work

BASELINE = work.baseline()
# A search may visit its nodes in another order after a change of the engine; a tenth is noise of
# that kind, while a lost kept tree or a lost warm start is a factor.
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
    for name in ("steps", "searches", "augmentations", "nodes_visited", "orphans"):
        if name in stored:
            assert counted[name] <= MORE * stored[name], name


def test_loop_calls_no_more_functions() -> None:
    assert work.calls("scipy") <= MORE_CALLS * BASELINE["calls"]["scipy"]


@pytest.mark.skipif(not work.can_count_instructions(), reason="no valgrind, or no cargo")
def test_engine_needs_no_more_instructions() -> None:
    assert work.instructions() <= MORE_INSTRUCTIONS * BASELINE["instructions"]
