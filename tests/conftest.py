"""Which backends a test run requires, and the parameter that runs a test through each of them."""

from __future__ import annotations

import os
import shutil

import pytest
from hypothesis import settings

# A deadline is an assertion on wall-clock time.
settings.register_profile("lowtime", deadline=None)
settings.load_profile("lowtime")

PURE = ("networkx", "scipy", "igraph")
NATIVE = ("rust", "rust-ek-sparse", "rust-ek-dense")


def required_backends() -> tuple[str, ...]:
    """The names in LOWTIME_REQUIRE_BACKENDS, or else every backend whose tools exist here."""
    named = os.environ.get("LOWTIME_REQUIRE_BACKENDS", "")
    if named:
        return tuple(name.strip() for name in named.split(",") if name.strip())
    return PURE + (NATIVE if shutil.which("cargo") else ())


@pytest.fixture(scope="session")
def required() -> frozenset[str]:
    """The backends that must work here; skip what asks for another one, never one of these."""
    return frozenset(required_backends())


def pytest_report_header() -> str:
    """One line that says what a green run stands for."""
    return f"required backends: {', '.join(required_backends())}"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests that take ``backend_name`` once per required backend; a missing one fails."""
    if "backend_name" in metafunc.fixturenames:
        metafunc.parametrize("backend_name", required_backends())
