"""The operation specs of a pipeline, made from measurements."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

from lowtime.cost_model import CostModel, ExponentialModel, PiecewiseLinearModel
from lowtime.decimals import quanta
from lowtime.errors import CapacityRange, InvalidProfile
from lowtime.network.activity import MAX_TOTAL_TIME
from lowtime.operation import CandidateExecutionOptions, ExecutionOption, OperationSpec
from lowtime.perseus.stage_profile import Measurement, StageProfile
from lowtime.profiling import phased

Filter = Literal["raw", "effective"]
CostModelName = Literal["exponential", "piecewise"]

NOISY_BELOW = 4  # options left; the paper widens only tables that its filter nearly empties


@dataclass(frozen=True, slots=True)
class OptionRules:
    """How measurements become the options of an operation.

    While a stage waits it draws ``blocking_power``; a pass that takes longer waits less. What a
    pass costs *on top* of waiting is its energy minus blocking power x its (quantized) time.

    Attributes:
        unit_time: seconds per quantum.
        blocking_power: watts that a waiting stage draws.
        filter: ``raw`` keeps the Pareto front of (time, measured energy) and subtracts afterwards,
            as the paper does; ``effective`` subtracts first.
        noise_factor: in (0, 1]; where at most 3 options are left, those are kept, too, whose time
            and cost *times this* are not beaten.
        cost_model: ``exponential`` (least squares) or ``piecewise`` (convex hull, no fit).

    Raises:
        InvalidProfile: a number out of its range, or a name that is none of these.
    """

    unit_time: float
    blocking_power: float = 0.0
    filter: Filter = "effective"
    noise_factor: float = 0.95
    cost_model: CostModelName = "exponential"

    def __post_init__(self) -> None:
        if not (math.isfinite(self.unit_time) and self.unit_time > 0):
            raise InvalidProfile(f"the unit time is {self.unit_time}; expected seconds, above 0")
        if not (math.isfinite(self.blocking_power) and self.blocking_power >= 0):
            raise InvalidProfile(
                f"the blocking power is {self.blocking_power}; expected watts, 0 or more"
            )
        if not 0 < self.noise_factor <= 1:
            raise InvalidProfile(
                f"the noise factor is {self.noise_factor}; expected above 0, up to 1"
            )
        for value, names in ((self.filter, Filter), (self.cost_model, CostModelName)):
            if value not in get_args(names):
                raise InvalidProfile(f"{value!r} is none of {', '.join(get_args(names))}")


@phased("fit")
def stage_specs(
    profile: StageProfile, needs: Iterable[tuple[int, str]], rules: OptionRules
) -> dict[tuple[int, str], OperationSpec[int]]:
    """One spec per (stage, instruction), to be shared by all its micro-batches; knobs are MHz.

    Args:
        profile: the measurements.
        needs: (stage, name such as ``forward``) of what the schedule runs, one at least; see
            `lowtime.perseus.order.PipelineOrder.needs`.
        rules: how measurements become options.

    Raises:
        InvalidProfile: the profile has fewer stages, or lacks one of the instructions; the unit
            time is longer than every option.
        CapacityRange: an option takes more than 2^62 quanta.
    """
    tables = {(stage, name): profile.rows(stage, name) for stage, name in needs}
    slowest = max((row for rows in tables.values() for row in rows), key=lambda row: row.time)
    if 0 < slowest.time < rules.unit_time:
        raise InvalidProfile(
            f"{profile.path}: the unit time {rules.unit_time} s is longer than every option; the"
            f" slowest, on line {slowest.line}, takes {slowest.time} s; use a shorter unit time"
        )
    if quanta(slowest.time, rules.unit_time) > MAX_TOTAL_TIME:
        raise CapacityRange(
            f"{profile.path}, line {slowest.line}: {slowest.time} s are more than 2^62 quanta of"
            f" {rules.unit_time} s; use a longer unit time"
        )
    return {key: _spec(rows, rules) for key, rows in tables.items()}


def _spec(rows: Iterable[Measurement], rules: OptionRules) -> OperationSpec[int]:
    options = [
        ExecutionOption(
            real_time=row.time, unit_time=rules.unit_time, cost=row.energy, knob=row.frequency
        )
        for row in rows
    ]
    if rules.filter == "effective":
        _subtract_blocking(options, rules)
    candidates = CandidateExecutionOptions(options=options)
    if len(candidates.options) < NOISY_BELOW and rules.noise_factor < 1:
        candidates = CandidateExecutionOptions(options=options, noise_factor=rules.noise_factor)
    if rules.filter == "raw":
        _subtract_blocking(candidates.options, rules)
    return OperationSpec(options=candidates, cost_model=_cost_model(candidates, rules.cost_model))


def _subtract_blocking(options: Iterable[ExecutionOption[int]], rules: OptionRules) -> None:
    for option in options:
        option.cost -= rules.blocking_power * (option.quant_time * rules.unit_time)


def _cost_model(candidates: CandidateExecutionOptions[int], name: CostModelName) -> CostModel:
    if name == "piecewise":
        return PiecewiseLinearModel(candidates)
    return ExponentialModel(candidates, search_strategy="best")
