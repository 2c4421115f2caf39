"""``lowtime max-flow``: the maximum flow and the canonical cut of a DIMACS file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lowtime.errors import CapacityRange


def command(
    file: Annotated[Path, typer.Argument(help="DIMACS max-flow file.")],
    backend: Annotated[
        str | None, typer.Option(help="Max-flow backend; see 'lowtime backends'.")
    ] = None,
) -> None:
    """The maximum flow value of a DIMACS file, and the source side of its canonical cut."""
    import lowtime

    network = lowtime.FlowNetwork.from_dimacs(file)
    try:
        cut = lowtime.min_cut(network, backend=backend)
    except CapacityRange as error:
        raise CapacityRange(f"{file}: {error.message}") from error
    # DIMACS numbers nodes from 1.
    side = " ".join(str(node + 1) for node in cut.source_side.nonzero()[0].tolist())
    typer.echo(f"value: {cut.value}")
    typer.echo(f"source side: {side}")
