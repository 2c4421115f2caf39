"""Figures about speed come from the report of the benchmarks, and from nowhere else."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def speed_figures() -> ModuleType:
    """The script."""
    script = ROOT / "docs/generate/speed_figures.py"
    spec = importlib.util.spec_from_file_location("speed_figures", script)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_pages_say_what_the_report_says(speed_figures: ModuleType) -> None:
    assert speed_figures.main(["--check"]) == 0


def test_blocks_are_written_anew(speed_figures: ModuleType) -> None:
    report = json.loads((speed_figures.REPORT / "report.json").read_text())
    page = "before\n<!-- speed: ranking -->\nold\n<!-- end of speed -->\nafter\n"
    once = speed_figures.filled(page, report)
    assert "old" not in once
    assert "`auto`" in once
    assert once.startswith("before\n")
    assert once.endswith("after\n")
    assert speed_figures.filled(once, report) == once


def test_unknown_block_is_an_error(speed_figures: ModuleType) -> None:
    with pytest.raises(KeyError):
        speed_figures.filled("<!-- speed: nosuch -->\n<!-- end of speed -->", {})


def test_every_block_is_used(speed_figures: ModuleType) -> None:
    text = "".join((ROOT / page).read_text() for page in speed_figures.PAGES)
    for name in speed_figures.BLOCKS:
        assert f"<!-- speed: {name} -->" in text
