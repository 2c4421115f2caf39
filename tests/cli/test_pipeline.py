"""``lowtime pipeline``."""

from __future__ import annotations

import contextlib
import csv
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

import lowtime as library
from lowtime.backends import registry
from lowtime.frontier.frontier import Frontier
from lowtime.perseus.pipeline import pipeline_dag
from lowtime.perseus.schedules import schedule_named
from lowtime.perseus.stage_profile import StageProfile
from lowtime.perseus.stage_specs import OptionRules, stage_specs

from .conftest import PROFILE, Lowtime


def test_it_writes_the_frontier_longest_first(
    lowtime: Lowtime, options: tuple[object, ...], profile: Path, tmp_path: Path
) -> None:
    ran = lowtime(*options, "--blocking-power", 60, "--output", tmp_path / "out")
    assert ran.code == 0, ran.err
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "frontier.csv",
        "frontier.npz",
        "summary.json",
    ]
    with (tmp_path / "out/frontier.csv").open(newline="") as file:
        titles, *rows = csv.reader(file)
    assert titles == ["time", "energy", "cost", "measured_energy"]
    assert all(cell == repr(float(cell)) for row in rows for cell in row)
    points = [tuple(map(float, row)) for row in rows]

    rules = OptionRules(unit_time=0.01, blocking_power=60)
    order = schedule_named("1f1b").order(2, 3)
    specs = stage_specs(StageProfile.read(profile), order.needs, rules)
    expected = library.solve(pipeline_dag(order, specs), backend="scipy")
    assert [time for time, _, _, _ in points] == expected.times.tolist()
    assert [cost for _, _, cost, _ in points] == expected.costs.tolist()
    assert [time for time, *_ in points] == sorted((t for t, *_ in points), reverse=True)
    assert all(energy == cost + 2 * time * 60 for time, energy, cost, _ in points)
    measured = [plan.measured_cost + 2 * plan.time * 60 for plan in expected]
    assert [energy for _, _, _, energy in points] == measured
    assert Frontier.load(tmp_path / "out/frontier.npz").digest() == expected.digest()


def test_the_summary_says_what_made_it(
    lowtime: Lowtime, options: tuple[object, ...], tmp_path: Path
) -> None:
    ran = lowtime(*options, "--backend", "scipy", "--check", "off", "--output", tmp_path / "out")
    assert ran.code == 0, ran.err
    summary = json.loads((tmp_path / "out/summary.json").read_text())
    lines = (tmp_path / "out/frontier.csv").read_text().splitlines()
    assert summary["points"] == len(lines) - 1
    assert summary["backend"] == "scipy"
    assert summary["backend_version"] == library.__version__
    assert summary["reason"]
    assert summary["certificate"] == "off"
    assert summary["counters"]["steps"] > 0
    assert list(summary["seconds"]) == ["read", "fit", "compile", "trace", "write", "total"]
    assert 0 < sum(summary["seconds"].values()) <= 2 * summary["seconds"]["total"]
    for path in (tmp_path / "out/frontier.csv", "frontier.npz", "summary.json", "longest"):
        assert str(path) in ran.out


@pytest.mark.parametrize("check", ["always", "final", "off"])
@pytest.mark.parametrize("option_filter", ["raw", "effective"])
@pytest.mark.parametrize("cost_model", ["exponential", "piecewise"])
def test_its_choices_work_together(
    lowtime: Lowtime,
    options: tuple[object, ...],
    tmp_path: Path,
    check: str,
    option_filter: str,
    cost_model: str,
) -> None:
    ran = lowtime(
        *(*options, "--filter", option_filter, "--cost-model", cost_model, "--check", check),
        *("--blocking-power", 70.38, "--noise-factor", 0.95, "--schedule", "1f1b"),
        *("--stages", 2, "--backend", "scipy", "--output", tmp_path / "out"),
    )
    assert ran.code == 0, ran.err
    summary = json.loads((tmp_path / "out/summary.json").read_text())
    assert summary["certificate"] == check
    assert (summary["filter"], summary["cost_model"]) == (option_filter, cost_model)


def test_fewer_stages_than_the_profile_has(
    lowtime: Lowtime, options: tuple[object, ...], tmp_path: Path
) -> None:
    ran = lowtime(*options, "--stages", 1, "--output", tmp_path / "out")
    assert ran.code == 0, ran.err
    nodes = Frontier.load(tmp_path / "out/frontier.npz").plan(0).durations
    assert set(nodes) == {(0, name, m) for name in ("forward", "backward") for m in range(3)}


