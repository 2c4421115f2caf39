"""Stage profiles read from CSV, and errors that name the place."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from lowtime.errors import InvalidProfile, LowtimeError
from lowtime.perseus.stage_profile import StageProfile

GOOD = """\
stage,instruction,frequency,time,energy
0,forward,1410,0.10,30
0,forward,1200,0.12,25
0,backward,1410,0.20,60
1,forward,1410,0.11,31
1,backward,1410,0.21,61
"""


def read(tmp_path: Path, text: str) -> StageProfile:
    path = tmp_path / "profile.csv"
    path.write_text(text, encoding="utf-8")
    return StageProfile.read(path)


def test_rows_keep_values_order_and_line(tmp_path: Path) -> None:
    profile = read(tmp_path, GOOD)
    assert profile.num_stages == 2
    rows = profile.rows(0, "forward")
    assert [(row.line, row.frequency, row.time, row.energy) for row in rows] == [
        (2, 1410, 0.10, 30.0),
        (3, 1200, 0.12, 25.0),
    ]


def test_columns_in_any_order_more_columns_spaces_blank_lines_and_a_byte_order_mark(
    tmp_path: Path,
) -> None:
    text = (
        "\ufeffenergy, time ,note,stage,frequency,instruction\r\n\r\n30,0.1,x,0,1410, forward \r\n"
    )
    (row,) = read(tmp_path, text).rows(0, "forward")
    assert (row.time, row.energy, row.frequency) == (0.1, 30.0, 1410)


def test_zero_time_and_zero_energy_are_legal(tmp_path: Path) -> None:
    profile = read(tmp_path, GOOD.replace("0.10,30", "0,0"))
    assert profile.rows(0, "forward")[0].time == 0


@pytest.mark.parametrize(
    ("old", "new", "line", "column"),
    [
        ("0.12", "nan", 3, "time"),
        ("0.12", "inf", 3, "time"),
        ("0.12", "-0.12", 3, "time"),
        ("0.12", "", 3, "time"),
        ("0.12", "1_0", 3, "time"),
        ("25", "NaN", 3, "energy"),
        ("25", "-inf", 3, "energy"),
        ("25", "-25", 3, "energy"),
        ("25", "many", 3, "energy"),
        ("1200", "1200.5", 3, "frequency"),
        ("1200", "0", 3, "frequency"),
        ("1200", "1200.01", 3, "frequency"),
        ("1200", "1200.", 3, "frequency"),
        ("1200", "0.0", 3, "frequency"),
        ("1200", "1.2e3", 3, "frequency"),
        ("1200", "1200.\u0660", 3, "frequency"),
        ("1,backward", "1.5,backward", 6, "stage"),
        ("1,backward", "-1,backward", 6, "stage"),
        ("1,backward", "one,backward", 6, "stage"),
        ("1,backward", "1000000000,backward", 6, "stage"),
        ("1,backward", "1,", 6, "instruction"),
        ("1,backward", "1,backwrd", 6, "instruction"),
    ],
)
def test_a_bad_value_is_an_error_with_line_and_column(
    tmp_path: Path, old: str, new: str, line: int, column: str
) -> None:
    with pytest.raises(InvalidProfile) as error:
        read(tmp_path, GOOD.replace(old, new))
    assert f"profile.csv, line {line}, column '{column}'" in str(error.value)


def test_whole_numbers_as_pandas_writes_them_were_refused(tmp_path: Path) -> None:
    import pandas as pd

    table = pd.read_csv(io.StringIO(GOOD))
    columns = ["stage", "frequency"]
    written = table.astype(dict.fromkeys(columns, float)).to_csv(index=False)
    assert "1410.0" in written
    assert read(tmp_path, written).tables == read(tmp_path, GOOD).tables
    with pytest.raises(InvalidProfile, match="stands on line 2 already"):
        read(tmp_path, GOOD.replace("1200", "1410.0"))


@pytest.mark.parametrize("column", ["stage", "instruction", "frequency", "time", "energy"])
def test_a_missing_column_is_named(tmp_path: Path, column: str) -> None:
    header, rest = GOOD.split("\n", 1)
    titles = ["other" if title == column else title for title in header.split(",")]
    with pytest.raises(InvalidProfile, match=f"line 1: no column '{column}'"):
        read(tmp_path, ",".join(titles) + "\n" + rest)


@pytest.mark.parametrize(
    ("column", "written"), [("energy", "enregy"), ("time", "tiem"), ("frequency", "Frequency")]
)
def test_a_misspelt_column_is_recognized(tmp_path: Path, column: str, written: str) -> None:
    with pytest.raises(InvalidProfile) as error:
        read(tmp_path, GOOD.replace(column, written, 1))
    assert f"'{column}'" in str(error.value)
    assert f"'{written}'" in str(error.value)


@pytest.mark.parametrize("text", ["", "stage,instruction,frequency,time,energy\n", "\n\n"])
def test_an_empty_file_is_an_error(tmp_path: Path, text: str) -> None:
    with pytest.raises(InvalidProfile, match=r"profile\.csv"):
        read(tmp_path, text)


def test_a_column_twice_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InvalidProfile, match="'time' stands there twice"):
        read(tmp_path, "stage,instruction,frequency,time,energy,time\n0,forward,1,1,1,2\n")


def test_duplicate_rows_name_both_lines(tmp_path: Path) -> None:
    with pytest.raises(InvalidProfile, match=r"line 7: .* 1410 MHz stands on line 2"):
        read(tmp_path, GOOD + "0,forward,1410,0.10,30\n")


def test_a_stage_without_rows_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidProfile, match="stage 2 has no rows"):
        read(tmp_path, GOOD + "3,forward,1410,0.10,30\n")


def test_a_decimal_comma_does_not_shift_values(tmp_path: Path) -> None:
    with pytest.raises(InvalidProfile, match="line 3: has 6 values; expected 5"):
        read(tmp_path, GOOD.replace("0.12", "0,12"))


def test_a_row_cut_short_is_an_error_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(InvalidProfile, match="line 7: has 3 values"):
        read(tmp_path, GOOD + "1,forward,1200\n")


def test_an_instruction_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidProfile, match="stage 1 has no rows for 'recompute'"):
        read(tmp_path, GOOD).rows(1, "recompute")


def test_a_stage_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidProfile, match="stage 5 has no rows"):
        read(tmp_path, GOOD).rows(5, "forward")


def test_binary_files_are_errors(tmp_path: Path) -> None:
    path = tmp_path / "profile.csv"
    path.write_bytes(b"stage,instruction,frequency,time,energy\n\xff\xfe\x00")
    with pytest.raises(LowtimeError, match=r"profile\.csv"):
        StageProfile.read(path)


RANKS = """\
stage,rank,instruction,frequency,time,energy
0,0,forward,1410,0.10,30
0,1,forward,1410,0.13,31
0,0,forward,1200,0.15,25.5
0,1,forward,1200,0.14,26
1,2,forward,1410,0.11,0.1
1,3,forward,1410,0.10,0.2
"""


def test_gpus_that_share_a_stage_take_the_slowest_time_and_all_the_energy(tmp_path: Path) -> None:
    profile = read(tmp_path, RANKS)
    rows = profile.rows(0, "forward")
    assert [(row.line, row.frequency, row.time, row.energy) for row in rows] == [
        (2, 1410, 0.13, 61.0),
        (4, 1200, 0.15, 51.5),
    ]
    (row,) = profile.rows(1, "forward")
    assert (row.time, row.energy) == (0.11, 0.1 + 0.2)


def test_data_and_tensor_ranks_tell_rows_apart_together(tmp_path: Path) -> None:
    header, *rows = RANKS.splitlines()
    lines = [header.replace("rank", "dp_rank") + ",tp_rank"]
    lines += [f"{row},{tensor}" for row in rows for tensor in (0, 1)]
    profile = read(tmp_path, "\n".join(lines))
    assert profile.rows(0, "forward")[0].energy == 2 * 61.0


def test_a_rank_that_was_not_measured_at_a_frequency_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidProfile, match=r"line 4: stage 0, forward, 1200 MHz has no row of"):
        read(tmp_path, RANKS.replace("0,1,forward,1200,0.14,26\n", ""))


def test_a_rank_twice_names_both_lines(tmp_path: Path) -> None:
    with pytest.raises(InvalidProfile, match=r"line 8: .* rank 1 stands on line 3"):
        read(tmp_path, RANKS + "0,1,forward,1410,0.13,31\n")


@pytest.mark.parametrize("rank", ["", "x", "-1", "1.5"])
def test_a_rank_that_is_no_number_is_an_error(rank: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidProfile, match="line 8, column 'rank'"):
        read(tmp_path, RANKS + f"0,{rank},forward,900,0.13,31\n")
