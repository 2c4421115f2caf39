"""The engine's crate, run without Python: its examples, built here."""

from __future__ import annotations

import subprocess
from pathlib import Path

from lowtime.flow.network import FlowNetwork
from lowtime.frontier.files import NETWORK_ARRAYS
from lowtime.network.activity import ActivityNetwork

CRATES = Path(__file__).parents[2] / "backends" / "rust"


def built_example(name: str) -> Path:
    """Path of an example of the engine crate, after building it for release."""
    command = ["cargo", "build", "--release", "--quiet", "-p", "lowtime-engine", "--example", name]
    subprocess.run(command, cwd=CRATES, check=True)
    return CRATES / "target" / "release" / "examples" / name


def write_activity(network: ActivityNetwork, path: Path) -> None:
    """Write a project as the example `trace` reads it."""
    rows: list[list[int]] = [[network.num_events, network.num_operations, network.unbounded]]
    rows += [getattr(network, name).tolist() for name in NETWORK_ARRAYS]
    _write(rows, path)


def write_network(network: FlowNetwork, path: Path) -> None:
    """Write a flow network as the example `max_flow` reads it."""
    rows = [[network.num_nodes, network.source, network.sink]]
    rows += [getattr(network, name).tolist() for name in ("tail", "head", "capacity")]
    _write(rows, path)


def _write(rows: list[list[int]], path: Path) -> None:
    path.write_text("\n".join(" ".join(map(str, row)) for row in rows) + "\n")
