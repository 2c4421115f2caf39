"""``lowtime conformance``: whether a max-flow backend keeps lowtime's contract."""

from __future__ import annotations

import os
import sys
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from lowtime.cli.output_folder import check_named
from lowtime.errors import BackendUnusable


class LevelChoice(StrEnum):
    """The levels, as choices of the command line."""

    CORE = "core"
    LIMITS = "limits"
    FRONTIER = "frontier"
    ROBUSTNESS = "robustness"


def command(
    backend: Annotated[
        str,
        typer.Argument(help="Name of an installed backend, or module:attribute.", metavar="NAME"),
    ],
    level: Annotated[
        LevelChoice | None, typer.Option(help="Only this level; all of them without it.")
    ] = None,
    suite: Annotated[str, typer.Option(help="Version of the suite.")] = "1.0",
    json: Annotated[
        Path | None, typer.Option(help="Write the report to this file.", metavar="FILE")
    ] = None,
    time_limit: Annotated[float, typer.Option(help="Seconds, for each check.")] = 60.0,
) -> None:
    """Check a backend against the contract; exit code 1 if it does not conform."""
    from lowtime.conformance import SUITES, run
    from lowtime.conformance.execution import check_time_limit

    if json is not None:
        check_named(json, "file")
    if suite not in SUITES:
        raise typer.BadParameter(
            f"there is no suite {suite}; there are {', '.join(SUITES)}", param_hint="--suite"
        )
    try:
        check_time_limit(time_limit)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--time-limit") from error
    if ":" in backend:
        _make_findable(backend.partition(":")[0])
    report = run(backend, None if level is None else level.value, suite, time_limit=time_limit)
    if json is not None:
        report.save(json)
    typer.echo(report.table())
    if not report.conforms:
        raise typer.Exit(1)


def _make_findable(module: str) -> None:
    """Look for modules in the current folder too, as ``python -m`` does, and see if one is there.

    Raises:
        BackendUnusable: there is no such module; the message says where it was looked for.
    """
    here = os.getcwd()
    if here not in sys.path:
        sys.path.insert(0, here)
    top = module.partition(".")[0]
    if top in sys.modules or (top and find_spec(top) is not None):
        return
    raise BackendUnusable(
        f"there is no module {top!r} in the current folder, {here}, nor elsewhere on"
        " Python's path; go to its folder, install it, or name its folder in PYTHONPATH"
    )
