"""The page: one HTML file that needs nothing else."""

from __future__ import annotations

import base64
import hashlib
import html
from collections.abc import Mapping
from importlib.resources import files
from os import PathLike
from typing import TYPE_CHECKING, Any

from lowtime.errors import LowtimeError
from lowtime.frontier.lanes import LaneChoice, lanes
from lowtime.profiling import phased
from lowtime.report.payload import payload
from lowtime.report.terms import Terms
from lowtime.whole_file import whole_file

if TYPE_CHECKING:
    from lowtime.frontier.frontier import Frontier

# One script, in this order: what is used comes before what uses it.
SCRIPTS = (
    "numbers.js",
    "data.js",
    "frontier.js",
    "schedule.js",
    "formats.js",
    "colors.js",
    "timeline.js",
    "chart.js",
    "tables.js",
    "controls.js",
    "main.js",
)


class ReportUnavailable(LowtimeError, ImportError):
    """The plotting library that pages embed is not installed."""


@phased("write")
def write_report(
    frontier: Frontier,
    path: str | PathLike[str],
    *,
    title: str = "Time-cost frontier",
    terms: Terms | None = None,
    lane: LaneChoice = None,
    settings: Mapping[str, Any] | None = None,
) -> None:
    """Write a frontier as a page to look at; it appears whole, by rename, or not at all.

    The page holds every plan, embeds its plotting library, and loads nothing from anywhere.

    Args:
        frontier: the frontier.
        path: the file to write; a file that is there is replaced.
        title: the heading.
        terms: what costs, knobs and lanes are; None uses neutral words.
        lane: rows of the timeline by an attribute, or packed; see `lowtime.frontier.lanes.lanes`.
        settings: what the frontier was made from, shown under its provenance.

    Raises:
        ReportUnavailable: plotly is not installed.
        InvalidGraph: a node has no lane.
        InvalidProfile: a node or knob that JSON cannot hold.
        CapacityRange: times beyond 2^53 quanta.
        OSError: the file cannot be written.
    """
    text = report(frontier, title=title, terms=terms, lane=lane, settings=settings)
    with whole_file(path) as file:
        file.write(text.encode())


def report(
    frontier: Frontier,
    *,
    title: str = "Time-cost frontier",
    terms: Terms | None = None,
    lane: LaneChoice = None,
    settings: Mapping[str, Any] | None = None,
) -> str:
    """The text of the page; see `write_report`."""
    terms = terms or Terms()
    data = payload(frontier, lanes(frontier.problem, lane), terms, title, settings or {})
    application = "\n".join(_asset(name) for name in SCRIPTS)
    library = _plotting_library()
    parts = {
        "title": html.escape(title),
        "policy": _policy(application, library),
        "style": _asset("style.css"),
        "ends": _ends(frontier, terms),
        "data": data,
        "application": application,
        "library": library,
    }
    # One pass over the template: a marker inside a part (a title, a script) is left alone.
    pieces = _asset("page.html").split("{{")
    text = [pieces[0]]
    for piece in pieces[1:]:
        name, rest = piece.split("}}", 1)
        text += [parts[name], rest]
    return "".join(text)


def _asset(name: str) -> str:
    return (files("lowtime.report") / "assets" / name).read_text(encoding="utf-8")


def _plotting_library() -> str:
    try:
        from plotly.offline import get_plotlyjs
    except ModuleNotFoundError as error:
        raise ReportUnavailable(
            "reports need plotly, which is not installed: pip install 'lowtime[report]'"
        ) from error
    # A parser reads line ends as \n, and the policy's hash is of what it reads.
    script: str = get_plotlyjs().replace("\r\n", "\n").replace("\r", "\n")
    return script


def _policy(*scripts: str) -> str:
    """A content security policy: these scripts, inline styles, own pictures, and nothing else."""
    digests = (hashlib.sha256(script.encode()).digest() for script in scripts)
    allowed = " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline';"
        " img-src data: blob:; base-uri 'none'; form-action 'none'"
    )


def _ends(frontier: Frontier, terms: Terms) -> str:
    """Rows of a table for readers without scripts: the ends of the frontier, the best plan."""
    best = frontier.cheapest(terms.overhead_per_second)
    rows = (
        ("fastest", frontier.times[-1], frontier.costs[-1]),
        (f"least {terms.cost}", best.time, best.cost),
        ("longest", frontier.times[0], frontier.costs[0]),
    )
    return "".join(
        f"<tr><th>{html.escape(name)}</th><td>{seconds:.6g} s</td>"
        f"<td>{cost + terms.overhead_per_second * seconds:.6g} {html.escape(terms.cost_unit)}</td>"
        "</tr>"
        for name, seconds, cost in rows
    )
