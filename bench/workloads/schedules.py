"""Every schedule that `lowtime.perseus` offers, on the measured profile of GPT-3 on A100."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import networkx as nx

from bench.workloads.published import DEVICES, STAGES, profile_path
from bench.workloads.workload import Workload
from lowtime.perseus.order import PipelineOrder
from lowtime.perseus.pipeline import pipeline_dag
from lowtime.perseus.schedules import schedule_named, schedule_names
from lowtime.perseus.stage_profile import Measurement, StageProfile
from lowtime.perseus.stage_specs import OptionRules, stage_specs

FILES = sorted((Path(__file__).parents[2] / "tests/data/schedules").glob("*.csv"))
# What the profile did not measure, as a share of what it did. Made up, and said so in the report.
SHARES = {
    "recompute": ("forward", 1.0),
    "input_grad": ("backward", 0.5),
    "weight_grad": ("backward", 0.5),
}


def schedule_dag(name: str, microbatches: int) -> nx.DiGraph[Any]:
    """One iteration under a schedule, on 8 stages."""
    return _dag(schedule_named(name).order(STAGES, microbatches))


def file_dag(number: int) -> nx.DiGraph[Any]:
    """One iteration under a schedule that PyTorch wrote; the file says stages and micro-batches."""
    schedule = schedule_named(FILES[number])
    assert schedule.shape is not None
    return _dag(schedule.order(*schedule.shape))


def _dag(order: PipelineOrder) -> nx.DiGraph[Any]:
    measured = StageProfile.read(profile_path("gpt3-175b", "a100_sxm"))
    tables = dict(measured.tables)
    for action, (source, share) in SHARES.items():
        for stage in range(measured.num_stages):
            tables[stage, action] = tuple(
                Measurement(
                    row.line, stage, action, row.frequency, row.time * share, row.energy * share
                )
                for row in measured.rows(stage, source)
            )
    profile = StageProfile(measured.path, tables, measured.num_stages)
    rules = OptionRules(*DEVICES["a100_sxm"], filter="raw", noise_factor=0.95)
    return pipeline_dag(order, stage_specs(profile, order.needs, rules))


SCHEDULES = tuple(
    Workload(
        f"pipeline_{name.replace('-', '_')}",
        "project",
        "micro-batches",
        (12, 96),
        8,
        partial(schedule_dag, name),
    )
    for name in schedule_names()
)
SCHEDULE_FILES = Workload(
    "pipeline_file",
    "project",
    "file",
    tuple(range(len(FILES))),
    0,
    file_dag,
    missing="" if FILES else "no schedule files in tests/data",
)
