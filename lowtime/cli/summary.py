"""``summary.json``: what a folder of `lowtime pipeline` was made from, by what, in which time."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lowtime.errors import InvalidProfile

FILE_NAME = "summary.json"
MOST_RANKS = 10**9


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
    ranks, power = summary.get("ranks"), summary.get("blocking_power")
    rank_of_stage = summary.get("rank_of_stage")
    if type(ranks) is not int or not 1 <= ranks <= MOST_RANKS:
        raise InvalidProfile(f"{path}: 'ranks' is {ranks!r:.60}; expected a number of ranks")
    if type(power) is not float or not 0 <= power < math.inf:
        raise InvalidProfile(f"{path}: 'blocking_power' is {power!r:.60}; expected watts")
    if rank_of_stage is not None and not (
        isinstance(rank_of_stage, list)
        and all(type(rank) is int and 0 <= rank < ranks for rank in rank_of_stage)
    ):
        raise InvalidProfile(
            f"{path}: 'rank_of_stage' is {rank_of_stage!r:.60}; expected a rank below {ranks} for"
            " every stage"
        )
    return summary
