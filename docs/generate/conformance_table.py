"""The conformance page, written from the suite's JSON reports.

lowtime conformance NAME --json docs/reference/conformance/NAME.json      (for every backend)
python docs/generate/conformance_table.py
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from lowtime.conformance import LEVELS, Report, suite_checks

REFERENCE = Path(__file__).parents[1] / "reference"
PAGE = REFERENCE / "conformance.md"
REPORTS = REFERENCE / "conformance"
ORDER = ("rust", "igraph", "scipy", "networkx", "rust-ek-sparse", "rust-ek-dense")
INTRODUCTION = """# Conformance

<!-- Written by docs/generate/conformance_table.py from the reports beside it. Do not edit. -->

What `lowtime conformance NAME` found. A level that a backend does not offer is not passed. How to
get a line of your own: [add a backend](../how-to/add-a-backend.md).
"""


def stored_reports() -> list[Report]:
    """The reports, our own backends first."""
    reports = [Report.from_json(path.read_text("utf-8")) for path in REPORTS.glob("*.json")]
    own = {name: place for place, name in enumerate(ORDER)}
    return sorted(reports, key=lambda report: (own.get(report.backend, len(own)), report.backend))


def page(reports: list[Report]) -> str:
    """The whole page, in Markdown."""
    lines = [INTRODUCTION, _row(("backend", "version", *LEVELS, "calls", "seconds"))]
    lines.append(_row(["---"] * 4 + ["---"] * len(LEVELS)))
    for report in reports:
        levels = {level.level: level for level in report.levels}
        cells = [f"`{report.backend}`", report.backend_version]
        for level in LEVELS:
            result = levels[level]
            of = f" ({result.passed} of {result.required})"
            cells.append(result.status + (of if result.executed else ""))
        cells.append(f"{sum(check.calls for check in report.checks):,}")
        cells.append(f"{sum(check.seconds for check in report.checks):.1f}")
        lines.append(_row(cells))
    where = sorted(
        {f"Python {r.python}, NumPy {r.numpy}, lowtime {r.lowtime_version}" for r in reports}
    )
    suites = ", ".join(sorted({report.suite for report in reports}))
    lines += ["", f"Suite {suites}; {'; '.join(where)}.", "", "## Checks", ""]
    for level in LEVELS:
        lines += [f"### {level}", ""]
        for check in suite_checks("1.0", level):
            summary = check.fault.partition("\n")[0]
            lines.append(f"- `{check.name}`: {summary}")
        lines.append("")
    return "\n".join(lines)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    PAGE.write_text(page(stored_reports()), "utf-8")
