"""The DAG of one training iteration: the instructions of a schedule and their precedences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from lowtime.errors import InvalidProfile
from lowtime.perseus.instruction import Backward, Forward, Instruction
from lowtime.perseus.schedule import PipelineSchedule, Synchronous1F1B

if TYPE_CHECKING:
    import networkx as nx

    from lowtime.operation import OperationSpec


@dataclass(frozen=True, slots=True)
class ScheduleKind:
    """A schedule that can be asked for by name.

    Attributes:
        schedule: yields the instructions of one stage, in order.
        profile_names: what each kind of instruction is called in a stage profile.
    """

    schedule: type[PipelineSchedule]
    profile_names: Mapping[type[Instruction], str]


SCHEDULES: Mapping[str, ScheduleKind] = {
    "1f1b": ScheduleKind(Synchronous1F1B, {Forward: "forward", Backward: "backward"}),
}


def schedule_kind(name: str) -> ScheduleKind:
    """The schedule of that name.

    Raises:
        InvalidProfile: there is none.
    """
    try:
        return SCHEDULES[name]
    except KeyError:
        close = get_close_matches(name.lower(), SCHEDULES, n=1)
        meant = f" (did you mean {close[0]!r}?)" if close else ""
        raise InvalidProfile(
            f"no schedule {name!r}{meant}; there is {', '.join(SCHEDULES)}"
        ) from None


def pipeline_dag(
    kind: ScheduleKind,
    stages: int,
    microbatches: int,
    specs: Mapping[tuple[int, str], OperationSpec[int]],
) -> nx.DiGraph[Any]:
    """The DAG of one iteration; nodes are ``(stage, name in the profile, micro-batch)``.

    Edges: each stage runs its instructions in order; a forward pass waits for the one on the stage
    before, a backward pass for the one on the stage after.

    Args:
        kind: one of `SCHEDULES`.
        stages: pipeline stages, 1 or more.
        microbatches: micro-batches per iteration, 1 or more.
        specs: spec by (stage, name in the profile).

    Raises:
        InvalidProfile: fewer than one stage or micro-batch.

    Complexity: O(stages x microbatches).
    """
    import networkx as nx

    for number, name in ((stages, "stages"), (microbatches, "micro-batches")):
        if number < 1:
            raise InvalidProfile(f"the number of {name} is {number}; expected 1 or more")
    dag: nx.DiGraph[Any] = nx.DiGraph()
    for stage in range(stages):
        spec_of = {what: specs[stage, name] for what, name in kind.profile_names.items()}
        in_order: Iterable[Instruction] = kind.schedule(
            num_stages=stages,
            num_micro_batches=microbatches,
            stage_id=stage,
            operation_spec_map=spec_of,
        )
        previous = None
        for instruction in in_order:
            node = (stage, kind.profile_names[type(instruction)], instruction.micro_batch_id)
            dag.add_node(node, op=instruction)
            if previous is not None:
                dag.add_edge(previous, node)
            previous = node
    forward, backward = kind.profile_names[Forward], kind.profile_names[Backward]
    for stage in range(stages - 1):
        for microbatch in range(microbatches):
            dag.add_edge((stage, forward, microbatch), (stage + 1, forward, microbatch))
            dag.add_edge((stage + 1, backward, microbatch), (stage, backward, microbatch))
    return dag
