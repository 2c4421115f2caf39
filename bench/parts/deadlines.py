"""One deadline: HiGHS on the linear program, against every deadline at once."""

from __future__ import annotations

from typing import Any

from bench.plan import Plan
from bench.sample import ratio
from bench.side_by_side import disagreements, race

TITLE = "A single deadline: linear program or whole frontier"
SHARES = (0.75, 0.5, 0.25)
CASES = (("gpt3-175b", "a100_sxm", 12), ("gpt3-175b", "a100_sxm", 48))
SAME_COST = 1e-6  # relative; HiGHS works to a tolerance of 1e-7
PATIENCE = 30.0


def _same(a: float, b: float) -> bool:
    return abs(a - b) <= SAME_COST * max(abs(a), abs(b), 1e-9)


def run(plan: Plan) -> dict[str, Any]:
    """A race per project and deadline."""
    backend = plan.backends()[0]
    cases = [(case, share) for case in CASES for share in SHARES]
    if plan.smoke:
        cases = [(("gpt3-175b", "a100_sxm", 1), 0.5)]
    rows, skipped = [], []
    for done, ((model, device, microbatches), share) in enumerate(cases):
        name = f"{model} {device} {microbatches} at {share:.0%}"
        if plan.left <= 0:
            skipped.append(name)
            continue
        args = {"model": model, "device": device, "microbatches": microbatches, "share": share}
        outcomes = race(
            plan.pool,
            [
                plan.contestant(backend, "deadline_solvers:frontier", backend=backend, **args),
                plan.contestant("HiGHS", "deadline_solvers:highs", **args),
            ],
            runs=plan.runs,
            patience=PATIENCE,
            budget=plan.share([1] * (len(cases) - done)),
        )
        row: dict[str, Any] = {
            "workload": f"{model} {device}, deadline {share:.0%} of the way to the longest",
            "size": microbatches,
            "outcomes": {outcome.name: outcome.to_dict() for outcome in outcomes},
            "disagreements": disagreements(outcomes, _same),
        }
        ours, lp = outcomes
        if ours.sample and lp.sample:
            row["lp_over_frontier"] = ratio(lp.sample.seconds, ours.sample.seconds)
        rows.append(row)
    return {"rows": rows, "skipped": skipped}
