"""Whether ``auto`` ranks the backends as the measurements do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bench.sample import ratio
from lowtime.backends.first_party import AUTO_RANKING, RESERVED

TITLE = "The ranking of auto"
WITHIN = 1.3  # times the best first-party backend


def check(parts: Mapping[str, Any]) -> dict[str, Any]:
    """Every measured case: the choice of ``auto`` against the best first-party backend.

    A case counts against the ranking when even the low end of the ratio's interval is above 1.3;
    above 1.3 with an interval that reaches below it is open.
    """
    rows, failures, undecided = [], [], []
    for case, outcomes in _cases(parts):
        chosen = next((name for name in AUTO_RANKING if name in outcomes), None)
        if chosen is None or len(outcomes) < 2:
            continue
        best = min(outcomes, key=lambda name: outcomes[name]["median"])
        value, low, high = ratio(outcomes[chosen]["seconds"], outcomes[best]["seconds"])
        rows.append({"case": case, "chosen": chosen, "best": best, "ratio": [value, low, high]})
        if low > WITHIN:
            failures.append(f"{case}: {chosen} takes {value:.2f} times as long as {best}")
        elif value > WITHIN:
            undecided.append(f"{case}: {chosen} / {best} = {value:.2f} ({low:.2f} .. {high:.2f})")
    return {
        "rows": rows,
        "failures": failures,
        "undecided": undecided,
        "within": WITHIN,
        "lower_ranks": _lower_ranks(parts),
    }


def _lower_ranks(parts: Mapping[str, Any]) -> dict[str, list[int]]:
    """Where nothing ranked higher is installed: in how many cases a backend holds, of how many.

    Reported only: which backend is second best depends on the network more than on the backend.
    """
    found = {}
    for rank, chosen in enumerate(AUTO_RANKING[1:-1], start=1):
        held = cases = 0
        for _, outcomes in _cases(parts):
            left = {name: outcomes[name] for name in AUTO_RANKING[rank:] if name in outcomes}
            if chosen in left and len(left) > 1:
                best = min(sample["median"] for sample in left.values())
                cases += 1
                held += left[chosen]["median"] <= WITHIN * best
        found[chosen] = [held, cases]
    return found


def _cases(parts: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for part in ("cold_flow", "projects", "published"):
        for row in parts.get(part, {}).get("rows", ()):
            verb = row.get("verb", "max_flow" if part == "cold_flow" else "frontier")
            outcomes = {
                name: outcome["sample"]
                for name, outcome in row["outcomes"].items()
                if name in RESERVED and outcome["sample"]
            }
            yield f"{verb}/{row['workload']}-n={row['size']}", outcomes
