"""``lowtime max-flow``: the maximum flow and the canonical cut of a DIMACS file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lowtime.errors import CapacityRange

if TYPE_CHECKING:
    from lowtime.flow.network import FlowNetwork

NODE = re.compile(r"(?<=the source )\d+|(?<=arcs )\d+|(?<=-> )\d+")  # in `FlowNetwork`'s messages


def command(
    file: Annotated[Path, typer.Argument(help="DIMACS max-flow file.")],
    backend: Annotated[
        str | None, typer.Option(help="Max-flow backend; see 'lowtime backends'.")
    ] = None,
) -> None:
    """The maximum flow value of a DIMACS file, and the source side of its canonical cut."""
    import lowtime

    network = _read(file)
    try:
        cut = lowtime.min_cut(network, backend=backend)
    except CapacityRange as error:
        raise CapacityRange(f"{file}: {error.message}") from error
    # DIMACS numbers nodes from 1.
    side = " ".join(str(node + 1) for node in cut.source_side.nonzero()[0].tolist())
    typer.echo(f"value: {cut.value}")
    typer.echo(f"source side: {side}")


def _read(file: Path) -> FlowNetwork:
    """The file's network; messages count nodes as the file does, from 1."""
    from lowtime.flow.network import FlowNetwork

    try:
        return FlowNetwork.from_dimacs(file)
    except CapacityRange as error:
        message = NODE.sub(lambda found: str(int(found[0]) + 1), error.message)
        raise CapacityRange(f"{file}: {message}") from error
