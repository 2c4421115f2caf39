"""Files that exist whole or not at all."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from lowtime.whole_file import whole_file


def test_a_missing_folder_is_told_with_the_name_asked_for(tmp_path: Path) -> None:
    wanted = tmp_path / "none" / "a.txt"
    with pytest.raises(FileNotFoundError) as error, whole_file(wanted):
        pass
    assert error.value.filename == str(wanted)


def test_a_full_disk_is_told_with_the_name_asked_for(tmp_path: Path) -> None:
    wanted = tmp_path / "a.txt"
    with pytest.raises(OSError, match=r"a\.txt") as error, whole_file(wanted):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert (error.value.errno, error.value.filename) == (errno.ENOSPC, str(wanted))
    assert list(tmp_path.iterdir()) == []


def test_an_error_of_another_file_keeps_its_name(tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    with pytest.raises(FileNotFoundError) as error, whole_file(tmp_path / "a.txt"):
        other.read_text()
    assert error.value.filename == str(other)
    assert list(tmp_path.iterdir()) == []
