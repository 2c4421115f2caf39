"""Cold `max_flow` against the best of three other solvers on every instance, in one run.

    python -m bench.engine.cold_max_flow [--only PREFIX] [--largest 1e5] [--repeat 7]

Needs `lowtime`, `lowtime-rust`, ortools, igraph and PyMaxflow in one environment. Solvers take
turns on each instance; the median counts; a solver far behind after its first turn is not repeated,
and one that is hopeless on an instance is left out of larger ones of its family (shown as -).
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from collections.abc import Callable, Iterator

from lowtime_rust import RustBackend

from bench.engine.families import INSTANCES, Arrays, grid
from bench.engine.frontier_states import frontier_networks
from bench.engine.peers import PEERS
from lowtime.flow.network import FlowNetwork

FAR_BEHIND = 5.0  # times the best first turn: no median changes that
HOPELESS = 10.0  # times the best median, on an instance a tenth as large: minutes, for no news


def solvers(network: Arrays) -> dict[str, Callable[[], int]]:
    """Ours and the others' on one network."""
    ready = FlowNetwork(*network)  # checked once, as lowtime hands it to every backend
    backend = RustBackend()
    calls: dict[str, Callable[[], int]] = {"rust": lambda: backend.max_flow(ready).value}
    for name, peer in PEERS.items():
        calls[name] = lambda peer=peer: peer(network)  # type: ignore[misc]
    return calls


def medians(calls: dict[str, Callable[[], int]], repeat: int) -> dict[str, float]:
    """Median seconds of each solver, in turns; the values must agree."""
    seconds: dict[str, list[float]] = {name: [] for name in calls}
    values = set()
    for turn in range(repeat):
        best = min((times[0] for times in seconds.values() if times), default=math.inf)
        for name, call in calls.items():
            if turn and name != "rust" and seconds[name][0] > FAR_BEHIND * best:
                continue
            start = time.perf_counter()
            values.add(call())
            seconds[name].append(time.perf_counter() - start)
    if len(values) != 1:
        raise RuntimeError(f"the solvers disagree: {values}")
    return {name: statistics.median(times) for name, times in seconds.items()}


def instances(only: str, largest: float) -> Iterator[tuple[str, str, Arrays]]:
    """Group, name and network of what was asked for."""
    if "frontier".startswith(only) or only.startswith("frontier"):
        for name, network in frontier_networks():
            if name.startswith(only):
                yield name.rsplit("-", 1)[0], name, network
    for name, make in INSTANCES.items():
        if name.startswith(only) and float(name.rsplit("-", 1)[1]) <= largest:
            yield "families", name, make()


def main() -> None:
    """Print one line per instance and the geometric mean of each group."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="")
    parser.add_argument("--largest", type=float, default=1e6)
    parser.add_argument("--repeat", type=int, default=7)
    arguments = parser.parse_args()
    medians(solvers(grid((3, 3), 0)), 1)  # imports happen on the first call
    ratios: dict[str, list[float]] = {}
    hopeless: set[tuple[str, str]] = set()
    for group, name, network in instances(arguments.only, arguments.largest):
        family = name.rsplit("-", 1)[0]
        calls = solvers(network)
        for peer in PEERS:
            if (family, peer) in hopeless:
                del calls[peer]
        result = medians(calls, arguments.repeat)
        best = min(seconds for peer, seconds in result.items() if peer != "rust")
        ratio = result["rust"] / best
        ratios.setdefault(group, []).append(ratio)
        hopeless |= {
            (family, peer)
            for peer, seconds in result.items()
            if group == "families" and seconds > HOPELESS * best
        }
        times = "  ".join(
            f"{peer} {1e3 * result[peer]:9.3f}" if peer in result else f"{peer}         -"
            for peer in ("rust", *PEERS)
        )
        print(f"{name:24s} m={len(network.tail):8d}  {times} ms  ratio {ratio:6.3f}", flush=True)
    for group, values in ratios.items():
        mean = math.exp(statistics.fmean(map(math.log, values)))
        print(f"{group}: geometric mean {mean:.3f} over {len(values)} instances")


if __name__ == "__main__":
    main()
