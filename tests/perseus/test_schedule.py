"""The schedules that programs iterate over, stage by stage."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lowtime.perseus.instruction import (
    Backward,
    Forward,
    ForwardBackward,
    Instruction,
    Recomputation,
)
from lowtime.perseus.schedule import EarlyRecomputation1F1B, PipelineSchedule, Synchronous1F1B
from tests.perseus.equal_stages import spec

SPECS = {kind: spec([(1.0, 1.0)]) for kind in (Forward, Backward, ForwardBackward, Recomputation)}
LETTER = {Forward: "F", Backward: "B", ForwardBackward: "X", Recomputation: "R"}


def letters(schedule: PipelineSchedule) -> str:
    return " ".join(f"{LETTER[type(made)]}{made.micro_batch_id}" for made in schedule)


# As lowtime 0.3.0 yields them.
@pytest.mark.parametrize(
    ("kind", "stage", "expected"),
    [
        (Synchronous1F1B, 0, "F0 F1 F2 B0 F3 B1 B2 B3"),
        (Synchronous1F1B, 1, "F0 F1 B0 F2 B1 F3 B2 B3"),
        (Synchronous1F1B, 2, "F0 B0 F1 B1 F2 B2 F3 B3"),
        (EarlyRecomputation1F1B, 0, "F0 F1 F2 X0 F3 X1 R2 B2 R3 B3"),
        (EarlyRecomputation1F1B, 1, "F0 F1 X0 F2 X1 F3 X2 R3 B3"),
        (EarlyRecomputation1F1B, 2, "F0 X0 F1 X1 F2 X2 F3 X3"),
    ],
)
def test_the_order_on_three_stages(kind: type[PipelineSchedule], stage: int, expected: str) -> None:
    schedule = kind(
        num_stages=3, num_micro_batches=4, stage_id=stage, operation_spec_map=dict(SPECS)
    )
    assert letters(schedule) == expected
    assert letters(schedule) == expected  # again: iterating starts afresh
    assert all(made.stage_id == stage for made in schedule)


def test_fewer_micro_batches_than_stages() -> None:
    assert letters(Synchronous1F1B(4, 2, 0, dict(SPECS))) == "F0 F1 B0 B1"


def test_a_missing_spec_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        list(EarlyRecomputation1F1B(2, 1, 0, {Forward: SPECS[Forward]}))


class Backwards(PipelineSchedule):
    """A schedule as programs write them."""

    def __iter__(self) -> Iterator[Instruction]:
        for batch in reversed(range(self.num_micro_batches)):
            yield Forward(
                spec=self.op_spec_map[Forward], stage_id=self.stage_id, micro_batch_id=batch
            )


def test_subclasses_see_what_they_were_made_with() -> None:
    schedule = Backwards(3, 2, 1, dict(SPECS))
    assert letters(schedule) == "F1 F0"
    assert (schedule.num_stages, schedule.prev_stage, schedule.next_stage) == (3, 0, 2)
    with pytest.raises(TypeError):
        PipelineSchedule(1, 1, 0, {})  # type: ignore[abstract]
