"""The processes of contestants, each in an environment of its own."""

from __future__ import annotations

import json
import os
import select
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
NO_ANSWER = "no answer within"


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


class WorkerDied(Exception):
    """A contestant's process gave no reply."""


class _Worker:
    def __init__(self, contestant: Contestant) -> None:
        environment = dict(os.environ, PYTHONWARNINGS="ignore", OMP_NUM_THREADS="1")
        environment["PYTHONHASHSEED"] = "0"  # sets of strings have the same order in every run
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
            raise WorkerDied("died" if ready else f"{NO_ANSWER} {patience:.3g} s")
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
