"""Segments that break their contract, one rule at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from oracle.networks import Arc, network_of

from lowtime.backends.protocol import Segments
from lowtime.errors import BackendFault
from lowtime.frontier.session_checks import check_prices, check_segments

# Two operations in series: a saves 5 and then 2 a quantum, b saves 3; then a fixed operation.
NETWORK = network_of(
    4,
    [Arc(0, 1, table=0), Arc(1, 2, table=1), Arc(2, 3, duration=4)],
    [],
    [(1, ((2, 5), (2, 2))), (0, ((3, 3),))],
)


def segments(
    length: list[int], slope: list[int], changes: list[dict[int, int]], done: bool = True
) -> Segments:
    """Segments from one mapping of arc to sign each."""
    return Segments(
        length=np.array(length, dtype=np.int64),
        slope=np.array(slope, dtype=np.int64),
        offset=np.cumsum([0] + [len(c) for c in changes], dtype=np.int64),
        arc=np.array([arc for c in changes for arc in c], dtype=np.int32),
        sign=np.array([sign for c in changes for sign in c.values()], dtype=np.int8),
        done=done,
    )


RIGHT = segments([2, 3, 2], [2, 3, 5], [{0: -1}, {1: -1}, {0: -1}])


def test_right_segments_pass() -> None:
    check_segments(NETWORK, RIGHT, "b")
    check_prices(NETWORK, NETWORK.longest, RIGHT, "b")
    check_segments(NETWORK, segments([], [], []), "b")
    check_prices(NETWORK, NETWORK.longest, segments([], [], []), "b")


def test_a_segment_may_be_divided_anywhere() -> None:
    part = segments([1, 1, 2, 1, 2], [2, 2, 3, 3, 5], [{0: -1}] * 2 + [{1: -1}] * 2 + [{0: -1}])
    check_segments(NETWORK, part, "b")
    check_prices(NETWORK, NETWORK.longest, part, "b")


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"length": [2, 3, 2]}, "int64"),
        ({"length": None}, "int64"),
        ({"length": np.array([2.0, 3.0, 2.0])}, "int64"),
        ({"length": np.array([[2], [3], [2]])}, "int64"),
        ({"slope": RIGHT.slope.astype(np.int32)}, "int64"),
        ({"arc": RIGHT.arc.astype(np.int64)}, "int32"),
        ({"sign": RIGHT.sign.astype(np.int64)}, "int8"),
        ({"done": 1}, "bool"),
        ({"done": np.True_}, "bool"),
        ({"slope": RIGHT.slope[:2]}, "slope"),
        ({"offset": RIGHT.offset[:3]}, "offset"),
        ({"sign": RIGHT.sign[:2]}, "sign"),
        ({"offset": RIGHT.offset + 1}, "offsets"),
        ({"offset": np.array([0, 1, 1, 3])}, "changes in every segment"),
        ({"length": np.array([2, 0, 2])}, "lengths"),
        ({"length": np.array([2, -3, 2])}, "lengths"),
        ({"slope": np.array([0, 3, 5])}, "slopes of 1"),
        ({"slope": np.array([3, 2, 5])}, "never fall"),
        ({"arc": np.array([-1, 1, 0], dtype=np.int32)}, "operations"),
        ({"arc": np.array([0, 1, 3], dtype=np.int32)}, "operations"),
        ({"sign": np.array([0, -1, -1], dtype=np.int8)}, "signs"),
        ({"sign": np.array([-1, -2, -1], dtype=np.int8)}, "signs"),
        ({"sign": np.array([-128, -1, -1], dtype=np.int8)}, "signs"),
    ],
)
def test_a_broken_rule_is_named(changes: dict[str, Any], rule: str) -> None:
    with pytest.raises(BackendFault, match=rf"'b'.*{rule}"):
        check_segments(NETWORK, replace(RIGHT, **changes), "backend 'b'")


@pytest.mark.parametrize("arcs", [[1, 0], [1, 1]])
def test_arcs_increase_within_a_segment(arcs: list[int]) -> None:
    part = segments([1], [5], [{0: -1, 1: -1}])
    with pytest.raises(BackendFault, match="increase"):
        check_segments(NETWORK, replace(part, arc=np.array(arcs, dtype=np.int32)), "b")


@pytest.mark.parametrize(
    ("part", "match"),
    [
        (segments([2], [3], [{0: -1}]), "counted 3.*costs 2.*2"),
        (segments([3], [2], [{0: -1}]), "costs 2.*costs? 5|first one costs 2.*5"),
        (segments([3], [3], [{0: -1}]), "counted 3"),  # the average of 2, 2 and 5
        (segments([4], [3], [{1: -1}]), "beyond"),
        (segments([1], [2], [{0: 1}]), "beyond"),
        (segments([1], [3], [{2: -1}]), "beyond|fixed"),
        (segments([2, 2], [2, 2], [{0: -1}, {0: -1}]), "counted 2.*costs 5"),
        (segments([2, 3, 1], [2, 3, 3], [{0: -1}, {1: -1}, {0: 1}]), "costs -2"),
    ],
)
def test_a_wrong_price_is_told(part: Segments, match: str) -> None:
    check_segments(NETWORK, part, "b")
    with pytest.raises(BackendFault, match=match):
        check_prices(NETWORK, NETWORK.longest, part, "b")


def test_a_relaxation_gives_back_what_the_crash_cost() -> None:
    part = segments([2, 3, 1], [2, 3, 3], [{0: -1}, {1: -1}, {0: -1, 1: 1}])
    with pytest.raises(BackendFault, match=r"counted 3.*costs 2"):
        check_prices(NETWORK, NETWORK.longest, part, "b")
    part = replace(part, slope=np.array([2, 3, 2]))
    check_prices(NETWORK, NETWORK.longest, part, "b")
