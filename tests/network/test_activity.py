"""Activity networks are checked once, when they are made."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields, replace
from typing import Any

import numpy as np
import pytest
from oracle.dags import dag_of
from oracle.networks import Arc, network_of

from lowtime.errors import CapacityRange, InvalidNetwork
from lowtime.network.activity import MAX_TOTAL_TIME, MAX_UNBOUNDED, ActivityNetwork

NETWORK = network_of(
    3,
    [Arc(0, 1, table=0), Arc(1, 2, table=1), Arc(0, 2, duration=3)],
    [Arc(0, 1)],
    [(1, ((2, 5), (2, 2))), (0, ((3, 3),))],
)


def test_sizes_and_ends() -> None:
    assert NETWORK.num_arcs == 4
    assert NETWORK.source == 0
    assert NETWORK.sink == 2
    assert NETWORK.unbounded == 1 + 5 + 3


def test_arrays_are_private_read_only_and_of_the_stated_types() -> None:
    tail = np.array([0, 1, 0, 0], dtype=np.int64)
    network = replace(NETWORK, tail=tail)
    tail[:] = 7
    assert network.tail.tolist() == [0, 1, 0, 0]
    for field in fields(ActivityNetwork):
        array = getattr(network, field.name)
        if isinstance(array, np.ndarray):
            assert str(array.dtype) in str(field.type)
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 1


def test_a_network_is_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        NETWORK.unbounded = 3  # type: ignore[misc]


def test_lists_are_taken() -> None:
    assert replace(NETWORK, longest=[5, 3, 3, 0]).longest.dtype == np.int64


@pytest.mark.parametrize(
    ("changes", "match"),
    [
        ({"num_events": 1}, "num_events"),
        ({"num_events": 3.0}, "num_events"),
        ({"num_events": 10**12}, "num_events is 1000000000000 for 4 arcs; expected 5 at most"),
        ({"num_operations": 5}, "num_operations"),
        ({"num_operations": -1}, "num_operations"),
        ({"num_operations": True}, "num_operations"),
        ({"tail": [0, 1, 0]}, "entries for 3 arcs"),
        ({"shortest": [1, 0, 3]}, "shortest has 3 entries"),
        ({"tail": [0, 1, 0, 1]}, "arc 3 goes 1 -> 1"),
        ({"tail": [0, 1, -1, 0]}, "arc 2 goes -1"),
        ({"head": [1, 2, 3, 1]}, "arc 2 goes 0 -> 3"),
        ({"tail": [0.0, 1.0, 0.0, 0.0]}, "tail is float64"),
        ({"tail": [[0, 1, 0, 0]]}, "tail is int64"),
        ({"tail": np.array([0, 1, 2**32, 0])}, "tail has entries"),
        ({"marginal": [5, 2, 2.5]}, "marginal is float64"),
        ({"head": [1, 2, 2, 2], "tail": [0, 0, 0, 0]}, "no arc leaves event 1"),
        ({"head": [2, 2, 2, 2]}, "no arc enters event 1"),
        ({"shortest": [-1, 0, 3, 0]}, "arc 0 lasts -1"),
        ({"longest": [5, 3, 2, 0]}, "arc 2 lasts 3 .. 2"),
        ({"table": [-1, 1, -1, -1]}, "arc 0"),
        ({"table": [0, 1, 0, -1]}, "arc 2"),
        ({"table": [0, 2, -1, -1]}, "cost table 2 of 2"),
        ({"table": [1, 1, -1, -1]}, "differ from its cost table"),
        ({"shortest": [2, 0, 3, 0]}, "differ from its cost table"),
        ({"table_start": [1, 2, 3]}, "table_start"),
        ({"table_start": [0, 2, 2]}, "table_start"),
        ({"table_start": [0, 2, 2, 3]}, "table_start"),
        ({"table_start": []}, "table_start"),
        ({"piece_end": [3, 5]}, "2 ends"),
        ({"piece_start": [1, 4, 0]}, "pieces must join"),
        ({"piece_end": [1, 5, 3]}, "pieces must join"),
        ({"marginal": [5, 0, 3]}, "pieces must join"),
        ({"marginal": [5, 5, 3]}, "pieces must join"),
        ({"marginal": [2, 5, 3]}, "pieces must join"),
        ({"unbounded": 8}, "expected 1 \\+ 8"),
        ({"unbounded": 9.0}, "unbounded"),
        ({"unbounded": 10}, "unbounded is 10"),
        ({"marginal": [MAX_UNBOUNDED, 2, 3], "unbounded": MAX_UNBOUNDED + 4}, "2\\^50"),
        ({"cost_unit": 0.0}, "power of two"),
        ({"cost_unit": -1.0}, "power of two"),
        ({"cost_unit": 0.3}, "power of two"),
        ({"cost_unit": float("inf")}, "power of two"),
        ({"cost_unit": float("nan")}, "power of two"),
        ({"start_cost": float("nan")}, "start_cost"),
    ],
)
def test_a_broken_rule_names_what_was_found(changes: dict[str, Any], match: str) -> None:
    with pytest.raises(InvalidNetwork, match=match):
        replace(NETWORK, **changes)


def test_times_that_sum_beyond_64_bits() -> None:
    # Longest paths are sums of longest durations: they must not wrap.
    half = MAX_TOTAL_TIME // 2
    fits = network_of(3, [Arc(0, 1, duration=half), Arc(1, 2, duration=half)], [], [])
    assert fits.longest.sum() == MAX_TOTAL_TIME
    with pytest.raises(CapacityRange, match="longer unit time"):
        network_of(3, [Arc(0, 1, duration=2 * half), Arc(1, 2, duration=half)], [], [])


def test_the_smallest_and_the_largest_cost_unit() -> None:
    for exponent in (-1074, 1023):
        assert replace(NETWORK, cost_unit=2.0**exponent).cost_unit == 2.0**exponent


def test_a_network_from_a_dag() -> None:
    network = ActivityNetwork.from_dag(dag_of({"a": [(1, 5), (3, 1)], "b": [(2, 0)]}, [("a", "b")]))
    assert network.num_operations == 2
    assert network.shortest[:2].tolist() == [1, 2]
    assert network.longest[:2].tolist() == [3, 2]
    assert network.table[:2].tolist() == [0, -1]
    assert network.start_cost == 1.0
