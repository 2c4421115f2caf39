"""The `scipy` backend: `scipy.sparse.csgraph.maximum_flow`, made exact beyond 32 bits."""

from lowtime_scipy.adapter import ScipyBackend

__all__ = ["ScipyBackend"]
