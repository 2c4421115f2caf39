"""Every figure about speed in README and docs, from the report of the benchmarks.

    python docs/generate/speed_figures.py [--check]

Text between ``<!-- speed: NAME -->`` and ``<!-- end of speed -->`` is replaced by the block NAME.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lowtime.counted import counted

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))  # for `bench`, where this is run as a script

from bench.tables import outcome, seconds, table, times  # noqa: E402

REPORT = ROOT / "bench/reports/latest"
PAGES = ("README.md", "docs/explanation/speed.md")
PICTURES = ("speedup", "cold_flow", "projects")
BLOCK = re.compile(r"(<!-- speed: (\S+) -->\n).*?(<!-- end of speed -->)", re.DOTALL)
Report = dict[str, Any]


def filled(text: str, report: Report) -> str:
    """A page with its blocks written anew."""
    return BLOCK.sub(lambda found: f"{found[1]}\n{BLOCKS[found[2]](report)}\n{found[3]}", text)


def write(figures: Path) -> None:
    """Copy the pictures that the pages show, for the site."""
    figures.mkdir(parents=True, exist_ok=True)
    for name in PICTURES:
        shutil.copyfile(REPORT / f"{name}.svg", figures / f"speed-{name}.svg")


def _machine(report: Report) -> str:
    machine = report["machine"]
    versions = machine["versions"]
    named = ", ".join(
        f"{name} {versions[name]}"
        for name in ("ortools", "scipy", "networkx", "igraph", "PyMaxflow")
        if name in versions
    )
    return (
        f"Measured on {machine['time'][:10]}: {machine['processor']},"
        f" {counted(machine['cpus'], 'processor')}, Python {machine['python']},"
        f" commit {machine['commit']}; {named}.\n"
    )


def _summary(report: Report) -> str:
    """The few figures that people ask for, as a list."""
    lines = []
    largest = _published(report, "a40", 96) or _published(report, "a40", 48)
    if largest is not None:
        row, entry = largest
        lines.append(
            f"* the frontier of GPT-3 175B on A40 with {row['size']} micro-batches, as published"
            f" with Perseus, {row['points'] + 1:,} plans: {seconds(entry['sample']['median'])},"
            f" {seconds(entry['seconds_per_point'])} a plan" + _against(row)
        )
    smallest = _published(report, "a100", 12)
    if smallest is not None:
        row, entry = smallest
        lines.append(
            f"* on A100 with 12 micro-batches, {row['points'] + 1:,} plans:"
            f" {seconds(entry['sample']['median'])}" + _against(row)
        )
    for row in report["parts"].get("commands", {}).get("rows", ()):
        if "a40-n=96" in row["what"]:
            lines.append(
                "* the whole command `lowtime pipeline` for the first of these, start of the"
                f" process to files on disk: {seconds(row['sample']['median'])}"
            )
        if row["what"] == "import lowtime":
            lines.append(f"* a process that imports lowtime: {seconds(row['sample']['median'])}")
    found = report["parts"].get("cold_flow", {}).get("rust_over_best", {})
    for kind, what in (
        ("states", "on networks of these frontiers"),
        ("families", "on generated families"),
    ):
        if kind in found:
            mean, cases = found[kind]["geometric_mean"], found[kind]["cases"]
            lines.append(
                f"* one cold maximum flow {what}: {mean:.2f} times the best of OR-tools, igraph and"
                f" PyMaxflow (geometric mean of {counted(cases, 'case')})"
            )
    return "\n".join(lines) + "\n"


def _published(report: Report, device: str, microbatches: int) -> tuple[Report, Report] | None:
    for row in report["parts"].get("published", {}).get("rows", ()):
        if row["workload"].startswith(f"gpt3-175b {device}") and row["size"] == microbatches:
            entry = row["outcomes"].get("rust")
            if entry and entry["sample"]:
                return row, entry
    return None


def _against(row: Report) -> str:
    """How long 0.3.0 takes, where it went to the end."""
    entry = row["outcomes"].get("lowtime 0.3.0, to the end")
    if not entry or not entry["sample"]:
        return ""
    factor = float(f"{entry['times_slower_per_point'][0]:.2g}")
    took = seconds(entry["sample"]["median"])
    return f"; lowtime 0.3.0 takes {took}, {factor:,.0f} times as long"


def _published_table(report: Report) -> str:
    rows = []
    for row in report["parts"]["published"]["rows"]:
        ours = row["outcomes"]["rust"]
        cells = [f"{row['workload']}, {row['size']}", f"{row['points'] + 1:,}", outcome(ours)]
        for version in ("0.3.0", "0.2.0"):
            entry = row["outcomes"].get(f"lowtime {version}", {})
            first, factor = entry.get("first_point"), entry.get("times_slower_per_point")
            cells.append(seconds(first["median"]) if first else "")
            cells.append(times(factor) if factor else "")
        rows.append(cells)
    titles = ["profile, micro-batches", "plans", "rust, all of them"]
    for version in ("0.3.0", "0.2.0"):
        titles += [f"{version}, first plan", f"{version}, times per plan"]
    compared = report["parts"]["published"]["compared"]
    return f"{table(titles, rows)}\n{compared}\n"


def _cold_flow_table(report: Report) -> str:
    names = ("rust", "ortools", "igraph (library)", "PyMaxflow", "scipy (library)")
    rows = [
        [
            f"{row['workload']}, {row['arcs']:,} arcs",
            *(outcome(row["outcomes"].get(name)) for name in names),
        ]
        for row in report["parts"]["cold_flow"]["rows"]
    ]
    return table(("network", *names), rows)


def _growth_table(report: Report) -> str:
    growth = report["parts"]["projects"]["growth"]
    names = list(dict.fromkeys(name for by in growth.values() for name in by))
    rows = [
        [name, *(f"{by[name]:.2f}" if name in by else "" for by in growth.values())]
        for name in names
    ]
    return table(("workload", *growth), rows)


def _deadlines_table(report: Report) -> str:
    rows = [
        (
            f"{row['workload']}, {row['size']} micro-batches",
            *(outcome(entry) for entry in row["outcomes"].values()),
        )
        for row in report["parts"]["deadlines"]["rows"]
    ]
    return table(("case", "every deadline, rust", "this deadline, HiGHS"), rows)


def _binding_table(report: Report) -> str:
    rows = [
        (name, seconds(fit["fixed"]), seconds(fit["per_arc"]))
        for name, fit in report["parts"]["binding"]["fits"].items()
    ]
    return table(("backend", "per call", "per arc"), rows)


def _stores(report: Report) -> str:
    result = report["parts"]["capacity_stores"]
    rows = [
        (f"{row['workload']}, {row['nodes']:,} nodes", times(row["dense_over_sparse"]))
        for row in result["rows"]
        if "dense_over_sparse" in row
    ]
    text = table(("network", "dense / sparse"), rows)
    if "reproduced" in result:
        verdict = "holds" if result["reproduced"] else "does not hold"
        text += (
            f"\nThe published claim, up to {result['claim']:.0f} times faster on pipeline DAGs,"
            f" {verdict} here: {result['most_on_pipelines']:.2g} times at most.\n"
        )
    return text


def _types(report: Report) -> str:
    rows = [
        (
            f"{row['solver']}, {row['nodes']} nodes",
            times(row["float_over_int"]),
            f"{row['inexact_values']} of {row['networks']}",
            f"{row['other_cuts']} of {row['networks']}",
        )
        for row in report["parts"]["capacity_types"]["rows"]
    ]
    return table(("solver", "float / int, time", "inexact values", "other cuts"), rows)


def _ranking(report: Report) -> str:
    result = report["ranking"]
    holds = len(result["rows"]) - len(result["failures"]) - len(result["undecided"])
    return (
        f"In {holds} of {counted(len(result['rows']), 'case')} the choice of `auto` is within"
        f" {result['within']} times the best first-party backend; in {len(result['undecided'])} the"
        f" measurement leaves it open, in {len(result['failures'])} it is not.\n"
    )


BLOCKS: dict[str, Callable[[Report], str]] = {
    "machine": _machine,
    "summary": _summary,
    "published": _published_table,
    "cold-flow": _cold_flow_table,
    "growth": _growth_table,
    "deadlines": _deadlines_table,
    "binding": _binding_table,
    "stores": _stores,
    "types": _types,
    "ranking": _ranking,
}


def main(arguments: list[str] | None = None) -> int:
    """Write the pages; with ``--check`` only tell whether they are what would be written."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    asked = parser.parse_args(arguments)
    report = json.loads((REPORT / "report.json").read_text())
    stale = []
    for name in PAGES:
        page = ROOT / name
        text = page.read_text()
        if filled(text, report) != text:
            stale.append(name)
            if not asked.check:
                page.write_text(filled(text, report))
    if asked.check and stale:
        print(f"not what the report says: {', '.join(stale)}", file=sys.stderr)
    return int(asked.check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
