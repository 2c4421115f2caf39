"""``lowtime conformance``: whether a max-flow backend keeps lowtime's contract."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


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

    if suite not in SUITES:
        raise typer.BadParameter(
            f"there is no suite {suite}; there are {', '.join(SUITES)}", param_hint="--suite"
        )
    try:
        check_time_limit(time_limit)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--time-limit") from error
    report = run(backend, None if level is None else level.value, suite, time_limit=time_limit)
    if json is not None:
        report.save(json)
    typer.echo(report.table())
    if not report.conforms:
        raise typer.Exit(1)
