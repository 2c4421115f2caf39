"""``summary.json``: what a folder of `lowtime pipeline` was made from, by what, in which time."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lowtime.errors import InvalidProfile

FILE_NAME = "summary.json"


def write_summary(folder: Path, summary: Mapping[str, Any]) -> None:
    """Write the summary, readable, with its keys in the order given."""
    text = json.dumps(summary, indent=2, allow_nan=False)
    (folder / FILE_NAME).write_text(text + "\n", encoding="utf-8")


def read_summary(folder: Path) -> dict[str, Any]:
    """The summary of a folder.

    Raises:
        InvalidProfile: the folder or the file is missing, or the file is not a summary.
    """
    path = folder / FILE_NAME
    try:
        summary = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise InvalidProfile(
            f"{path}: no such file; expected a folder made by 'lowtime pipeline --output'"
        ) from None
    except ValueError as error:
        raise InvalidProfile(f"{path}: is not JSON: {error}") from None
    if not isinstance(summary, dict):
        raise InvalidProfile(f"{path}: holds no object; expected what 'lowtime pipeline' writes")
    for key, kind in (("ranks", int), ("blocking_power", float)):
        if not isinstance(summary.get(key), kind):
            raise InvalidProfile(f"{path}: {key!r} is {summary.get(key)!r}; expected a number")
    return summary
