"""The pictures of a report: scaling on log-log axes, speed-ups as bars."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

# Okabe and Ito's colours, told apart by colour-blind readers, too; the markers differ besides.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999")
MARKERS = "osD^vP*X"
Lines = dict[str, list[tuple[float, float]]]


def draw(report: dict[str, Any], folder: Path) -> dict[str, str]:
    """Draw what the report has data for; picture name -> file name within the folder."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    pyplot.rcParams["svg.hashsalt"] = "lowtime"  # the same data give the same file
    drawn = {}
    for name, picture in PICTURES.items():
        if name not in report["parts"] and name != "speedup":
            continue
        figure = picture(report)
        if figure is None:
            continue
        figure.savefig(folder / f"{name}.svg", metadata={"Date": None}, bbox_inches="tight")
        pyplot.close(figure)
        drawn[name] = f"{name}.svg"
    return drawn


def _scaling(panels: dict[str, Lines], x: str) -> Any:
    from matplotlib import pyplot

    panels = {title: lines for title, lines in panels.items() if lines}
    if not panels:
        return None
    columns = min(3, len(panels))
    rows = -(-len(panels) // columns)
    figure, axes = pyplot.subplots(
        rows, columns, figsize=(4.2 * columns, 3.2 * rows), squeeze=False, sharey=True
    )
    names = list(dict.fromkeys(name for lines in panels.values() for name in lines))
    handles: dict[str, Any] = {}
    for axis, (title, lines) in zip(axes.flat, panels.items(), strict=False):
        for name, points in lines.items():
            k = names.index(name)
            (handles[name],) = axis.loglog(
                *zip(*sorted(points), strict=True),
                color=COLOURS[k % len(COLOURS)],
                marker=MARKERS[k // 2 % len(MARKERS)],
                linestyle="-" if k < len(COLOURS) else "--",
                markersize=4,
            )
        axis.set_title(title, fontsize=9)
        axis.set_xlabel(x)
        axis.grid(alpha=0.3)
    for axis in axes.flat[len(panels) :]:
        axis.set_visible(False)
    for axis in axes[:, 0]:
        axis.set_ylabel("seconds")
    figure.legend(
        handles.values(), handles.keys(), loc="upper center", ncols=5, bbox_to_anchor=(0.5, 0)
    )
    figure.tight_layout()
    return figure


def _lines(rows: list[dict[str, Any]], kept: Callable[[dict[str, Any]], bool]) -> Lines:
    lines: Lines = {}
    for row in rows:
        if kept(row):
            for name, entry in row["outcomes"].items():
                if entry["sample"]:
                    point = (row["arcs"], entry["sample"]["median"])
                    lines.setdefault(name, []).append(point)
    return lines


def _cold_flow(report: dict[str, Any]) -> Any:
    rows = report["parts"]["cold_flow"]["rows"]
    families = list(dict.fromkeys(row["workload"] for row in rows))
    return _scaling(
        {
            family: _lines(rows, lambda row, family=family: row["workload"] == family)  # type: ignore[misc]
            for family in families
            if not family.startswith("state")
        },
        "arcs",
    )


def _projects(report: dict[str, Any]) -> Any:
    panels: dict[str, Lines] = {}
    for row in report["parts"]["projects"]["rows"]:
        for name in ("rust", "lowtime"):
            entry = row["outcomes"].get(name)
            if entry and entry["sample"] and not row["workload"].startswith("pipeline"):
                lines = panels.setdefault(row["verb"], {}).setdefault(row["workload"], [])
                lines.append((row["arcs"], entry["sample"]["median"]))
    return _scaling(panels, "arcs of the project")


def _binding(report: dict[str, Any]) -> Any:
    lines: Lines = {}
    for row in report["parts"]["binding"]["rows"]:
        layer = row["whole"]["median"] - row["native"]["median"]
        if layer > 0:
            lines.setdefault(row["backend"], []).append((row["arcs"], layer))
    return _scaling({"Python layer of a call": lines} if lines else {}, "arcs")


def _speedup(report: dict[str, Any]) -> Any:
    from matplotlib import pyplot

    bars: dict[str, list[tuple[str, float, float, float]]] = {}
    for row in report["parts"].get("published", {}).get("rows", ()):
        for name, entry in row["outcomes"].items():
            if name.startswith("lowtime") and "," not in name and "times_slower_per_point" in entry:
                label = f"{row['workload']}\n{row['size']} micro-batches"
                bars.setdefault(name, []).append((label, *entry["times_slower_per_point"]))
    if not bars:
        return None
    labels = list(dict.fromkeys(label for of in bars.values() for label, *_ in of))
    figure, axis = pyplot.subplots(figsize=(max(5.0, 0.9 * len(labels)), 3.6))
    width = 0.8 / len(bars)
    for k, (name, of) in enumerate(bars.items()):
        at = [labels.index(label) + (k - (len(bars) - 1) / 2) * width for label, *_ in of]
        heights = [value for _, value, _, _ in of]
        errors = (
            [max(value - low, 0.0) for _, value, low, _ in of],
            [max(high - value, 0.0) for _, value, _, high in of],
        )
        axis.bar(at, heights, width, yerr=errors, label=f"against {name}", color=COLOURS[k])
    axis.set_yscale("log")
    axis.set_xticks(range(len(labels)), labels, rotation=60, ha="right", fontsize=7)
    axis.set_ylabel("times faster per point")
    axis.grid(axis="y", alpha=0.3)
    axis.legend()
    return figure


PICTURES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "speedup": _speedup,
    "cold_flow": _cold_flow,
    "projects": _projects,
    "binding": _binding,
}