BAD_PROFILES = {
    "empty file": ("", "is empty"),
    "no rows": (PROFILE.splitlines()[0] + "\n", "no rows"),
    "missing column": (PROFILE.replace(",energy", ",other", 1), "line 1: no column 'energy'"),
    "misspelt column": (PROFILE.replace(",energy", ",enregy", 1), "'enregy'"),
    "NaN time": (PROFILE.replace("0.12", "nan"), "line 3, column 'time'"),
    "infinite time": (PROFILE.replace("0.12", "inf"), "line 3, column 'time'"),
    "negative time": (PROFILE.replace("0.12", "-0.12"), "line 3, column 'time'"),
    "NaN energy": (PROFILE.replace(",25\n", ",nan\n"), "line 3, column 'energy'"),
    "infinite energy": (PROFILE.replace(",25\n", ",inf\n"), "line 3, column 'energy'"),
    "negative energy": (PROFILE.replace(",25\n", ",-25\n"), "line 3, column 'energy'"),
    "stage without rows": (PROFILE.replace("\n1,", "\n2,"), "stage 1 has no rows"),
    "no backward": (PROFILE.replace("backward", "sideways"), "no rows for 'backward'"),
    "stage that is no integer": (PROFILE.replace("\n1,", "\n1.5,"), "line 8, column 'stage'"),
    "duplicate rows": (PROFILE + PROFILE.splitlines()[1] + "\n", "line 14: stage 0"),
}


@pytest.mark.parametrize("what", BAD_PROFILES)
def test_a_bad_profile_is_one_line_that_names_the_place(
    lowtime: Lowtime, options: tuple[object, ...], profile: Path, tmp_path: Path, what: str
) -> None:
    text, place = BAD_PROFILES[what]
    profile.write_text(text, encoding="utf-8")
    ran = lowtime(*options, "--output", tmp_path / "out")
    assert ran.code == 2
    assert str(profile) in ran.err
    assert place in ran.err
    assert ran.err.count("\n") == 1
    assert ran.out == ""
    assert list(tmp_path.iterdir()) == [profile]


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        (("--unit-time", "0"), "unit time"),
        (("--unit-time", "-0.01"), "unit time"),
        (("--unit-time", "nan"), "unit time"),
        (("--unit-time", "inf"), "unit time"),
        (("--unit-time", "1"), "line 13"),  # longer than every option
        (("--unit-time", "1e-30"), "use a longer unit time"),
        (("--unit-time", "1e-12"), "use a longer unit time"),
        (("--unit-time", "1e-12", "--cost-model", "piecewise"), "a row of frontier.csv"),
        (("--blocking-power", "-1"), "blocking power"),
        (("--blocking-power", "nan"), "blocking power"),
        (("--noise-factor", "0"), "noise factor"),
        (("--noise-factor", "1.5"), "noise factor"),
        (("--stages", "3"), "stage 2 has no rows"),
        (("--stages", "0"), "--stages"),
        (("--microbatches", "0"), "--microbatches"),
        (("--microbatches", "1000000000"), "1000000 at most"),
        (("--stages", "1000000000"), "1000000 at most"),
        (("--schedule", "1f1c"), "did you mean '1f1b'"),
        (("--filter", "both"), "--filter"),
        (("--cost-model", "cubic"), "--cost-model"),
        (("--check", "sometimes"), "--check"),
        (("--backend", "scpiy"), "did you mean 'scipy'"),
        (("--microbatchez", "3"), "--microbatchez"),
    ],
)
def test_a_bad_option_is_a_users_error(
    lowtime: Lowtime,
    options: tuple[object, ...],
    tmp_path: Path,
    wrong: tuple[str, ...],
    named: str,
) -> None:
    ran = lowtime(*options, "--output", tmp_path / "out", *wrong)
    assert ran.code == 2
    assert named in ran.err
    assert "Traceback" not in ran.err
    assert [path.name for path in tmp_path.iterdir()] == ["profile.csv"]


def test_a_profile_that_is_not_there(lowtime: Lowtime, tmp_path: Path) -> None:
    ran = lowtime(
        *("pipeline", tmp_path / "no.csv", "--microbatches", 3, "--unit-time", 0.01),
        *("--output", tmp_path / "out"),
    )
    assert ran.code == 2
    assert ran.err == f"lowtime: {tmp_path / 'no.csv'}: No such file or directory\n"


@pytest.mark.parametrize("taken", ["folder", "file", "dangling link"])
def test_an_output_that_exists_is_left_alone(
    lowtime: Lowtime, options: tuple[object, ...], tmp_path: Path, taken: str
) -> None:
    out = tmp_path / "out"
    if taken == "folder":
        out.mkdir()
    elif taken == "file":
        out.write_text("mine")
    else:
        out.symlink_to(tmp_path / "nowhere")
    ran = lowtime(*options, "--output", out)
    assert ran.code == 2
    assert f"{out}: exists already" in ran.err
    assert {path.name for path in tmp_path.iterdir()} == {"out", "profile.csv"}
    assert taken != "folder" or not list(out.iterdir())


@pytest.mark.parametrize("parent", ["missing", "profile.csv"])
def test_an_output_that_cannot_be_made(
    lowtime: Lowtime, options: tuple[object, ...], tmp_path: Path, parent: str
) -> None:
    ran = lowtime(*options, "--output", tmp_path / parent / "out")
    assert ran.code == 2
    assert parent in ran.err
    assert ran.err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["profile.csv"]


