"""Races without those who are out of reach, judging by a smaller input of the same family."""

from __future__ import annotations

from collections.abc import Iterable

from bench.pool import NO_ANSWER, Contestant, Pool
from bench.side_by_side import RUNS, Outcome, race

POWER = 0.8  # seconds ~ arcs^POWER: next to nobody grows more slowly


class Reach:
    """What is known of everybody in every family.

    Args:
        patience: seconds that one call may take.
    """

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._known: dict[tuple[str, str], tuple[int, float]] = {}

    def race(
        self,
        pool: Pool,
        contestants: Iterable[Contestant],
        family: str,
        arcs: int,
        *,
        runs: int = RUNS,
        budget: float = float("inf"),
    ) -> list[Outcome]:
        """As `bench.side_by_side.race`; who is out of reach comes last, with a note."""
        entering, beyond = [], []
        for one in contestants:
            known, seconds = self._known.get((family, one.name), (arcs, 0.0))
            if arcs > known and seconds * (arcs / known) ** POWER > self._patience:
                note = f"over {self._patience:.0f} s, judging by {known:,} arcs"
                beyond.append(Outcome(one.name, None, note=note))
            else:
                entering.append(one)
        raced = race(pool, entering, runs=runs, patience=self._patience, budget=budget)
        for outcome in raced:
            if outcome.sample is not None:
                self._known[family, outcome.name] = arcs, outcome.sample.median
            elif outcome.note.startswith(NO_ANSWER):
                self._known[family, outcome.name] = arcs, self._patience
        return [*raced, *beyond]
