"""Schedules in PyTorch's CSV form."""

from __future__ import annotations

import csv
import re
from collections import Counter
from os import PathLike, fspath

from lowtime.errors import InvalidProfile
from lowtime.perseus.action import Action, Kind
from lowtime.perseus.order import Cell, PipelineOrder
from lowtime.profiling import phased

ACTION = re.compile(
    r"(\d{1,9})(F|I|W|BW|B|SEND_F|RECV_F|SEND_B|RECV_B|UNSHARD|RESHARD)(\d{0,9})", re.ASCII
)
OVERLAP = re.compile(r"\((.*)\)OVERLAP_F_B")
EXPECTED = (
    "{stage}{F|I|W|B|BW|SEND_F|RECV_F|SEND_B|RECV_B}{microbatch}, {stage}{UNSHARD|RESHARD} or"
    " (0F7;7B3)OVERLAP_F_B"
)
PER_STAGE = (Kind.UNSHARD, Kind.RESHARD)


@phased("read")
def read_order(path: str | PathLike[str]) -> PipelineOrder:
    """The order in a CSV file with one row per rank and one cell per action.

    Empty cells are left out. Where a micro-batch has both B and W on a stage, B is the input
    gradient, as older versions of PyTorch write it; BW is always the whole backward pass.

    Args:
        path: the file.

    Raises:
        InvalidProfile: a cell that is no action, with its row and column (from 1); an empty file;
            an order that is not complete (see `PipelineOrder`).
        OSError: the file cannot be read.
    """
    name = fspath(path)
    reader = _Reader()
    ranks: list[list[Cell]] = []
    try:
        with open(name, newline="", encoding="utf-8-sig") as file:
            for row, cells in enumerate(csv.reader(file, strict=True), start=1):
                rank = [
                    reader.cell(text.strip(), f"{name}, row {row}, column {column}")
                    for column, text in enumerate(cells, start=1)
                    if text.strip()
                ]
                if rank:
                    ranks.append(rank)
    except csv.Error as error:
        raise InvalidProfile(f"{name}: {error}") from error
    except UnicodeDecodeError as error:
        raise InvalidProfile(f"{name}: is not UTF-8 text ({error.reason})") from error
    if not ranks:
        raise InvalidProfile(f"{name}: is empty; expected one row per rank")
    return PipelineOrder(reader.resolved(ranks), name)


class _Reader:
    """Reads cells and remembers what only the whole file decides."""

    def __init__(self) -> None:
        self._runs: Counter[tuple[Kind, int]] = Counter()
        self._ambiguous: set[Action] = set()  # B: the whole backward pass, unless W is there too
        self._weight_grads: set[tuple[int, int]] = set()

    def cell(self, text: str, where: str) -> Cell:
        overlap = OVERLAP.fullmatch(text)
        parts = overlap[1].split(";") if overlap else [text]
        return tuple(self._action(part.strip(), text, where) for part in parts)

    def _action(self, part: str, text: str, where: str) -> Action:
        match = ACTION.fullmatch(part)
        if match is None:
            raise InvalidProfile(f"{where}: {text!r} is no action; expected {EXPECTED}")
        stage, code = int(match[1]), match[2]
        kind = Kind.BACKWARD if code == "BW" else Kind(code)
        if kind in PER_STAGE and not match[3]:
            self._runs[kind, stage] += 1
            return Action(kind, stage, self._runs[kind, stage] - 1)
        if not match[3]:
            raise InvalidProfile(f"{where}: {text!r} names no micro-batch; expected {EXPECTED}")
        action = Action(kind, stage, int(match[3]))
        if code == "B":
            self._ambiguous.add(action)
        if code == "W":
            self._weight_grads.add((action.stage, action.micro_batch))
        return action

    def resolved(self, ranks: list[list[Cell]]) -> tuple[tuple[Cell, ...], ...]:
        return tuple(
            tuple(tuple(self._resolved(action) for action in cell) for cell in rank)
            for rank in ranks
        )

    def _resolved(self, action: Action) -> Action:
        place = (action.stage, action.micro_batch)
        if action in self._ambiguous and place in self._weight_grads:
            return Action(Kind.INPUT_GRAD, *place)
        return action
