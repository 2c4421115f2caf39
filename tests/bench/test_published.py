"""Time per point of the published versions: set-up apart."""

from __future__ import annotations

from typing import Any

import pytest

from bench import tables
from bench.parts import published
from bench.sample import Sample
from bench.side_by_side import Outcome


def _outcome(name: str, points: int, *seconds: float) -> Outcome:
    return Outcome(name, Sample(seconds), answer=[100.0 + k for k in range(points)])


def _row(*outcomes: Outcome) -> dict[str, Any]:
    return published._row("gpt3-175b", "a40", 96, list(outcomes))


OURS = _outcome("rust", 100, 0.1, 0.1, 0.1)


def test_set_up_is_a_figure_of_its_own() -> None:
    first = _outcome("lowtime 0.3.0, first point", 1, 0.5)
    row = _row(OURS, first, _outcome("lowtime 0.3.0", 11, 2.5, 2.6, 2.4))
    assert list(row["outcomes"]) == ["rust", "lowtime 0.3.0"]
    entry = row["outcomes"]["lowtime 0.3.0"]
    assert entry["first_point"]["median"] == 0.5
    assert entry["seconds_per_point"] == pytest.approx(0.2)
    assert entry["times_slower_per_point"][0] == pytest.approx(200)
    assert row["disagreements"] == []


def test_to_the_end_pays_for_everything() -> None:
    row = _row(OURS, _outcome("lowtime 0.3.0, to the end", 100, 10.0))
    assert row["outcomes"]["lowtime 0.3.0, to the end"]["times_slower_per_point"][0] == 100


def test_no_ratio_without_the_first_point() -> None:
    late = Outcome("lowtime 0.2.0, first point", None, note="out of budget")
    row = _row(OURS, late, _outcome("lowtime 0.2.0", 11, 2.5))
    assert "times_slower_per_point" not in row["outcomes"]["lowtime 0.2.0"]
    text, _ = tables.PARTS["published"]({"rows": [row], "compared": published.COMPARED})
    assert "2.5 s, 1 run" in text


def test_other_costs_are_found() -> None:
    other = Outcome("lowtime 0.3.0, to the end", Sample((1.0,)), answer=[1.0])
    assert _row(OURS, other)["disagreements"]
