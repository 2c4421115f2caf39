"""Every code block of the documentation does what it says, page by page, in order."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
# The guide is a session of its own, with installations: tests/test_scaffold.py walks through it.
WALKED_ELSEWHERE = {"how-to/add-a-backend.md", "compatibility.md"}
GENERATED = {
    "reference/command-line.md",
    "reference/conformance.md",
    "reference/backend-protocol.md",
}
PAGES = sorted(
    path.relative_to(DOCS).as_posix()
    for path in DOCS.rglob("*.md")
    if path.relative_to(DOCS).as_posix() not in WALKED_ELSEWHERE | GENERATED
)
FENCE = re.compile(r'(?ms)^```(\w*)(?: title="([^"]+)")?\n(.*?)^```$')


@dataclass(frozen=True)
class Block:
    """A fenced block: its kind, the file it stands for, its text, its line."""

    kind: str
    title: str
    text: str
    line: int


def blocks_of(page: str) -> list[Block]:
    text = (DOCS / page).read_text(encoding="utf-8")
    found = [
        Block(match[1], match[2] or "", match[3], text[: match.start()].count("\n") + 1)
        for match in FENCE.finditer(text)
    ]
    assert text.count("```") == 2 * len(found), "a fence of a form that is not tested"
    return found


def run_python(block: Block, page: str, names: dict[str, object]) -> str:
    printed = io.StringIO()
    code = compile("\n" * block.line + block.text, f"docs/{page}", "exec")
    with contextlib.redirect_stdout(printed):
        exec(code, names)
    return printed.getvalue()


def runnable(line: str) -> str:
    """The line as the tests can afford it: make only plans, benchmarks only say what they take."""
    if line.startswith("make "):
        return f"make -n -C {shlex.quote(str(ROOT))} {line.removeprefix('make ')}"
    if line.startswith("python -m bench"):
        program = " ".join(line.split()[:3])
        return f"(cd {shlex.quote(str(ROOT))} && {program} --help)"
    return line


def run_shell(block: Block) -> str:
    programs = sysconfig.get_path("scripts")
    environment = os.environ | {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "COLUMNS": "120",
    }
    ran = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", "\n".join(map(runnable, block.text.splitlines()))],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_pages_are_found() -> None:
    assert {"index.md", "tutorial.md", "how-to/read-a-frontier.md"} <= set(PAGES)
    assert sum(len(blocks_of(page)) for page in PAGES) > 50


@pytest.mark.parametrize("page", PAGES)
def test_blocks_run_and_print_what_stands_below_them(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LOWTIME_BACKEND", raising=False)
    monkeypatch.setattr(sys, "argv", ["docs"])
    names: dict[str, object] = {"__name__": "docs"}
    printed: str | None = None
    for block in blocks_of(page):
        where = f"docs/{page}:{block.line}"
        if block.kind == "text":
            assert printed is not None, f"{where}: nothing ran that could have printed this"
            assert printed == block.text, where
            printed = None
        elif block.kind == "csv":
            (tmp_path / block.title).write_text(block.text, encoding="utf-8")
        elif block.kind == "python":
            printed = run_python(block, page, names)
        elif block.kind == "sh":
            printed = run_shell(block)
        else:
            pytest.fail(f"{where}: a block of kind {block.kind!r}, which no test runs")
