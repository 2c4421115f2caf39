"""The backend behind a reference that another process can follow."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from lowtime.backends.protocol import MaxFlowBackend
from lowtime.backends.selection import resolve
from lowtime.errors import BackendUnusable


def referenced_backend(reference: str) -> MaxFlowBackend:
    """The backend of an installed name such as ``scipy``, or of ``module:attribute``.

    The second form is for a backend under development: the attribute is the backend itself, or a
    class or function that makes it without arguments, as in an entry point.

    Raises:
        BackendNotFound: no backend has the name.
        BackendUnusable: it cannot be loaded, or is no backend.
    """
    if ":" not in reference:
        return resolve(reference).backend
    module, _, attribute = reference.partition(":")
    try:
        found: Any = import_module(module)
        for name in attribute.split("."):
            found = getattr(found, name)
        if isinstance(found, type) or not hasattr(found, "max_flow"):
            found = found()
    except Exception as problem:
        raise BackendUnusable(
            f"cannot make a backend from {reference!r}: {type(problem).__name__}: {problem}"
        ) from problem
    if not isinstance(found, MaxFlowBackend):
        raise BackendUnusable(
            f"{reference!r} gives {type(found).__name__}, which lacks info or max_flow"
        )
    return found
