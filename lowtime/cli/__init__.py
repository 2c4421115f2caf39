"""The `lowtime` command."""

from lowtime.cli.program import main

__all__ = ["main"]
