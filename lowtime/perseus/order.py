"""The order in which every rank of a pipeline acts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lowtime.errors import InvalidProfile
from lowtime.perseus.action import Action, Kind

# What a rank does at once: one action, or several that overlap.
Cell = tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class PipelineOrder:
    """A schedule written out, checked once, when it is made.

    Every stage runs a forward pass of every micro-batch, and either no backward pass at all or one
    of every micro-batch: whole (B), or as an input gradient (I) with its weight gradient (W).

    Attributes:
        ranks: the cells of every rank, in the order in which it works them off.
        name: the schedule, for messages.

    Raises:
        InvalidProfile: when an action stands there twice, or is missing.
    """

    ranks: tuple[tuple[Cell, ...], ...]
    name: str

    def __post_init__(self) -> None:
        _check_once(self)
        _check_complete(self)

    def actions(self) -> Iterator[tuple[int, Action]]:
        """Every action with its rank, rank by rank."""
        for rank, cells in enumerate(self.ranks):
            for cell in cells:
                for action in cell:
                    yield rank, action

    @property
    def num_ranks(self) -> int:
        """Number of devices (or groups of devices) that wait for each other."""
        return len(self.ranks)

    @property
    def num_stages(self) -> int:
        """Number of stages; more than ranks where a rank holds several."""
        return 1 + max(action.stage for _, action in self.actions())

    @property
    def rank_of_stage(self) -> tuple[int, ...]:
        """Rank that runs the forward passes of each stage."""
        of = {a.stage: rank for rank, a in self.actions() if a.kind is Kind.FORWARD}
        return tuple(of[stage] for stage in range(self.num_stages))

    @property
    def num_micro_batches(self) -> int:
        """Number of micro-batches of one iteration."""
        forwards = (a.micro_batch for _, a in self.actions() if a.kind is Kind.FORWARD)
        return 1 + max(forwards)

    @property
    def needs(self) -> tuple[tuple[int, str], ...]:
        """(stage, instruction) of everything that a profile must have measured, sorted."""
        computed = (action for _, action in self.actions() if action.kind.is_computation)
        return tuple(sorted({(action.stage, action.kind.title) for action in computed}))


def in_sequence(actions: Sequence[Action]) -> tuple[Cell, ...]:
    """Cells of one action each."""
    return tuple((action,) for action in actions)


def _check_once(order: PipelineOrder) -> None:
    rank_of: dict[Action, int] = {}
    for rank, action in order.actions():
        if action in rank_of:
            raise InvalidProfile(
                f"schedule {order.name}: {action} stands on rank {rank} although it stands on rank"
                f" {rank_of[action]} already"
            )
        rank_of[action] = rank
    if not any(action.kind is Kind.FORWARD for action in rank_of):
        raise InvalidProfile(f"schedule {order.name} has no forward pass")


def _check_complete(order: PipelineOrder) -> None:
    there = {action for _, action in order.actions()}
    trains = any(a.kind in (Kind.BACKWARD, Kind.INPUT_GRAD, Kind.WEIGHT_GRAD) for a in there)
    for stage in range(order.num_stages):
        for micro_batch in range(order.num_micro_batches):
            forward, whole, inputs, weights = (
                Action(kind, stage, micro_batch) in there
                for kind in (Kind.FORWARD, Kind.BACKWARD, Kind.INPUT_GRAD, Kind.WEIGHT_GRAD)
            )
            backward = whole + inputs == 1 and weights == inputs
            if not forward or (trains and not backward):
                place = (stage, micro_batch)
                found = sorted(str(a) for a in there if (a.stage, a.micro_batch) == place)
                raise InvalidProfile(
                    f"schedule {order.name}: stage {stage} does {', '.join(found) or 'nothing'}"
                    f" for micro-batch {micro_batch}; expected F, and B or both of I and W"
                )
