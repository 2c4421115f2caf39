"""How much a run of the benchmarks may take, and with whom it is."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.environments import peers_python, published_python
from bench.pool import Contestant, Pool
from bench.registry import usable_backends
from bench.side_by_side import RUNS


@dataclass(frozen=True, slots=True)
class Plan:
    """The frame of one part.

    Attributes:
        budget: seconds that the part may take.
        folder: for the inputs of the contestants.
        pool: their processes.
        smoke: tiny inputs and two runs: to see that everything works, not how fast.
        peers: whether other libraries take part, in environments of their own.
        began: when the part began, on the monotonic clock.
    """

    budget: float
    folder: Path
    pool: Pool
    smoke: bool = False
    peers: bool = True
    began: float = 0.0

    @property
    def runs(self) -> int:
        """Timed runs of everybody."""
        return 2 if self.smoke else RUNS

    @property
    def left(self) -> float:
        """Seconds of the budget that are left."""
        return self.budget - (time.monotonic() - self.began)

    def share(self, weights: Sequence[float]) -> float:
        """Seconds for the next case, so that later ones get theirs, too.

        Args:
            weights: of the cases left, the next one first.
        """
        return max(self.left, 0.0) * weights[0] / sum(weights)

    def backends(self) -> tuple[str, ...]:
        """First-party backends that take part; of a smoke run the first and the last resort."""
        usable = usable_backends()
        return tuple(dict.fromkeys((usable[0], "networkx"))) if self.smoke else usable

    def python(self) -> Path:
        """The interpreter of contestants that see this repository."""
        return peers_python() if self.peers else Path(sys.executable)

    def contestant(self, name: str, make: str, **args: object) -> Contestant:
        """One that runs in an environment with this lowtime."""
        return Contestant(name, self.python(), f"bench.peers.{make}", args)

    def published(self, version: str, make: str, **args: object) -> Contestant:
        """One that runs a published lowtime."""
        name = f"lowtime {version}"
        return Contestant(name, published_python(version), f"peers.{make}", args, alone=True)
