"""``lowtime conformance``."""

from __future__ import annotations

import subprocess
import sysconfig
from pathlib import Path

import pytest

from .conftest import Lowtime


def test_a_module_in_the_current_folder_was_not_found(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from lowtime.conformance.honest import HonestBackend as Mine\n"
    )
    program = Path(sysconfig.get_path("scripts")) / "lowtime"  # python -m finds it by itself
    ran = subprocess.run(
        [program, "conformance", "mine:Mine", "--level", "limits"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr


def test_a_missing_module_did_not_say_where_it_was_looked_for(
    lowtime: Lowtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)  # which is taken off again
    monkeypatch.chdir(tmp_path)
    for reference in ("missing_one:Mine", "missing_one.part:Mine", ":Mine"):
        ran = lowtime("conformance", reference)
        assert ran.code == 2
        assert f"in the current folder, {tmp_path}, nor elsewhere" in ran.err
        assert ran.err.count("\n") == 1
