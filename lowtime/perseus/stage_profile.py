"""The measured time and energy of every pipeline stage, as read from a CSV file."""

from __future__ import annotations

import csv
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from os import PathLike, fspath
from types import MappingProxyType
from typing import Any

from lowtime.counted import counted
from lowtime.errors import InvalidProfile
from lowtime.profiling import phased

COLUMNS = ("stage", "instruction", "frequency", "time", "energy")
# pandas writes whole numbers of a column that lacked some, or held fractions, as "1407.0".
WHOLE = re.compile(r"(\d{1,9})(\.0+)?", re.ASCII)
RANK_COLUMNS = ("rank", "dp_rank", "tp_rank")  # of the GPUs that share a stage; all optional


@dataclass(frozen=True, slots=True)
class Measurement:
    """One row of a profile.

    Attributes:
        line: line of the file, from 1.
        stage: pipeline stage, from 0.
        instruction: what was measured, such as ``forward``.
        frequency: GPU clock, MHz.
        time: seconds, 0 or more.
        energy: joules, 0 or more.
        rank: which of the GPUs that share the stage, as far as the file says.
    """

    line: int
    stage: int
    instruction: str
    frequency: int
    time: float
    energy: float
    rank: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class StageProfile:
    """Measurements by stage and instruction, checked once, when they are read.

    Attributes:
        path: the file, for messages.
        tables: the rows of every (stage, instruction), in the order of the file.
        num_stages: stages are ``0 .. num_stages - 1``; each has rows.
    """

    path: str
    tables: Mapping[tuple[int, str], tuple[Measurement, ...]]
    num_stages: int

    @classmethod
    @phased("read")
    def read(cls, path: str | PathLike[str]) -> StageProfile:
        """The profile in a CSV file with the columns stage, instruction, frequency, time, energy.

        Columns may stand in any order, and others may be there too. Where GPUs share a stage by
        data or tensor parallelism, a column ``rank`` (or ``dp_rank``, ``tp_rank``) tells their rows
        apart; a stage then takes the time of its slowest GPU and the energy of all of them.

        Args:
            path: the file.

        Raises:
            InvalidProfile: an empty file, a missing or misspelt column, a value that is not a
                number of its kind, duplicate rows, a stage without rows; with file, line and
                column.
            OSError: the file cannot be read.
        """
        name = fspath(path)
        tables: dict[tuple[int, str], list[Measurement]] = {}
        for row in _merged_ranks(name, _distinct(name, _rows(name))):
            tables.setdefault((row.stage, row.instruction), []).append(row)
        if not tables:
            raise InvalidProfile(f"{name}: has a header but no rows; expected one row per option")
        num_stages = 1 + max(stage for stage, _ in tables)
        _check_complete(name, tables, num_stages)
        frozen = {key: tuple(rows) for key, rows in sorted(tables.items())}
        return cls(name, MappingProxyType(frozen), num_stages)

    def rows(self, stage: int, instruction: str) -> tuple[Measurement, ...]:
        """The measurements of one instruction on one stage.

        Raises:
            InvalidProfile: there are none.
        """
        try:
            return self.tables[stage, instruction]
        except KeyError:
            there = sorted({name for at, name in self.tables if at == stage})
            raise InvalidProfile(
                f"{self.path}: stage {stage} has no rows for {instruction!r};"
                f" it has {', '.join(there) or 'none at all'}"
                f"{_closest(instruction, there)}"
            ) from None


def _distinct(name: str, rows: Iterator[Measurement]) -> Iterator[Measurement]:
    lines: dict[tuple[Any, ...], int] = {}
    for row in rows:
        key = (row.stage, row.instruction, row.frequency, row.rank)
        if key in lines:
            of_rank = f", rank {'/'.join(map(str, row.rank))}" if row.rank else ""
            raise InvalidProfile(
                f"{name}, line {row.line}: stage {row.stage}, {row.instruction},"
                f" {row.frequency} MHz{of_rank} stands on line {lines[key]} already;"
                " keep one of them, or average them"
            )
        lines[key] = row.line
        yield row


def _merged_ranks(name: str, rows: Iterable[Measurement]) -> list[Measurement]:
    """One row per stage, instruction and frequency: the slowest time and the energy of all ranks.

    Args:
        name: the file, for messages.
        rows: all rows of the file.

    Raises:
        InvalidProfile: a stage was not measured on the same ranks at all frequencies.
    """
    groups: dict[tuple[int, str, int], list[Measurement]] = {}
    ranks_of: dict[int, set[tuple[int, ...]]] = {}
    for row in rows:
        groups.setdefault((row.stage, row.instruction, row.frequency), []).append(row)
        ranks_of.setdefault(row.stage, set()).add(row.rank)
    merged = []
    for (stage, instruction, frequency), group in groups.items():
        missing = ranks_of[stage] - {row.rank for row in group}
        if missing:
            rank = "/".join(map(str, min(missing)))
            raise InvalidProfile(
                f"{name}, line {group[0].line}: stage {stage}, {instruction}, {frequency} MHz has"
                f" no row of rank {rank}, which other rows of the stage have; expected one of each"
            )
        slowest = max(group, key=lambda row: row.time)
        energy = math.fsum(row.energy for row in group)
        merged.append(replace(slowest, line=group[0].line, energy=energy, rank=()))
    return merged


