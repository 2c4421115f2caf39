"""The list of backends, and the package that is also a function."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest
from lowtime_networkx import NetworkXBackend

import lowtime
import lowtime.backends.protocol
from lowtime.backends.protocol import BackendInfo


def test_the_package_is_also_the_function() -> None:
    assert isinstance(lowtime.backends, ModuleType)
    assert lowtime.backends is sys.modules["lowtime.backends"]
    assert lowtime.backends.protocol.PROTOCOL_VERSION == 1
    assert {"networkx", "scipy"} <= {row.name for row in lowtime.backends()}
    assert lowtime.backends(True) == lowtime.backends(probe=True)


def test_limits_are_known_once_loaded() -> None:
    before = {row.name: row for row in lowtime.backends()}["scipy"]
    assert (before.state, before.max_capacity, before.max_total) == ("not loaded", None, None)
    lowtime.set_backend("scipy")
    after = {row.name: row for row in lowtime.backends()}["scipy"]
    assert (after.state, after.max_total) == ("usable", 2**62 - 1)
    assert after.distribution == "lowtime"
    assert after.version == lowtime.__version__


def test_in_the_order_of_auto_then_by_name() -> None:
    for name in ("zebra", "ant"):

        class Mine(NetworkXBackend):
            info = BackendInfo(name, "0.1", max_capacity=9, max_total=9)

        lowtime.register_backend(Mine())
    names = [row.name for row in lowtime.backends()]
    assert names[-2:] == ["ant", "zebra"]
    ours = [name for name in ("rust", "igraph", "scipy", "networkx") if name in names]
    assert names[: len(ours)] == ours


def test_a_registered_backend_can_be_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    lowtime.register_backend(NetworkXBackend(), replace=True)
    monkeypatch.setenv("LOWTIME_BACKEND_BLOCK", "networkx")
    rows = [row for row in lowtime.backends(probe=True) if row.name == "networkx"]
    assert [row.state for row in rows] == ["blocked"]
