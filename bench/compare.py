"""``python -m bench.compare [BASELINE [NEW]]``: times of two reports, case by case.

Without arguments: the report that `make bench` wrote last, beside the one that is committed.

Absolute times of two days differ with the machine's mood. Within one report every contestant ran in
turns with the others, so what is compared is rust *over the median of the other contestants*
wherever others took part, and absolute times elsewhere.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SLOWER = 1.25  # a case counts as slower beyond this; two runs of one commit stay within 1.2
SUBJECTS = ("rust", "lowtime")
ROOT = Path(__file__).parents[1]
LATEST = "bench/reports/latest/report.json"


def measured(report: dict[str, Any]) -> dict[str, tuple[float, float | None]]:
    """Case -> (seconds of lowtime, the same over the other contestants' median, or None)."""
    return dict(_cases(report))


def _cases(report: dict[str, Any]) -> Iterator[tuple[str, tuple[float, float | None]]]:
    for part, result in report["parts"].items():
        for row in result["rows"]:
            if "outcomes" not in row:
                continue
            medians = {
                name: entry.get("seconds_per_point", entry["sample"]["median"])
                for name, entry in row["outcomes"].items()
                if entry["sample"] and entry["sample"]["runs"] > 1
            }
            subject = next((name for name in SUBJECTS if name in medians), None)
            if subject is None:
                continue
            others = [value for name, value in medians.items() if name not in SUBJECTS]
            own = medians[subject]
            size = row.get("size", row.get("arcs"))
            case = f"{part}/{row.get('verb', '')}/{row['workload']}-n={size}"
            yield case, (own, own / statistics.median(others) if others else None)


def compare(old: dict[str, Any], new: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Lines for all cases of both reports, and the cases that became slower."""
    before, after = measured(old), measured(new)
    lines, slower = [], []
    for case in sorted(before.keys() & after.keys()):
        (old_seconds, old_ratio), (new_seconds, new_ratio) = before[case], after[case]
        by = "ratio" if old_ratio and new_ratio else "time"
        change = new_ratio / old_ratio if old_ratio and new_ratio else new_seconds / old_seconds
        lines.append(f"{change:6.2f} x by {by:5}  {old_seconds:.3g} -> {new_seconds:.3g} s  {case}")
        if change > SLOWER:
            slower.append(case)
    return lines, slower


def _committed() -> str:
    command = ["git", "show", f"HEAD:{LATEST}"]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def main(arguments: list[str] | None = None) -> int:
    """Print the comparison; 1 where a case became slower."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("baseline", type=Path, nargs="?", help="report.json of before")
    parser.add_argument("new", type=Path, nargs="?", default=ROOT / LATEST, help="of now")
    asked = parser.parse_args(arguments)
    old = json.loads(asked.baseline.read_text() if asked.baseline else _committed())
    lines, slower = compare(old, json.loads(asked.new.read_text()))
    print("\n".join(lines))
    for case in slower:
        print(f"SLOWER by more than {SLOWER}: {case}", file=sys.stderr)
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
