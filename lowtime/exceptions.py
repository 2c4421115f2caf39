"""The names under which lowtime 0.3.0 published its exceptions."""

from __future__ import annotations

from lowtime.errors import BackendFault, InvalidGraph, LowtimeError

LowtimeBaseError = LowtimeError
LowtimeFlowError = BackendFault
LowtimeGraphError = InvalidGraph

__all__ = ["LowtimeBaseError", "LowtimeFlowError", "LowtimeGraphError"]
