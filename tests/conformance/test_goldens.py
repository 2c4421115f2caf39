"""Stored answers are the answers to the instances that are made today."""

from __future__ import annotations

import pytest

from lowtime.conformance import goldens
from lowtime.conformance.goldens import SEEDS, computed_goldens, golden, stored_goldens
from lowtime.conformance.instances import FAMILIES
from lowtime.conformance.reference import cheapest_cut_by_enumeration
from lowtime.conformance.registry import CheckFailed


def test_stored_goldens_are_what_the_reference_finds() -> None:
    assert stored_goldens() == computed_goldens()
    assert SEEDS.keys() == FAMILIES.keys()


def test_tiny_goldens_are_what_trying_every_cut_finds() -> None:
    for seed in range(SEEDS["tiny"]):
        network, expected = golden("tiny", seed)
        value, side = cheapest_cut_by_enumeration(network)
        assert (value, tuple(side)) == (expected.value, expected.source_side)


def test_an_instance_that_drifted_is_no_golden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(goldens.FAMILIES, "tiny", FAMILIES["sparse"])
    with pytest.raises(CheckFailed, match="generator changed"):
        golden("tiny", 0)


def test_goldens_are_made_afresh() -> None:
    first, _ = golden("grid", 0)
    second, _ = golden("grid", 0)
    assert first is not second
    assert first.capacity is not second.capacity
