"""The measured profiles of GPT-3 175B and BLOOM 176B, under 1F1B."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

import networkx as nx

import lowtime
from bench.workloads.workload import Workload
from lowtime.operation import OperationSpec
from lowtime.perseus.pipeline import pipeline_dag
from lowtime.perseus.schedules import schedule_named
from lowtime.perseus.stage_profile import StageProfile
from lowtime.perseus.stage_specs import CostModelName, OptionRules, stage_specs

STAGES = 8
DEVICES = {"a100_sxm": (1e-3, 83.64), "a40": (1e-4, 70.38)}  # unit time, s; blocking power, W
MODELS = ("gpt3-175b", "bloom")
MICROBATCHES = (12, 24, 48, 96)
DATA = Path(__file__).parents[2] / "tests/data/sosp24/stage_profile"
SHIPPED = Path(lowtime.__file__).parent / "data/gpt3-175b_a100.csv"


def profile_path(model: str, device: str) -> Path:
    """The profile's file: of the tests, or, for GPT-3 on A100, the one that ships."""
    path = DATA / f"{model}+{device}_bf16.csv"
    return path if path.exists() or (model, device) != ("gpt3-175b", "a100_sxm") else SHIPPED


@cache
def specs_of(
    model: str, device: str, unit_time: float, cost_model: CostModelName
) -> Mapping[tuple[int, str], OperationSpec[int]]:
    """The specs of a profile, as its authors filtered it."""
    rules = OptionRules(unit_time, DEVICES[device][1], filter="raw", cost_model=cost_model)
    profile = StageProfile.read(profile_path(model, device))
    return stage_specs(profile, schedule_named("1f1b").order(STAGES, 1).needs, rules)


def published_dag(
    model: str,
    device: str,
    microbatches: int,
    *,
    stages: int = STAGES,
    unit_time: float | None = None,
    cost_model: CostModelName = "exponential",
) -> nx.DiGraph[Any]:
    """One training iteration under 1F1B; the operations are fresh, the specs shared.

    Args:
        model: one of `MODELS`.
        device: one of `DEVICES`.
        microbatches: of the iteration.
        stages: of the pipeline; where they are more than the measured 8, these are repeated.
        unit_time: seconds of a quantum; the device's if None.
        cost_model: how costs between the options are made.
    """
    specs = specs_of(model, device, unit_time or DEVICES[device][0], cost_model)
    order = schedule_named("1f1b").order(stages, microbatches)
    spread = {(stage, name): specs[stage * STAGES // stages, name] for stage, name in order.needs}
    return pipeline_dag(order, spread)


PUBLISHED = tuple(
    Workload(
        f"pipeline_{model.split('-')[0]}_{device.split('_')[0]}",
        "project",
        "micro-batches",
        MICROBATCHES,
        2,
        partial(published_dag, model, device),
        missing=""
        if profile_path(model, device).exists()
        else f"no profile of {model} on {device}",
    )
    for model in MODELS
    for device in DEVICES
)
