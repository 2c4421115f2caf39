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


WHOLE = {Kind.FORWARD, Kind.BACKWARD}
SPLIT = {Kind.FORWARD, Kind.INPUT_GRAD, Kind.WEIGHT_GRAD}
TRAINING = WHOLE | SPLIT


def _check_complete(order: PipelineOrder) -> None:
    done: dict[tuple[int, int], set[Kind]] = {}
    for _, action in order.actions():
        if action.kind in TRAINING:
            done.setdefault((action.stage, action.micro_batch), set()).add(action.kind)
    trains = any(kinds != {Kind.FORWARD} for kinds in done.values())
    legal = (WHOLE, SPLIT) if trains else ({Kind.FORWARD},)
    # The first missing one ends the loop, so that a huge number in a file costs no time.
    stages, micro_batches = range(order.num_stages), range(order.num_micro_batches)
    for place in ((stage, micro_batch) for stage in stages for micro_batch in micro_batches):
        if done.get(place) not in legal:
            found = sorted(kind.value for kind in done.get(place, ()))
            raise InvalidProfile(
                f"schedule {order.name}: stage {place[0]} does {', '.join(found) or 'nothing'} for"
                f" micro-batch {place[1]}; expected F, and B or both of I and W"
            )
