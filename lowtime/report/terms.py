"""What the numbers of a frontier mean to its readers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Terms:
    """The words and units of a report, and what waiting costs.

    Attributes:
        cost: what a cost is, e.g. ``"energy"``.
        cost_unit: its unit, e.g. ``"J"``; empty for none.
        knob: what a knob is.
        knob_unit: its unit.
        lane: what a lane of the timeline is.
        devices: lanes that draw ``blocking_power`` from start to end; 0 where waiting is free.
        blocking_power: cost per second of a waiting device; it was subtracted from the options.
    """

    cost: str = "cost"
    cost_unit: str = ""
    knob: str = "knob"
    knob_unit: str = ""
    lane: str = "lane"
    devices: int = 0
    blocking_power: float = 0.0

    @classmethod
    def pipeline(cls, stages: int, blocking_power: float) -> Terms:
        """The terms of a training pipeline: joules, megahertz, stages."""
        return cls("energy", "J", "frequency", "MHz", "stage", stages, blocking_power)

    @property
    def overhead_per_second(self) -> float:
        """What every second of the project costs on top of its operations."""
        return self.devices * self.blocking_power
