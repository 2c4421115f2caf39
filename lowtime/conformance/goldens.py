"""Stored answers for the seeded instances."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from importlib.resources import files

from lowtime.conformance.expected import Expected, expected_of
from lowtime.conformance.instances import FAMILIES
from lowtime.conformance.registry import CheckFailed
from lowtime.flow.network import FlowNetwork

# Instances per family: enough of the small ones to meet every kind of tie.
_FIVE = ("sparse", "dense", "unreachable", "layered", "grid", "pipeline", "bipartite")
SEEDS = {
    "tiny": 150,
    "parallel": 20,
    "antiparallel": 20,
    "self_loops": 20,
    "zeros": 20,
    **dict.fromkeys((*_FIVE, "greedy_trap", "ties", "wide"), 5),
}


def fingerprint(network: FlowNetwork) -> str:
    """First 16 hexadecimal digits of a SHA-256 over the network's numbers, little-endian."""
    digest = hashlib.sha256(repr((network.num_nodes, network.source, network.sink)).encode("ascii"))
    for array, dtype in ((network.tail, "<i4"), (network.head, "<i4"), (network.capacity, "<i8")):
        digest.update(array.astype(dtype).tobytes())
    return digest.hexdigest()[:16]


def computed_goldens() -> dict[str, list[dict[str, str | int]]]:
    """The answers of the reference solver for every instance, in the stored form.

    ``side`` has bit ``v`` (of value ``2^v``) set when node ``v`` is on the source side, written in
    hexadecimal.
    """
    table: dict[str, list[dict[str, str | int]]] = {}
    for family, count in SEEDS.items():
        table[family] = []
        for seed in range(count):
            network = FAMILIES[family](seed)
            expected = expected_of(network)
            side = sum(1 << node for node, inside in enumerate(expected.source_side) if inside)
            table[family].append(
                {"network": fingerprint(network), "value": expected.value, "side": f"{side:x}"}
            )
    return table


@cache
def stored_goldens() -> dict[str, list[dict[str, str | int]]]:
    """The table in ``data/goldens.json``."""
    text = files("lowtime.conformance").joinpath("data/goldens.json").read_text("utf-8")
    table: dict[str, list[dict[str, str | int]]] = json.loads(text)
    return table


def golden(family: str, seed: int) -> tuple[FlowNetwork, Expected]:
    """A seeded instance with its stored answer.

    Made afresh every time: a backend that writes into its input must not spoil later checks.

    Raises:
        CheckFailed: the instance is not the one that the answer belongs to.
    """
    network = FAMILIES[family](seed)
    stored = stored_goldens()[family][seed]
    if fingerprint(network) != stored["network"]:
        raise CheckFailed(f"{family}({seed}) is not the stored instance: its generator changed")
    side = int(str(stored["side"]), 16)
    nodes = range(network.num_nodes)
    return network, Expected(int(stored["value"]), tuple(bool(side >> v & 1) for v in nodes))
