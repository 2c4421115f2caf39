"""The DAG of one training iteration."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lowtime.errors import InvalidProfile
from lowtime.operation import CandidateExecutionOptions, ExecutionOption, OperationSpec
from lowtime.perseus.action import Action, Kind
from lowtime.perseus.instruction import (
    Backward,
    Communication,
    Forward,
    InputGradient,
    Instruction,
    Recomputation,
    WeightGradient,
)
from lowtime.perseus.order import PipelineOrder
from lowtime.perseus.rules import GRADIENTS, precedences
from lowtime.profiling import phased

if TYPE_CHECKING:
    import networkx as nx

INSTRUCTIONS: Mapping[Kind, type[Instruction]] = {
    Kind.FORWARD: Forward,
    Kind.BACKWARD: Backward,
    Kind.INPUT_GRAD: InputGradient,
    Kind.WEIGHT_GRAD: WeightGradient,
    Kind.RECOMPUTE: Recomputation,
}
TRANSFERS = {Kind.FORWARD: Kind.SEND_FORWARD} | dict.fromkeys(GRADIENTS, Kind.SEND_BACKWARD)


@dataclass(frozen=True, slots=True)
class CommunicationTimes:
    """How long communication takes, seconds, whatever the plan.

    A schedule that says when to send and to receive spends ``transfer`` on every receipt, and
    nothing on sending, so that a transfer counts once. In other schedules a transfer between two
    ranks takes that long besides the work of both.

    Attributes:
        transfer: from one rank to another, of one micro-batch.
        unshard: gathering the parameters of one stage.
        reshard: freeing them again.

    Raises:
        InvalidProfile: for a time that is negative or not finite.
    """

    transfer: float = 0.0
    unshard: float = 0.0
    reshard: float = 0.0

    def __post_init__(self) -> None:
        for name in ("transfer", "unshard", "reshard"):
            time = getattr(self, name)
            if not (math.isfinite(time) and time >= 0):
                raise InvalidProfile(f"the {name} time is {time}; expected seconds, 0 or more")

    def of(self, kind: Kind) -> float:
        """Seconds that a communication of this kind takes."""
        if kind in (Kind.RECEIVE_FORWARD, Kind.RECEIVE_BACKWARD):
            return self.transfer
        return {Kind.UNSHARD: self.unshard, Kind.RESHARD: self.reshard}.get(kind, 0.0)


@phased("compile")
def pipeline_dag(
    order: PipelineOrder,
    specs: Mapping[tuple[int, str], OperationSpec[int]],
    communication: CommunicationTimes | None = None,
) -> nx.DiGraph[Any]:
    """The DAG of one iteration; nodes are ``(stage, name in the profile, micro-batch)``.

    Edges are those of `lowtime.perseus.rules`. The graph has neither source nor sink added.

    Args:
        order: what every rank does.
        specs: spec of everything in ``order.needs``.
        communication: fixed times of communication; None takes none.

    Raises:
        InvalidProfile: something that the schedule needs has no spec; something is received that
            nobody sends.

    Complexity: O(actions).
    """
    import networkx as nx

    times = communication or CommunicationTimes()
    fixed = _FixedSpecs(_unit_time(order, specs))
    dag: nx.DiGraph[Any] = nx.DiGraph()
    for rank, action in order.actions():
        if action.kind.is_computation:
            kind, spec = INSTRUCTIONS[action.kind], specs[action.stage, action.kind.title]
        else:
            kind, spec = Communication, fixed.lasting(times.of(action.kind))
        dag.add_node(action.node, op=_instruction(kind, spec, action, rank))
    explicit = any(not action.kind.is_computation for _, action in order.actions())
    transfers = times.transfer > 0 and not explicit
    rank_of = {action: rank for rank, action in order.actions()} if transfers else {}
    for before, after in precedences(order):
        if transfers and rank_of[before] != rank_of[after]:
            sending = Action(TRANSFERS[before.kind], before.stage, before.micro_batch)
            spec = fixed.lasting(times.transfer)
            transfer = _instruction(Communication, spec, sending, rank_of[before])
            dag.add_node(sending.node, op=transfer)
            dag.add_edge(before.node, sending.node)
            dag.add_edge(sending.node, after.node)
        else:
            dag.add_edge(before.node, after.node)
    return dag


def _instruction(
    kind: type[Instruction], spec: OperationSpec[Any], action: Action, rank: int
) -> Instruction:
    return kind(spec=spec, stage_id=action.stage, micro_batch_id=action.micro_batch, rank=rank)


def _unit_time(order: PipelineOrder, specs: Mapping[tuple[int, str], OperationSpec[int]]) -> float:
    for stage, name in order.needs:
        if (stage, name) not in specs:
            raise InvalidProfile(
                f"schedule {order.name} needs {name!r} of stage {stage}; no spec was given for it"
            )
    return specs[order.needs[0]].options.options[0].unit_time


class _FixedSpecs:
    """Specs with one free option each, one for every duration."""

    def __init__(self, unit_time: float) -> None:
        self._unit_time = unit_time
        self._specs: dict[float, OperationSpec[Any]] = {}

    def lasting(self, seconds: float) -> OperationSpec[Any]:
        if seconds not in self._specs:
            only = ExecutionOption[Any](
                real_time=seconds, unit_time=self._unit_time, cost=0.0, knob=None
            )
            self._specs[seconds] = OperationSpec(CandidateExecutionOptions(options=[only]))
        return self._specs[seconds]
