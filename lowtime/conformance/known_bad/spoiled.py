"""The honest backend under another name, for a fault to be put in."""

from __future__ import annotations

from lowtime.backends.protocol import BackendInfo
from lowtime.conformance.honest import HonestBackend
from lowtime.flow.network import FlowNetwork
from lowtime.flow.result import MaxFlow


def info_of(name: str) -> BackendInfo:
    """A declaration that promises everything."""
    return BackendInfo(f"bad-{name}", "1.0.0", max_capacity=2**63 - 1, max_total=2**63 - 1)


def honest_flow(network: FlowNetwork) -> MaxFlow:
    """A right answer."""
    return HonestBackend().max_flow(network)
