"""1F1B with several stages, far apart, on every rank, so that ranks wait for shorter passes.

Stage s is on rank s modulo the number of ranks.

Source: D. Narayanan et al., 2021, "Efficient large-scale language model training on GPU clusters
using Megatron-LM", section 2.2, doi:10.1145/3458817.3476209.
"""

from __future__ import annotations

from lowtime.counted import counted
from lowtime.errors import InvalidProfile
from lowtime.perseus.action import Action, Kind
from lowtime.perseus.order import Cell

NAMES = ("interleaved-1f1b", "interleaved")


def ranks(stages: int, micro_batches: int, chunks: int = 2) -> list[list[Cell]]:
    """The cells of every rank.

    Args:
        stages: stages of the pipeline, a multiple of ``chunks``.
        micro_batches: a multiple of the number of ranks.
        chunks: stages on every rank.

    Raises:
        InvalidProfile: for other numbers.
    """
    if stages % chunks:
        raise InvalidProfile(
            f"interleaved-1f1b: {counted(stages, 'stage')} cannot be shared out, {chunks} to a"
            f" rank; use 'interleaved-1f1b:CHUNKS' with a divisor of {stages}"
        )
    num_ranks = stages // chunks
    if micro_batches % num_ranks:
        raise InvalidProfile(
            f"interleaved-1f1b: {counted(micro_batches, 'micro-batch', 'micro-batches')} for"
            f" {counted(num_ranks, 'rank')}; expected a multiple"
        )
    return [_rank(rank, num_ranks, chunks, micro_batches) for rank in range(num_ranks)]


def _rank(rank: int, num_ranks: int, chunks: int, micro_batches: int) -> list[Cell]:
    total = micro_batches * chunks
    # Ranks further back start later; the first chunks - 1 rounds have no backward pass yet.
    ahead = min(total, 2 * (num_ranks - 1 - rank) + (chunks - 1) * num_ranks)
    cells: list[Cell] = []
    for turn in range(total + ahead):
        if turn < total:
            cells.append((_action(Kind.FORWARD, turn, rank, num_ranks, chunks),))
        if turn >= ahead:
            cells.append((_action(Kind.BACKWARD, turn - ahead, rank, num_ranks, chunks),))
    return cells


def _action(kind: Kind, turn: int, rank: int, num_ranks: int, chunks: int) -> Action:
    """What a rank does in its how-many-th turn of a kind: all chunks, as many batches as ranks."""
    rounds, within = divmod(turn, num_ranks * chunks)
    chunk, batch = divmod(within, num_ranks)
    if kind is Kind.BACKWARD:
        chunk = chunks - 1 - chunk
    return Action(kind, chunk * num_ranks + rank, rounds * num_ranks + batch)
