"""The backend keeps lowtime's contract, check by check."""

from __future__ import annotations

from typing import Any

from lowtime.conformance import parametrize_with_checks


@parametrize_with_checks(["ortools"], suite="1.0")
def test_conformance(backend: str, check: Any) -> None:
    check(backend)
