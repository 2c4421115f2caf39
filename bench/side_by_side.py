"""Contestants side by side: same input, same answer, runs interleaved, each in its own process."""

from __future__ import annotations

import json
import os
import select
import subprocess
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bench.measure import SHORTEST, repeats_for
from bench.sample import Sample

ROOT = Path(__file__).parents[1]
RUNS = 7
NO_MATTER = 0.1  # seconds that the runs of a contestant may take whatever the budget


@dataclass(frozen=True, slots=True)
class Contestant:
    """Somebody who solves.

    Attributes:
        name: in the report.
        python: interpreter of the environment.
        make: ``module:function`` that makes the call; see `bench.peers.worker`.
        args: its arguments.
        alone: the environment must not see this repository (it has another lowtime).
    """

    name: str
    python: Path
    make: str
    args: Mapping[str, Any]
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a contestant.

    Attributes:
        name: of the contestant.
        sample: its runs; None where it did not get to run.
        first: seconds of the first call, imports included; 0 without one.
        second: seconds of the second call.
        answer: of the first call.
        note: why there are fewer runs than asked for, or none; "" otherwise.
    """

    name: str
    sample: Sample | None
    first: float = 0.0
    second: float = 0.0
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


class WorkerDied(Exception):
    """A contestant's process gave no reply."""


class _Worker:
    def __init__(self, contestant: Contestant) -> None:
        environment = dict(os.environ, PYTHONWARNINGS="ignore", OMP_NUM_THREADS="1")
        environment.pop("PYTHONPATH", None)
        if not contestant.alone:
            environment["PYTHONPATH"] = str(ROOT)
        self._process = subprocess.Popen(
            [contestant.python, ROOT / "bench/peers/worker.py"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            cwd="/" if contestant.alone else ROOT,
        )

    def ask(self, request: Mapping[str, Any], patience: float) -> dict[str, Any]:
        """The reply; WorkerDied when it takes longer than ``patience`` seconds."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise WorkerDied("died") from None
        ready, _, _ = select.select([self._process.stdout], [], [], patience)
        line = self._process.stdout.readline() if ready else b""
        if not line:
            raise WorkerDied("died" if ready else f"no answer within {patience:.3g} s")
        reply: dict[str, Any] = json.loads(line)
        return reply

    def end(self) -> None:
        self._process.kill()
        self._process.communicate()


class Pool:
    """The processes of contestants, kept from race to race: imports are paid once.

    Use it as a context; at its end no process is left.
    """

    def __init__(self) -> None:
        self._workers: dict[tuple[Path, str], _Worker] = {}

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *error: object) -> None:
        for worker in self._workers.values():
            worker.end()
        self._workers.clear()

    def worker(self, contestant: Contestant) -> _Worker:
        """The process of a contestant, started if need be."""
        key = (contestant.python, contestant.name)
        if key not in self._workers:
            self._workers[key] = _Worker(contestant)
        return self._workers[key]

    def drop(self, contestant: Contestant) -> None:
        """End the process of a contestant that gave no reply."""
        worker = self._workers.pop((contestant.python, contestant.name), None)
        if worker is not None:
            worker.end()


def race(
    pool: Pool,
    contestants: Iterable[Contestant],
    *,
    runs: int = RUNS,
    patience: float = 30.0,
    budget: float = float("inf"),
) -> list[Outcome]:
    """Let everybody solve the same input, in turns.

    The first call of everybody warms up and gives the answer. Whoever then could not finish
    ``runs`` runs within its share of the budget keeps its second call as its only run, and a note.

    Args:
        pool: the processes.
        contestants: who takes part.
        runs: timed runs of everybody.
        patience: seconds that one call may take.
        budget: seconds for all of them.
    """
    started = time.monotonic()
    entered = {contestant.name: contestant for contestant in contestants}
    outcomes: dict[str, Outcome] = {}
    for name, contestant in entered.items():
        if time.monotonic() - started > budget:
            outcomes[name] = Outcome(name, None, note="out of budget")
        else:
            outcomes[name] = _first(pool, contestant, patience)
    left = budget - (time.monotonic() - started)
    late = _too_slow(outcomes, runs, left)
    for name, note in late.items():
        outcomes[name] = replace(outcomes[name], note=note)
    racing = [
        entered[name]
        for name, outcome in outcomes.items()
        if outcome.sample is not None and name not in late
    ]
    _take_turns(pool, racing, outcomes, runs, patience)
    return list(outcomes.values())


def _too_slow(outcomes: Mapping[str, Outcome], runs: int, budget: float) -> dict[str, str]:
    """Who cannot finish within the budget, and why; the quick leave theirs to the others."""
    late = {}
    answered = [outcome for outcome in outcomes.values() if outcome.sample is not None]
    answered.sort(key=lambda outcome: outcome.second)
    for k, outcome in enumerate(answered):
        needs = max(outcome.second, SHORTEST) * runs
        if needs > max(budget / (len(answered) - k), NO_MATTER):
            late[outcome.name] = f"one run: {runs} would take {needs:.3g} s"
        else:
            budget -= needs
    return late


def _take_turns(
    pool: Pool,
    racing: Sequence[Contestant],
    outcomes: dict[str, Outcome],
    runs: int,
    patience: float,
) -> None:
    """Time everybody run by run, each run begun by another one; samples go into the outcomes."""
    repeats = {one.name: repeats_for(outcomes[one.name].second) for one in racing}
    seconds: dict[str, list[float]] = {one.name: [] for one in racing}
    alive = list(racing)
    for turn in range(runs):
        first = turn % len(alive) if alive else 0
        for one in alive[first:] + alive[:first]:
            try:
                reply = pool.worker(one).ask({"repeats": repeats[one.name]}, patience)
            except WorkerDied as death:
                pool.drop(one)
                alive.remove(one)
                outcomes[one.name] = replace(outcomes[one.name], note=str(death))
            else:
                seconds[one.name].append(reply["seconds"])
    for name, values in seconds.items():
        if values:
            sample = Sample(tuple(values), repeats[name])
            outcomes[name] = replace(outcomes[name], sample=sample)


def _first(pool: Pool, contestant: Contestant, patience: float) -> Outcome:
    name = contestant.name
    request = {"make": contestant.make, "args": dict(contestant.args)}
    try:
        reply = pool.worker(contestant).ask(request, patience)
    except WorkerDied as death:
        pool.drop(contestant)
        return Outcome(name, None, note=str(death))
    if "error" in reply:
        return Outcome(name, None, note=reply["error"])
    second = reply["second"]
    return Outcome(name, Sample((second,)), reply["first"], second, reply["answer"])


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
