"""``lowtime plan``."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lowtime as lowtime_package
from lowtime.cli.plan import _note_over_budget
from lowtime.frontier.frontier import Frontier
from lowtime.perseus.plan_files import read_plan_file
from lowtime.plans.json_file import JsonPlans
from lowtime.plans.parquet_file import ParquetPlans

from .conftest import Lowtime

GPT3 = Path(lowtime_package.__file__).parent / "data" / "gpt3-175b_a100.csv"
POWER = 60.0  # W, of each of two stages


@pytest.fixture
def folder(lowtime: Lowtime, options: tuple[object, ...], tmp_path: Path) -> Path:
    ran = lowtime(*options, "--blocking-power", POWER, "--output", tmp_path / "out")
    assert ran.code == 0, ran.err
    return tmp_path / "out"


@pytest.fixture
def points(folder: Path) -> list[tuple[float, float, float]]:
    with (folder / "frontier.csv").open(newline="") as file:
        _, *rows = csv.reader(file)
    return [(float(time), float(energy), float(cost)) for time, energy, cost, _ in rows]


def planned(lowtime: Lowtime, folder: Path, *arguments: object) -> list[dict[str, Any]]:
    ran = lowtime("plan", folder, *arguments, "--format", "json")
    assert ran.code == 0, ran.err
    plans: list[dict[str, Any]] = json.loads(ran.out)
    return plans


def test_a_deadline_gives_the_longest_plan_that_meets_it(
    lowtime: Lowtime, folder: Path, points: list[tuple[float, float, float]]
) -> None:
    for index in (0, 5, len(points) - 1):
        (plan,) = planned(lowtime, folder, "--deadline", repr(points[index][0]))
        assert plan["point"] == index
    (plan,) = planned(lowtime, folder, "--deadline", 1e9)
    assert plan["point"] == 0


def test_a_budget_gives_the_fastest_plan_within_the_energy(
    lowtime: Lowtime, folder: Path, points: list[tuple[float, float, float]]
) -> None:
    energies = [energy for _, energy, _ in points]
    for budget in (min(energies), sorted(energies)[len(energies) // 2], max(energies)):
        (plan,) = planned(lowtime, folder, "--budget", repr(budget))
        assert plan["point"] == max(i for i, energy in enumerate(energies) if energy <= budget)
        assert plan["energy"] == energies[plan["point"]]


@pytest.mark.parametrize("overhead", [None, 0, 50, 1e6])
def test_overhead_is_watts_on_top(
    lowtime: Lowtime,
    folder: Path,
    points: list[tuple[float, float, float]],
    overhead: float | None,
) -> None:
    option = () if overhead is None else ("--overhead", overhead)
    (plan,) = planned(lowtime, folder, *option)
    least = min(energy + (overhead or 0) * time for time, energy, _ in points)
    assert plan["energy"] + (overhead or 0) * plan["time"] == pytest.approx(least, rel=1e-12)


def test_a_sample_has_both_ends(
    lowtime: Lowtime, folder: Path, points: list[tuple[float, float, float]]
) -> None:
    plans = planned(lowtime, folder, "--sample", 4)
    assert [plan["point"] for plan in plans][:: len(plans) - 1] == [0, len(points) - 1]
    assert len(plans) == 4


def test_a_sample_beyond_all_points_has_each_once_and_no_memory_error(
    lowtime: Lowtime, folder: Path, points: list[tuple[float, float, float]], tmp_path: Path
) -> None:
    plans = planned(lowtime, folder, "--sample", 10**12)
    assert [plan["point"] for plan in plans] == list(range(len(points)))
    zeus = ("--format", "zeus", "--output", tmp_path / "zeus")
    assert lowtime("plan", folder, "--sample", 10**12, *zeus).code == 0
    assert len(list((tmp_path / "zeus").iterdir())) == len(points) - 1


def test_memory_that_does_not_suffice_is_a_line(
    lowtime: Lowtime, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def out_of_memory(path: Path) -> None:
        raise MemoryError("Unable to allocate 7 TiB")

    monkeypatch.setattr(Frontier, "load", out_of_memory)
    ran = lowtime("plan", folder)
    assert ran.code == 2
    assert ran.err == (
        "lowtime: not enough memory: Unable to allocate 7 TiB; make the problem smaller\n"
    )


def test_json_and_csv_hold_the_same_plans(lowtime: Lowtime, folder: Path, tmp_path: Path) -> None:
    plans = planned(lowtime, folder, "--sample", 3)
    file = tmp_path / "plans.csv"
    ran = lowtime("plan", folder, "--sample", 3, "--format", "csv", "--output", file)
    assert (ran.code, ran.out) == (0, "")
    with file.open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    flat = [
        {**{k: v for k, v in plan.items() if k != "operations"}, **operation}
        for plan in plans
        for operation in plan["operations"]
    ]
    assert rows == [{key: str(value) for key, value in row.items()} for row in flat]
    assert len(rows) == 3 * 2 * 2 * 3


def test_operations_are_those_of_the_plan(lowtime: Lowtime, folder: Path) -> None:
    (listed,) = planned(lowtime, folder, "--deadline", 1e9)
    plan = Frontier.load(folder / "frontier.npz").plan(0)
    for row in listed["operations"]:
        node = (row["stage"], row["instruction"], row["microbatch"])
        assert row["frequency"] == plan.knobs[node]
        assert row["duration"] == plan.durations[node]
        assert row["start"] == plan.start_times[node]
        assert row["critical"] == (node in plan.critical)
    stages = [row["stage"] for row in listed["operations"]]
    assert stages == sorted(stages)
    assert listed["measured_cost"] == plan.measured_cost
    assert listed["energy"] == plan.cost + 2 * plan.time * POWER


def test_the_table_shows_every_stage_of_one_plan_and_totals_of_several(
    lowtime: Lowtime, folder: Path
) -> None:
    one = lowtime("plan", folder, "--deadline", 1e9).out
    for lane in ("0  forward", "0  backward", "1  forward", "1  backward"):
        assert lane in one
    several = lowtime("plan", folder, "--sample", 3).out
    assert len(several.splitlines()) == 4
    assert "energy [J]" in several


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("--deadline", "0.001"), "0.001"),
        (("--deadline", "nan"), "nan"),
        (("--budget", "1"), "no plan needs 1"),
        (("--budget", "nan"), "nan"),
        (("--overhead", "nan"), "nan"),
        (("--overhead", "inf"), "inf"),
        (("--sample", "1"), "--sample"),
        (("--deadline", "3", "--budget", "4"), "exclude each other"),
        (("--format", "yaml"), "--format"),
    ],
)
def test_a_bad_request_is_a_users_error(
    lowtime: Lowtime, folder: Path, arguments: tuple[str, ...], named: str
) -> None:
    ran = lowtime("plan", folder, *arguments)
    assert ran.code == 2
    assert named in ran.err
    assert "Traceback" not in ran.err
    assert ran.out == ""


def test_a_folder_that_is_none(lowtime: Lowtime, tmp_path: Path) -> None:
    ran = lowtime("plan", tmp_path)
    assert ran.code == 2
    assert str(tmp_path / "summary.json") in ran.err


GOOD_SUMMARY = {"ranks": 2, "blocking_power": 0.0, "rank_of_stage": [0, 1]}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("ranks", 10**400),
        ("ranks", -3),
        ("ranks", True),
        ("ranks", None),
        ("blocking_power", float("nan")),
        ("blocking_power", -1.0),
        ("blocking_power", "60"),
        ("rank_of_stage", "01"),
        ("rank_of_stage", [0, "x"]),
        ("rank_of_stage", [0, 2]),
        ("rank_of_stage", [-1, 0]),
        ("rank_of_stage", [0]),
    ],
)
def test_a_summary_that_says_nonsense_was_a_traceback(
    lowtime: Lowtime, folder: Path, tmp_path: Path, key: str, value: Any
) -> None:
    zeus = ("--overhead", 1e6, "--format", "zeus", "--output", tmp_path / "PLANS")
    (folder / "summary.json").write_text(json.dumps({**GOOD_SUMMARY, key: value}))
    ran = lowtime("plan", folder, *zeus)
    assert (ran.code, ran.out) == (2, "")
    assert key in ran.err
    assert len(ran.err) < 400
    assert not (tmp_path / "PLANS").exists()
    (folder / "summary.json").write_text(json.dumps({**GOOD_SUMMARY, "rank_of_stage": None}))
    assert lowtime("plan", folder, *zeus).code == 0


@pytest.mark.parametrize("broken", ["{", "[]", '{"stages": 2}', '{"stages": "2"}'])
def test_a_damaged_summary(lowtime: Lowtime, folder: Path, broken: str) -> None:
    (folder / "summary.json").write_text(broken)
    ran = lowtime("plan", folder)
    assert ran.code == 2
    assert "summary.json" in ran.err


def test_a_damaged_frontier(lowtime: Lowtime, folder: Path) -> None:
    (folder / "frontier.npz").write_bytes(b"PK")
    ran = lowtime("plan", folder)
    assert ran.code == 2
    assert "frontier.npz" in ran.err


def test_a_file_that_exists_is_left_alone(lowtime: Lowtime, folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "plans.json"
    file.write_text("mine")
    ran = lowtime("plan", folder, "--output", file)
    assert ran.code == 2
    assert "exists already" in ran.err
    assert file.read_text() == "mine"


def test_zeus_files_begin_below_the_longest_schedule(
    lowtime: Lowtime, folder: Path, points: list[tuple[float, float, float]], tmp_path: Path
) -> None:
    plans = tmp_path / "PLANS"
    ran = lowtime("plan", folder, "--sample", 20, "--format", "zeus", "--output", plans)
    assert (ran.code, ran.out) == (0, "")
    names = sorted(path.name for path in plans.iterdir())
    assert len(names) == 20
    assert names[0] == "freqs_pipeline_00000.py"
    assert names[-1] == f"freqs_pipeline_{len(points) - 2:05d}.py"
    lanes = read_plan_file(plans / names[-1])
    assert lanes[1] == [("forward", 1400), ("backward", 1400)] * 3
    text = (plans / names[0]).read_text()
    assert f"# Iteration 0 total cost with P2P: {points[1][1]}" in text


def test_the_longest_schedule_is_refused_as_a_zeus_file_with_the_way_out(
    lowtime: Lowtime, folder: Path, points: list[tuple[float, float, float]], tmp_path: Path
) -> None:
    zeus = ("--format", "zeus", "--output", tmp_path / "PLANS")
    refused = lowtime("plan", folder, "--deadline", 1e6, *zeus)
    assert refused.code == 2
    assert not (tmp_path / "PLANS").exists()
    option = refused.err.partition("below it; ")[2].partition(" is the longest")[0].split()
    assert option == ["--deadline", repr(points[1][0])]
    assert lowtime("plan", folder, *option, *zeus).code == 0
    assert [path.name for path in (tmp_path / "PLANS").iterdir()] == ["freqs_pipeline_00000.py"]
    instead = ("--format", "json", "--output", tmp_path / "plan.json")
    assert lowtime("plan", folder, "--deadline", 1e6, *instead).code == 0


def test_all_plans_go_to_one_file_or_to_zeus_files(
    lowtime: Lowtime, folder: Path, points: list[tuple[float, float, float]], tmp_path: Path
) -> None:
    for form, reader in (("json", JsonPlans), ("parquet", ParquetPlans)):
        output = tmp_path / f"all.{form}"
        ran = lowtime("plan", folder, "--all", "--format", form, "--output", output)
        assert (ran.code, ran.out) == (0, "")
        plans = reader(output)
        assert plans.times.tolist() == [time for time, _, _ in points]
        assert plans.costs.tolist() == [cost for _, _, cost in points]
    ran = lowtime("plan", folder, "--all", "--format", "zeus", "--output", tmp_path / "PLANS")
    assert ran.code == 0
    assert len(list((tmp_path / "PLANS").iterdir())) == len(points) - 1


def test_a_straggler_is_met_by_the_cheapest_plan_that_ends_with_it(
    lowtime: Lowtime, folder: Path, points: list[tuple[float, float, float]]
) -> None:
    (plan,) = planned(lowtime, folder, "--slowdown", 1.2)
    in_time = [time for time, _, _ in points if time <= 1.2 * points[-1][0]]
    assert plan["time"] == max(in_time)
    assert lowtime("plan", folder, "--slowdown", 0.9).code == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("--all",),
        ("--all", "--format", "csv", "--output", "x"),
        ("--all", "--sample", 3, "--format", "json", "--output", "x"),
        ("--format", "parquet", "--output", "x"),
        ("--sample", 3, "--format", "zeus"),
        ("--all", "--format", "json"),
    ],
)
def test_forms_that_do_not_fit_are_refused(
    lowtime: Lowtime, folder: Path, arguments: tuple[object, ...]
) -> None:
    ran = lowtime("plan", folder, *arguments)
    assert ran.code == 2
    assert "--" in ran.err


def test_plans_never_replace_what_is_there(lowtime: Lowtime, folder: Path, tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_text("mine")
    for form in ("json", "parquet", "zeus"):
        ran = lowtime("plan", folder, "--all", "--format", form, "--output", taken)
        assert ran.code == 2
        assert taken.read_text() == "mine"


def test_a_frontier_of_one_point_has_no_zeus_files(
    lowtime: Lowtime, options: tuple[object, ...], profile: Path, tmp_path: Path
) -> None:
    title, *rows = profile.read_text(encoding="utf-8").splitlines()
    profile.write_text("\n".join([title, *rows[::3]]), encoding="utf-8")  # one clock for each
    assert lowtime(*options, "--output", tmp_path / "one").code == 0
    target = tmp_path / "plans"
    ran = lowtime("plan", tmp_path / "one", "--all", "--format", "zeus", "--output", target)
    assert ran.code == 2
    assert "begin one quantum below it; --format json writes it" in ran.err
    assert not target.exists()


def both_energies(folder: Path) -> list[tuple[float, float, float]]:
    """Time, energy and measured energy of every point."""
    with (folder / "frontier.csv").open(newline="") as file:
        _, *rows = csv.reader(file)
    return [(float(time), float(energy), float(measured)) for time, energy, _, measured in rows]


def test_a_budget_was_missed_by_the_measurements_without_a_word(
    lowtime: Lowtime, tmp_path: Path
) -> None:
    folder = tmp_path / "gpt3"
    ran = lowtime(
        *("pipeline", GPT3, "--microbatches", 3, "--stages", 2, "--unit-time", 0.01),
        *("--blocking-power", 83, "--output", folder),
    )
    assert ran.code == 0, ran.err
    points = both_energies(folder)
    told = 0
    for _, budget, _ in points:
        chosen = max(i for i, (_, energy, _) in enumerate(points) if energy <= budget)
        ran = lowtime("plan", folder, "--budget", repr(budget))
        if points[chosen][2] <= budget:
            assert ran.err == ""
            continue
        told += 1
        assert ran.err.startswith(f"lowtime: note: this plan measures {points[chosen][2]:.2f} J, ")
        assert ran.err.count("\n") == 1
        _, _, deadline = ran.err.partition("--deadline ")
        (plan,) = planned(lowtime, folder, "--deadline", deadline.split()[0])
        assert plan["point"] == max(i for i, point in enumerate(points) if point[2] <= budget)
    assert 0 < told < len(points)


def test_a_budget_below_all_measurements_is_told_the_least(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _note_over_budget(np.array([2.0, 1.0]), np.array([11.0, 10.5]), 0, 10.0)
    assert capsys.readouterr().err == (
        "lowtime: note: this plan measures 11.00 J, above the budget of 10 J; plans are chosen by"
        " the cost models' energy; none measures less than 10.50 J\n"
    )


# The tutorial's: the models of four clocks fall deeper than the clocks do.
FOUR_CLOCKS = """\
stage,instruction,frequency,time,energy
0,forward,1410,0.0502,21.8
0,forward,1290,0.0541,18.7
0,forward,1170,0.0590,16.9
0,forward,1050,0.0655,15.9
0,backward,1410,0.1004,43.9
0,backward,1290,0.1079,37.6
0,backward,1170,0.1180,33.8
0,backward,1050,0.1309,31.9
1,forward,1410,0.0448,19.5
1,forward,1290,0.0484,16.8
1,forward,1170,0.0529,15.2
1,forward,1050,0.0588,14.2
1,backward,1410,0.0901,39.0
1,backward,1290,0.0970,33.5
1,backward,1170,0.1060,30.2
1,backward,1050,0.1175,28.4
"""


def test_less_measured_energy_elsewhere_was_not_told(lowtime: Lowtime, tmp_path: Path) -> None:
    profile = tmp_path / "four.csv"
    profile.write_text(FOUR_CLOCKS)
    folder = tmp_path / "out"
    ran = lowtime(
        *("pipeline", profile, "--microbatches", 8, "--unit-time", 0.001),
        *("--blocking-power", 60, "--output", folder),
    )
    assert ran.code == 0, ran.err
    points = both_energies(folder)
    least = min(range(len(points)), key=lambda i: points[i][2])
    ran = lowtime("plan", folder)
    assert ran.err.startswith(
        f"lowtime: note: point {least} measures less, {points[least][2]:.2f} J instead of "
    )
    assert ran.err.count("\n") == 1
    _, _, deadline = ran.err.partition("--deadline ")
    (plan,) = planned(lowtime, folder, "--deadline", deadline.split()[0])
    assert plan["point"] == least
    # Watts on top count in both.
    assert "measures less" not in lowtime("plan", folder, "--overhead", 1e6).err


def test_help_says_by_which_energy_plans_are_chosen(lowtime: Lowtime) -> None:
    said = " ".join(lowtime("plan", "--help").out.split())
    assert "Energies are compared by the cost models" in said
