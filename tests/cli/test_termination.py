"""The end of a command by SIGTERM."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lowtime.whole_file import whole_file

from .conftest import Lowtime

# Sends SIGTERM while the frontier is written, and once more while that is cleaned up.
TERMINATED_TWICE = """
import os, shutil, signal, sys
from lowtime.cli import main
from lowtime.frontier.frontier import Frontier

def terminated(frontier, path):
    path.write_bytes(b"half a frontier")
    os.kill(os.getpid(), signal.SIGTERM)

def removed(*arguments, **keywords):
    os.kill(os.getpid(), signal.SIGTERM)
    remove(*arguments, **keywords)

remove, shutil.rmtree = shutil.rmtree, removed
Frontier.save = terminated
sys.exit(main())
"""


def test_sigterm_left_a_hidden_folder(options: tuple[object, ...], tmp_path: Path) -> None:
    command = [sys.executable, "-c", TERMINATED_TWICE, *map(str, options)]
    ran = subprocess.run(
        [*command, "--output", str(tmp_path / "out")], capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (143, "")
    assert [path.name for path in tmp_path.iterdir()] == ["profile.csv"]


@pytest.mark.parametrize("handler", [signal.SIG_DFL, signal.SIG_IGN, signal.default_int_handler])
def test_the_handler_of_sigterm_is_as_before(lowtime: Lowtime, handler: object) -> None:
    before = signal.signal(signal.SIGTERM, handler)  # type: ignore[arg-type]
    try:
        assert lowtime("--version").code == 0
        assert signal.getsignal(signal.SIGTERM) is handler
    finally:
        signal.signal(signal.SIGTERM, before)


def test_a_signal_after_the_file_had_its_name_was_a_missing_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = os.replace

    def interrupted(source: str, target: Path) -> None:
        replace(source, target)
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt), whole_file(tmp_path / "a.txt") as file:
        file.write(b"whole")
    assert (tmp_path / "a.txt").read_bytes() == b"whole"
    assert len(list(tmp_path.iterdir())) == 1
