"""The sections of a report as Markdown tables."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from bench.side_by_side import DISTURBED, OUT_OF_BUDGET

Section = tuple[str, str, tuple[str, ...]]  # title, Markdown, names of pictures


def sections(report: dict[str, Any]) -> Iterator[Section]:
    """Every part that was measured, then what follows from all of them."""
    for name, result in report["parts"].items():
        title = importlib.import_module(f"bench.parts.{name}").TITLE
        text, pictures = PARTS[name](result)
        budget = f"\n{result['seconds']:.0f} s of {result['budget']:.0f} s.\n"
        left_out = result.get("skipped") or []
        if left_out:
            budget += f"\nLeft out, budget over: {', '.join(left_out)}.\n"
        for what, why in (result.get("missing") or {}).items():
            budget += f"\nLeft out: {what}, {why}.\n"
        yield title, text + budget, pictures
    yield "The ranking of auto", _ranking(report["ranking"]), ()
    yield "Expected times", _expected(report["expected"]), ()


def table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; the first column reads left, numbers right."""
    lines = ["| " + " | ".join(titles) + " |", "|" + " --- |" + " ---: |" * (len(titles) - 1)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def seconds(value: float) -> str:
    """Three digits and a unit."""
    for scale, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "us")):
        if value >= scale:
            return f"{value / scale:.3g} {unit}"
    return f"{value / 1e-9:.3g} ns"


def times(value: Sequence[float]) -> str:
    """A ratio with its interval."""
    middle, low, high = value
    return f"{middle:.3g} ({low:.3g} .. {high:.3g})"


def outcome(entry: dict[str, Any] | None) -> str:
    """Median and spread of a contestant, or why there is none."""
    if entry is None:
        return ""
    sample = entry["sample"]
    if sample is None:
        return "(budget)" if entry["note"] == OUT_OF_BUDGET else f"({entry['note'][:40]})"
    if sample["runs"] == 1:
        return f"{seconds(sample['median'])}, 1 run"
    disturbed = " (disturbed)" if entry["note"].startswith(DISTURBED) else ""
    return f"{seconds(sample['median'])} ± {sample['spread']:.0%}{disturbed}"


def _races(rows: list[dict[str, Any]], label: Callable[[dict[str, Any]], str]) -> str:
    names = list(dict.fromkeys(name for row in rows for name in row["outcomes"]))
    return table(
        ["case", *names],
        [[label(row), *(outcome(row["outcomes"].get(name)) for name in names)] for row in rows],
    )


