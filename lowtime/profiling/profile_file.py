"""Profiles as files; the name says the format."""

from __future__ import annotations

import json
import os
import tempfile
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from lowtime.errors import LowtimeError
from lowtime.whole_file import under_name, whole_file

if TYPE_CHECKING:
    from lowtime.profiling.recorder import Profile

FORMATS = ".txt (table), .json (statistics) or .trace.json (for Chrome's trace viewer, Perfetto)"


class UnknownProfileFormat(LowtimeError, ValueError):
    """The name of a profile's file does not say the format."""


def check_profile_path(path: str | PathLike[str]) -> Path:
    """The path, found out before the work to be one that can be written.

    Raises:
        UnknownProfileFormat: the name ends with none of the formats.
        OSError: the folder is missing or cannot be written, or the path is a folder.
    """
    file = Path(path)
    if not file.name.endswith((".txt", ".json")):
        raise UnknownProfileFormat(f"{file}: the name of a profile must end in {FORMATS}")
    if file.is_dir():
        raise IsADirectoryError(None, "is a folder; expected a file to write", str(file))
    try:
        handle, made = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    except OSError as error:
        raise under_name(error, file) from error
    os.close(handle)
    os.unlink(made)
    return file


def write_profile(profile: Profile, path: str | PathLike[str]) -> None:
    """Write ``.txt``, ``.json`` or ``.trace.json``; an older file of that name is replaced.

    Raises:
        UnknownProfileFormat: another name.
        OSError: the file cannot be written.
    """
    file = check_profile_path(path)
    if file.name.endswith(".trace.json"):
        text = json.dumps(profile.chrome_trace(), separators=(",", ":"))
    elif file.name.endswith(".json"):
        text = json.dumps(profile.to_dict(), indent=2) + "\n"
    else:
        text = profile.table()
    with whole_file(file) as out:
        out.write(text.encode())
