"""Cost tables: asked of the model or differenced, trimmed, hulled, and checked."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle.dags import operation_of
from oracle.examples import examples
from oracle.networks import seeded

from lowtime.cost_model import CostModel, PiecewiseLinearModel
from lowtime.errors import CapacityRange, InvalidProfile
from lowtime.network.cost_table import CostTable, cost_table


def costs_of(table: CostTable) -> list[float]:
    """Cost of every useful duration."""
    savings = np.repeat(table.marginals, table.lengths)
    return (table.longest_cost + np.append(np.cumsum(savings[::-1])[::-1], 0.0)).tolist()


def exact_hull(costs: list[int]) -> list[Fraction]:
    """The lower convex hull of equidistant costs up to the first minimum, by its definition."""
    end = costs.index(min(costs)) + 1
    return [
        min(
            [Fraction(costs[k])]
            + [
                costs[i] + Fraction(costs[j] - costs[i], j - i) * (k - i)
                for i in range(k)
                for j in range(k + 1, end)
            ]
        )
        for k in range(end)
    ]


@examples(150)
@given(st.lists(st.integers(-9, 9), min_size=1, max_size=9), st.integers(0, 3))
def test_a_bare_callable_gives_its_convex_hull(costs: list[int], shortest: int) -> None:
    table = cost_table(lambda d: costs[d - shortest], shortest, shortest + len(costs) - 1)
    hull = exact_hull(costs)
    assert table.shortest == shortest
    assert table.longest == shortest + len(hull) - 1
    assert costs_of(table) == pytest.approx([float(c) for c in hull], abs=1e-12)
    shift = max(Fraction(c) - h for c, h in zip(costs, hull, strict=False))
    assert table.hull_shift == pytest.approx(float(shift), abs=1e-12)
    assert np.all(table.marginals > 0)
    assert np.all(np.diff(table.marginals) <= 0)


def random_options(random: Random) -> list[tuple[int, int]]:
    """Options in any order, convex or not."""
    times = random.sample(range(30), random.randint(1, 6))
    return [(time, random.randint(-20, 20)) for time in times]


@examples(150)
@given(seeded(random_options))
def test_pieces_of_a_hull_are_what_differencing_it_gives(options: list[tuple[int, int]]) -> None:
    operation = operation_of(options, model=PiecewiseLinearModel)
    model = operation.spec.model
    lo, hi = operation.min_duration, operation.max_duration
    by_pieces = cost_table(model, lo, hi)
    bare = cost_table(lambda d: model(d), lo, hi)
    assert by_pieces.longest == bare.longest
    assert costs_of(by_pieces) == pytest.approx(costs_of(bare), abs=1e-9)
    assert len(by_pieces.lengths) <= len(options)
    assert by_pieces.hull_shift == 0
    kept = operation.spec.options.options
    useful = [option for option in kept if option.quant_time <= by_pieces.longest]
    shifts = [float(option.cost) - model(option.quant_time) for option in useful]
    assert by_pieces.options_shift == pytest.approx(max(shifts), abs=1e-12)


def test_a_model_that_names_its_marginals_is_not_differenced() -> None:
    class Steady(CostModel):
        """Near 1e10, where differences of floats are off by 1e-6."""

        def __call__(self, quant_time: int) -> float:
            return 1e10 - 0.1 * quant_time

        def marginals(self, lo: int, hi: int) -> Any:
            return np.full(hi - lo, 0.1)

    table = cost_table(Steady(), 1, 8)
    assert set(table.marginals.tolist()) == {0.1}
    assert table.hull_shift == 0
    bare = cost_table(lambda d: 1e10 - 0.1 * d, 1, 8)
    assert set(bare.marginals.tolist()) != {0.1}
    assert np.all(np.diff(bare.marginals) <= 0)


def test_marginals_of_none_mean_that_the_model_is_differenced() -> None:
    class Unknowing(CostModel):
        def __call__(self, quant_time: int) -> float:
            return 10.0 - quant_time

    assert cost_table(Unknowing(), 0, 3).marginals.tolist() == [1.0, 1.0, 1.0]


def test_a_subclass_answers_for_the_costs_it_overrides() -> None:
    class Doubled(PiecewiseLinearModel):
        def __call__(self, quant_time: int) -> float:
            return 2 * super().__call__(quant_time)

    asked = []

    class DoubledInBoth(Doubled):
        def marginals(self, lo: int, hi: int) -> Any:
            asked.append((lo, hi))
            return 2 * super().marginals(lo, hi)

    class Renamed(PiecewiseLinearModel):
        pass

    options = operation_of([(1, 5), (3, 1)]).spec.options
    for model, saving in ((Doubled, 4.0), (DoubledInBoth, 4.0), (Renamed, 2.0)):
        table = cost_table(model(options), 1, 3)
        assert np.repeat(table.marginals, table.lengths).tolist() == [saving, saving]
    assert asked == [(1, 3)]


def test_marginals_that_contradict_the_costs_are_refused() -> None:
    class Confused(CostModel):
        def __call__(self, quant_time: int) -> float:
            return 1 / quant_time

        def marginals(self, lo: int, hi: int) -> Any:
            return np.full(hi - lo, 5.0)

    with pytest.raises(InvalidProfile, match=r"marginals save 35.0 .* its costs 0.875"):
        cost_table(Confused(), 1, 8)


def test_one_duration_has_no_marginals() -> None:
    for model in (lambda d: 5.0, operation_of([(3, 5)]).spec.model):
        table = cost_table(model, 3, 3)
        assert table.longest == 3
        assert len(table.lengths) == 0
        assert table.longest_cost == 5.0
        assert table.cost_range == 0.0
        assert table.relative_shift == 0.0


def test_a_billion_quanta_take_three_pieces() -> None:
    model = operation_of([(0, 9), (10**8, 4), (10**9, 1)]).spec.model
    table = cost_table(model, 0, 10**9)
    assert table.lengths.tolist() == [10**8, 9 * 10**8]
    assert table.cost_range == pytest.approx(8)


def test_a_table_of_single_quanta_is_limited() -> None:
    with pytest.raises(CapacityRange, match=r"'a'.*longer unit time"):
        cost_table(lambda d: -d, 0, 10**9, "node 'a'")


@pytest.mark.parametrize(
    ("model", "match"),
    [
        (lambda d: float("nan"), "nan for 1 quantum;"),
        (lambda d: float("-inf"), "-inf"),
        (lambda d: None, "None"),
        (lambda d: "5", "'5'"),
        (lambda d: 1j, "1j"),
        (lambda d: 10**400, "scale"),
        (lambda d: 1.7e308 * (-1) ** d, "finite number"),
    ],
)
def test_costs_that_are_no_numbers(model: Callable[[int], Any], match: str) -> None:
    with pytest.raises(InvalidProfile, match=rf"node 'a'.*{match}"):
        cost_table(model, 1, 3, "node 'a'")


def test_a_model_that_cannot_be_called() -> None:
    with pytest.raises(InvalidProfile, match=r"'a'.*3\.0; expected a callable"):
        cost_table(3.0, 1, 3, "node 'a'")  # type: ignore[arg-type]


def test_costs_that_fall_by_more_than_a_float64_holds() -> None:
    class Cliff(CostModel):
        def __call__(self, quant_time: int) -> float:
            return 0.0

        def marginals(self, lo: int, hi: int) -> Any:
            return np.array([1e308, 1.5e308])

    with pytest.raises(InvalidProfile, match="scale"):
        cost_table(Cliff(), 1, 3)
