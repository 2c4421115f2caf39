"""Output files that exist whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from lowtime.cli.output_folder import OutputExists
from lowtime.frontier.whole_file import whole_file


def write_new_file(path: Path, text: str) -> None:
    """Write a text file that was not there; it appears by rename within its folder.

    Raises:
        OutputExists: there is something already.
        OSError: the folder is missing or cannot be written.
    """
    if os.path.lexists(path):
        raise OutputExists(f"{path}: exists already; name another file, or remove it")
    with whole_file(path) as file:
        file.write(text.encode())
