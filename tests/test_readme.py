"""Every code block of the README does what it says."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS: list[tuple[str, str]] = re.findall(r"(?ms)^```(\w*)\n(.*?)^```$", README)


def test_every_block_is_of_a_kind_that_is_run_here() -> None:
    assert {kind for kind, _ in BLOCKS} == {"python", "sh", "text"}


def test_python_blocks_print_what_stands_below_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LOWTIME_BACKEND", raising=False)
    printed = io.StringIO()
    names: dict[str, object] = {}  # later blocks go on with the names of earlier ones
    with contextlib.redirect_stdout(printed):
        for kind, code in BLOCKS:
            if kind == "python":
                exec(compile(code, "README.md", "exec"), names)
    assert printed.getvalue() == "".join(text for kind, text in BLOCKS if kind == "text")


def test_shell_blocks_run(tmp_path: Path) -> None:
    (tmp_path / "lowtime").symlink_to(ROOT / "lowtime")
    for kind, code in BLOCKS:
        if kind != "sh":
            continue
        for line in code.splitlines():
            program, *arguments = shlex.split(line)
            if program == "make":  # these run the tests themselves, or before them
                subprocess.run(
                    ["make", "-n", *arguments], cwd=ROOT, check=True, capture_output=True
                )
            else:
                assert program == "lowtime"
                command = [sys.executable, "-m", "lowtime", *arguments]
                subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / "plans.json").exists()


@pytest.mark.parametrize("target", re.findall(r"\]\(([^)]+)\)", README))
def test_links_lead_somewhere(target: str) -> None:
    assert (ROOT / target).exists()
