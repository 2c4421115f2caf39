"""Required backends work; the others may be missing."""

from __future__ import annotations

from lowtime.backends.listing import list_backends


def test_a_required_backend_is_usable(backend_name: str) -> None:
    states = {row.name: (row.state, row.reason) for row in list_backends(probe=True)}
    assert states.get(backend_name, "not installed") == ("usable", "")
