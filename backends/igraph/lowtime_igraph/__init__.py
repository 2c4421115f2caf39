"""The `igraph` backend: push-relabel of the igraph library."""

from __future__ import annotations

__version__ = "1.0.0"

from lowtime_igraph.adapter import IgraphBackend

__all__ = ["IgraphBackend"]
