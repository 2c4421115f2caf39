"""The program around its subcommands."""

from __future__ import annotations

from pathlib import Path

import pytest

from lowtime.cli.program import SUBCOMMANDS

from .conftest import Lowtime


@pytest.mark.parametrize("width", ["60", "80", "200"])
def test_help_cut_the_summaries_of_commands(
    lowtime: Lowtime, width: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    ran = lowtime("--help")
    assert "..." not in ran.out.partition("Commands:")[2]
    listed = " ".join(ran.out.split())
    for name in SUBCOMMANDS:
        own = " ".join(lowtime(name, "--help").out.split())
        summary = own.partition("{")[2].partition("} ")[2] or own.partition("[OPTIONS] ")[2]
        summary = summary.partition(" Arguments:")[0].partition(" Options:")[0]
        assert len(summary) > 30
        assert f" {name} {summary.rstrip('.')}" in listed


def test_one_point_and_one_plan_were_plural(lowtime: Lowtime, tmp_path: Path) -> None:
    profile = tmp_path / "one.csv"
    profile.write_text(
        "stage,instruction,frequency,time,energy\n0,forward,9,0.1,3\n0,backward,9,0.2,6\n"
    )
    folder = tmp_path / "out"
    made = lowtime("pipeline", profile, "--microbatches", 1, "--unit-time", 0.1, "--output", folder)
    assert made.out.startswith("1 point through ")
    stored = ("--all", "--format", "json", "--output", tmp_path / "all.json")
    assert lowtime("plan", folder, *stored).err.startswith("1 plan in ")
    page = lowtime("report", folder, "--output", tmp_path / "page.html")
    assert "page.html: 1 plan, " in page.out
