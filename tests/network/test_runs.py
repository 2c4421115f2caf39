"""Many binary searches at once, against bisect."""

from __future__ import annotations

from bisect import bisect_right
from random import Random

import numpy as np
from hypothesis import given
from oracle.examples import examples
from oracle.networks import seeded

from lowtime.network.runs import last_not_above


def random_runs(random: Random) -> tuple[list[list[int]], list[tuple[int, int]]]:
    """Sorted runs, and (run, key) pairs to look for."""
    runs = [
        sorted(random.sample(range(40), random.randint(1, 17))) for _ in range(random.randint(1, 6))
    ]
    return runs, [
        (random.randrange(len(runs)), random.randint(-3, 43)) for _ in range(random.randint(0, 30))
    ]


@examples(100)
@given(seeded(random_runs))
def test_every_key_is_found_in_its_own_run(
    case: tuple[list[list[int]], list[tuple[int, int]]],
) -> None:
    runs, keys = case
    start = np.cumsum([0] + [len(run) for run in runs])
    of = np.array([run for run, _ in keys], dtype=np.int64)
    found = last_not_above(
        np.concatenate(runs),
        start[of],
        start[of + 1],
        np.array([key for _, key in keys], dtype=np.int64),
    )
    expected = [int(start[run]) + bisect_right(runs[run], key) - 1 for run, key in keys]
    assert found.tolist() == expected


def test_keys_near_the_ends_of_int64() -> None:
    values = np.array([-(2**63), 0, 2**63 - 1])
    keys = np.array([-(2**63), -1, 2**63 - 2, 2**63 - 1])
    found = last_not_above(values, np.zeros(4, dtype=np.int64), np.full(4, 3), keys)
    assert found.tolist() == [0, 0, 1, 2]
