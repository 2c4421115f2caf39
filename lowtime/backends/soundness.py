"""Whether an object is a backend that lowtime can call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from lowtime.backends.protocol import PROTOCOL_VERSION, BackendInfo
from lowtime.backends.registry import is_valid_name

State = Literal["not loaded", "usable", "missing dependency", "broken", "blocked", "wrong protocol"]


@dataclass(frozen=True, slots=True)
class Unsound:
    """Why an object is not a usable backend.

    Attributes:
        state: ``"broken"`` or ``"wrong protocol"``.
        reason: what was found and what was expected.
    """

    state: State
    reason: str


def unsound(backend: Any, name: str | None = None) -> Unsound | None:
    """What is wrong with a backend, or None.

    Args:
        backend: any object.
        name: the name that ``info.name`` must equal, where there is one.
    """
    if isinstance(backend, type):
        return Unsound("wrong protocol", f"it is a class; expected an object: {backend.__name__}()")
    info = getattr(backend, "info", None)
    protocol = getattr(info, "protocol", PROTOCOL_VERSION)
    if protocol != PROTOCOL_VERSION:
        return Unsound(
            "wrong protocol",
            f"it speaks backend protocol {protocol}; this lowtime speaks {PROTOCOL_VERSION}",
        )
    if not isinstance(info, BackendInfo):
        return Unsound("wrong protocol", f"its info is {info!r}; expected a BackendInfo")
    if not callable(getattr(backend, "max_flow", None)):
        return Unsound("wrong protocol", "it has no method max_flow(network)")
    if not isinstance(info.name, str) or not is_valid_name(info.name):
        return Unsound("broken", f"its info.name is {info.name!r}; expected [a-z][a-z0-9-]*")
    if name is not None and info.name != name:
        return Unsound("broken", f"its info.name is {info.name!r}; expected {name!r}")
    for limit in ("max_capacity", "max_total", "max_nodes"):
        value = getattr(info, limit)
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            return Unsound("broken", f"its info.{limit} is {value!r}; expected an int, 1 or more")
    return None
