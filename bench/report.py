"""One report of a run: JSON, Markdown and pictures in a folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bench.tables import sections


def write_report(report: dict[str, Any], folder: Path) -> None:
    """Write ``report.json``, ``report.md`` and the pictures that it shows.

    Args:
        report: what `bench.__main__` gathered.
        folder: made where it is missing; files of an older report are replaced.
    """
    from bench.plots import draw

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "report.json").write_text(json.dumps(_rounded(report), indent=1) + "\n")
    pictures = draw(report, folder)
    (folder / "report.md").write_text(_markdown(report, pictures))


def _rounded(value: Any) -> Any:
    """Floats to 5 digits: no measurement has more, and reports are kept under version control."""
    if isinstance(value, float):
        return float(f"{value:.5g}")
    if isinstance(value, dict):
        return {key: _rounded(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(one) for one in value]
    return value


def _markdown(report: dict[str, Any], pictures: dict[str, str]) -> str:
    machine = report["machine"]
    versions = ", ".join(f"{name} {version}" for name, version in machine["versions"].items())
    lines = [
        "# Benchmarks",
        "",
        f"{machine['processor']}, {machine['cpus']} processors, {machine['memory_gib']} GiB;"
        f" {machine['system']}; Python {machine['python']}; commit {machine['commit']};"
        f" {machine['time']}; load average at the start"
        f" {', '.join(f'{load:.2f}' for load in machine['load_average'])}.",
        "",
        f"Versions: {versions}.",
        "",
        "Times are medians; the spread is the interquartile range over the median; ratios come with"
        " a 95 % bootstrap interval over interleaved runs. Calls under 20 ms are repeated inside"
        " the timer. A run that waited for a processor for more than 5 % of its time is made anew,"
        " and a contestant whose spread is above 10 % gets more runs, while the budget lasts and"
        " three times as many at most. Every contestant gets the same input, and its answer is"
        " compared.",
        "",
    ]
    if report["smoke"]:
        lines += ["**A smoke run: it shows that everything works, not how fast.**", ""]
    failures = report["failures"]
    lines += ["## Findings that fail", ""]
    lines += [f"* {failure}" for failure in failures] or ["None."]
    lines.append("")
    for title, text, picture_names in sections(report):
        lines += [f"## {title}", "", text.rstrip(), ""]
        lines += [f"![{title}]({pictures[name]})\n" for name in picture_names if name in pictures]
    return "\n".join(lines).rstrip() + "\n"
