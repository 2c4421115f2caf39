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

from bench.measure import repeats_for
from bench.sample import Sample

ROOT = Path(__file__).parents[1]
RUNS = 7


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
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        self._process.stdin.flush()
        ready, _, _ = select.select([self._process.stdout], [], [], patience)
        line = self._process.stdout.readline() if ready else b""
        if not line:
            raise WorkerDied("died" if ready else f"no answer within {patience:.3g} s")
        reply: dict[str, Any] = json.loads(line)
        return reply

    def end(self) -> None:
        self._process.kill()
        self._process.communicate()


def race(
    contestants: Iterable[Contestant],
    *,
    runs: int = RUNS,
    patience: float = 30.0,
    budget: float = float("inf"),
) -> list[Outcome]:
    """Let everybody solve the same input, in turns.

    The first call of everybody warms up and gives the answer. Whoever then could not finish
    ``runs`` runs within its share of the budget keeps that call as its only run, and a note.

    Args:
        contestants: who takes part.
        runs: timed runs of everybody.
        patience: seconds that one call may take.
        budget: seconds for all of them.
    """
    started = time.monotonic()
    workers: dict[str, _Worker] = {}
    outcomes: dict[str, Outcome] = {}
    repeats: dict[str, int] = {}
    seconds: dict[str, list[float]] = {}
    try:
        for contestant in contestants:
            left = budget - (time.monotonic() - started)
            if left <= 0:
                outcomes[contestant.name] = Outcome(contestant.name, None, note="out of budget")
                continue
            worker = _Worker(contestant)
            workers[contestant.name] = worker
            request = {"make": contestant.make, "args": dict(contestant.args)}
            outcomes[contestant.name] = _first(worker, contestant.name, request, patience)
        share = (budget - (time.monotonic() - started)) / max(1, len(workers))
        for name, outcome in outcomes.items():
            if outcome.sample is None:
                continue
            if outcome.second * runs > share:
                note = f"one run: {runs} would take {outcome.second * runs:.3g} s"
                outcomes[name] = replace(outcome, note=note)
            else:
                seconds[name] = []
                repeats[name] = repeats_for(outcome.second)
        names = list(seconds)
        for turn in range(runs):
            for name in names[turn % len(names) :] + names[: turn % len(names)]:
                reply = workers[name].ask({"repeats": repeats[name]}, patience * runs)
                seconds[name].append(reply["seconds"])
    finally:
        for worker in workers.values():
            worker.end()
    for name, values in seconds.items():
        sample = Sample(tuple(values), repeats[name])
        outcomes[name] = replace(outcomes[name], sample=sample)
    return list(outcomes.values())


def _first(worker: _Worker, name: str, request: Mapping[str, Any], patience: float) -> Outcome:
    try:
        reply = worker.ask(request, patience)
    except WorkerDied as death:
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
