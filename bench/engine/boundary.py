"""What the Python layer adds to a cold `max_flow`: call minus native time, in one run.

python -m bench.engine.boundary [--repeat 2001]
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from lowtime_rust import RustBackend

from bench.engine.engine_crate import built_example, write_network
from bench.workloads.dimacs_families import acyclic_dense, grid_2d, rmf_long
from lowtime.flow.network import FlowNetwork

NETWORKS = {
    "2 nodes, 1 arc": lambda: FlowNetwork(2, [0], [1], [5], 0, 1),
    "no way, 4,000 arcs": lambda: no_way(4000),
    "acyclic, 4,000 arcs": lambda: acyclic_dense(4000),
    "grid, 4,000 arcs": lambda: grid_2d(4000),
    "rmf, 4,000 arcs": lambda: rmf_long(4000),
}


def no_way(arcs: int) -> FlowNetwork:
    """Arcs among inner nodes only: the solver builds its network and finds nothing to do.

    The library that Python loads and the example are compiled apart, and the same solver differs by
    some per cent between them; here next to nothing but the boundary is left to differ.
    """
    nodes = arcs // 2
    tail = np.arange(arcs, dtype=np.int32) % nodes
    head = (tail + 1) % nodes
    return FlowNetwork(nodes + 2, tail, head, np.ones(arcs, dtype=np.int64), nodes, nodes + 1)


def call_seconds(network: FlowNetwork, repeat: int) -> float:
    """Median seconds of one call from Python."""
    backend = RustBackend()
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        backend.max_flow(network)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def native_seconds(network: FlowNetwork, repeat: int) -> float:
    """Median seconds of the same call from Rust."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "network.txt"
        write_network(network, path)
        command = [str(built_example("max_flow")), str(path), str(repeat)]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return 1e-9 * int(output.split()[1])


def main() -> None:
    """Print both times of every network, several rounds in turns, and the median difference."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=2001)
    repeat = parser.parse_args().repeat
    for name, make in NETWORKS.items():
        network = make()
        rounds = [
            (call_seconds(network, repeat), native_seconds(network, repeat)) for _ in range(5)
        ]
        call = statistics.median(call for call, _ in rounds)
        added = statistics.median(call - native for call, native in rounds)
        print(
            f"{name:22s} call {1e6 * call:9.2f} us, of which Python {1e6 * added:6.2f} us"
            f" = {100 * added / (call - added):6.1f} % of native"
        )


if __name__ == "__main__":
    main()
