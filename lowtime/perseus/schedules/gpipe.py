"""All forward passes, then all backward passes.

Source: Y. Huang et al., 2019, "GPipe", arXiv:1811.06965.
"""

from __future__ import annotations

from lowtime.perseus.action import Action, Kind
from lowtime.perseus.order import Cell

NAMES = ("gpipe",)


def ranks(stages: int, micro_batches: int) -> list[list[Cell]]:
    """The cells of every rank; rank and stage are the same."""
    return [
        [
            (Action(kind, stage, micro_batch),)
            for kind in (Kind.FORWARD, Kind.BACKWARD)
            for micro_batch in range(micro_batches)
        ]
        for stage in range(stages)
    ]
