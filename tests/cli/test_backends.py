"""``lowtime backends``."""

from __future__ import annotations

import pytest

from .conftest import Lowtime


def test_it_lists_without_loading(lowtime: Lowtime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOWTIME_BACKEND_BLOCK", "networkx")
    ran = lowtime("backends")
    assert ran.code == 0
    lines = {line.split()[0]: line for line in ran.out.splitlines()}
    assert "blocked" in lines["networkx"]
    assert "scipy" in lines


def test_a_typo_in_the_block_list_is_told_in_one_line(
    lowtime: Lowtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOWTIME_BACKEND_BLOCK", "rsut")
    with pytest.warns(RuntimeWarning, match=r"'rsut' \(did you mean 'rust'\?\)"):
        ran = lowtime("backends")
    assert ran.code == 0
    assert "blocked" not in ran.out


def test_probing_tells_state_version_and_limits(lowtime: Lowtime, backend_name: str) -> None:
    ran = lowtime("backends", "--probe")
    assert ran.code == 0
    (line,) = [line for line in ran.out.splitlines() if line.split()[0] == backend_name]
    assert "usable" in line
    assert "2^" in line


def test_an_unknown_backend_in_the_environment_is_told_below_the_list(
    lowtime: Lowtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where people look for what is installed, a typo in ``LOWTIME_BACKEND`` said nothing."""
    for good in ("", "auto", "scipy"):
        monkeypatch.setenv("LOWTIME_BACKEND", good)
        assert lowtime("backends").err == ""
    monkeypatch.setenv("LOWTIME_BACKEND", "scpy")
    ran = lowtime("backends")
    assert ran.code == 0
    assert ran.err.startswith("lowtime: note: no backend 'scpy', which LOWTIME_BACKEND names")
    assert "did you mean 'scipy'?" in ran.err


def test_a_block_list_without_commas_is_told_how_to_write_it(
    lowtime: Lowtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOWTIME_BACKEND_BLOCK", "rust igraph")
    with pytest.warns(RuntimeWarning, match="separate names with commas"):
        lowtime("backends")
