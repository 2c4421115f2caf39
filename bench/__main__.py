"""``python -m bench``: measure everything within a budget, write one report."""

from __future__ import annotations

import argparse
import importlib
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bench.machine import machine
from bench.parts import expected, ranking
from bench.plan import Plan
from bench.pool import Pool
from bench.report import write_report

# Part -> its share of the time; the sum is 1.
SHARES = {
    "commands": 0.04,
    "published": 0.27,
    "cold_flow": 0.27,
    "projects": 0.28,
    "deadlines": 0.02,
    "binding": 0.04,
    "capacity_stores": 0.04,
    "capacity_types": 0.02,
    "instrument": 0.02,
}
SMOKE_SECONDS = 40.0


def main(arguments: list[str] | None = None) -> int:
    """Measure and write; 1 where contestants disagree, or a finding that must hold does not."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=27.0, help="for all parts together")
    parser.add_argument("--parts", default=",".join(SHARES), help="some of them, with commas")
    parser.add_argument("--smoke", action="store_true", help="tiny inputs: does everything work?")
    parser.add_argument("--no-peers", action="store_true", help="first-party backends only")
    parser.add_argument("--output", type=Path, default=Path("bench/reports/latest"))
    asked = parser.parse_args(arguments)
    names = asked.parts.split(",")
    unknown = set(names) - SHARES.keys()
    if unknown:
        parser.error(f"no part {', '.join(sorted(unknown))}; there is {', '.join(SHARES)}")
    seconds = SMOKE_SECONDS if asked.smoke else 60 * asked.minutes
    total = sum(SHARES[name] for name in names)
    report: dict[str, Any] = {"machine": machine(), "smoke": asked.smoke, "parts": {}}
    with tempfile.TemporaryDirectory(prefix="lowtime-bench-") as folder:
        for name in names:
            budget = seconds * SHARES[name] / total
            print(f"{name}: {budget:.0f} s", file=sys.stderr)
            with Pool() as pool:
                plan = Plan(
                    budget=budget,
                    folder=Path(folder),
                    pool=pool,
                    smoke=asked.smoke,
                    peers=not asked.no_peers,
                    began=time.monotonic(),
                )
                result = importlib.import_module(f"bench.parts.{name}").run(plan)
            result["seconds"], result["budget"] = budget - plan.left, budget
            report["parts"][name] = result
    report["ranking"] = ranking.check(report["parts"])
    report["expected"] = expected.check(report["parts"])
    report["failures"] = [
        *_disagreements(report),
        *report["ranking"]["failures"],
        *report["expected"]["failures"],
    ]
    write_report(report, asked.output)
    for failure in report["failures"]:
        print(f"FAILED: {failure}", file=sys.stderr)
    print(f"report: {asked.output}/report.md", file=sys.stderr)
    return 1 if report["failures"] else 0


def _disagreements(report: dict[str, Any]) -> list[str]:
    failures = []
    for part, result in report["parts"].items():
        for row in result["rows"]:
            where = f"{part}: {row.get('workload')}-n={row.get('size')}"
            failures += [f"{where}: {text}" for text in row.get("disagreements", ())]
    return failures


if __name__ == "__main__":
    sys.exit(main())
