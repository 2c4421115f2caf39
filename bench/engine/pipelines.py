"""1F1B pipelines of measured models, compiled: what the engine gets."""

from __future__ import annotations

from pathlib import Path

from lowtime.network.activity import ActivityNetwork
from lowtime.network.project import Project
from lowtime.perseus.pipeline import pipeline_dag
from lowtime.perseus.schedules import schedule_named
from lowtime.perseus.stage_profile import StageProfile
from lowtime.perseus.stage_specs import CostModelName, OptionRules, stage_specs

PROFILES = Path(__file__).parents[2] / "tests" / "data" / "sosp24" / "stage_profile"
BLOCKING_POWER = {"a100_sxm": 83.64, "a40": 70.38}  # watts, as published


def pipeline_network(
    model: str,
    device: str,
    stages: int,
    microbatches: int,
    unit_time: float,
    cost_model: CostModelName = "exponential",
) -> ActivityNetwork:
    """The network of one training iteration; more stages than measured repeat the measured ones.

    Args:
        model: ``gpt3-175b`` or ``bloom``.
        device: ``a100_sxm`` or ``a40``.
        stages: stages of the pipeline.
        microbatches: micro-batches per iteration.
        unit_time: seconds per quantum.
        cost_model: ``exponential`` or ``piecewise``.
    """
    profile = StageProfile.read(PROFILES / f"{model}+{device}_bf16.csv")
    rules = OptionRules(unit_time, BLOCKING_POWER[device], "raw", cost_model=cost_model)
    measured = profile.num_stages
    order = schedule_named("1f1b").order(stages, microbatches)
    needs = {(stage * measured // stages, name) for stage, name in order.needs}
    specs = stage_specs(profile, sorted(needs), rules)
    spread = {(s, name): specs[s * measured // stages, name] for s, name in order.needs}
    return Project.from_dag(pipeline_dag(order, spread)).network
