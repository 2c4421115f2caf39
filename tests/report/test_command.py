"""``lowtime report`` and what it says to wrong input."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from lowtime.cli import main

from .conftest import Pipeline


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    def call(*arguments: object) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["lowtime", "report", *map(str, arguments)])
        capsys.readouterr()
        code = main()
        return code, capsys.readouterr().err

    return call


def test_a_missing_folder_is_named(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    code, error = run(tmp_path / "nowhere", "-o", tmp_path / "report.html")
    assert (code, str(tmp_path / "nowhere") in error) == (2, True)
    assert list(tmp_path.iterdir()) == []


def test_a_page_that_exists_is_kept(run, pipeline: Pipeline, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "report.html").write_text("mine")
    code, error = run(pipeline.folder, "-o", tmp_path / "report.html")
    assert (code, "exists already" in error) == (2, True)
    assert (tmp_path / "report.html").read_text() == "mine"


@pytest.mark.parametrize("lanes", ["machine", "-1", "9"])
def test_lanes_that_are_not_there_are_refused(  # type: ignore[no-untyped-def]
    run, pipeline: Pipeline, tmp_path: Path, lanes: str
) -> None:
    code, error = run(pipeline.folder, "-o", tmp_path / "report.html", f"--lanes={lanes}")
    assert code == 2
    assert "lane" in error
    assert list(tmp_path.iterdir()) == []


def test_lanes_can_be_packed(run, pipeline: Pipeline, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    code, _ = run(pipeline.folder, "-o", tmp_path / "report.html", "--lanes", "packed")
    assert code == 0
