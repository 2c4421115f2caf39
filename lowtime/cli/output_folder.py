"""Output folders that exist whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lowtime.errors import LowtimeError


class OutputExists(LowtimeError, FileExistsError):
    """The place to write to is taken."""


def check_output_folder(folder: Path) -> None:
    """Find out before the work whether a folder can be made.

    Raises:
        OutputExists: there is something already.
        OSError: its parent is missing, is not a folder, or cannot be written.
    """
    if os.path.lexists(folder):
        raise OutputExists(f"{folder}: exists already; name another folder, or remove it")
    # Only making something tells: permission bits say nothing about root or read-only mounts.
    os.rmdir(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))


@contextmanager
def output_folder(folder: Path) -> Iterator[Path]:
    """A fresh folder beside ``folder``, renamed to it when the block ends without an error.

    Raises:
        OutputExists: there is something already.
        OSError: as in `check_output_folder`.
    """
    check_output_folder(folder)
    made = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        yield made
        made.chmod(0o777 & ~_umask())  # mkdtemp makes private folders
        if os.path.lexists(folder):  # rename would replace an empty folder
            raise OutputExists(f"{folder}: was made by somebody else meanwhile")
        made.rename(folder)
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
