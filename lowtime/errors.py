"""The exceptions that lowtime raises on purpose."""

from __future__ import annotations


class LowtimeError(Exception):
    """Base of every exception that lowtime raises on purpose.

    Attributes:
        message: what went wrong, where, what was expected, and the way out.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class InvalidProfile(LowtimeError, ValueError):
    """A measured option, profile file or schedule cannot be used as written."""


class InvalidGraph(LowtimeError, ValueError):
    """A DAG of operations breaks one of its rules (cycle, missing operation, ...)."""


class InvalidNetwork(LowtimeError, ValueError):
    """A flow or activity network breaks one of its rules (negative capacity, ...)."""


class CapacityRange(LowtimeError, ValueError):
    """Capacities or times are too large for exact 64-bit integers or for the backend."""


class BackendNotFound(LowtimeError, LookupError):
    """No installed backend has the requested name."""


class BackendUnusable(LowtimeError, ImportError):
    """A backend exists but cannot be loaded, is blocked, or speaks another protocol."""


class BackendFault(LowtimeError, RuntimeError):
    """A backend raised, or returned something that is not a maximum flow."""


class Infeasible(LowtimeError, ValueError):
    """No plan, or no flow, meets the request (deadline, budget, lower bounds)."""
