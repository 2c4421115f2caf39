"""Measurements become options: filters, blocking energy, noise, cost models."""

from __future__ import annotations

from pathlib import Path

import pytest

from lowtime.cost_model import ExponentialModel, PiecewiseLinearModel
from lowtime.errors import CapacityRange, InvalidProfile
from lowtime.operation import OperationSpec
from lowtime.perseus.stage_profile import StageProfile
from lowtime.perseus.stage_specs import OptionRules, stage_specs

HEADER = "stage,instruction,frequency,time,energy\n"


def spec(tmp_path: Path, rows: str, rules: OptionRules) -> OperationSpec[int]:
    path = tmp_path / "profile.csv"
    path.write_text(HEADER + rows, encoding="utf-8")
    return stage_specs(StageProfile.read(path), [(0, "forward")], rules)[0, "forward"]


def options(made: OperationSpec[int]) -> list[tuple[int, float]]:
    return [(option.knob, option.cost) for option in made.options.options]


# The 1000 MHz row is beaten in measured energy; at 10 W of blocking power it costs least.
BEATEN_RAW = "\n".join(
    [
        "0,forward,1400,1.0,40",
        "0,forward,1300,2.0,34",
        "0,forward,1200,3.0,29",
        "0,forward,1100,4.0,25",
        "0,forward,1000,5.0,26",
    ]
)


def test_raw_filters_measured_energy_and_subtracts_afterwards(tmp_path: Path) -> None:
    rules = OptionRules(unit_time=0.5, blocking_power=10, filter="raw", noise_factor=1)
    made = spec(tmp_path, BEATEN_RAW, rules)
    assert options(made) == [(1100, -15.0), (1200, -1.0), (1300, 14.0), (1400, 30.0)]


def test_effective_subtracts_first(tmp_path: Path) -> None:
    rules = OptionRules(unit_time=0.5, blocking_power=10, filter="effective", noise_factor=1)
    assert options(spec(tmp_path, BEATEN_RAW, rules))[0] == (1000, -24.0)


def test_blocking_energy_is_that_of_quantized_time(tmp_path: Path) -> None:
    rules = OptionRules(unit_time=0.4, blocking_power=10, filter="raw", noise_factor=1)
    made = spec(tmp_path, "0,forward,1400,1.0,40", rules)  # 1 s holds 2 quanta: 0.8 s
    assert options(made) == [(1400, 32.0)]


@pytest.mark.parametrize(
    ("rows", "left"),
    [
        # 3 are left, and the one that loses by 2 % comes back.
        (["1400,1.0,40", "1300,2.0,35", "1200,3.0,30", "1100,3.06,30.1"], [1100, 1200, 1300, 1400]),
        # 3 are left, and the one that loses by 10 % stays away.
        (["1400,1.0,40", "1300,2.0,35", "1200,3.0,30", "1100,3.3,33"], [1200, 1300, 1400]),
        # 4 are left: the noise factor does not apply.
        (
            ["1400,1.0,40", "1300,2.0,35", "1200,3.0,30", "1150,4.0,28", "1100,4.06,28.1"],
            [1150, 1200, 1300, 1400],
        ),
    ],
)
def test_the_noise_factor_is_for_tables_of_three_or_fewer(
    tmp_path: Path, rows: list[str], left: list[int]
) -> None:
    rules = OptionRules(unit_time=0.02, filter="raw", noise_factor=0.95)
    made = spec(tmp_path, "\n".join(f"0,forward,{row}" for row in rows), rules)
    assert [knob for knob, _ in options(made)] == left


def test_cost_models(tmp_path: Path) -> None:
    exponential = spec(tmp_path, BEATEN_RAW, OptionRules(0.5))
    piecewise = spec(tmp_path, BEATEN_RAW, OptionRules(0.5, cost_model="piecewise"))
    assert isinstance(exponential.cost_model, ExponentialModel)
    assert isinstance(piecewise.cost_model, PiecewiseLinearModel)
    for option in piecewise.options.options:
        assert piecewise.cost_model(option.quant_time) == option.cost


@pytest.mark.parametrize("cost_model", ["exponential", "piecewise"])
def test_one_option_is_enough(tmp_path: Path, cost_model: str) -> None:
    rules = OptionRules(0.5, cost_model=cost_model)  # type: ignore[arg-type]
    made = spec(tmp_path, "0,forward,1400,1.0,40", rules)
    assert made.cost_model is not None
    assert made.cost_model(2) == 40


@pytest.mark.parametrize(
    "wrong",
    [
        {"unit_time": 0.0},
        {"unit_time": -1.0},
        {"unit_time": float("nan")},
        {"blocking_power": -1.0},
        {"blocking_power": float("inf")},
        {"noise_factor": 0.0},
        {"noise_factor": 1.01},
        {"filter": "cooked"},
        {"cost_model": "cubic"},
    ],
)
def test_rules_out_of_range_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(InvalidProfile, match=str(next(iter(wrong.values())))):
        OptionRules(**{"unit_time": 0.5, **wrong})  # type: ignore[arg-type]


def test_a_unit_time_longer_than_every_option_names_the_slowest(tmp_path: Path) -> None:
    with pytest.raises(InvalidProfile, match=r"line 6, takes 5\.0 s"):
        spec(tmp_path, BEATEN_RAW, OptionRules(unit_time=5.5))


@pytest.mark.parametrize("unit_time", [1e-20, 1e-310, 5e-324])
def test_a_time_beyond_2_to_the_62_quanta_names_its_line(tmp_path: Path, unit_time: float) -> None:
    rules = OptionRules(unit_time=unit_time, blocking_power=1.0)
    with pytest.raises(CapacityRange, match=r"profile\.csv, line 3: 2\.0 s are more than 2\^62"):
        spec(tmp_path, "0,forward,1400,1.0,40\n0,forward,1300,2.0,34", rules)
