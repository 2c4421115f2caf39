"""OR-tools' maximum flow as a backend of lowtime."""

from lowtime_ortools.adapter import OrToolsBackend

__all__ = ["OrToolsBackend"]
