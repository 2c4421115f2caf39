"""Fake plugins: distributions on ``sys.path`` as an installer would leave them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from textwrap import dedent

import pytest

from lowtime.backends import probe, registry, selection

_numbers = count()

HONEST = """
    from lowtime_networkx import NetworkXBackend
    from lowtime.backends.protocol import BackendInfo

    class Backend(NetworkXBackend):
        info = BackendInfo(NAME, "1.5", max_capacity=2**63 - 1, max_total=2**63 - 1)
"""

Plugin = Callable[..., str]


@pytest.fixture(autouse=True)
def clean_slate(monkeypatch: pytest.MonkeyPatch) -> None:
    """No choice, registration or environment of another test."""
    monkeypatch.delenv("LOWTIME_BACKEND", raising=False)
    monkeypatch.delenv("LOWTIME_BACKEND_BLOCK", raising=False)
    monkeypatch.setattr(selection, "_of_process", None)
    monkeypatch.setattr(registry, "_registered", {})
    monkeypatch.setattr(registry, "_discovered", None)
    monkeypatch.setattr(probe, "_loaded", {})


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Plugin]:
    """Install a distribution that offers a backend; returns the name of its module."""
    modules = []

    def install(
        name: str, distribution: str, code: str = HONEST, value: str = "{module}:Backend"
    ) -> str:
        number = next(_numbers)
        module = f"fake_plugin_{number}"
        modules.append(module)
        folder = tmp_path / str(number)
        metadata = folder / f"{distribution.replace('-', '_')}-1.5.dist-info"
        metadata.mkdir(parents=True)
        (metadata / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.5\n"
        )
        (metadata / "entry_points.txt").write_text(
            f"[lowtime.backends]\n{name} = {value.format(module=module)}\n"
        )
        (folder / f"{module}.py").write_text(f"NAME = {name!r}\n" + dedent(code))
        monkeypatch.syspath_prepend(folder)
        return module

    yield install
    for module in modules:
        sys.modules.pop(module, None)
