"""1F1B whose weight gradients wait until the rank has nothing better to do.

A rank holds back as many weight gradients as there are ranks before it, and so needs no more
memory than the first rank does.

Source: P. Qi et al., 2023, "Zero bubble pipeline parallelism", section 2.2, arXiv:2401.10241.
"""

from __future__ import annotations

from lowtime.perseus.action import Action, Kind
from lowtime.perseus.order import Cell
from lowtime.perseus.schedules.one_forward_one_backward import alternating

NAMES = ("zb-h1", "zero-bubble-h1")


def ranks(stages: int, micro_batches: int) -> list[list[Cell]]:
    """The cells of every rank; rank and stage are the same."""
    return [_rank(stage, stages, micro_batches) for stage in range(stages)]


def _rank(stage: int, stages: int, micro_batches: int) -> list[Cell]:
    cells: list[Cell] = []
    for kind, micro_batch in alternating(stages - 1 - stage, micro_batches):
        if kind is Kind.FORWARD:
            cells.append((Action(kind, stage, micro_batch),))
            continue
        cells.append((Action(Kind.INPUT_GRAD, stage, micro_batch),))
        if micro_batch >= stage:
            cells.append((Action(Kind.WEIGHT_GRAD, stage, micro_batch - stage),))
    cells.extend(
        (Action(Kind.WEIGHT_GRAD, stage, micro_batch),)
        for micro_batch in range(max(micro_batches - stage, 0), micro_batches)
    )
    return cells
