"""Races: answers compared, the slow and the broken reported, nobody waited for."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import pytest

from bench.measure import repeats_for
from bench.plan import Plan
from bench.pool import Contestant, Pool
from bench.reach import Reach
from bench.sample import Sample, geometric_mean, growth_exponent, ratio
from bench.side_by_side import DISTURBED, disagreements, race

CONTESTANTS = """
import os, time

def answering(answer):
    return lambda: answer

def failing():
    raise ValueError("no such thing")

def hanging():
    return lambda: time.sleep(1000)

def dying():
    return lambda: os._exit(3)

def printing():
    return lambda: print("noise") or 1

def sleeping(seconds):
    return lambda: time.sleep(seconds)

def prepared():
    return lambda: ([1, 2, 3],), lambda values: values.pop()
"""


@pytest.fixture
def contestant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A contestant from its name and a function of the module above."""
    (tmp_path / "contestants.py").write_text(CONTESTANTS)
    monkeypatch.setattr("bench.pool.ROOT", Path(__file__).parents[2])
    # A worker puts only the repository on its path; the module lies beside it.
    link = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import contestants"

    def make(name: str, function: str, **args: Any) -> Contestant:
        return Contestant(name, _python(tmp_path, link), f"contestants:{function}", args)

    return make


def _python(folder: Path, prelude: str) -> Path:
    """An interpreter that runs some lines before the script it is given."""
    file = folder / "python"
    if not file.exists():
        runner = f"{prelude}\nimport runpy; sys.argv = sys.argv[1:]\n"
        runner += "sys.path.insert(0, ''); runpy.run_path(sys.argv[0], run_name='__main__')\n"
        (folder / "runner.py").write_text(runner)
        file.write_text(f'#!/bin/sh\nexec {sys.executable} {folder / "runner.py"} "$@"\n')
        file.chmod(0o755)
    return file


def test_runs_and_answers(contestant: Any) -> None:
    with Pool() as pool:
        first, second = race(
            pool,
            [contestant("a", "answering", answer=7), contestant("b", "prepared")],
            runs=3,
        )
    assert first.sample is not None
    assert len(first.sample.seconds) >= 3
    assert first.sample.repeats > 1  # far below 20 ms
    assert (first.answer, second.answer) == (7, 3)
    assert disagreements([first, second]) == ["b: 3 instead of 7"]


def test_noise_does_not_reach_the_replies(contestant: Any) -> None:
    with Pool() as pool:
        (only,) = race(pool, [contestant("a", "printing")], runs=2)
    assert only.answer == 1


def test_failures_are_notes(contestant: Any) -> None:
    with Pool() as pool:
        failing, hanging, dying, sound = race(
            pool,
            [
                contestant("failing", "failing"),
                contestant("hanging", "hanging"),
                contestant("dying", "dying"),
                contestant("sound", "answering", answer=1),
            ],
            runs=2,
            patience=2.0,
        )
    assert "no such thing" in failing.note
    assert "no answer" in hanging.note
    assert "died" in dying.note
    assert (failing.sample, hanging.sample, dying.sample) == (None, None, None)
    assert sound.sample is not None
    assert disagreements([failing, sound]) == []


def test_budget_over(contestant: Any) -> None:
    with Pool() as pool:
        (late,) = race(pool, [contestant("late", "answering", answer=1)], budget=-1.0)
    assert late.sample is None
    assert late.note == "out of budget"


def test_no_answer_in_time_is_out_of_budget(contestant: Any) -> None:
    with Pool() as pool:
        hanging, late = race(
            pool,
            [contestant("hanging", "hanging"), contestant("late", "answering", answer=1)],
            budget=0.5,
        )
    assert (hanging.note, late.note) == ("out of budget", "out of budget")


def test_out_of_reach(contestant: Any) -> None:
    entering = [contestant("slow", "sleeping", seconds=0.2), contestant("quick", "prepared")]
    reach = Reach(patience=1.0)
    with Pool() as pool:
        assert all(one.sample for one in reach.race(pool, entering, "grids", 100, runs=2))
        quick, slow = reach.race(pool, entering, "grids", 1000, runs=2)
        assert slow.sample is None
        assert "judging by 100 arcs" in slow.note
        assert quick.sample is not None
        assert all(one.sample for one in reach.race(pool, entering, "others", 1000, runs=2))


def test_who_waited_runs_again(contestant: Any) -> None:
    with Pool() as pool:  # a call that sleeps waits all the time, as on a busy machine
        (disturbed,) = race(pool, [contestant("a", "sleeping", seconds=0.02)], runs=2)
    assert disturbed.sample is not None
    assert len(disturbed.sample.seconds) >= 2
    assert disturbed.note.startswith(DISTURBED)


def test_the_slow_get_fewer_runs(contestant: Any) -> None:
    entering = [contestant("slow", "sleeping", seconds=0.2), contestant("quick", "prepared")]
    with Pool() as pool:
        slow, quick = race(pool, entering, runs=20, budget=3.0)
    assert slow.sample is not None
    assert quick.sample is not None
    assert len(slow.sample.seconds) < 20 <= len(quick.sample.seconds)


def test_short_calls_are_repeated() -> None:
    assert repeats_for(2e-2) == 1
    assert repeats_for(1e-5) == 2000
    assert repeats_for(0.0) <= 100_000


def test_ratio_brackets_the_truth() -> None:
    noise = [1.0, 1.5, 0.9, 1.1, 2.0, 1.0, 1.2]  # of the machine: it hits both
    value, low, high = ratio([3 * x for x in noise], noise)
    assert value == pytest.approx(3)
    assert low == pytest.approx(3)
    assert high == pytest.approx(3)
    value, low, high = ratio([2.0, 2.2, 1.8], [1.0, 1.1, 1.3])
    assert low <= value <= high
    assert ratio([2.0], [1.0]) == (2, 2, 2)


def test_growth_exponent() -> None:
    sizes = [10, 100, 1000]
    assert growth_exponent(sizes, [s**1.5 for s in sizes]) == pytest.approx(1.5)
    assert geometric_mean([2.0, 8.0]) == pytest.approx(4)


def test_sample() -> None:
    sample = Sample((1.0, 2.0, 3.0, 4.0, 100.0))
    assert sample.median == 3
    assert sample.spread == pytest.approx(2 / 3)


def test_ratio_of_unequal_numbers_of_runs() -> None:
    value, low, high = ratio([2.0, 2.2, 1.8], [1.0, 1.1, 0.9, 1.2, 1.0])
    assert value == pytest.approx(2)
    assert low <= value <= high


def test_time_is_shared_by_weight(tmp_path: Path) -> None:
    plan = Plan(budget=100.0, folder=tmp_path, pool=Pool(), began=time.monotonic())
    assert plan.share([1, 3]) == pytest.approx(25, rel=0.01)
    assert plan.share([3]) == pytest.approx(100, rel=0.01)
    over = Plan(budget=1.0, folder=tmp_path, pool=Pool(), began=time.monotonic() - 10)
    assert over.share([1]) == 0
