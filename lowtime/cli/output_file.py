"""Output files that exist whole or not at all."""

from __future__ import annotations

from pathlib import Path

from lowtime.cli.output_folder import check_free
from lowtime.profiling import phased
from lowtime.whole_file import whole_file


def check_new_file(path: Path) -> None:
    """Find out before the work whether a file's name is free.

    Raises:
        OutputExists: there is something already.
    """
    check_free(path, "file")


@phased("write")
def write_new_file(path: Path, text: str) -> None:
    """Write a text file that was not there; it appears by rename within its folder.

    Raises:
        OutputExists: there is something already.
        OSError: the folder is missing or cannot be written.
    """
    check_new_file(path)
    with whole_file(path) as file:
        file.write(text.encode())
