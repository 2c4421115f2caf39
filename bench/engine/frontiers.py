"""Engine time per point of whole frontiers, and what must not depend on the unit time.

python -m bench.engine.frontiers [--repeat 5] [--large]
"""

from __future__ import annotations

import argparse
import resource
import statistics
import time

from lowtime_rust import RustBackend

from bench.workloads.published import DEVICES, MICROBATCHES, MODELS, published_dag
from lowtime.network.activity import ActivityNetwork

PUBLISHED = [
    (model, device, microbatches)
    for model in MODELS
    for device in DEVICES
    for microbatches in MICROBATCHES
]


def traced(network: ActivityNetwork, most: int = 2**60) -> tuple[int, float, dict[str, int]]:
    """Quanta, seconds and counters of a frontier, or of its first ``most`` segments."""
    start = time.perf_counter()
    session = RustBackend().open_frontier(network)
    quanta = segments = 0
    done = False
    while not done and segments < most:
        turn = session.advance(most - segments)
        quanta += int(turn.length.sum())
        segments += len(turn.length)
        done = turn.done
    return quanta, time.perf_counter() - start, session.counters()


def median_seconds(network: ActivityNetwork, repeat: int) -> tuple[int, float, dict[str, int]]:
    """As `traced`, with the median seconds of several runs."""
    runs = [traced(network) for _ in range(repeat)]
    return runs[0][0], statistics.median(seconds for _, seconds, _ in runs), runs[0][2]


def main() -> None:
    """Print one line per frontier."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--large", action="store_true", help="64 stages x 784 micro-batches only")
    arguments = parser.parse_args()
    if arguments.large:
        network = ActivityNetwork.from_dag(published_dag("gpt3-175b", "a40", 784, stages=64))
        quanta, seconds, _ = traced(network, 1000)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        print(
            f"64 x 784, {network.num_operations} operations: first {quanta} quanta in"
            f" {seconds:.3f} s; whole process at most {peak:.2f} GiB"
        )
        return
    total = 0.0
    for model, device, microbatches in PUBLISHED:
        network = ActivityNetwork.from_dag(published_dag(model, device, microbatches))
        quanta, seconds, counters = median_seconds(network, arguments.repeat)
        total += seconds
        print(
            f"{model:9s} {device:8s} mb{microbatches:<3d} {quanta + 1:6d} points"
            f" {1e6 * seconds / quanta:7.2f} us per point  {counters}",
            flush=True,
        )
    print(f"all {len(PUBLISHED)}: {total:.2f} s")
    times = []
    for unit_time in (1e-3, 1e-5):
        dag = published_dag("gpt3-175b", "a40", 96, unit_time=unit_time, cost_model="piecewise")
        times.append(median_seconds(ActivityNetwork.from_dag(dag), arguments.repeat)[1])
    print(f"piecewise linear, time at unit 1e-5 over time at 1e-3: {times[1] / times[0]:.2f}")


if __name__ == "__main__":
    main()
