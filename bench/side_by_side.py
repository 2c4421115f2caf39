"""Contestants side by side: same input, same answer, runs interleaved."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bench.measure import Run, repeats_for
from bench.pool import Contestant, Pool, WorkerDied
from bench.sample import Sample

RUNS = 7
MOST = 3  # times the runs, for who was disturbed or wobbles
WAITED = 0.05  # share of a run; who waited longer for a processor was disturbed
SPREAD = 0.1  # beyond it a contestant wobbles
LONG = 2.0  # seconds; imports never take that long, so there is no need of a second call
MARGIN = 0.9  # of the budget; the rest is for what lies between the runs
NO_MATTER = 0.2  # seconds that the runs of a contestant may take whatever the budget
OUT_OF_BUDGET = "out of budget"
DISTURBED = "waited for a processor"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a contestant.

    Attributes:
        name: of the contestant.
        sample: its runs; None where it did not get to run.
        first: seconds of the first call, imports included; 0 without one.
        answer: of the first call.
        note: why there are fewer runs than asked for, or none; "" otherwise.
    """

    name: str
    sample: Sample | None
    first: float = 0.0
    answer: Any = None
    note: str = ""

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready; the answer left out where it is long."""
        short = isinstance(self.answer, int | float | str)
        return {
            "sample": None if self.sample is None else self.sample.to_dict(),
            "first_call": self.first,
            "answer": self.answer if short else None,
            "note": self.note,
        }


def race(
    pool: Pool,
    contestants: Iterable[Contestant],
    *,
    runs: int = RUNS,
    patience: float = 30.0,
    budget: float = float("inf"),
) -> list[Outcome]:
    """Let everybody solve the same input, in turns.

    The first call of everybody warms up and gives the answer. Then the budget is shared out:
    whoever cannot finish ``runs`` runs within its share gets fewer, or keeps its second call as its
    only run, and a note. Who was disturbed, or wobbles, gets more.

    Args:
        pool: the processes.
        contestants: who takes part.
        runs: timed runs of everybody.
        patience: seconds that one call may take.
        budget: seconds for all of them.
    """
    began = time.monotonic()
    end = began + budget
    entered = [_Entered(contestant) for contestant in contestants]
    for one in entered:
        _warm_up(pool, one, patience, end)
    _share_out([one for one in entered if one.one_call is not None], runs, end - time.monotonic())
    racing = [one for one in entered if one.runs]
    end = max(end, time.monotonic() + NO_MATTER * len(racing))
    _take_turns(pool, racing, patience, began + budget / 2, end)
    return [one.outcome() for one in entered]


@dataclass(slots=True)
class _Entered:
    """A contestant in a race: what is known of it so far."""

    contestant: Contestant
    first: float = 0.0
    answer: Any = None
    note: str = ""
    one_call: Run | None = None  # the last one before the turns
    repeats: int = 1
    runs: int = 0
    taken: list[Run] = field(default_factory=list)

    @property
    def quiet(self) -> list[Run]:
        """The runs that did not wait for a processor."""
        return [run for run in self.taken if run.waited <= WAITED]

    @property
    def settled(self) -> bool:
        """Whether no more runs are needed."""
        if len(self.taken) >= MOST * self.runs:
            return True
        if len(self.quiet) < self.runs:
            return False
        return Sample(tuple(run.seconds for run in self.quiet)).spread <= SPREAD

    def outcome(self) -> Outcome:
        """What came out of it: the quiet runs, or, if too few, those that waited least."""
        name = self.contestant.name
        if self.one_call is None:
            return Outcome(name, None, note=self.note)
        chosen, note = self.quiet, self.note
        if len(chosen) < min(self.runs, len(self.taken)):
            allowed = sorted(run.waited for run in self.taken)[: self.runs][-1]
            chosen = [run for run in self.taken if run.waited <= allowed]
            note = f"{DISTURBED} in {len(self.taken) - len(self.quiet)} runs"
        seconds = tuple(run.seconds for run in chosen) or (self.one_call.seconds,)
        return Outcome(name, Sample(seconds, self.repeats), self.first, self.answer, note)


def _warm_up(pool: Pool, one: _Entered, patience: float, end: float) -> None:
    """The first call, a second one, and, where it is short, a first run."""
    request = {"make": one.contestant.make, "args": dict(one.contestant.args)}
    reply = _ask(pool, one, request, patience, end)
    if reply is None:
        return
    one.answer, one.first = reply.pop("answer"), reply["seconds"]
    if reply["whole"] > LONG:
        one.one_call = Run(**reply)
        return
    for _ in range(2):
        reply = _ask(pool, one, {"repeats": one.repeats}, patience, end)
        if reply is None:
            one.one_call = None
            return
        one.one_call = Run(**reply)
        one.repeats = repeats_for(one.one_call.whole)
        if one.repeats == 1:
            return


def _share_out(answered: list[_Entered], runs: int, budget: float) -> None:
    """Say how many runs everybody gets; the quick leave what they do not need to the others."""
    needs = {
        one.contestant.name: one.one_call.whole * one.repeats for one in answered if one.one_call
    }
    answered.sort(key=lambda one: needs[one.contestant.name])
    for k, one in enumerate(answered):
        need = needs[one.contestant.name]
        share = max(MARGIN * budget / (len(answered) - k), NO_MATTER)
        fit = int(min(runs, share / need))
        one.runs = fit if fit > 1 else 0
        if fit < runs:
            one.note = f"fewer runs: {runs} would take {runs * need:.3g} s"
        budget -= one.runs * need


def _take_turns(
    pool: Pool, racing: list[_Entered], patience: float, middle: float, end: float
) -> None:
    """Time everybody run by run, each turn begun by another one.

    Until the middle of the budget those get more runs who were disturbed, or wobble.
    """
    most = max((one.runs for one in racing), default=0)
    for turn in range(MOST * most):
        due = [
            one
            for one in racing
            if turn < one.runs or (time.monotonic() < middle and not one.settled)
        ]
        first = turn % max(len(due), 1)
        for one in due[first:] + due[:first]:
            if time.monotonic() > end:
                return
            reply = _ask(pool, one, {"repeats": one.repeats}, patience)
            if reply is None:
                racing.remove(one)
            else:
                one.taken.append(Run(**reply))


def _ask(
    pool: Pool,
    one: _Entered,
    request: Mapping[str, Any],
    patience: float,
    end: float = float("inf"),
) -> dict[str, Any] | None:
    """The reply, or None and a note."""
    left = end - time.monotonic()
    if left <= 0:
        one.note = OUT_OF_BUDGET
        return None
    try:
        reply = pool.worker(one.contestant).ask(request, min(patience, left))
    except WorkerDied as death:
        pool.drop(one.contestant)
        late = left < patience and time.monotonic() >= end
        one.note = OUT_OF_BUDGET if late else str(death)
        return None
    if "error" in reply:
        one.note = reply["error"]
        return None
    return reply


def disagreements(
    outcomes: Sequence[Outcome], same: Callable[[Any, Any], bool] = lambda a, b: a == b
) -> list[str]:
    """Who answered otherwise than the first one that answered; empty where all agree."""
    answered = [outcome for outcome in outcomes if outcome.sample is not None]
    return [
        f"{outcome.name}: {outcome.answer} instead of {answered[0].answer}"[:200]
        for outcome in answered[1:]
        if not same(outcome.answer, answered[0].answer)
    ]