def _rows(name: str) -> Iterator[Measurement]:
    with open(name, newline="", encoding="utf-8-sig") as file:
        reader = csv.reader(file, strict=True)
        try:
            titles = [title.strip() for title in next(reader, ())]
            _check_columns(name, titles)
            for cells in reader:
                if cells:
                    yield _measurement(name, reader.line_num, titles, cells)
        except csv.Error as error:
            raise InvalidProfile(f"{name}, line {reader.line_num}: {error}") from error
        except UnicodeDecodeError as error:
            raise InvalidProfile(f"{name}: is not UTF-8 text ({error.reason})") from error


def _check_columns(name: str, titles: Sequence[str]) -> None:
    expected = f"expected the columns {','.join(COLUMNS)}"
    if not any(titles):
        raise InvalidProfile(f"{name}: is empty, or starts with an empty line; {expected}")
    for title in COLUMNS:
        if title not in titles:
            lowered = {other.lower(): other for other in titles if other not in COLUMNS}
            close = get_close_matches(title, lowered, n=1)
            misspelt = f" (is {lowered[close[0]]!r} a misspelling of it?)" if close else ""
            raise InvalidProfile(
                f"{name}, line 1: no column {title!r}{misspelt}; {expected},"
                f" found {','.join(titles)}"
            )
        if titles.count(title) > 1:
            raise InvalidProfile(f"{name}, line 1: column {title!r} stands there twice")


def _measurement(name: str, line: int, titles: Sequence[str], cells: Sequence[str]) -> Measurement:
    where = f"{name}, line {line}"
    if len(cells) != len(titles):  # a decimal comma would shift the values behind it
        raise InvalidProfile(
            f"{where}: has {counted(len(cells), 'value')}; expected {len(titles)}, as line 1 has"
        )
    text = {title: cell.strip() for title, cell in zip(titles, cells, strict=True)}
    if not text["instruction"]:
        raise InvalidProfile(f"{where}, column 'instruction': is empty; expected a name")
    return Measurement(
        line=line,
        stage=_whole(where, "stage", text["stage"], smallest=0),
        instruction=text["instruction"],
        frequency=_whole(where, "frequency", text["frequency"], smallest=1),
        time=_decimal(where, "time", text["time"]),
        energy=_decimal(where, "energy", text["energy"]),
        rank=tuple(
            _whole(where, title, text[title], smallest=0) for title in RANK_COLUMNS if title in text
        ),
    )


def _whole(where: str, title: str, text: str, smallest: int) -> int:
    # int() would also take "1_0", "+1" and other scripts' digits.
    match = WHOLE.fullmatch(text)
    if match is None or int(match[1]) < smallest:
        raise InvalidProfile(
            f"{where}, column {title!r}: {text!r} is not a whole number from {smallest} on, of 9"
            " digits at most"
        )
    return int(match[1])


def _decimal(where: str, title: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value >= 0) or "_" in text:
        raise InvalidProfile(
            f"{where}, column {title!r}: {text!r} is not a number of 0 or more, and finite"
        )
    return value


def _check_complete(
    name: str, tables: Mapping[tuple[int, str], Sequence[Measurement]], num_stages: int
) -> None:
    present = {stage for stage, _ in tables}
    for stage in range(num_stages):
        if stage not in present:
            raise InvalidProfile(
                f"{name}: stage {stage} has no rows; expected rows for every stage"
                f" from 0 to {num_stages - 1}, the highest one in the file"
            )
    # A typo ('forwrd') shows as an instruction that some stages lack and that resembles another
    # one, no rarer; read on, its rows would be left out in silence.
    counts = Counter(instruction for _, instruction in tables)
    lines = {instruction: rows[0].line for (_, instruction), rows in tables.items()}
    for instruction in sorted(counts, key=lambda name: (counts[name], -lines[name])):
        if counts[instruction] == num_stages:
            break
        others = [
            other
            for other, count in counts.items()
            if other != instruction and count >= counts[instruction]
        ]
        meant = _closest(instruction, others, cutoff=0.8)
        if meant:
            raise InvalidProfile(
                f"{name}, line {lines[instruction]}, column 'instruction': only"
                f" {counts[instruction]} of {num_stages} stages have {instruction!r}{meant}"
            )


def _closest(word: str, among: Sequence[str], cutoff: float = 0.6) -> str:
    """`` (did you mean 'energy'?)``, or nothing where nothing comes close."""
    lowered = {other.lower(): other for other in among}
    close = get_close_matches(word.lower(), lowered, n=1, cutoff=cutoff)
    return f" (did you mean {lowered[close[0]]!r}?)" if close else ""
