"""Published frontiers, point for point."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from bench.published_curves import DEVICES, Curve, Fit

DATA = Path(__file__).parent / "data/sosp24"
A100 = Curve(DATA, "a100_sxm", "gpt3-175b", 12)
A40 = Curve(DATA, "a40", "gpt3-175b", 96)


@cache
def _plans_through_scipy(fit: Fit) -> str:
    return A100.solve("scipy", fit).digest()


@pytest.mark.parametrize("fit", ["published", "own"])
def test_a100_with_12_microbatches_through_every_backend(backend_name: str, fit: Fit) -> None:
    frontier = A100.solve(backend_name, fit)
    assert A100.distance(frontier) <= DEVICES["a100_sxm"].tolerance[fit]
    assert frontier.digest() == _plans_through_scipy(fit)


@pytest.mark.parametrize("fit", ["published", "own"])
def test_a40_with_96_microbatches_through_rust(required: frozenset[str], fit: Fit) -> None:
    if "rust" not in required:
        pytest.skip("rust is not required here")
    assert A40.distance(A40.solve("rust", fit)) <= DEVICES["a40"].tolerance[fit]
