"""``lowtime new-backend``: a complete plugin distribution to start from."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from lowtime.cli.output_folder import check_named


class Language(StrEnum):
    """The languages that there are templates for."""

    PYTHON = "python"
    RUST = "rust"


def command(
    folder: Annotated[
        Path,
        typer.Argument(help="Folder to make; its name names the backend.", metavar="DIR"),
    ],
    language: Annotated[Language, typer.Option(help="Language of the solver.")] = Language.PYTHON,
    name: Annotated[
        str | None, typer.Option(help="Name of the backend, if not the folder's.")
    ] = None,
) -> None:
    """Write a backend's distribution that builds, installs and conforms as it is."""
    from lowtime.scaffold.new_backend import new_backend

    check_named(folder, "folder")
    try:
        files = new_backend(folder, language.value, name)
    except ValueError as problem:
        raise typer.BadParameter(f"{problem}; --name NAME sets it") from problem
    typer.echo("\n".join(str(folder / file) for file in files))