def _commands(result: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    rows = [
        (row["what"], seconds(row["sample"]["median"]), f"{row['sample']['spread']:.0%}")
        for row in result["rows"]
    ]
    return table(("what", "median", "spread"), rows), ()


def _published(result: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    rows = []
    for row in result["rows"]:
        for name, entry in row["outcomes"].items():
            first = entry.get("first_point")
            if "points" not in entry:
                rows.append((_label(row), name, "", outcome(entry), "", "", ""))
                continue
            rows.append(
                (
                    _label(row),
                    name,
                    f"{entry['points']:,} of {row['points']:,}",
                    outcome(entry),
                    seconds(first["median"]) if first else "",
                    seconds(entry["seconds_per_point"]),
                    times(entry["times_slower_per_point"])
                    if "times_slower_per_point" in entry
                    else "1",
                )
            )
    slower = "times slower per point"
    titles = ("profile", "who", "points", "time", "first point", "per point", slower)
    text = f"\n{result['compared']} Costs of all points agree within 3e-6.\n"
    return table(titles, rows) + text, ("speedup",)


def _cold_flow(result: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    text = _races(result["rows"], lambda row: f"{_label(row)} ({row['arcs']:,} arcs)")
    for kind, found in result["rust_over_best"].items():
        text += (
            f"\nGeometric mean of rust over the best of OR-tools, igraph and PyMaxflow, {kind}:"
            f" {found['geometric_mean']:.3g} over {found['cases']} cases.\n"
        )
    names = list(dict.fromkeys(name for by in result["growth"].values() for name in by))
    if names:
        text += "\nGrowth exponents (seconds ~ arcs^e):\n\n" + table(
            ["family", *names],
            [
                [family, *(f"{by[name]:.2f}" if name in by else "" for name in names)]
                for family, by in result["growth"].items()
            ],
        )
    return text, ("cold_flow",)


def _projects(result: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    text = _races(result["rows"], lambda row: f"{row['verb']} {_label(row)} ({row['arcs']:,} arcs)")
    growth = result["growth"]
    names = list(dict.fromkeys(name for by in growth.values() for name in by))
    if names:
        text += "\nGrowth exponents (seconds ~ arcs^e) of compiling, and of rust:\n\n" + table(
            ["workload", *growth],
            [
                [name, *(f"{by[name]:.2f}" if name in by else "" for by in growth.values())]
                for name in names
            ],
        )
    text += "\nA step is timed 50 at a time.\n"
    return text, ("projects",)


def _deadlines(result: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    rows = [
        (
            _label(row),
            *(outcome(entry) for entry in row["outcomes"].values()),
            times(row["lp_over_frontier"]) if "lp_over_frontier" in row else "",
        )
        for row in result["rows"]
    ]
    return table(("case", "whole frontier", "HiGHS, this deadline", "HiGHS / frontier"), rows), ()


def _binding(result: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    rows = [
        (
            row["backend"],
            f"{row['arcs']:,}",
            seconds(row["whole"]["median"]),
            seconds(row["native"]["median"]),
            f"{1 - row['native']['median'] / row['whole']['median']:.0%}",
        )
        for row in result["rows"]
    ]
    fits = [
        (
            name,
            seconds(fit["fixed"]),
            seconds(fit["per_arc"]),
            f"{fit['share_at_most']:.1%} at {fit['most']:,.0f} arcs",
        )
        for name, fit in result["fits"].items()
    ]
    text = table(("backend", "fixed, per call", "per arc", "share of the call"), fits)
    text += "\n" + table(("backend", "arcs", "call", "within the solver", "layer"), rows)
    text += (
        f"\n{result['warm_ups']} calls warm up, then {result['runs']} runs; short calls are"
        " repeated inside the timer. The solver's own time is taken around its compiled entry (of"
        " networkx: around its flow function), conversion of the arguments by pyo3 included.\n"
    )
    return text, ("binding",)


def _capacity_stores(result: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    rows = [
        (
            f"{row['workload']}, {row['nodes']:,} nodes, {row['arcs']:,} arcs",
            *(outcome(entry) for entry in row["outcomes"].values()),
            times(row["dense_over_sparse"]) if "dense_over_sparse" in row else "",
        )
        for row in result["rows"]
    ]
    text = table(("network", "sparse", "dense", "dense / sparse"), rows)
    if "reproduced" in result:
        verdict = "reproduced" if result["reproduced"] else "not reproduced"
        text += (
            f"\nThe published claim, sparse up to {result['claim']:.0f} times faster on pipeline"
            f" DAGs, is {verdict}: at most {result['most_on_pipelines']:.3g} times here.\n"
        )
    return text, ()


def _capacity_types(result: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    rows = [
        (
            row["solver"],
            str(row["nodes"]),
            times(row["float_over_int"]),
            f"{row['inexact_values']} of {row['networks']}",
            f"{row['other_cuts']} of {row['networks']}",
        )
        for row in result["rows"]
    ]
    text = table(("solver", "nodes", "float / int, time", "inexact values", "other cuts"), rows)
    text += (
        f"\nA float capacity is the integer over {result['decimal']}. A cut is the set of nodes"
        " that the source still reaches.\n"
    )
    return text, ()


def _instrument(result: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    rows = [
        (
            row["backend"],
            f"{row['calls_while_off']:,} of {row['calls_while_off'] + row['other_calls']:,}",
            seconds(row["off"]["median"]),
            times(row["on_over_off"]),
        )
        for row in result["rows"]
    ]
    return table(("backend", "calls into it while off", "solve, off", "on / off"), rows), ()


def _ranking(result: dict[str, Any]) -> str:
    worst = sorted(result["rows"], key=lambda row: -row["ratio"][0])[:10]
    text = (
        f"{len(result['rows'])} cases; the choice of auto is to be within {result['within']} times"
        f" the best first-party backend. {len(result['failures'])} fail,"
        f" {len(result['undecided'])} are open (the interval reaches below). The worst:\n\n"
    )
    rows = [(row["case"], row["chosen"], row["best"], times(row["ratio"])) for row in worst]
    text += table(("case", "auto", "best", "auto / best"), rows)
    for name, (held, cases) in result["lower_ranks"].items():
        text += (
            f"\nWhere nothing that ranks higher is installed, {name} is within {result['within']}"
            f" times the best of what is left in {held} of {cases} cases.\n"
        )
    return text


def _expected(result: dict[str, Any]) -> str:
    if not result["rows"]:
        return "No case to compare with.\n"
    worst = sorted(result["rows"], key=lambda row: -max(row["ratio"], 1 / row["ratio"]))[:10]
    text = (
        f"{len(result['rows'])} held-out cases, {_near(result)} of them within a factor"
        f" {result['within']:.0f}. Of the frontiers and their flow networks, which the table is"
        f" for, {len(result['failures'])} are not. The worst:\n\n"
    )
    rows = [
        (row["case"], row["backend"], seconds(row["expected"]), seconds(row["measured"]))
        for row in worst
    ]
    return text + table(("case", "backend", "expected", "measured"), rows)


def _near(result: dict[str, Any]) -> int:
    within = result["within"]
    return sum(1 / within <= row["ratio"] <= within for row in result["rows"])


def _label(row: dict[str, Any]) -> str:
    return f"{row['workload']}, n = {row['size']:,}"


PARTS: dict[str, Callable[[dict[str, Any]], tuple[str, tuple[str, ...]]]] = {
    "commands": _commands,
    "published": _published,
    "cold_flow": _cold_flow,
    "projects": _projects,
    "deadlines": _deadlines,
    "binding": _binding,
    "capacity_stores": _capacity_stores,
    "capacity_types": _capacity_types,
    "instrument": _instrument,
}
