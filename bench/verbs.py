"""What a case does with its input: a call to time, with a setup where it needs one."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lowtime.backends.call import call_max_flow
from lowtime.backends.selection import resolve
from lowtime.frontier.solve import open_session, solve
from lowtime.network.project import Project

if TYPE_CHECKING:
    from bench.registry import Case

STEPS = 50  # segments that one call of the verb `step` takes


@dataclass(frozen=True, slots=True)
class Timed:
    """A call to time.

    Attributes:
        setup: makes the arguments of one call; not timed.
        call: is timed.
    """

    setup: Callable[[], tuple[Any, ...]]
    call: Callable[..., Any]


def compile_project(case: Case) -> Timed:
    """From the DAG to the arrays."""
    dag = case.input()
    return Timed(tuple, lambda: Project.from_dag(dag))


def max_flow(case: Case) -> Timed:
    """One cold maximum flow."""
    network = case.input()
    backend = resolve(case.backend).backend
    return Timed(tuple, lambda: call_max_flow(backend, network))


def step(case: Case) -> Timed:
    """The first segments of a frontier, from an open session."""
    network = Project.from_dag(case.input()).network
    chosen = resolve(case.backend)

    def advance(session: Any) -> int:
        taken = 0
        while taken < STEPS:
            segments = session.advance(STEPS - taken)
            taken += len(segments.length)
            if segments.done:
                break
        return taken

    return Timed(lambda: (open_session(network, chosen, "off"),), advance)


def frontier(case: Case) -> Timed:
    """The whole frontier, from the DAG, with the certificate that the backend has by default."""
    dag = case.input()
    return Timed(tuple, lambda: solve(dag, backend=case.backend))


def command(case: Case) -> Timed:
    """``lowtime pipeline`` on a published profile: start of the process to files on disk."""
    from bench.workloads.published import DEVICES, profile_path

    _, model, device = case.workload.name.split("_")
    model = {"gpt3": "gpt3-175b"}.get(model, model)
    device = {"a100": "a100_sxm"}.get(device, device)
    unit_time, power = DEVICES[device]
    arguments = [sys.executable, "-m", "lowtime", "pipeline", str(profile_path(model, device))]
    arguments += ["--microbatches", str(case.size), "--unit-time", repr(unit_time)]
    arguments += ["--blocking-power", str(power), "--filter", "raw", "--backend", case.backend]

    def run(folder: str) -> None:
        made = [*arguments, "--output", str(Path(folder) / "out")]
        subprocess.run(made, check=True, capture_output=True)

    return Timed(lambda: (tempfile.mkdtemp(prefix="lowtime-bench-"),), run)


def import_package(case: Case) -> Timed:
    """A fresh process that imports lowtime."""
    arguments = [sys.executable, "-c", "import lowtime"]
    return Timed(tuple, lambda: subprocess.run(arguments, check=True))


VERBS: dict[str, Callable[[Case], Timed]] = {
    "compile": compile_project,
    "max_flow": max_flow,
    "step": step,
    "frontier": frontier,
    "command": command,
    "import": import_package,
}
