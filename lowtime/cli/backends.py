"""``lowtime backends``: which max-flow backends are installed, and whether they work."""

from __future__ import annotations

from typing import Annotated

import typer

from lowtime.cli.note import note

TITLES = (
    "name",
    "state",
    "distribution",
    "version",
    "largest arc",
    "largest total",
    "most nodes",
    "note",
)


def command(
    probe: Annotated[bool, typer.Option("--probe", help="Load each one, to see it work.")] = False,
) -> None:
    """The max-flow backends that are installed, in the order in which 'auto' tries them."""
    from lowtime.backends.first_party import AUTO
    from lowtime.backends.listing import list_backends
    from lowtime.backends.not_found import backend_not_found
    from lowtime.backends.selection import ENVIRONMENT, named_by_environment
    from lowtime.cli.aligned import aligned

    rows = list_backends(probe)
    lines = [
        (
            row.name,
            row.state,
            row.distribution,
            row.version,
            _limit(row.max_capacity),
            _limit(row.max_total),
            _limit(row.max_nodes),
            " ".join(row.reason.split()),
        )
        for row in rows
    ]
    typer.echo(aligned(TITLES, lines), nl=False)
    named = named_by_environment()
    if named not in ("", AUTO, *(row.name for row in rows)):
        note(backend_not_found(named, ENVIRONMENT).message)


def _limit(limit: int | None) -> str:
    """``2^53`` and ``2^63 - 1`` say more than their digits."""
    if limit is None:
        return "-"
    for exact, shown in ((limit, ""), (limit + 1, " - 1")):
        if exact > 1024 and exact & (exact - 1) == 0:
            return f"2^{exact.bit_length() - 1}{shown}"
    return str(limit)
