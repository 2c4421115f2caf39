"""Output files that exist whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from lowtime.cli.output_folder import OutputExists


def write_new_file(path: Path, text: str) -> None:
    """Write a text file that was not there; it appears by rename within its folder.

    Raises:
        OutputExists: there is something already.
        OSError: the folder is missing or cannot be written.
    """
    if os.path.lexists(path):
        raise OutputExists(f"{path}: exists already; name another file, or remove it")
    handle, made = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with open(handle, "w", encoding="utf-8") as file:
            file.write(text)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(made, 0o666 & ~mask)  # mkstemp makes private files
        os.replace(made, path)
    except BaseException:
        os.unlink(made)
        raise