def test_a_write_that_fails_leaves_nothing(
    lowtime: Lowtime,
    options: tuple[object, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Frontier, "save", full)
    ran = lowtime(*options, "--output", tmp_path / "out")
    assert ran.code == 2
    assert ran.err == f"lowtime: {tmp_path / 'out'}: No space left on device\n"
    assert [path.name for path in tmp_path.iterdir()] == ["profile.csv"]


def test_a_warning_is_one_line(tmp_path: Path) -> None:
    rows = [line.replace(",25", ",29.9") for line in PROFILE.splitlines()]
    (tmp_path / "bent.csv").write_text("\n".join(rows), encoding="utf-8")
    command = [sys.executable, "-m", "lowtime", "pipeline", "bent.csv", "--cost-model", "piecewise"]
    command += ["--microbatches", "2", "--unit-time", "0.01", "--output", "out"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert ran.stderr.startswith("lowtime: warning: the costs of 2 of 8 operations are not convex;")
    assert ran.stderr.count("\n") == 1


class Wrong:
    """A backend that claims more flow than there is."""

    info = library.BackendInfo("wrong", "1", 2**62, 2**62)

    def max_flow(self, network: library.FlowNetwork) -> library.MaxFlow:
        return library.MaxFlow(1, network.capacity * 0)


def test_a_fault_of_a_backend_is_exit_code_1(
    lowtime: Lowtime, options: tuple[object, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "_registered", {})  # gone after this test
    library.register_backend(Wrong())
    ran = lowtime(*options, "--backend", "wrong", "--output", tmp_path / "out")
    assert ran.code == 1
    assert "wrong" in ran.err
    assert ran.err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["profile.csv"]


def test_python_m_lowtime_is_the_same_program_and_silent_in_a_pipe(
    options: tuple[object, ...], tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "lowtime", *map(str, options), f"--output={tmp_path}/out"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert "\x1b" not in done.stdout
    assert (tmp_path / "out/summary.json").exists()


def test_a_terminal_sees_progress_with_rate_and_time_left(
    options: tuple[object, ...], tmp_path: Path
) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "lowtime", *map(str, options), f"--output={tmp_path}/out"]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120"}
    with subprocess.Popen(command, stderr=theirs, stdout=subprocess.DEVNULL, env=environment) as it:
        os.close(theirs)
        seen = b""
        with contextlib.suppress(OSError):  # EIO: the other side is closed
            while part := os.read(ours, 4096):
                seen += part
        os.close(ours)
    assert it.returncode == 0
    assert b"tracing" in seen
    assert b"quanta/s" in seen
    assert b":--:--" in seen or b"0:00:0" in seen


def test_a_dry_run_tells_the_backend_and_the_time_and_writes_nothing(
    lowtime: Lowtime, options: tuple[object, ...], tmp_path: Path
) -> None:
    ran = lowtime(*options, "--backend", "scipy", "--output", tmp_path / "out", "--dry-run")
    assert ran.code == 0, ran.err
    first = ran.out.splitlines()[0]
    assert first.startswith("a project of")
    assert "scipy" in first
    assert "about" in first
    assert not (tmp_path / "out").exists()


def test_a_coarse_unit_time_is_told(tmp_path: Path) -> None:
    profile = tmp_path / "p.csv"
    profile.write_text(
        "stage,instruction,frequency,time,energy\n"
        "0,forward,1000,0.05,5\n0,forward,500,0.1,4\n"
        "0,backward,1000,0.0137,5\n0,backward,500,0.1,4\n"
    )
    ran = subprocess.run(
        [
            *(sys.executable, "-m", "lowtime", "pipeline", str(profile), "--microbatches=2"),
            *("--unit-time=0.02", f"--output={tmp_path / 'out'}"),
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stderr.startswith("lowtime: warning: the unit time 0.02 s is coarse: 0.0137 s")
    assert "0 quanta, 100% too little" in ran.stderr


def test_a_dry_run_did_not_say_that_it_expects_tracing_alone(
    lowtime: Lowtime, options: tuple[object, ...], tmp_path: Path
) -> None:
    ran = lowtime(*options, "--output", tmp_path / "out", "--dry-run")
    assert ran.out.splitlines()[-1].startswith("times are those of tracing alone; ")
    assert "how long tracing would take" in " ".join(lowtime("pipeline", "--help").out.split())


def test_an_energy_was_printed_with_301_digits(lowtime: Lowtime, tmp_path: Path) -> None:
    profile = tmp_path / "huge.csv"
    profile.write_text(
        "stage,instruction,frequency,time,energy\n0,forward,9,0.1,1e300\n0,backward,9,0.2,2e300\n"
    )
    folder = tmp_path / "out"
    ran = lowtime("pipeline", profile, "--microbatches", 1, "--unit-time", 0.1, "--output", folder)
    assert ran.code == 0, ran.err
    assert " longest: 0.3 s, 3e+300 J\n" in ran.out
    assert "3e+300        3e+300" in lowtime("plan", folder).out
