"""The frontiers published with Perseus (SOSP 2024), and ours made in the same way."""

from __future__ import annotations

import gzip
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from lowtime.cost_model import ExponentialModel
from lowtime.frontier.frontier import Frontier
from lowtime.frontier.solve import solve
from lowtime.perseus.pipeline import pipeline_dag
from lowtime.perseus.schedules import schedule_named
from lowtime.perseus.stage_profile import StageProfile
from lowtime.perseus.stage_specs import OptionRules, stage_specs

STAGES = 8
PUBLISHED_FITS = Path(__file__).parents[1] / "tests/data/sosp24/published_fit"

Fit = Literal["published", "own"]


@dataclass(frozen=True, slots=True)
class Device:
    """How a device's frontiers were made, and how far exact ones may be from them.

    Attributes:
        unit_time: seconds per quantum.
        blocking_power: watts.
        tolerance: relative distance of energies allowed, by fit. The published optimizer rounds
            marginal costs to 1e-6; its fits are not quite the best.
    """

    unit_time: float
    blocking_power: float
    tolerance: dict[Fit, float]


DEVICES = {
    "a100_sxm": Device(1e-3, 83.64, {"published": 2e-9, "own": 1e-8}),
    "a40": Device(1e-4, 70.38, {"published": 3e-6, "own": 1e-5}),
}


@dataclass(frozen=True, slots=True)
class Curve:
    """One published frontier, by its place in a folder laid out as the artifact's."""

    folder: Path
    device: str
    model: str
    microbatches: int

    def __str__(self) -> str:
        return f"{self.device}/{self.model}-mb{self.microbatches}"

    def points(self) -> NDArray[np.float64]:
        """float64[k, 2]: time (s), energy (J); from one quantum below the longest schedule down."""
        name = f"{self.model}_bf16_mb{self.microbatches}.csv.gz"
        with gzip.open(self.folder / "frontier" / self.device / name, "rt") as file:
            return np.loadtxt(file, delimiter=",", skiprows=1, ndmin=2)

    def solve(self, backend: str, fit: Fit) -> Frontier:
        """Our frontier of the same pipeline."""
        device = DEVICES[self.device]
        name = f"{self.model}+{self.device}_bf16"
        profile = StageProfile.read(self.folder / "stage_profile" / f"{name}.csv")
        rules = OptionRules(device.unit_time, device.blocking_power, "raw", noise_factor=0.95)
        order = schedule_named("1f1b").order(STAGES, self.microbatches)
        specs = stage_specs(profile, order.needs, rules)
        if fit == "published":
            fitted = json.loads((PUBLISHED_FITS / f"{name}.json").read_text(encoding="utf-8"))
            for (stage, instruction), spec in specs.items():
                assert isinstance(spec.cost_model, ExponentialModel)
                spec.cost_model.coefficients = tuple(fitted[f"{stage}/{instruction}"])
        return solve(pipeline_dag(order, specs), backend=backend)

    def distance(self, frontier: Frontier) -> float:
        """Largest relative distance between the energies of two frontiers of the same times.

        Ours starts at the longest schedule, the published one quantum below.

        Raises:
            ValueError: the times differ.
        """
        times, energies = self.points().T
        if not np.array_equal(times, frontier.times[1:]):
            raise ValueError(
                f"{self}: published {len(times)} points, {times[0]} to {times[-1]} s; ours are"
                f" {len(frontier) - 1}, {frontier.times[1]} to {frontier.times[-1]} s"
            )
        ours = frontier.costs + STAGES * frontier.times * DEVICES[self.device].blocking_power
        return float(np.max(np.abs(ours[1:] - energies) / energies))


def find_curves(folder: Path) -> list[Curve]:
    """The published curves in a folder, the short ones first."""
    curves = []
    for path in folder.glob("frontier/*/*.csv.gz"):
        found = re.fullmatch(r"(.+)_bf16_mb(\d+)\.csv\.gz", path.name)
        if found:
            curves.append(Curve(folder, path.parent.name, found[1], int(found[2])))
    return sorted(curves, key=lambda curve: (curve.device, curve.microbatches, curve.model))
