"""A missing browser fails where it is required, and is told of elsewhere."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(("required", "code", "told"), [("1", 1, "1 error"), ("", 0, "1 skipped")])
def test_a_missing_browser(tmp_path: Path, required: str, code: int, told: str) -> None:
    environment = os.environ | {"PATH": str(tmp_path), "LOWTIME_REQUIRE_BROWSER": required}
    environment.pop("LOWTIME_BROWSER", None)
    one_test = "tests/report/test_general_dag.py::test_a_project_of_dummies_can_be_shown"
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-rs", "-p", "no:cacheprovider", one_test],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == code, ran.stdout
    assert told in ran.stdout
    assert "apt-get install chromium" in ran.stdout
