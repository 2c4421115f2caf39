"""What the instrument costs: off it is counted, on it is timed."""

from __future__ import annotations

import sys
from collections import Counter
from functools import partial
from types import FrameType
from typing import Any

import lowtime
from bench.measure import repeats_for, seconds_per_call
from bench.plan import Plan
from bench.sample import Sample, ratio
from bench.workloads.layered import layered_dag
from lowtime.profiling import recorder

TITLE = "The instrument"


def calls_of_instrument(dag: Any, backend: str) -> tuple[int, int]:
    """Calls into the instrument, and all others, of one solve while nobody listens."""
    calls: Counter[bool] = Counter()

    def count(frame: FrameType, event: str, argument: object) -> None:
        if event in ("call", "c_call"):
            calls[event == "call" and frame.f_code.co_filename == recorder.__file__] += 1

    previous = sys.getprofile()
    sys.setprofile(count)
    try:
        lowtime.solve(dag, backend=backend)
    finally:
        sys.setprofile(previous)
    return calls[True], calls[False]


def run(plan: Plan) -> dict[str, Any]:
    """Per backend: calls while off; seconds off and on, in turns."""
    dag = layered_dag(30 if plan.smoke else 60)
    rows = []
    for name in plan.backends():
        if plan.left <= 0:
            continue
        solve = partial(lowtime.solve, dag, backend=name)
        solve()
        repeats = repeats_for(seconds_per_call(solve))
        inside, others = calls_of_instrument(dag, name)
        off, on = [], []
        for _ in range(plan.runs):
            off.append(seconds_per_call(solve, repeats))
            with lowtime.profile():
                on.append(seconds_per_call(solve, repeats))
        rows.append(
            {
                "backend": name,
                "calls_while_off": inside,
                "other_calls": others,
                "off": Sample(tuple(off)).to_dict(),
                "on": Sample(tuple(on)).to_dict(),
                "on_over_off": ratio(on, off),
            }
        )
    return {"rows": rows}
