"""Small inputs that broke real solvers, each through every backend."""

from __future__ import annotations

import json
from fractions import Fraction
from math import inf, lcm, nan
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

import lowtime
from lowtime.flow.lower_bounds import BoundedNetwork

CASES = json.loads((Path(__file__).parents[1] / "data/cases/flow.json").read_text())
IDS = [f"{case['id']}-{case['title'].replace(' ', '-')}" for case in CASES]
ABOVE_2_53 = ("F35", "F50", "L20")  # what leaves the source, scaled to integers
every_case = pytest.mark.parametrize("case", CASES, ids=IDS)


def number(text: int | str) -> Any:
    """An exact number, infinity or NaN."""
    special = {"inf": inf, "-inf": -inf, "nan": nan}
    if text in special:
        return special[text]
    value = Fraction(text)
    return int(value) if value.denominator == 1 else value


def graph_of(case: dict[str, Any]) -> tuple[nx.MultiDiGraph, int | None]:
    """The case's graph and the scale that makes its numbers integers."""
    graph = nx.MultiDiGraph()
    graph.add_nodes_from(case["nodes"])
    denominators = [1]
    for tail, head, lower, upper in case["edges"]:
        bounds = {"lower": number(lower), "capacity": number(upper)}
        graph.add_edge(tail, head, **bounds)
        denominators += [b.denominator for b in bounds.values() if isinstance(b, Fraction)]
    scale = lcm(*denominators)
    return graph, None if scale == 1 else scale


@every_case
def test_case(case: dict[str, Any], backend_name: str) -> None:
    graph, scale = graph_of(case)
    expected = case["expected"]

    def cut(kind: Any) -> lowtime.Cut:
        network = kind.from_networkx(graph, case["source"], case["sink"], scale=scale)
        found = lowtime.min_cut(network, backend=backend_name)
        flow = lowtime.max_flow(network, backend=backend_name)
        assert flow.value == found.value
        return found

    kinds: list[Any] = [BoundedNetwork]
    if not any(number(lower) for _, _, lower, _ in case["edges"]):
        kinds.append(lowtime.FlowNetwork)
    for kind in kinds:
        if backend_name == "igraph" and case["id"] in ABOVE_2_53:
            with pytest.raises(lowtime.CapacityRange, match=str(2**53)):
                cut(kind)
        elif case["id"] == "F34":  # 2^64 - 2 leaves the source
            with pytest.raises(lowtime.CapacityRange, match="18446744073709551614"):
                cut(kind)
        elif expected["status"] == "infeasible":
            with pytest.raises(lowtime.Infeasible):
                cut(kind)
        elif expected["status"] == "unbounded":
            with pytest.raises(lowtime.InvalidNetwork, match="unbounded"):
                cut(kind)
        elif expected["status"] == "invalid":
            with pytest.raises(lowtime.InvalidNetwork):
                cut(kind)
        else:
            found = cut(kind)
            assert Fraction(found.value, scale or 1) == Fraction(expected["value"])
            side = [node for node, in_side in zip(graph, found.source_side, strict=True) if in_side]
            assert side == expected["source_side"]


def test_every_case_is_there() -> None:
    assert len(CASES) == 48
