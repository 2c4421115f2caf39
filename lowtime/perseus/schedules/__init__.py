"""Schedules by name: every module of this package is one.

A schedule is a module with

* ``NAMES``, a tuple of the names that it goes by, the first one being its title, and
* ``ranks(stages, micro_batches)``, which returns the cells of every rank (see
  `lowtime.perseus.order`). A further parameter ``chunks``, the number of stages on a rank, makes
  ``name:chunks`` legal.
"""

from __future__ import annotations

import importlib
import inspect
import os
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, partial
from os import PathLike
from types import ModuleType
from typing import Any

from lowtime.counted import counted
from lowtime.errors import InvalidProfile
from lowtime.perseus.order import Cell, PipelineOrder
from lowtime.perseus.schedule_file import read_order

MAX_PASSES = 10**6  # forward passes of one iteration; a DAG of that many takes gigabytes


@dataclass(frozen=True, slots=True)
class Schedule:
    """A way to order the work of a pipeline.

    Attributes:
        name: what it was asked for by.
        ranks: cells of every rank for a number of stages and micro-batches.
        file: the order, where a file fixes it.
    """

    name: str
    ranks: Callable[[int, int], list[list[Cell]]] | None = None
    file: PipelineOrder | None = None

    @property
    def shape(self) -> tuple[int, int] | None:
        """Numbers of stages and micro-batches where the schedule fixes them, else None."""
        return None if self.file is None else (self.file.num_stages, self.file.num_micro_batches)

    def order(self, stages: int, micro_batches: int) -> PipelineOrder:
        """The schedule written out.

        Args:
            stages: stages of the pipeline, 1 or more.
            micro_batches: micro-batches of one iteration, 1 or more.

        Raises:
            InvalidProfile: for numbers that the schedule does not allow, or whose product is above
                10^6.
        """
        for number, what in ((stages, "stages"), (micro_batches, "micro-batches")):
            if number < 1:
                raise InvalidProfile(f"the number of {what} is {number}; expected 1 or more")
        if self.file is not None:
            fixed = (self.file.num_stages, self.file.num_micro_batches)
            if fixed != (stages, micro_batches):
                raise InvalidProfile(
                    f"schedule {self.name} is for {_shape(*fixed)};"
                    f" asked for {_shape(stages, micro_batches)}"
                )
            return self.file
        assert self.ranks is not None
        if stages * micro_batches > MAX_PASSES:
            raise InvalidProfile(
                f"schedule {self.name}: {_shape(stages, micro_batches)} make"
                f" {stages * micro_batches} forward passes; expected {MAX_PASSES} at most; use"
                " fewer of either"
            )
        ranks = self.ranks(stages, micro_batches)
        return PipelineOrder(tuple(tuple(cells) for cells in ranks), self.name)


def _shape(stages: int, micro_batches: int) -> str:
    return (
        f"{counted(stages, 'stage')} and {counted(micro_batches, 'micro-batch', 'micro-batches')}"
    )


@cache
def _modules() -> dict[str, ModuleType]:
    found = {}
    for info in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{info.name}")
        found.update(dict.fromkeys(module.NAMES, module))
    return found


def schedule_names() -> list[str]:
    """Titles of all schedules, sorted."""
    return sorted({module.NAMES[0] for module in _modules().values()})


def schedule_named(name: str | PathLike[str]) -> Schedule:
    """The schedule of that name, or the one in that file.

    Args:
        name: one of `schedule_names`, with ``:chunks`` behind where the schedule takes it; or the
            path of a CSV file as PyTorch writes it.

    Raises:
        InvalidProfile: when there is no such schedule, or the file is none.
        OSError: when the file cannot be read.
    """
    text = os.fspath(name)
    if text.lower().endswith(".csv"):
        return Schedule(text, file=read_order(text))
    title, _, chunks = text.lower().partition(":")
    module = _modules().get(title)
    if module is None:
        close = get_close_matches(title, _modules(), n=1)
        meant = f" (did you mean {close[0]!r}?)" if close else ""
        raise InvalidProfile(
            f"no schedule {text!r}{meant}; there is {', '.join(schedule_names())}, or a .csv file"
        )
    ranks: Callable[..., Any] = module.ranks
    if chunks:
        if "chunks" not in inspect.signature(ranks).parameters:
            raise InvalidProfile(f"schedule {title!r} has one stage a rank; leave out ':{chunks}'")
        legal = chunks.isascii() and chunks.isdecimal() and len(chunks) <= 9
        if not (legal and int(chunks) > 0):
            raise InvalidProfile(
                f"schedule {text[:60]!r}: {chunks[:40]!r} is not a number of stages a rank;"
                " expected a whole number from 1 on, of 9 digits at most"
            )
        ranks = partial(ranks, chunks=int(chunks))
    return Schedule(text, ranks=ranks)
