"""``lowtime pipeline --schedule``: every schedule, by name and by file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lowtime.perseus.plan_files import read_plan_file
from lowtime.perseus.schedules import schedule_names

from .conftest import Lowtime

CSV = Path(__file__).parents[1] / "data" / "schedules"
ROWS = {
    "forward": ((1400, 0.10, 30), (1000, 0.15, 22)),
    "backward": ((1400, 0.20, 60), (1000, 0.29, 47)),
    "input_grad": ((1400, 0.10, 31), (1000, 0.14, 24)),
    "weight_grad": ((1400, 0.09, 29), (1000, 0.15, 23)),
    "recompute": ((1400, 0.09, 28), (1000, 0.14, 21)),
}


def profile(tmp_path: Path, stages: int, *leave_out: tuple[int, str]) -> Path:
    lines = ["stage,instruction,frequency,time,energy"]
    for stage in range(stages):
        for name, options in ROWS.items():
            if (stage, name) not in leave_out:
                lines += [f"{stage},{name},{f},{t},{e}" for f, t, e in options]
    path = tmp_path / "profile.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize("name", [*schedule_names(), "interleaved-1f1b:4"])
def test_every_schedule_by_name(name: str, lowtime: Lowtime, tmp_path: Path) -> None:
    out = tmp_path / "out"
    ran = lowtime(
        "pipeline",
        profile(tmp_path, 4),
        "--schedule",
        name,
        "--microbatches",
        4,
        "--unit-time",
        0.01,
        "--output",
        out,
    )
    assert ran.code == 0, ran.err
    summary = json.loads((out / "summary.json").read_text())
    ranks = {"interleaved-1f1b": 2, "interleaved-1f1b:4": 1}.get(name, 4)
    assert (summary["schedule"], summary["ranks"]) == (name, ranks)
    assert len(summary["rank_of_stage"]) == 4
    ran = lowtime("plan", out, "--sample", 3, "--format", "zeus", "--output", tmp_path / "PLANS")
    assert ran.code == 0, ran.err
    for path in (tmp_path / "PLANS").iterdir():
        assert len(read_plan_file(path)) == ranks


@pytest.mark.parametrize(
    ("file", "stages"),
    [("zb1p_2rank_2stage_comms", 4), ("zero_bubble_8rank", 8), ("dualpipev_4rank_10mb", 8)],
)
def test_a_file_brings_its_stages_and_micro_batches(
    file: str, stages: int, lowtime: Lowtime, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    ran = lowtime(
        "pipeline",
        profile(tmp_path, stages),
        "--schedule",
        CSV / f"{file}.csv",
        "--unit-time",
        0.01,
        "--transfer-time",
        0.02,
        "--output",
        out,
    )
    assert ran.code == 0, ran.err
    assert json.loads((out / "summary.json").read_text())["stages"] == stages


def test_transfers_make_an_iteration_longer(lowtime: Lowtime, tmp_path: Path) -> None:
    ends = []
    for transfer in (0.0, 0.05):
        out = tmp_path / f"out{transfer}"
        ran = lowtime(
            "pipeline",
            profile(tmp_path, 3),
            "--microbatches",
            1,
            "--unit-time",
            0.01,
            "--transfer-time",
            transfer,
            "--output",
            out,
        )
        assert ran.code == 0, ran.err
        ends.append(float((out / "frontier.csv").read_text().splitlines()[-1].split(",")[0]))
    assert ends[1] == pytest.approx(ends[0] + 4 * 0.05)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--schedule", "zb-h1", "--microbatches", 4), "stage 2 has no rows for 'weight_grad'"),
        (("--schedule", "zb", "--microbatches", 4), "zb-h1"),
        (("--schedule", "1f1b"), "--microbatches"),
        (("--schedule", CSV / "zero_bubble_8rank.csv", "--microbatches", 4), "10 micro-batches"),
        (("--schedule", CSV / "missing.csv"), "missing.csv"),
        (("--microbatches", 4, "--transfer-time", -1), "transfer"),
    ],
)
def test_what_does_not_fit_is_said(
    arguments: tuple[object, ...], message: str, lowtime: Lowtime, tmp_path: Path
) -> None:
    path = profile(tmp_path, 4, (2, "weight_grad"))
    ran = lowtime("pipeline", path, *arguments, "--unit-time", 0.01, "--output", tmp_path / "out")
    assert ran.code == 2
    assert message in ran.err
    assert "Traceback" not in ran.err
    assert not (tmp_path / "out").exists()


def test_a_file_with_a_cell_that_is_no_action_names_its_place(
    lowtime: Lowtime, tmp_path: Path
) -> None:
    schedule = tmp_path / "mine.csv"
    schedule.write_text("0F0,0B0\n1F0,1Z0\n")
    ran = lowtime(
        "pipeline",
        profile(tmp_path, 2),
        "--schedule",
        schedule,
        "--unit-time",
        0.01,
        "--output",
        tmp_path / "out",
    )
    assert ran.code == 2
    assert "mine.csv, row 2, column 2" in ran.err.replace("\n", " ")


@pytest.mark.parametrize("transfer_time", [0, 0.01])
def test_a_circle_in_a_file_did_not_name_the_file(
    lowtime: Lowtime, tmp_path: Path, transfer_time: float
) -> None:
    schedule = tmp_path / "mine.csv"
    schedule.write_text("0F0,0B0\n1B0,1F0\n")
    ran = lowtime(
        *("pipeline", profile(tmp_path, 2), "--schedule", schedule, "--unit-time", 0.01),
        *("--transfer-time", transfer_time, "--output", tmp_path / "out"),
    )
    assert ran.code == 2
    where, _, circle = ran.err.partition("actions wait for each other in a circle: ")
    assert where == f"lowtime: schedule {schedule}: "
    assert sorted(circle.partition(";")[0].split(", ")) == ["1B0 (rank 1)", "1F0 (rank 1)"]
    assert ran.err.count("\n") == 1


def test_a_long_circle_is_cut(lowtime: Lowtime, tmp_path: Path) -> None:
    schedule = tmp_path / "mine.csv"
    forwards = ",".join(f"0F{i}" for i in (*range(1, 10), 0))
    schedule.write_text(f"0B0,{forwards},{','.join(f'0B{i}' for i in range(1, 10))}\n")
    ran = lowtime(
        *("pipeline", profile(tmp_path, 1), "--schedule", schedule, "--unit-time", 0.01),
        *("--output", tmp_path / "out"),
    )
    assert ran.code == 2
    assert ran.err.count("(rank 0)") == 8
    assert ", ... (11 in all); expected" in ran.err
