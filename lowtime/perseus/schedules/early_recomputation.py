"""1F1B that recomputes the activations of a micro-batch before its gradient arrives.

A recomputation waits for nothing but its turn on the rank, so that it fills the time in which the
stage would wait for the gradient.

Source: Z. Lai et al., 2023, "Merak", doi:10.1109/TPDS.2023.3247001.
"""

from __future__ import annotations

from lowtime.perseus.action import Action, Kind
from lowtime.perseus.order import Cell
from lowtime.perseus.schedules.one_forward_one_backward import alternating

NAMES = ("early-recomputation-1f1b", "early-recomputation")


def ranks(stages: int, micro_batches: int) -> list[list[Cell]]:
    """The cells of every rank; rank and stage are the same."""
    return [_rank(stage, stages, micro_batches) for stage in range(stages)]


def _rank(stage: int, stages: int, micro_batches: int) -> list[Cell]:
    cells: list[Cell] = []
    for kind, micro_batch in alternating(stages - 1 - stage, micro_batches):
        if kind is Kind.BACKWARD:
            cells.append((Action(Kind.RECOMPUTE, stage, micro_batch),))
        cells.append((Action(kind, stage, micro_batch),))
    return cells
