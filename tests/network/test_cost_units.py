"""The integer scale: as fine as UNB allows, monotone, never 0, at any magnitude."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest
from hypothesis import given
from oracle.examples import examples
from oracle.networks import seeded

from lowtime.network.activity import MAX_UNBOUNDED
from lowtime.network.cost_units import CostUnits, cost_units

Tables = tuple[list[list[float]], list[int]]


def random_tables(random: Random) -> Tables:
    """Tables of falling marginals of one magnitude, and how often each is used."""
    magnitude = 10.0 ** random.randint(-307, 290)
    spread = random.choice([1, 3, 12])
    tables = [
        sorted(
            (magnitude * 10 ** random.uniform(-spread, 0) for _ in range(random.randint(1, 5))),
            reverse=True,
        )
        for _ in range(random.randint(1, 5))
    ]
    return tables, [random.randint(1, 10**5) for _ in tables]


def scaled(case: Tables) -> CostUnits:
    """Cost units of tables given as lists."""
    tables, uses = case
    return cost_units([np.array(table) for table in tables], uses)


@examples(200)
@given(seeded(random_tables))
def test_every_marginal_is_rounded_to_the_finest_unit(case: Tables) -> None:
    units = scaled(case)
    for table, marginals in zip(case[0], units.marginals, strict=True):
        assert marginals.dtype == np.int64
        assert np.all(np.diff(marginals) <= 0)
        for marginal, whole in zip(table, marginals.tolist(), strict=True):
            assert whole == max(1, round(math.ldexp(marginal, units.exponent)))
    largest = [table[0] for table in case[0]]

    def unbounded(exponent: int) -> int:
        return 1 + sum(
            max(1, round(math.ldexp(most, exponent))) * uses
            for most, uses in zip(largest, case[1], strict=True)
        )

    assert units.unbounded == unbounded(units.exponent) <= MAX_UNBOUNDED
    assert units.exponent == 1074 or unbounded(units.exponent + 1) > MAX_UNBOUNDED


@pytest.mark.parametrize("marginal", [5e-324, 1e-320, 1e-300, 1.0, 1e300, 1.7e308])
def test_any_float64_is_a_marginal(marginal: float) -> None:
    units = scaled(([[marginal]], [3]))
    kept = math.ldexp(int(units.marginals[0][0]), -units.exponent)
    assert kept == pytest.approx(marginal, rel=2.0**-48, abs=0)


def test_a_sum_beyond_float64_is_no_overflow() -> None:
    units = scaled(([[1.7e308], [1.7e308]], [10**5, 10**5]))
    assert MAX_UNBOUNDED / 4 < units.unbounded <= MAX_UNBOUNDED


def test_a_power_of_two_scales_nothing_but_the_exponent() -> None:
    tables = [[0.7, 0.3], [0.11]]
    units = scaled((tables, [2, 3]))
    for shift in (-200, 7, 300):
        moved = scaled(([[math.ldexp(m, shift) for m in table] for table in tables], [2, 3]))
        assert moved.exponent == units.exponent - shift
        assert [m.tolist() for m in moved.marginals] == [m.tolist() for m in units.marginals]


def test_a_positive_marginal_is_never_free() -> None:
    assert scaled(([[1e30, 1e-30]], [1])).marginals[0][1] == 1


def test_nothing_to_scale() -> None:
    units = scaled(([], []))
    assert units.unbounded == 1
    assert units.marginals == []
