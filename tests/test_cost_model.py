"""Cost models: the hull, the exponential fit, and their marginals."""

from __future__ import annotations

import csv
import json
import math
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from lowtime.cost_model import CostModel, ExponentialModel, PiecewiseLinearModel
from lowtime.errors import InvalidProfile
from lowtime.operation import CandidateExecutionOptions, ExecutionOption

SOSP24 = Path(__file__).parent / "data" / "sosp24"


def candidates(*pairs: tuple[float, float], unit: float = 1.0) -> CandidateExecutionOptions[int]:
    return CandidateExecutionOptions(
        options=[
            ExecutionOption(real_time=time, unit_time=unit, cost=cost, knob=index)
            for index, (time, cost) in enumerate(pairs)
        ]
    )


# Lower convex hull

PAIRS = st.dictionaries(st.integers(0, 40), st.integers(0, 1000), min_size=1, max_size=10)


@given(PAIRS)
def test_the_hull_lies_below_all_options_and_is_convex(costs: dict[int, int]) -> None:
    made = candidates(*((float(time), cost / 8) for time, cost in costs.items()))
    model = PiecewiseLinearModel(made)
    for option in made.options:
        assert model(option.quant_time) <= option.cost
    lo, hi = made.options[-1].quant_time, made.options[0].quant_time
    marginals = model.marginals(lo, hi)
    assert np.all(np.diff(marginals) <= 0)
    # The largest convex function below the options touches the line between any two of them.
    for duration in range(lo, hi + 1):
        below = [option for option in made.options if option.quant_time <= duration]
        above = [option for option in made.options if option.quant_time >= duration]
        lines = [
            left.cost
            if left.quant_time == right.quant_time
            else left.cost
            + (right.cost - left.cost)
            * (duration - left.quant_time)
            / (right.quant_time - left.quant_time)
            for left in below
            for right in above
        ]
        assert model(duration) == pytest.approx(min(lines), rel=1e-12, abs=1e-9)


@given(PAIRS)
def test_marginals_of_the_hull_are_its_differences(costs: dict[int, int]) -> None:
    made = candidates(*((float(time), cost / 8) for time, cost in costs.items()))
    model = PiecewiseLinearModel(made)
    lo, hi = made.options[-1].quant_time, made.options[0].quant_time
    values = [model(duration) for duration in range(lo, hi + 1)]
    assert model.marginals(lo, hi) == pytest.approx(-np.diff(values), rel=1e-9, abs=1e-9)
    assert len(model.marginals(lo, lo)) == 0


def test_decimals_in_a_row_make_one_slope() -> None:
    """In floats 0.3 - 0.2 is not 0.2 - 0.1, and the hull would have kinks."""
    made = candidates(*((float(time), 0.1 * (10 - time)) for time in range(1, 8)))
    exact = candidates((1.0, 0.7), (2.0, 0.6), (3.0, 0.5), (4.0, 0.4), (5.0, 0.3), (6.0, 0.2))
    assert len(set(PiecewiseLinearModel(exact).marginals(1, 6).tolist())) == 1
    assert len(set(PiecewiseLinearModel(made).marginals(1, 7).tolist())) <= 6


def test_one_option_is_a_constant() -> None:
    model = PiecewiseLinearModel(candidates((5.0, 2.5)))
    assert [model(4), model(5), model(600)] == [2.5, 2.5, 2.5]
    assert model.marginals(3, 5).tolist() == [0.0, 0.0]


def test_end_slopes_go_on_beyond_the_options() -> None:
    model = PiecewiseLinearModel(candidates((2.0, 10.0), (3.0, 6.0), (5.0, 4.0)))
    assert [model(1), model(2), model(4), model(7)] == [14.0, 10.0, 5.0, 2.0]
    assert model.marginals(0, 7).tolist() == [4.0, 4.0, 4.0, 1.0, 1.0, 1.0, 1.0]


def test_the_hull_reads_the_costs_of_the_options_when_it_is_made() -> None:
    made = candidates((2.0, 10.0), (3.0, 6.0))
    made.options[0].cost = 1.0
    assert PiecewiseLinearModel(made)(3) == 1.0
    made.options[0].cost = float("nan")
    with pytest.raises(InvalidProfile, match="knob 1"):
        PiecewiseLinearModel(made)


