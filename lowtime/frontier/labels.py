"""Nodes and knobs as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import numpy as np

from lowtime.errors import InvalidProfile

TUPLE_TAG = "tuple"


def to_json(values: Iterable[Any], what: str) -> str:
    """A JSON list of labels; tuples become ``{"tuple": [...]}``.

    Args:
        values: None, bools, ints, floats, strings, NumPy scalars that equal one, or tuples of such.
        what: what the labels name, for the message.

    Raises:
        InvalidProfile: a label of another kind.
    """
    return json.dumps([_encoded(value, what) for value in values], separators=(",", ":"))


def from_json(text: str) -> list[Any]:
    """The labels that `to_json` wrote."""
    return [_decoded(value) for value in json.loads(text)]


def _encoded(value: Any, what: str) -> Any:
    if isinstance(value, tuple) and type(value) is tuple:
        return {TUPLE_TAG: [_encoded(item, what) for item in value]}
    if isinstance(value, np.generic):
        plain = float(value) if isinstance(value, np.floating) else value.item()
        # A number that equals the label hashes like it, so that mappings find it again.
        if type(plain) in (bool, int, float, str) and (plain == value or value != value):
            return plain
    if value is None or type(value) in (bool, int, float, str):
        return value
    raise InvalidProfile(
        f"{what} {value!r} is a {type(value).__name__}, which a frontier file cannot hold; use"
        " strings, numbers, None or tuples of them (e.g. nx.relabel_nodes), or pickle the plans"
        " yourself"
    )


def _decoded(value: Any) -> Any:
    if isinstance(value, dict):
        return tuple(_decoded(item) for item in value[TUPLE_TAG])
    return value
