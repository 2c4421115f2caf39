"""What a rank of a pipeline can be told to do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    """A kind of action; the value is how PyTorch's schedule files write it.

    Attributes:
        title: name in profiles and in the nodes of a pipeline's DAG, such as ``input_grad``.
    """

    FORWARD = "F"
    BACKWARD = "B"
    INPUT_GRAD = "I"
    WEIGHT_GRAD = "W"
    RECOMPUTE = "R"
    SEND_FORWARD = "SEND_F"
    RECEIVE_FORWARD = "RECV_F"
    SEND_BACKWARD = "SEND_B"
    RECEIVE_BACKWARD = "RECV_B"
    UNSHARD = "UNSHARD"
    RESHARD = "RESHARD"

    def __init__(self, _: str) -> None:
        self.title = self.name.lower()

    # Members are single objects; Enum's own hash is slow, and a pipeline has 10^5 actions.
    __hash__ = object.__hash__

    @property
    def is_computation(self) -> bool:
        """Whether a profile has measurements of it; everything else is communication."""
        return self in COMPUTATIONS


COMPUTATIONS = frozenset(
    {Kind.FORWARD, Kind.BACKWARD, Kind.INPUT_GRAD, Kind.WEIGHT_GRAD, Kind.RECOMPUTE}
)


@dataclass(frozen=True, slots=True)
class Action:
    """One action of one stage.

    Attributes:
        kind: what to do.
        stage: stage of the pipeline, from 0.
        micro_batch: micro-batch, from 0; for `UNSHARD` and `RESHARD`, which concern the stage's
            parameters, the how-many-th time.
    """

    kind: Kind
    stage: int
    micro_batch: int

    def __str__(self) -> str:
        return f"{self.stage}{self.kind.value}{self.micro_batch}"

    @property
    def node(self) -> tuple[int, str, int]:
        """Its node in the DAG: (stage, title of the kind, micro-batch)."""
        return (self.stage, self.kind.title, self.micro_batch)
