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
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
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


def browser_path() -> str | None:
    """The browser that LOWTIME_BROWSER names, or one that is installed."""
    named = os.environ.get("LOWTIME_BROWSER")
    return named or next((found for name in BROWSERS if (found := shutil.which(name))), None)


def browser_required() -> bool:
    """Whether a missing browser is a failure: CI sets LOWTIME_REQUIRE_BROWSER=1."""
    return os.environ.get("LOWTIME_REQUIRE_BROWSER", "") not in ("", "0")


def pytest_report_header() -> list[str]:
    """What a green run stands for."""
    browser = browser_path() or "none: tests of the report's page are skipped"
    if browser_required():
        browser = f"{browser_path() or 'missing'} (required)"
    return [f"required backends: {', '.join(required_backends())}", f"browser: {browser}"]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests that take ``backend_name`` once per required backend; a missing one fails."""
    if "backend_name" in metafunc.fixturenames:
        metafunc.parametrize("backend_name", required_backends())
