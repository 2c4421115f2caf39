"""The native distribution, where a test run requires it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest


@pytest.fixture(scope="session")
def native(required: frozenset[str]) -> Any:
    """The package `lowtime_rust`; where it is required, a missing one fails."""
    if "rust" not in required:
        pytest.skip("this run does not require the native backends (no cargo)")
    return import_module("lowtime_rust")
