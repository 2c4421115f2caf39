"""Backends that take a process or a thread down with them."""

from __future__ import annotations

import os
from threading import Event

from lowtime.backends.protocol import BackendInfo
from lowtime.conformance.honest import HonestBackend
from lowtime.flow.network import FlowNetwork
from lowtime.flow.result import MaxFlow


class CrashesOnLongPaths:
    """Aborts, as native code does when its stack overflows."""

    info = BackendInfo("crashes", "1.0.0", 2**63 - 1, 2**63 - 1)

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        if network.num_nodes > 1000:
            os.abort()
        return HonestBackend().max_flow(network)


class HangsOnLongPaths:
    """Never returns from a long path."""

    info = BackendInfo("hangs", "1.0.0", 2**63 - 1, 2**63 - 1)

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        if network.num_nodes > 1000:
            Event().wait()
        return HonestBackend().max_flow(network)


class AlwaysHangs:
    """Never returns."""

    info = BackendInfo("always-hangs", "1.0.0", 2**63 - 1, 2**63 - 1)

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        Event().wait()
        raise AssertionError
