"""Output folders that exist whole or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lowtime.errors import LowtimeError
from lowtime.whole_file import under_name


class OutputExists(LowtimeError, FileExistsError):
    """The place to write to is taken."""


def check_free(path: Path, what: str) -> None:
    """Refuse a name that is taken, or none at all.

    Args:
        path: the name.
        what: what is to be made.

    Raises:
        OutputExists: there is something already.
    """
    check_named(path, what)
    if os.path.lexists(path):
        raise OutputExists(f"{path}: exists already; name another {what}, or remove it")


def check_named(path: Path, what: str) -> None:
    """Refuse the current folder, which an empty text becomes.

    Args:
        path: the name.
        what: what is to be made.

    Raises:
        OutputExists: it is the current folder.
    """
    if path == Path():
        raise OutputExists(
            f"the {what} to write is '' or '.', the current folder; expected the name of a {what}"
            " that does not exist"
        )


def check_output_folder(folder: Path) -> None:
    """Find out before the work whether a folder can be made.

    Raises:
        OutputExists: there is something already.
        OSError: its parent is missing, is not a folder, or cannot be written.
    """
    # Only making something tells: permission bits say nothing about root or read-only mounts.
    _fresh_beside(folder).rmdir()


@contextmanager
def output_folder(folder: Path) -> Iterator[Path]:
    """A fresh folder beside ``folder``, renamed to it when the block ends without an error.

    Raises:
        OutputExists: there is something already.
        OSError: as in `check_output_folder`.
    """
    made = _fresh_beside(folder)
    try:
        yield made
        if os.path.lexists(folder):  # rename would replace an empty folder
            raise OutputExists(f"{folder}: was made by somebody else meanwhile")
        made.rename(folder)
    except BaseException as error:
        shutil.rmtree(made, ignore_errors=True)
        if isinstance(error, OSError) and error.errno and _is_of(error.filename, made):
            raise under_name(error, folder) from error
        raise


def _is_of(name: object, folder: Path) -> bool:
    """Whether an error's file name is that of a folder, or in it, or missing (a full disk)."""
    return name is None or Path(str(name)).absolute().is_relative_to(folder.absolute())


def _fresh_beside(folder: Path) -> Path:
    check_free(folder, "folder")
    fresh = folder.with_name(f".{folder.name}.{secrets.token_hex(8)}")
    try:
        fresh.mkdir()
    except OSError as error:  # with the user's name, not ours
        raise under_name(error, folder) from error
    return fresh
