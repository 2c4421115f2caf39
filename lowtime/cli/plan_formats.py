"""Plans of a pipeline as text: a table for people, JSON and CSV for programs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from lowtime.cli.aligned import aligned
from lowtime.cli.energy import digits

if TYPE_CHECKING:
    from lowtime.frontier.plan import Plan


@dataclass(frozen=True, slots=True)
class PricedPlan:
    """A plan and what it costs in energy.

    Attributes:
        plan: its nodes are ``(stage, instruction, micro-batch)``, its knobs MHz.
        blocking_energy: stages x time x blocking power, joules.
        fastest_energy: energy of the shortest schedule, joules.
    """

    plan: Plan
    blocking_energy: float
    fastest_energy: float

    @property
    def energy(self) -> float:
        """Energy by the cost models, joules."""
        return self.plan.cost + self.blocking_energy

    @property
    def measured_energy(self) -> float:
        """Energy by the measurements of the frequencies chosen, joules."""
        return self.plan.measured_cost + self.blocking_energy

    @property
    def saving(self) -> float:
        """Energy saved against the shortest schedule, per cent."""
        return 100 * (1 - self.energy / self.fastest_energy) if self.fastest_energy else 0.0

    def totals(self) -> dict[str, float]:
        """Point of the frontier, time (s), energies and costs (J)."""
        return {
            "point": self.plan.index,
            "time": self.plan.time,
            "energy": self.energy,
            "measured_energy": self.measured_energy,
            "cost": self.plan.cost,
            "measured_cost": self.plan.measured_cost,
        }

    def operations(self) -> list[dict[str, Any]]:
        """Every operation, by stage and start: stage, instruction, ..., start and duration (s)."""
        plan = self.plan
        critical = set(plan.critical)
        rows: list[dict[str, Any]] = []
        for node, frequency in plan.knobs.items():
            assert isinstance(node, tuple)  # as `pipeline_dag` names them
            rows.append(
                {
                    **dict(zip(("stage", "instruction", "microbatch"), node, strict=True)),
                    "frequency": frequency,
                    "start": plan.start_times[node],
                    "duration": plan.durations[node],
                    "critical": node in critical,
                }
            )
        # Stable: operations without a duration keep the order in which the stage runs them.
        return sorted(rows, key=lambda row: (row["stage"], row["start"]))


def as_json(plans: Sequence[PricedPlan]) -> str:
    """A list of plans with their operations."""
    listed = [{**priced.totals(), "operations": priced.operations()} for priced in plans]
    return json.dumps(listed, indent=1, allow_nan=False) + "\n"


def as_csv(plans: Sequence[PricedPlan]) -> str:
    """One line per plan and operation; the plan's totals stand on each."""
    text = io.StringIO()
    rows = [{**priced.totals(), **row} for priced in plans for row in priced.operations()]
    writer = csv.DictWriter(text, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def as_table(plans: Sequence[PricedPlan]) -> str:
    """Totals of every plan; for a single one, also the frequencies of every stage in order."""
    columns = ("point", "time [s]", "energy [J]", "measured [J]", "saving [%]")
    lines = [
        (
            f"{priced.plan.index}",
            f"{priced.plan.time:.6g}",
            digits(priced.energy),
            digits(priced.measured_energy),
            f"{priced.saving:.2f}",
        )
        for priced in plans
    ]
    text = aligned(columns, lines)
    if len(plans) == 1:
        text += "\n" + aligned(("stage", "instruction", "MHz x passes"), _runs(plans[0]))
    return text


def _runs(priced: PricedPlan) -> list[tuple[str, ...]]:
    """Runs of equal frequency per stage and instruction: ``1410 x3, 1395 x9``."""
    lanes: dict[tuple[int, str], list[int]] = {}
    for row in priced.operations():
        lanes.setdefault((row["stage"], row["instruction"]), []).append(row["frequency"])
    return [
        (
            f"{stage}",
            instruction,
            ", ".join(f"{mhz} x{len(list(run))}" for mhz, run in groupby(frequencies)),
        )
        for (stage, instruction), frequencies in lanes.items()
    ]


FORMATS: Mapping[str, Callable[[Sequence[PricedPlan]], str]] = {
    "table": as_table,
    "json": as_json,
    "csv": as_csv,
}
