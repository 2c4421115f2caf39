"""Instructions: the operations of pipeline-parallel training."""

from __future__ import annotations

from attrs import define

# Programs written for lowtime 0.2 and 0.3 import the resolver from here, next to the rules.
from lowtime.graph_utils import DependencyResolver
from lowtime.operation import Operation

__all__ = [
    "Backward",
    "Communication",
    "DependencyResolver",
    "Forward",
    "ForwardBackward",
    "InputGradient",
    "Instruction",
    "Recomputation",
    "WeightGradient",
    "backward_dep",
    "forward_dep",
]


@define(slots=False, kw_only=True)
class Instruction(Operation[int]):
    """What one stage does with one micro-batch.

    Attributes:
        stage_id: stage of the pipeline, from 0.
        micro_batch_id: micro-batch, from 0.
        rank: the device, or group of devices, that executes it; None where every stage has its own.
    """

    stage_id: int
    micro_batch_id: int
    rank: int | None = None

    def __str__(self) -> str:
        place = f"S{self.stage_id}B{self.micro_batch_id}"
        return f"{type(self).__name__}({place}, {self.duration}@{self.assigned_knob})"


@define(slots=False, kw_only=True)
class Forward(Instruction):
    """The forward pass."""


@define(slots=False, kw_only=True)
class Backward(Instruction):
    """The backward pass."""


@define(slots=False, kw_only=True)
class ForwardBackward(Instruction):
    """A forward pass that recomputes activations, followed by the backward pass."""


@define(slots=False, kw_only=True)
class Recomputation(Instruction):
    """A forward pass that only recomputes activations."""


@define(slots=False, kw_only=True)
class InputGradient(Instruction):
    """The part of the backward pass that the stage before waits for."""


@define(slots=False, kw_only=True)
class WeightGradient(Instruction):
    """The part of the backward pass that no other stage waits for."""


@define(slots=False, kw_only=True)
class Communication(Instruction):
    """Sending, receiving, or gathering parameters; takes a fixed time."""


def forward_dep(inst1: Forward, inst2: Forward) -> bool:
    """Whether the second forward pass takes over the first one's micro-batch on the next stage."""
    return inst1.micro_batch_id == inst2.micro_batch_id and inst1.stage_id + 1 == inst2.stage_id


def backward_dep(inst1: Backward, inst2: Backward) -> bool:
    """Whether the second backward pass takes over the micro-batch on the stage before."""
    return inst1.micro_batch_id == inst2.micro_batch_id and inst1.stage_id == inst2.stage_id + 1
