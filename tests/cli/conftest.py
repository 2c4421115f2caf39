"""The command run in this process, and a small profile for it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from lowtime.cli import main

PROFILE = """\
stage,instruction,frequency,time,energy
0,forward,1400,0.10,30
0,forward,1200,0.12,25
0,forward,1000,0.15,22
0,backward,1400,0.20,60
0,backward,1200,0.23,52
0,backward,1000,0.29,47
1,forward,1400,0.11,33
1,forward,1200,0.13,27
1,forward,1000,0.16,24
1,backward,1400,0.21,66
1,backward,1200,0.25,55
1,backward,1000,0.31,49
"""


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str


Lowtime = Callable[..., Ran]


@pytest.fixture
def lowtime(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Lowtime:
    """Run ``lowtime ARGUMENTS``."""

    def run(*arguments: object) -> Ran:
        monkeypatch.setattr(sys, "argv", ["lowtime", *map(str, arguments)])
        capsys.readouterr()
        code = main()
        printed = capsys.readouterr()
        return Ran(code, printed.out, printed.err)

    return run


@pytest.fixture
def profile(tmp_path: Path) -> Path:
    """A profile of two stages with three clocks."""
    path = tmp_path / "profile.csv"
    path.write_text(PROFILE, encoding="utf-8")
    return path


@pytest.fixture
def options(profile: Path) -> tuple[object, ...]:
    """What `lowtime pipeline` needs, all but the output folder."""
    return ("pipeline", profile, "--microbatches", 3, "--unit-time", 0.01)
