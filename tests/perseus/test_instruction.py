"""Instructions and the dependency rules that ship with them."""

from __future__ import annotations

from itertools import product

import pytest
from attrs import define

from lowtime.perseus.instruction import (
    Backward,
    DependencyResolver,
    Forward,
    ForwardBackward,
    Instruction,
    Recomputation,
    backward_dep,
    forward_dep,
)
from tests.perseus.equal_stages import spec

KINDS = (Forward, Backward, ForwardBackward, Recomputation)


@pytest.mark.parametrize("kind", KINDS)
def test_an_instruction_says_what_it_is(kind: type[Instruction]) -> None:
    made = kind(spec=spec([(2.0, 3.0), (4.0, 1.0)]), stage_id=3, micro_batch_id=7)
    assert str(made) == f"{kind.__name__}(S3B7, 4@1)"
    made.duration = 3
    assert str(made) == f"{kind.__name__}(S3B7, 3@0)"
    assert made.rank is None


def test_an_instruction_takes_keywords_only() -> None:
    with pytest.raises(TypeError):
        Forward(spec([(1.0, 1.0)]), 0, 0)  # type: ignore[misc]


@define(slots=False, kw_only=True)
class Loss(Forward):
    """A kind of forward pass that a program adds."""

    weight: float


def test_rules_join_the_passes_of_one_micro_batch_across_stages() -> None:
    """As programs do it: ask about every pair of nodes."""
    shared = spec([(1.0, 1.0)])
    made = [
        kind(spec=shared, stage_id=stage, micro_batch_id=batch)
        for kind, stage, batch in product(KINDS, range(3), range(2))
    ]
    made.append(Loss(spec=shared, stage_id=3, micro_batch_id=0, weight=1.0))
    resolver = DependencyResolver(
        dependency_rules=[forward_dep, backward_dep], node_type=Instruction
    )
    found = {
        (type(a).__name__, a.stage_id, b.stage_id, a.micro_batch_id, b.micro_batch_id)
        for a, b in product(made, made)
        if resolver.is_dependent(a, b)
    }
    down = {("Forward", stage, stage + 1, batch, batch) for stage in (0, 1) for batch in (0, 1)}
    up = {("Backward", stage + 1, stage, batch, batch) for stage in (0, 1) for batch in (0, 1)}
    assert found == down | up | {("Forward", 2, 3, 0, 0)}
