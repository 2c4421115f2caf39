"""The expected times that `lowtime.explain` gives, against measured ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bench.expected_times import COMPILE, SHIPPED, Measured, fitted, measured, split
from lowtime.backends.first_party import AUTO_RANKING

TITLE = "Expected times"
WITHIN = 3.0


def check(parts: Mapping[str, Any]) -> dict[str, Any]:
    """Held-out cases against a table fitted to the others, and against the shipped table.

    Frontiers, and the flow networks that occur on them, must be near: they are what the table is
    for. On other networks the times of one solver at one size differ by more than the table could
    tell; those, and Edmonds-Karp's, which follow the number of augmentations, are reported only.
    The shipped table speaks of the machine that it was fitted on, so it decides nothing here.
    """
    known, held = split(measured(parts))
    table = fitted(known)
    rows, failures = [], []
    for one in held:
        expected = table.seconds(one)
        ratio = expected / one.seconds
        rows.append(
            {
                "case": f"{_verb(one)}/{one.case}",
                "backend": one.backend,
                "measured": one.seconds,
                "expected": expected,
                "ratio": ratio,
                "shipped_ratio": SHIPPED.seconds(one) / one.seconds,
            }
        )
        binding = one.backend in (*AUTO_RANKING, COMPILE) and one.decides
        if binding and not 1 / WITHIN <= ratio <= WITHIN:
            failures.append(
                f"expected time of {rows[-1]['case']} through {one.backend}: {expected:.2g} s,"
                f" measured {one.seconds:.2g} s"
            )
    return {"rows": rows, "failures": failures, "within": WITHIN}


def _verb(one: Measured) -> str:
    if one.backend == COMPILE:
        return COMPILE
    return "max_flow" if one.project is None else "frontier"
