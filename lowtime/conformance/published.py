"""Small inputs that broke real solvers, with the right answers."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from fractions import Fraction
from importlib.resources import files
from math import lcm
from typing import Any

from lowtime.conformance.expected import Expected
from lowtime.flow.network import INT64_MAX, FlowNetwork


@dataclass(frozen=True, slots=True)
class FlowCase:
    """A published flow problem as a plain network of integers.

    Attributes:
        name: title in lower case, words joined by underscores.
        fault: what went wrong, and the address of the report.
        network: the network; decimals are scaled to integers exactly, an unbounded capacity is
            the sum of all others + 1.
        expected: value (scaled alike) and canonical cut.
    """

    name: str
    fault: str
    network: FlowNetwork
    expected: Expected


def load_cases(file: str) -> list[dict[str, Any]]:
    """The raw cases of ``flow_cases`` or ``project_cases``."""
    text = files("lowtime.conformance").joinpath(f"data/{file}.json").read_text("utf-8")
    cases: list[dict[str, Any]] = json.loads(text)
    return cases


def case_name(case: dict[str, Any]) -> str:
    """The title of a raw case as an identifier."""
    return re.sub(r"[^a-z0-9]+", "_", case["title"].lower().replace("+", " plus ")).strip("_")


def case_fault(case: dict[str, Any]) -> str:
    """What went wrong in a raw case, with its source."""
    source = "lowtime's own study" if case["url"] == "found here" else case["url"]
    return f"{case['title'][0].upper()}{case['title'][1:]}: {case['why']}\n\nSource: {source}"


def is_plain(case: dict[str, Any]) -> bool:
    """Whether a raw flow case is a finite max-flow problem that fits 64 bits."""
    if case["expected"]["status"] != "ok" or any(
        Fraction(lower) != 0 for _, _, lower, _ in case["edges"]
    ):
        return False
    return Fraction(case["expected"]["value"]) <= INT64_MAX


def plain_network(case: dict[str, Any]) -> tuple[FlowNetwork, int]:
    """The network of a raw case without lower bounds, and the scale of its capacities."""
    uppers = [None if upper == "inf" else Fraction(upper) for _, _, _, upper in case["edges"]]
    finite = [upper for upper in uppers if upper is not None]
    scale = lcm(*(upper.denominator for upper in finite))
    unbounded = int(scale * sum(finite)) + 1
    capacities = [unbounded if upper is None else int(scale * upper) for upper in uppers]
    if sum(capacities) > INT64_MAX:
        # An arc wider than the maximum flow is in no minimum cut, however wide it is.
        widest = int(scale * Fraction(case["expected"]["value"])) + 1
        capacities = [min(capacity, widest) for capacity in capacities]
    number = {node: index for index, node in enumerate(case["nodes"])}
    network = FlowNetwork(
        len(number),
        [number[tail] for tail, _, _, _ in case["edges"]],
        [number[head] for _, head, _, _ in case["edges"]],
        capacities,
        number[case["source"]],
        number[case["sink"]],
    )
    return network, scale


def flow_cases() -> tuple[FlowCase, ...]:
    """The published flow problems that are plain networks."""
    cases = []
    for case in load_cases("flow_cases"):
        if is_plain(case):
            network, scale = plain_network(case)
            side = set(case["expected"]["source_side"])
            expected = Expected(
                int(scale * Fraction(case["expected"]["value"])),
                tuple(node in side for node in case["nodes"]),
            )
            cases.append(FlowCase(case_name(case), case_fault(case), network, expected))
    return tuple(cases)
