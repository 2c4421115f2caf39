"""The reference of the command line, from what its ``--help`` says."""

from __future__ import annotations

import io
import os
import sys
from contextlib import redirect_stdout
from pathlib import Path
from unittest.mock import patch

from lowtime.cli.program import SUBCOMMANDS, main

INTRODUCTION = """# Command line

<!-- Written by docs/generate/command_line.py from the help texts. Do not edit. -->

`lowtime COMMAND --help` says the same; `python -m lowtime` is the same program. It ends with 0 when
all is well, with 2 for what a user can put right (one line says what, where, and the way out), and
with 1 for a fault of a backend.
"""


def page() -> str:
    """The whole page, in Markdown."""
    sections = [f"## lowtime {name}\n\n```text\n{help_of(name)}```\n" for name in SUBCOMMANDS]
    return "\n".join([INTRODUCTION, *sections])


def help_of(command: str) -> str:
    """What ``lowtime COMMAND --help`` prints."""
    printed = io.StringIO()
    # A fixed width: the page must not depend on the terminal that builds it.
    wide = {"COLUMNS": "96", "TERMINAL_WIDTH": "96", "NO_COLOR": "1"}
    asked = patch.object(sys, "argv", ["lowtime", command, "--help"])
    with asked, patch.dict(os.environ, wide), redirect_stdout(printed):
        main()
    return printed.getvalue().lstrip("\n")


def write(path: Path) -> None:
    """Write the page; an equal one is left alone, so that a server does not build for ever."""
    text = page()
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(__file__).parents[1] / "reference" / "command-line.md")
