"""The program around its subcommands."""

from __future__ import annotations

from pathlib import Path

import pytest

from lowtime.cli.program import SUBCOMMANDS

from .conftest import Lowtime


@pytest.mark.parametrize("width", ["60", "80", "200"])
def test_help_cut_the_summaries_of_commands(
    lowtime: Lowtime, width: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    ran = lowtime("--help")
    assert "..." not in ran.out.partition("Commands:")[2]
    listed = " ".join(ran.out.split())
    for name in SUBCOMMANDS:
        first = lowtime(name, "--help").out.split("\n\n")[:2]  # usage, first paragraph
        own = " ".join("\n".join(first).split())
        summary = own.partition("{")[2].partition("} ")[2] or own.partition("[OPTIONS] ")[2]
        summary = summary.partition(" Arguments:")[0].partition(" Options:")[0]
        assert len(summary) > 30
        assert f" {name} {summary.rstrip('.')}" in listed


def test_one_point_and_one_plan_were_plural(lowtime: Lowtime, tmp_path: Path) -> None:
    profile = tmp_path / "one.csv"
    profile.write_text(
        "stage,instruction,frequency,time,energy\n0,forward,9,0.1,3\n0,backward,9,0.2,6\n"
    )
    folder = tmp_path / "out"
    made = lowtime("pipeline", profile, "--microbatches", 1, "--unit-time", 0.1, "--output", folder)
    assert made.out.startswith("1 point through ")
    stored = ("--all", "--format", "json", "--output", tmp_path / "all.json")
    assert lowtime("plan", folder, *stored).err.startswith("1 plan in ")
    page = lowtime("report", folder, "--output", tmp_path / "page.html")
    assert "page.html: 1 plan, " in page.out


@pytest.mark.parametrize("empty", ["", "."])
@pytest.mark.parametrize(
    ("what", "command"),
    [
        ("folder", ("pipeline", "profile.csv", "--microbatches=3", "--unit-time=0.01", "--output")),
        ("file", ("plan", "out", "--all", "--format=json", "--output")),
        ("folder", ("plan", "out", "--format=zeus", "--deadline=1.3", "--output")),
        ("file", ("plan", "out", "--output")),
        ("file", ("report", "out", "--output")),
        ("folder", ("new-backend",)),
        ("file", ("conformance", "scipy", "--json")),
        ("file", ("backends", "--profile")),
    ],
)
def test_an_empty_output_was_a_dot_that_exists(
    lowtime: Lowtime,
    options: tuple[object, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    what: str,
    command: tuple[str, ...],
    empty: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert lowtime(*options, "--output", "out").code == 0
    ran = lowtime(*command, empty)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        f"lowtime: the {what} to write is '' or '.', the current folder; expected the name of a"
        f" {what} that does not exist\n"
    )


@pytest.mark.parametrize("name", ["q.pdf", "q", "q.html.txt"])
def test_a_page_was_written_under_a_name_that_is_no_page(
    lowtime: Lowtime, options: tuple[object, ...], tmp_path: Path, name: str
) -> None:
    assert lowtime(*options, "--output", tmp_path / "out").code == 0
    ran = lowtime("report", tmp_path / "out", "--output", tmp_path / name)
    assert ran.code == 2
    assert f"{name}: the name of a page must end in .html or .htm; " in ran.err
    assert ran.err.count("\n") == 1
    assert not (tmp_path / name).exists()


@pytest.mark.parametrize("name", ["q.htm", "q.HTML"])
def test_a_page_may_have_the_other_suffix(
    lowtime: Lowtime, options: tuple[object, ...], tmp_path: Path, name: str
) -> None:
    assert lowtime(*options, "--output", tmp_path / "out").code == 0
    assert lowtime("report", tmp_path / "out", "--output", tmp_path / name).code == 0
    assert (tmp_path / name).exists()
