"""The order in which one pipeline stage runs its instructions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

from lowtime.operation import OperationSpec
from lowtime.perseus.instruction import (
    Backward,
    Forward,
    ForwardBackward,
    Instruction,
    Recomputation,
)


class PipelineSchedule(ABC):
    """The instructions of one stage, in order; subclasses say which.

    Args:
        num_stages: stages of the pipeline.
        num_micro_batches: micro-batches of one iteration.
        stage_id: the stage, from 0.
        operation_spec_map: spec of every kind of instruction.
    """

    def __init__(
        self,
        num_stages: int,
        num_micro_batches: int,
        stage_id: int,
        operation_spec_map: dict[type[Instruction], OperationSpec[Any]],
    ) -> None:
        self.num_stages = num_stages
        self.num_micro_batches = num_micro_batches
        self.stage_id = stage_id
        self.op_spec_map = operation_spec_map
        self.prev_stage = stage_id - 1
        self.next_stage = stage_id + 1

    @abstractmethod
    def __iter__(self) -> Iterator[Instruction]:
        """The instructions of the stage, in order."""

    def _instruction(self, kind: type[Instruction], micro_batch_id: int) -> Instruction:
        return kind(
            spec=self.op_spec_map[kind], stage_id=self.stage_id, micro_batch_id=micro_batch_id
        )


class Synchronous1F1B(PipelineSchedule):
    """One forward, one backward, after just enough forward passes to fill the stages behind.

    Source: D. Narayanan et al., 2019, "PipeDream", doi:10.1145/3341301.3359646; with a flush at
    the end of every iteration.
    """

    def __iter__(self) -> Iterator[Instruction]:
        """The instructions of the stage, in order."""
        ahead = self.num_stages - 1 - self.stage_id  # forward passes before the first backward
        for micro_batch in range(min(ahead, self.num_micro_batches)):
            yield self._instruction(Forward, micro_batch)
        for micro_batch in range(self.num_micro_batches):
            if micro_batch + ahead < self.num_micro_batches:
                yield self._instruction(Forward, micro_batch + ahead)
            yield from self._backward(micro_batch, micro_batch + ahead < self.num_micro_batches)

    def _backward(self, micro_batch: int, after_forward: bool) -> Iterator[Instruction]:
        """What the stage runs for the backward pass, and whether a forward pass comes before it."""
        yield self._instruction(Backward, micro_batch)


class EarlyRecomputation1F1B(Synchronous1F1B):
    """1F1B that recomputes activations, ahead of time where the stage would only wait.

    Source: Z. Lai et al., 2023, "Merak", doi:10.1109/TPDS.2023.3247001.
    """

    def _backward(self, micro_batch: int, after_forward: bool) -> Iterator[Instruction]:
        if after_forward:
            yield self._instruction(ForwardBackward, micro_batch)
        else:
            yield self._instruction(Recomputation, micro_batch)
            yield self._instruction(Backward, micro_batch)
