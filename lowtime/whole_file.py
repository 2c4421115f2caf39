"""Files that exist whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import Path
from typing import IO


@contextmanager
def whole_file(path: str | PathLike[str]) -> Iterator[IO[bytes]]:
    """A file to write to, which takes its name when the block ends without an error.

    Args:
        path: replaced when it exists.

    Raises:
        OSError: the folder is missing or cannot be written; it names ``path``.
    """
    path = Path(path)
    try:
        handle, partial = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    except OSError as error:
        raise under_name(error, path) from error
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(partial, 0o666 & ~mask)  # mkstemp makes private files
        os.replace(partial, path)
    except BaseException as error:
        with suppress(FileNotFoundError):  # a signal came when it had its name already
            os.unlink(partial)
        if isinstance(error, OSError) and error.errno and error.filename in (None, partial):
            raise under_name(error, path) from error
        raise


def under_name(error: OSError, path: Path) -> OSError:
    """The error of a file or folder still in the making, with the name that the user knows."""
    return OSError(error.errno, error.strerror, str(path))
