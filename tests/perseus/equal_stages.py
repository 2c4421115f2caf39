"""Pipelines whose stages all take the same times, for closed forms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lowtime.operation import CandidateExecutionOptions, ExecutionOption, OperationSpec
from lowtime.perseus.order import PipelineOrder

Pairs = Sequence[tuple[float, float]]


def spec(pairs: Pairs, unit_time: float = 1.0) -> OperationSpec[Any]:
    """A spec from (time, cost) pairs; knobs count the options."""
    options = [
        ExecutionOption(real_time=time, unit_time=unit_time, cost=cost, knob=index)
        for index, (time, cost) in enumerate(pairs)
    ]
    return OperationSpec(CandidateExecutionOptions(options=options))


def specs(
    order: PipelineOrder, options: Mapping[str, Pairs], unit_time: float = 1.0
) -> dict[tuple[int, str], OperationSpec[Any]]:
    """A spec for everything that an order needs, the same on all stages."""
    made = {name: spec(pairs, unit_time) for name, pairs in options.items()}
    return {(stage, name): made[name] for stage, name in order.needs}


def lasting(order: PipelineOrder, **seconds: float) -> dict[tuple[int, str], OperationSpec[Any]]:
    """Specs with one option each, of so many seconds."""
    return specs(order, {name: [(time, 1.0)] for name, time in seconds.items()})
