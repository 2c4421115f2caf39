"""The native solvers at the edges of their range, and what they refuse."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
import threading
from itertools import repeat
from random import Random
from typing import Any

import numpy as np
import pytest
from oracle.networks import random_flow_network

from lowtime.errors import CapacityRange
from lowtime.flow.certificate import certify
from lowtime.flow.network import INT64_MAX, FlowNetwork

CLASSES = ("RustBackend", "SparseEdmondsKarpBackend", "DenseEdmondsKarpBackend")


@pytest.mark.parametrize("name", CLASSES)
def test_flows_are_maximum(native: Any, name: str) -> None:
    backend = getattr(native, name)()
    for seed in range(200):
        network = random_flow_network(Random(seed))
        certify(network, backend.max_flow(network), name)


@pytest.mark.parametrize("name", CLASSES)
def test_the_whole_range_is_exact(native: Any, name: str) -> None:
    """Residuals of the antiparallel pair 1 <-> 2 would pass 2^63 in one number."""
    half = INT64_MAX // 2
    backend = getattr(native, name)()
    network = FlowNetwork(
        4,
        [0, 0, 1, 2, 1, 2],
        [1, 2, 2, 1, 3, 3],
        [half, half, INT64_MAX, INT64_MAX, 1, INT64_MAX],
        source=0,
        sink=3,
    )
    result = backend.max_flow(network)
    certify(network, result, name)
    assert result.value == 2 * half
    lone = FlowNetwork(2, [0], [1], [INT64_MAX], source=0, sink=1)
    assert backend.max_flow(lone).value == INT64_MAX


@pytest.mark.parametrize("name", CLASSES)
def test_the_input_stays_as_it_is_and_the_flow_is_new(native: Any, name: str) -> None:
    network = random_flow_network(Random(7))
    before = network.capacity.copy()
    one, other = (getattr(native, name)().max_flow(network) for _ in range(2))
    assert np.array_equal(network.capacity, before)
    assert one.flow.dtype == np.int64
    assert not np.shares_memory(one.flow, other.flow)
    assert one.value == other.value
    assert np.array_equal(one.flow, other.flow)  # deterministic


def test_the_dense_store_refuses_more_nodes_than_it_takes(native: Any) -> None:
    backend = native.DenseEdmondsKarpBackend()
    network = FlowNetwork(backend.info.max_nodes + 1, [0], [1], [1], source=0, sink=1)
    with pytest.raises(CapacityRange, match=str(backend.info.max_nodes)):
        backend.max_flow(network)


def test_one_backend_object_serves_many_threads(native: Any) -> None:
    backend = native.RustBackend()
    networks = [random_flow_network(Random(seed)) for seed in range(60)]
    expected = [backend.max_flow(network).value for network in networks]
    found: list[list[int]] = []

    def solve() -> None:
        found.append([backend.max_flow(network).value for network in networks])

    threads = [threading.Thread(target=solve) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


def test_a_long_path_needs_no_stack(native: Any) -> None:
    nodes = np.arange(300_000)
    network = FlowNetwork(
        len(nodes), nodes[:-1], nodes[1:], np.full(len(nodes) - 1, 3), 0, len(nodes) - 1
    )
    assert native.RustBackend().max_flow(network).value == 3


def test_ctrl_c_reaches_the_caller_as_it_is(native: Any) -> None:
    """An alarm goes off while nearly all time passes in native code."""
    rng = np.random.default_rng(0)
    tail, head = rng.integers(0, 20_000, (2, 200_000))
    capacity = rng.integers(1, 1000, 200_000)
    network = FlowNetwork(20_002, tail, head, capacity, 20_000, 20_001)
    joined = FlowNetwork(
        network.num_nodes,
        np.concatenate((network.tail, np.full(200, 20_000), np.arange(200))),
        np.concatenate((network.head, np.arange(200, 400), np.full(200, 20_001))),
        np.concatenate((network.capacity, np.full(400, 10**6))),
        20_000,
        20_001,
    )
    backend = native.RustBackend()

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(KeyboardInterrupt):
            list(map(backend.max_flow, repeat(joined)))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("name", ["rust", "rust-ek-sparse"])
def test_memory_that_is_not_to_be_had_is_an_error_and_no_abort(native: Any, name: str) -> None:
    """A network of 2 10^9 nodes once ended the process."""
    program = f"""
        import resource
        import lowtime

        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        network = lowtime.FlowNetwork(2 * 10**9, [0], [1], [5], source=0, sink=1)
        try:
            lowtime.max_flow(network, backend={name!r})
        except lowtime.errors.BackendFault as fault:
            print(type(fault.__cause__).__name__)
    """
    command = [sys.executable, "-c", textwrap.dedent(program)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=300)
    assert done.stdout == "MemoryError\n"
