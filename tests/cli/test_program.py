"""The program around its subcommands."""

from __future__ import annotations

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
