"""Nodes and knobs as JSON, and back as they were."""

from __future__ import annotations

import enum
import json
import math
from collections import namedtuple
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle.examples import examples

from lowtime.errors import InvalidProfile
from lowtime.frontier.labels import from_json, to_json

ATOMS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=5)
)
LABELS = st.recursive(ATOMS, lambda inner: st.lists(inner, max_size=3).map(tuple), max_leaves=6)


def kinds(value: Any) -> Any:
    """A value with the types of all its parts; True and 1 are equal but not the same label."""
    return [kinds(item) for item in value] if isinstance(value, tuple) else (type(value), value)


@examples(100)
@given(st.lists(LABELS, max_size=4))
def test_labels_come_back_as_they_were(labels: list[Any]) -> None:
    text = to_json(labels, "node")
    text.encode("ascii")
    assert kinds(tuple(from_json(text))) == kinds(tuple(labels))


def test_nan_comes_back() -> None:
    (label,) = from_json(to_json([math.nan], "knob"))
    assert math.isnan(label)


@pytest.mark.parametrize(
    ("scalar", "plain"),
    [
        (np.int64(3), 3),
        (np.float32(0.5), 0.5),
        (np.bool_(True), True),
        (np.str_("a"), "a"),
        (np.longdouble(0.25), 0.25),
    ],
)
def test_numpy_scalars_become_the_numbers_they_equal(scalar: Any, plain: Any) -> None:
    (label,) = from_json(to_json([scalar], "node"))
    assert type(label) is type(plain)
    assert label == plain == scalar


class Clock(enum.IntEnum):
    """A knob that is an int and more."""

    FAST = 1


Point = namedtuple("Point", "x")


@pytest.mark.parametrize(
    "label",
    [frozenset([1]), b"b", 1j, Clock.FAST, Point(1), [1], {"tuple": []}, (1, b"x")],
    ids=repr,
)
def test_other_kinds_are_refused_with_the_way_out(label: Any) -> None:
    with pytest.raises(InvalidProfile, match=r"knob .*relabel_nodes"):
        to_json(["fine", label], "knob")


def test_the_text_is_json() -> None:
    assert json.loads(to_json([(1, "a"), None], "node")) == [{"tuple": [1, "a"]}, None]
