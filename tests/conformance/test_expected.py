"""What is not a maximum flow is not let through."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lowtime.conformance.expected import expected_of, require_max_flow
from lowtime.conformance.instances import make
from lowtime.conformance.registry import CheckFailed
from lowtime.flow.result import MaxFlow

NETWORK = make(3, [(0, 1, 3), (1, 2, 2), (0, 2, 4), (1, 1, 9)], 0, 2)
RIGHT = [2, 2, 4, 0]


def judge(value: Any, flow: Any) -> list[int]:
    return require_max_flow(NETWORK, MaxFlow(value, flow), expected_of(NETWORK), "here")


def test_a_maximum_flow_is_let_through() -> None:
    assert judge(6, np.array(RIGHT)) == RIGHT


@pytest.mark.parametrize(
    ("value", "flow", "message"),
    [
        (6, np.array(RIGHT, dtype=np.int32), "int32"),
        (6, np.array(RIGHT, dtype=np.float64), "float64"),
        (6, np.array(RIGHT, dtype=">i8"), "expected int64"),
        (6, RIGHT, "list"),
        (6, np.array([RIGHT]), "shape"),
        (6, np.array(RIGHT[:3]), "shape"),
        (np.int64(6), np.array(RIGHT), "int64"),
        (6.0, np.array(RIGHT), "float"),
        (True, np.array(RIGHT), "bool"),
        (6, np.array([2, 2, 4, 1]), "self-loop"),
        (6, np.array([4, 2, 2, 0]), "capacity 3"),
        (6, np.array([-1, 2, 4, 0]), "flow -1"),
        (6, np.array([3, 2, 4, 0]), "node 1"),
        (7, np.array(RIGHT), "6 leaves"),
        (5, np.array([1, 1, 4, 0]), "expected 6"),
    ],
)
def test_anything_else_is_not(value: Any, flow: Any, message: str) -> None:
    with pytest.raises(CheckFailed, match=message):
        judge(value, flow)


def test_another_type_is_not() -> None:
    with pytest.raises(CheckFailed, match="tuple"):
        require_max_flow(NETWORK, (6, np.array(RIGHT)), expected_of(NETWORK), "here")
