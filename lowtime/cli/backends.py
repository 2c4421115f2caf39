"""``lowtime backends``: which max-flow backends are installed, and whether they work."""

from __future__ import annotations

from typing import Annotated

import typer

TITLES = ("name", "state", "distribution", "version", "largest arc", "largest total", "note")


def command(
    probe: Annotated[bool, typer.Option("--probe", help="Load each one, to see it work.")] = False,
) -> None:
    """The max-flow backends that are installed, in the order in which 'auto' tries them."""
    from lowtime.backends.listing import list_backends
    from lowtime.cli.aligned import aligned

    lines = [
        (
            row.name,
            row.state,
            row.distribution,
            row.version,
            _limit(row.max_capacity),
            _limit(row.max_total),
            " ".join(row.reason.split()),
        )
        for row in list_backends(probe)
    ]
    typer.echo(aligned(TITLES, lines), nl=False)


def _limit(limit: int | None) -> str:
    """``2^53`` and ``2^63 - 1`` say more than their digits."""
    if limit is None:
        return "-"
    for exact, shown in ((limit, ""), (limit + 1, " - 1")):
        if exact > 1024 and exact & (exact - 1) == 0:
            return f"2^{exact.bit_length() - 1}{shown}"
    return str(limit)
