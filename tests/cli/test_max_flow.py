"""``lowtime max-flow``."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Lowtime

# Two minimum cuts, of arcs 1 -> 2 and 2 -> 3; the canonical one has the smallest source side.
TIES = "c two cuts\np max 4 3\nn 1 s\nn 4 t\na 1 2 5\na 2 3 5\na 3 4 9\n"


def test_it_prints_value_and_source_side(
    lowtime: Lowtime, tmp_path: Path, backend_name: str
) -> None:
    file = tmp_path / "ties.max"
    file.write_text(TIES)
    ran = lowtime("max-flow", file, "--backend", backend_name)
    assert (ran.code, ran.out) == (0, "value: 5\nsource side: 1\n")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "ties.max"),
        (TIES.replace("a 2 3 5", "a 2 9 5"), "ties.max:6"),
        (TIES.replace("a 2 3 5", "a 2 3 -5"), "ties.max:6"),
    ],
)
def test_a_bad_file_is_a_users_error(
    lowtime: Lowtime, tmp_path: Path, text: str, named: str
) -> None:
    file = tmp_path / "ties.max"
    file.write_text(text)
    ran = lowtime("max-flow", file)
    assert ran.code == 2
    assert named in ran.err
    assert ran.err.count("\n") == 1


def test_a_file_that_is_not_there(lowtime: Lowtime, tmp_path: Path) -> None:
    ran = lowtime("max-flow", tmp_path / "no.max")
    assert ran.code == 2
    assert "no.max" in ran.err


LARGE = 2**63 - 1
TOO_MUCH = f"p max 3 3\nn 1 s\nn 3 t\na 1 2 {LARGE}\na 1 2 {LARGE}\na 2 3 5\n"


@pytest.mark.parametrize(
    ("text", "backend", "message"),
    [
        (TOO_MUCH, "scipy", "the capacities that leave the source 1 sum to "),
        (
            TOO_MUCH.replace("n 1 s", "n 3 s").replace("n 3 t", "n 1 t"),
            "scipy",
            "the parallel arcs 1 -> 2 sum to ",
        ),
        (f"p max 2 1\nn 1 s\nn 2 t\na 1 2 {LARGE}\n", "scipy", "backend 'scipy' cannot "),
    ],
)
def test_range_errors_had_no_file_and_counted_nodes_from_0(
    lowtime: Lowtime, tmp_path: Path, text: str, backend: str, message: str
) -> None:
    file = tmp_path / "large.max"
    file.write_text(text)
    ran = lowtime("max-flow", file, "--backend", backend)
    assert ran.code == 2
    assert ran.err.startswith(f"lowtime: {file}: {message}")
    assert ran.err.count("\n") == 1
