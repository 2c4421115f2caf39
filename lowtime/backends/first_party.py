"""The names of lowtime's own backends."""

from __future__ import annotations

# Name -> distribution that may use it. A guard against accidents: a plugin that takes one of these
# names for itself is refused, so that a name in a report means one solver.
RESERVED = {
    "networkx": "lowtime",
    "scipy": "lowtime",
    "igraph": "lowtime-igraph",
    "rust": "lowtime-rust",
    "rust-ek-sparse": "lowtime-rust",
    "rust-ek-dense": "lowtime-rust",
}

# What `auto` tries, fastest first.
AUTO_RANKING = ("rust", "igraph", "scipy", "networkx")
AUTO = "auto"


def install_hint(name: str) -> str:
    """How to get a backend that is not installed: ``pip install lowtime-rust``, or ""."""
    distribution = RESERVED.get(name)
    return f"pip install {distribution}" if distribution else ""