# Exponential fit


def squared_error(model: Callable[[int], float], made: CandidateExecutionOptions[int]) -> float:
    return math.fsum((model(option.quant_time) - option.cost) ** 2 for option in made.options)


def best_of_grid(made: CandidateExecutionOptions[int], steps: int = 1500) -> float:
    """The least squared error over a fine grid of bends, by another road: lstsq."""
    times = np.array([option.quant_time for option in made.options], dtype=float)
    costs = np.array([option.cost for option in made.options])
    times = (times - times.min()) / np.ptp(times)
    best = float(np.sum((costs - costs.mean()) ** 2))
    for bend in np.geomspace(1e-6, 1e4, steps):
        columns = np.column_stack([np.ones_like(times), -np.expm1(-bend * times) / bend])
        found = np.linalg.lstsq(columns, costs, rcond=None)[0]
        if found[1] < 0:
            best = min(best, float(np.sum((columns @ found - costs) ** 2)))
    return best


def published_tables() -> Iterator[tuple[str, CandidateExecutionOptions[int]]]:
    for path in sorted((SOSP24 / "stage_profile").glob("*.csv")):
        unit, power = (1e-3, 83.64) if "a100" in path.name else (1e-4, 70.38)
        rows = defaultdict(list)
        with open(path, newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                rows[row["stage"], row["instruction"]].append(row)
        for (stage, instruction), table in rows.items():
            if stage not in "07":  # stages 1 to 6 repeat stage 0
                continue
            made = candidates(
                *((float(row["time"]), float(row["energy"])) for row in table), unit=unit
            )
            for option in made.options:
                option.cost -= power * option.quant_time * unit
            yield f"{path.stem}-{stage}/{instruction}", made


PUBLISHED = dict(published_tables())


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_fit_is_the_global_optimum_on_published_tables(name: str) -> None:
    made = PUBLISHED[name]
    model = ExponentialModel(made)
    a, b, c = model.coefficients
    assert a > 0
    assert b < 0
    assert math.isfinite(a + c)
    assert squared_error(model, made) <= best_of_grid(made) * (1 + 1e-9)
    stem, key = name.rsplit("-", 1)
    fits = json.loads((SOSP24 / "published_fit" / f"{stem}.json").read_text())
    published = ExponentialModel.fn

    def by_published(time: int) -> float:
        return float(published(time, *fits[key]))

    assert squared_error(model, made) <= squared_error(by_published, made) * (1 + 1e-12)


@pytest.mark.parametrize("unit", [1e-3, 1.0, 60.0, 3600.0])
@pytest.mark.parametrize("rate", [0.05, 1.0, 8.0, 60.0])
def test_an_exponential_is_found_again_at_any_scale(unit: float, rate: float) -> None:
    """Longest option 1.5 times the shortest; costs fall by exp(-rate) in between."""
    quanta = range(1000, 1501, 20)
    truth = [37.5 * math.exp(-rate * (time - 1000) / 500) + 12.25 for time in quanta]
    made = candidates(
        *((time * unit, cost) for time, cost in zip(quanta, truth, strict=True)), unit=unit
    )
    made.options.sort(key=lambda option: option.quant_time)
    model = ExponentialModel(made)
    for option in made.options:
        assert model(option.quant_time) == pytest.approx(option.cost, rel=1e-8)
    if rate * 2 < 600:
        assert model.coefficients[1] == pytest.approx(-rate / 500, rel=1e-5)


@given(
    st.dictionaries(st.integers(1, 400), st.integers(1, 10**4), min_size=3, max_size=9),
    st.sampled_from([1e-6, 1.0, 1e9]),
)
@settings(max_examples=60)
def test_no_grid_beats_the_fit(costs: dict[int, int], scale: float) -> None:
    made = candidates(*((float(time), cost * scale) for time, cost in costs.items()))
    model = ExponentialModel(made)
    spread = sum((option.cost) ** 2 for option in made.options)
    if len(made.options) > 2:
        assert squared_error(model, made) <= best_of_grid(made, 200) * (1 + 1e-9) + 1e-14 * spread
    lo, hi = made.options[-1].quant_time, made.options[0].quant_time
    marginals = model.marginals(lo, hi)
    assert np.all(marginals >= 0)
    assert np.all(np.diff(marginals) <= 0)


def test_the_fit_does_not_depend_on_the_unit_of_cost() -> None:
    made = [(float(time), 5.0 * math.exp(-time / 7) + time % 3) for time in range(4, 40, 3)]
    bends = [
        ExponentialModel(candidates(*((time, cost * scale) for time, cost in made))).coefficients[1]
        for scale in (2.0**-20, 1.0, 2.0**30)
    ]
    assert bends[0] == bends[1] == bends[2]


@pytest.mark.parametrize(
    "pairs",
    [
        [(10.0, 8.0), (20.0, 2.0)],
        [(10.0, 8.0), (15.0, 5.0), (20.0, 2.0)],
        [(10.0, 8.0), (12.0, 7.9), (20.0, 2.0)],  # concave
    ],
)
def test_where_no_bend_helps_the_fit_is_the_line(pairs: list[tuple[float, float]]) -> None:
    made = candidates(*pairs)
    model = ExponentialModel(made)
    times, costs = np.array(pairs).T
    slope, level = np.polyfit(times, costs, 1)
    for time in range(10, 21):
        assert model(time) == pytest.approx(slope * time + level, rel=1e-7)
    a, b, c = model.coefficients
    assert a > 0
    assert b < 0
    assert math.isfinite(a + b + c)
    assert model.marginals(10, 20) == pytest.approx(np.full(10, -slope), rel=1e-7)
    # The coefficients describe the same curve, up to what their size leaves of float64.
    assert a * math.exp(b * 15) + c == pytest.approx(model(15), rel=1e-6)


def test_costs_that_do_not_fall_make_a_constant() -> None:
    made = candidates((1.0, 5.0))
    made.options.append(ExecutionOption(real_time=2.0, unit_time=1.0, cost=5.0, knob=9))
    for costs in ([5.0, 5.0], [5.0, 9.0]):
        for option, cost in zip(made.options, costs, strict=True):
            option.cost = cost
        model = ExponentialModel(made)
        assert model.marginals(1, 2).tolist() == [0.0]
        assert model(1) == sum(costs) / 2
        assert model.coefficients[0] == 0.0


def test_one_option_makes_a_constant() -> None:
    model = ExponentialModel(candidates((7.0, 3.5)))
    assert [model(1), model(7), model(100)] == [3.5, 3.5, 3.5]


def test_marginals_are_the_differences_without_their_noise() -> None:
    made = candidates(*((float(t), 1e10 + 3.0 * math.exp(-t / 1000)) for t in range(1, 2000, 99)))
    model = ExponentialModel(made)
    marginals = model.marginals(1, 1899)
    differences = -np.diff([model(t) for t in range(1, 1900)])
    assert marginals == pytest.approx(differences, abs=1e-5)
    assert np.all(np.diff(marginals) < 0)
    assert np.any(np.diff(differences) >= 0)  # what subtracting floats near 1e10 leaves


def test_a_coefficient_beyond_float64_is_refused_but_calls_work() -> None:
    made = candidates(
        *((float(t), 1.0 + math.exp(-(t - 10**6) / 2)) for t in range(10**6, 10**6 + 9))
    )
    model = ExponentialModel(made)
    assert model(10**6) == pytest.approx(2.0)
    with pytest.raises(InvalidProfile):
        _ = model.coefficients


def test_calls_follow_coefficients_set_by_hand() -> None:
    model = ExponentialModel(candidates((1.0, 5.0), (2.0, 4.0)))
    assert model(1) == pytest.approx(5.0)
    model.coefficients = (2.0, -0.5, 1.0)
    assert model(3) == 2.0 * float(np.exp(-1.5)) + 1.0
    assert model.coefficients == (2.0, -0.5, 1.0)
    assert model.marginals(0, 2) == pytest.approx([model(0) - model(1), model(1) - model(2)])
    a, b, c = model.coefficients = np.array([1.0, -1.0, 0.0])
    assert (a, b, c) == model.coefficients


def test_an_initial_guess_is_fitted_from() -> None:
    made = PUBLISHED["gpt3-175b+a100_sxm_bf16-0/forward"]
    best = ExponentialModel(made)
    near = ExponentialModel(made, initial_guess=(15000.0, -0.15, 11.0))
    assert near.initial_guess == (15000.0, -0.15, 11.0)
    assert near.coefficients == pytest.approx(best.coefficients, rel=1e-4)
    with pytest.raises(ValueError, match="initial guess"):
        ExponentialModel(candidates((1.0, 5.0), (2.0, 4.0)), initial_guess=(1.0, -1.0, 1.0))


def test_a_grid_search_finds_what_the_published_one_found() -> None:
    made = PUBLISHED["gpt3-175b+a100_sxm_bf16-0/forward"]
    model = ExponentialModel(made)
    grid = ([1e1, 1e2, 1e3], [-c for c in (0.01, 0.02, 0.05, 0.1)], [1e1, 1e2])
    best = model.run_grid_search(made, *grid, "best")
    fits = json.loads((SOSP24 / "published_fit" / "gpt3-175b+a100_sxm_bf16.json").read_text())
    assert best == pytest.approx(fits["0/forward"], rel=1e-4)
    assert model.run_grid_search(made, *grid, "first")[0] > 0
    with pytest.raises(ValueError, match="no guess"):
        model.run_grid_search(candidates((1.0, 2.0)), *grid, "best")
    with pytest.raises(ValueError, match="best"):
        model.run_grid_search(made, *grid, "worst")  # type: ignore[arg-type]


def test_the_search_strategy_is_checked() -> None:
    made = candidates((1.0, 5.0), (2.0, 4.0))
    assert ExponentialModel(made, search_strategy="best").search_strategy == "best"
    with pytest.raises(ValueError, match="best"):
        ExponentialModel(made, search_strategy="worst")  # type: ignore[arg-type]


def test_a_search_of_a_subclass_is_used() -> None:
    class Wider(ExponentialModel):
        def run_grid_search(
            self, options: Any, a_candidates: Any, b_candidates: Any, c_candidates: Any, *rest: Any
        ) -> tuple[float, float, float]:
            self.asked = (a_candidates, b_candidates, c_candidates, *rest)
            return super().run_grid_search(options, [1e5], b_candidates, c_candidates, *rest)

    made = PUBLISHED["gpt3-175b+a100_sxm_bf16-0/forward"]
    model = Wider(made, search_strategy="best")
    sizes = [1e1, 1e2, 1e3]
    rates = [-0.01, -0.02, -0.03, -0.04, -0.05, -0.1]
    assert model.asked == (sizes, rates, sizes, "best")
    assert model.coefficients == pytest.approx(ExponentialModel(made).coefficients, rel=1e-4)
    assert Wider(made, initial_guess=(15000.0, -0.15, 11.0)).coefficients[0] > 0
    assert not hasattr(Wider(made, initial_guess=(15000.0, -0.15, 11.0)), "asked")


# Models of programs


class Halving(CostModel):
    """A model as programs write them."""

    def __call__(self, quant_time: int) -> float:
        return 1.0 / quant_time


def test_a_model_of_its_own_needs_only_a_call() -> None:
    assert Halving().marginals(1, 3) is None
    with pytest.raises(TypeError):
        CostModel()  # type: ignore[abstract]


@pytest.mark.parametrize("model", [Halving, PiecewiseLinearModel, ExponentialModel])
def test_models_draw_themselves(model: type[CostModel]) -> None:
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib.figure import Figure

    made = candidates((1.0, 5.0), (2.0, 4.0), (9.0, 1.0))
    ax = Figure().subplots()
    drawn = model() if model is Halving else model(made)  # type: ignore[call-arg]
    drawn.draw(ax, made)
    points, line = ax.lines
    assert list(points.get_xdata()) == [9, 2, 1]
    xs: NDArray[np.float64] = np.asarray(line.get_xdata())
    assert (xs[0], xs[-1]) == (1, 9)
    assert len(ax.texts) == 3
    assert ax.get_xlabel() == "quant_time"
