"""The `networkx` backend: any flow function of NetworkX, the readable reference."""

from lowtime_networkx.adapter import NetworkXBackend

__all__ = ["NetworkXBackend"]
