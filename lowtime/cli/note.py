"""A remark beside a command's output."""

from __future__ import annotations

import typer


def note(text: str) -> None:
    """Tell something in one line on stderr, so that what is piped on stays as it is."""
    typer.echo(f"lowtime: note: {text}", err=True)
