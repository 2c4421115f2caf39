"""Whole commands and imports: what a person at a terminal waits for."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

from bench.measure import seconds_per_call
from bench.plan import Plan
from bench.registry import Case
from bench.sample import Sample
from bench.verbs import VERBS
from bench.workloads.layered import LAYERED
from bench.workloads.published import PUBLISHED

TITLE = "Commands and imports"
CASES = (("pipeline_gpt3_a100", 12), ("pipeline_gpt3_a100", 96), ("pipeline_gpt3_a40", 96))


def run(plan: Plan) -> dict[str, Any]:
    """`lowtime pipeline` from start of process to files on disk; imports beside Python's own."""
    backend = plan.backends()[0]
    workloads = {workload.name: workload for workload in PUBLISHED}
    calls: dict[str, Any] = {}
    for name, size in CASES[:1] if plan.smoke else CASES:
        size = 1 if plan.smoke else size
        timed = VERBS["command"](Case(workloads[name], size, "command", backend))
        calls[f"lowtime pipeline, {name}-n={size}-{backend}"] = timed
    calls["import lowtime"] = VERBS["import"](Case(LAYERED, LAYERED.smoke, "import"))
    for what in ("pass", "import numpy"):
        calls[f"python -c '{what}'"] = what
    seconds: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(plan.runs):
        for name, timed in calls.items():
            if plan.left <= 0 and seconds[name]:
                continue
            seconds[name].append(_once(timed))
    return {
        "rows": [
            {"what": name, "sample": Sample(tuple(values)).to_dict()}
            for name, values in seconds.items()
        ]
    }


def _once(timed: Any) -> float:
    if isinstance(timed, str):
        command = [sys.executable, "-c", timed]
        return seconds_per_call(lambda: subprocess.run(command, check=True))
    return seconds_per_call(timed.call, setup=timed.setup)
