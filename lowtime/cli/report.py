"""``lowtime report``: a frontier as one HTML page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lowtime.counted import counted
from lowtime.errors import LowtimeError

if TYPE_CHECKING:
    from collections.abc import Hashable

    from lowtime.frontier.frontier import Frontier
    from lowtime.frontier.lanes import LaneChoice


SUFFIXES = (".html", ".htm")


class UnknownPageFormat(LowtimeError, ValueError):
    """The name of the page's file claims that it is no HTML."""


def command(
    source: Annotated[
        Path,
        typer.Argument(
            help="What 'lowtime pipeline --output' made, or an .npz file that Frontier.save wrote."
        ),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The page to write, .html; it must not exist.")
    ],
    title: Annotated[
        str | None, typer.Option(help="Heading of the page.  [default: the profile's name]")
    ] = None,
    lanes: Annotated[
        str | None,
        typer.Option(
            help="Rows of the timeline: a position in tuple nodes (0, 1, ...) or 'packed'."
            "  [default: 0 for tuples, else packed]"
        ),
    ] = None,
) -> None:
    """One self-contained page: the frontier, a slider, the timeline of every plan, downloads."""
    from lowtime.cli.output_file import check_new_file, write_new_file
    from lowtime.cli.summary import read_summary
    from lowtime.frontier.frontier import Frontier
    from lowtime.report.page import report
    from lowtime.report.terms import Terms

    check_new_file(output)
    if output.suffix.lower() not in SUFFIXES:
        raise UnknownPageFormat(
            f"{output}: the name of a page must end in {' or '.join(SUFFIXES)}; it is HTML, which a"
            " browser can print to PDF"
        )
    lane = _lane(lanes)
    if source.is_file():
        frontier = Frontier.load(source)
        text = report(frontier, title=title or source.stem, lane=lane)
    else:
        summary = read_summary(source)
        frontier = Frontier.load(source / "frontier.npz")
        terms = Terms.pipeline(summary["ranks"], float(summary["blocking_power"]))
        rank_of = summary.get("rank_of_stage")
        if lane is None and rank_of is not None and len(rank_of) > summary["ranks"]:
            lane = _rank_lanes(frontier, rank_of)
            terms = replace(terms, lane="rank")
        settings = {name: summary[name] for name in summary if name not in _PROVENANCE}
        name = title or Path(str(settings.get("profile", source))).stem
        text = report(frontier, title=name, terms=terms, lane=lane, settings=settings)
    write_new_file(output, text)
    plans = counted(len(frontier), "plan", spec=",")
    typer.echo(f"{output}: {plans}, {len(text.encode()) / 1e6:.1f} MB")


# Keys of summary.json that the frontier's own provenance tells.
_PROVENANCE = frozenset(
    (
        "backend",
        "backend_version",
        "reason",
        "skipped",
        "certificate",
        "counters",
        "lowtime_version",
        "points",
        "seconds",
    )
)


def _lane(text: str | None) -> LaneChoice:
    if text is None or text == "packed":
        return text
    if not text.isdecimal():
        raise typer.BadParameter(f"--lanes is {text!r}; expected 'packed' or a position from 0 on")
    return int(text)


def _rank_lanes(frontier: Frontier, rank_of_stage: list[int]) -> dict[Hashable, int]:
    """The rank of every node ``(stage, instruction, micro-batch)``: several stages share one."""
    return {node: rank_of_stage[node[0]] for node in frontier.problem.nodes}  # type: ignore[index]
