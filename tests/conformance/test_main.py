"""The suite from the command line."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from lowtime.cli.program import main as lowtime_main
from lowtime.conformance.__main__ import main

BAD = "lowtime.conformance.known_bad.arithmetic:WrappedTotal"


def test_exit_code_says_whether_it_conforms(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lowtime.conformance.honest:HonestBackend", "--level", "limits"]) == 0
    assert "conforms to suite 1.0 at limits" in capsys.readouterr().out
    assert main([BAD, "--level", "limits"]) == 1
    assert "largest_total" in capsys.readouterr().out


def test_a_missing_backend_is_a_user_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["no-such-backend"]) == 2
    assert "no-such-backend" in capsys.readouterr().err


@pytest.mark.parametrize("limit", ["nan", "inf", "1e300", "0", "-1"])
def test_a_time_limit_that_is_none_was_a_traceback_or_a_failed_backend(
    limit: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["scipy", "--time-limit", limit]) == 2
    assert "expected seconds above 0, 1e+06 at most" in capsys.readouterr().err
    monkeypatch.setattr(sys, "argv", ["lowtime", "conformance", "scipy", "--time-limit", limit])
    assert lowtime_main() == 2
    assert "expected seconds above 0, 1e+06 at most" in capsys.readouterr().err


def test_report_is_written(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    assert main([BAD, "--level", "limits", "--json", str(file)]) == 1
    assert json.loads(file.read_text())["conforms"] is False


def test_the_lowtime_command_does_the_same(tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from lowtime.cli.program import _program

    file = tmp_path / "report.json"
    options = ["--level", "limits", "--json", str(file)]
    bad = CliRunner().invoke(_program, ["conformance", BAD, *options])
    assert bad.exit_code == 1
    assert "catches: A total at the declared limit" in bad.output
    assert json.loads(file.read_text())["requested"] == "limits"
    good = CliRunner().invoke(
        _program, ["conformance", "lowtime.conformance.honest:HonestBackend", *options]
    )
    assert good.exit_code == 0
    assert json.loads(file.read_text())["conforms"] is True
    unknown = CliRunner().invoke(_program, ["conformance", BAD, "--suite", "0.1"])
    assert unknown.exit_code == 2
