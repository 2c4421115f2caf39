"""The time-cost tradeoff of a DAG of operations, with max-flow solvers as plugins."""

from __future__ import annotations

__version__ = "1.0.0"
