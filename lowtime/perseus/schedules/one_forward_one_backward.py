"""One forward, one backward, after just enough forward passes to fill the stages behind.

Source: D. Narayanan et al., 2019, "PipeDream", doi:10.1145/3341301.3359646; with a flush at the end
of every iteration.
"""

from __future__ import annotations

from collections.abc import Iterator

from lowtime.perseus.action import Action, Kind
from lowtime.perseus.order import Cell

NAMES = ("1f1b",)


def ranks(stages: int, micro_batches: int) -> list[list[Cell]]:
    """The cells of every rank; rank and stage are the same."""
    return [
        [(Action(kind, stage, micro_batch),) for kind, micro_batch in passes]
        for stage in range(stages)
        for passes in [alternating(stages - 1 - stage, micro_batches)]
    ]


def alternating(ahead: int, micro_batches: int) -> Iterator[tuple[Kind, int]]:
    """Forward and backward passes of one stage.

    Args:
        ahead: forward passes before the first pair of one forward and one backward pass.
        micro_batches: passes of each kind.
    """
    for micro_batch in range(min(ahead, micro_batches)):
        yield Kind.FORWARD, micro_batch
    for micro_batch in range(micro_batches):
        if micro_batch + ahead < micro_batches:
            yield Kind.FORWARD, micro_batch + ahead
        yield Kind.BACKWARD, micro_batch
