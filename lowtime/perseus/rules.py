"""Which action of a pipeline must wait for which."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, product

from lowtime.errors import InvalidProfile
from lowtime.perseus.action import Action, Kind
from lowtime.perseus.order import PipelineOrder


@dataclass(frozen=True, slots=True)
class Rule:
    """An action waits for another one of the same micro-batch.

    Attributes:
        waits: kind of the action that waits.
        on: kinds of the action that it waits for, whichever of them the schedule has.
        stages_away: stage of the other action minus the stage of the one that waits.
        needed: whether the schedule must have that other action.
    """

    waits: Kind
    on: tuple[Kind, ...]
    stages_away: int
    needed: bool = False


GRADIENTS = (Kind.BACKWARD, Kind.INPUT_GRAD)

# The whole table. Besides, a rank works off its cells one after the other.
RULES = (
    Rule(Kind.FORWARD, (Kind.FORWARD,), -1),
    *(Rule(kind, (Kind.FORWARD,), 0) for kind in GRADIENTS),
    *(Rule(kind, GRADIENTS, +1) for kind in GRADIENTS),
    Rule(Kind.WEIGHT_GRAD, (Kind.INPUT_GRAD,), 0),
    Rule(Kind.RECEIVE_FORWARD, (Kind.SEND_FORWARD,), -1, needed=True),
    Rule(Kind.RECEIVE_BACKWARD, (Kind.SEND_BACKWARD,), +1, needed=True),
)

_RULES_OF = {kind: [rule for rule in RULES if rule.waits is kind] for kind in Kind}


def precedences(order: PipelineOrder) -> Iterator[tuple[Action, Action]]:
    """Pairs (action, action that waits for it); O(actions).

    Raises:
        InvalidProfile: when something is received that nobody sends.
    """
    for cells in order.ranks:
        for before, after in pairwise(cells):
            yield from product(before, after)
    there = {action for _, action in order.actions()}
    for _, action in order.actions():
        for rule in _RULES_OF[action.kind]:
            stage = action.stage + rule.stages_away
            others = [Action(kind, stage, action.micro_batch) for kind in rule.on]
            found = [other for other in others if other in there]
            yield from ((other, action) for other in found)
            if rule.needed and not found:
                raise InvalidProfile(f"schedule {order.name}: {action} has no matching {others[0]}")
