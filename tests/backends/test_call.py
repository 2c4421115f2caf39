"""Calls into backends that raise, return the wrong thing, or must not overlap."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

import lowtime
from lowtime.backends.call import call_max_flow, call_open_frontier
from lowtime.backends.protocol import BackendInfo, FrontierSession, Segments
from lowtime.errors import BackendFault, CapacityRange
from lowtime.flow.network import FlowNetwork
from lowtime.flow.result import MaxFlow
from lowtime.network.activity import ActivityNetwork

SMALL = FlowNetwork(3, [0, 1], [1, 2], [5, 3], source=0, sink=2)
RIGHT = MaxFlow(3, np.array([3, 3]))


class Scripted:
    """A backend that does what the test says."""

    def __init__(
        self,
        act: Callable[[FlowNetwork], Any],
        limit: int = 2**63 - 1,
        max_total: int | None = None,
        thread_safe: bool = True,
    ) -> None:
        self.act = act
        self.calls = 0
        self.info = BackendInfo("scripted", "1", limit, max_total or limit, thread_safe)

    def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
        self.calls += 1
        return self.act(network)


def raising(error: BaseException) -> Scripted:
    def act(_: FlowNetwork) -> MaxFlow:
        raise error

    return Scripted(act)


class PanicException(BaseException):
    """As pyo3's: no Exception."""


@pytest.mark.parametrize(
    "error",
    [
        ValueError("bad"),
        MemoryError(),
        RecursionError(),
        StopIteration(),
        lowtime.CapacityRange("mine"),
        concurrent.futures.CancelledError(),
        PanicException("index out of bounds"),
        BaseException("anything"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_what_a_backend_raises_is_its_fault(error: BaseException) -> None:
    with pytest.raises(BackendFault, match="'scripted'") as caught:
        lowtime.max_flow(SMALL, backend=raising(error))
    assert caught.value.__cause__ is error
    assert type(error).__name__ in str(caught.value)


@pytest.mark.parametrize(
    "error",
    [KeyboardInterrupt(), SystemExit(2), GeneratorExit(), asyncio.CancelledError()],
    ids=repr,
)
def test_what_ends_the_program_passes_unchanged(error: BaseException) -> None:
    with pytest.raises(type(error)) as caught:
        lowtime.max_flow(SMALL, backend=raising(error))
    assert caught.value is error


@pytest.mark.parametrize(
    "result",
    [
        None,
        3,
        (3, np.array([3, 3])),
        MaxFlow(np.int64(3), RIGHT.flow),
        MaxFlow(3.0, RIGHT.flow),
        MaxFlow(True, RIGHT.flow),
        MaxFlow(3, [3, 3]),
        MaxFlow(3, np.array([3, 3], dtype=np.int32)),
        MaxFlow(3, np.array([3.0, 3.0])),
        MaxFlow(3, np.array([3, 3, 0])),
        MaxFlow(3, np.array([[3, 3]])),
        MaxFlow(3, np.array([3, 3], dtype=object)),
    ],
    ids=str,
)
def test_what_is_no_max_flow_is_a_fault(result: Any) -> None:
    """Whatever the check: the form is looked at even when nothing is proved."""
    with pytest.raises(BackendFault, match="expected"):
        lowtime.max_flow(SMALL, backend=Scripted(lambda _: result), check="off")


@pytest.mark.parametrize(
    ("value", "flow"), [(2, [2, 2]), (3, [3, 2]), (4, [4, 4]), (3, [-3, 3]), (2, [3, 3])]
)
def test_a_wrong_flow_is_a_fault(value: int, flow: list[int]) -> None:
    backend = Scripted(lambda _: MaxFlow(value, np.array(flow)))
    with pytest.raises(BackendFault, match="'scripted'"):
        lowtime.max_flow(SMALL, backend=backend)
    with pytest.raises(BackendFault, match="'scripted'"):
        lowtime.min_cut(SMALL, backend=backend)
    assert lowtime.max_flow(SMALL, backend=backend, check="off").value == value


def test_changing_the_network_is_a_fault() -> None:
    def act(network: FlowNetwork) -> MaxFlow:
        network.capacity[0] = 0
        return RIGHT

    with pytest.raises(BackendFault, match="read-only"):
        lowtime.max_flow(SMALL, backend=Scripted(act))


def right(network: FlowNetwork) -> MaxFlow:
    return lowtime.max_flow(network, backend="networkx")


def at(total: int, *capacities: int) -> FlowNetwork:
    """Arcs 0 -> 1 that sum to the total, and parallel arcs 1 -> 2."""
    parallel = len(capacities)
    return FlowNetwork(
        3, [0, 0] + [1] * parallel, [1, 1] + [2] * parallel, [total - 1, 1, *capacities], 0, 2
    )


def test_one_past_the_declared_range_is_refused_before_the_call() -> None:
    backend = Scripted(right, limit=100)
    assert call_max_flow(backend, at(100, 100)).value == 100
    assert backend.calls == 1
    for network, numbers in (
        (at(101, 5), r"101\b.*100"),
        (at(5, 101), r"101\b.*100"),
        (at(5, 60, 41), r"101\b.*100"),  # parallel arcs, which a backend may merge
    ):
        with pytest.raises(CapacityRange, match=numbers):
            call_max_flow(backend, network)
        with pytest.raises(CapacityRange, match=numbers):
            lowtime.max_flow(network, backend=backend)
    assert call_max_flow(backend, at(5, 60, 40)).value == 5
    assert backend.calls == 2


def test_capacity_and_total_are_separate_limits() -> None:
    backend = Scripted(right, limit=100, max_total=10)
    assert call_max_flow(backend, at(10, 100)).value == 10
    with pytest.raises(CapacityRange, match=r"11\b.*10"):
        call_max_flow(backend, at(11, 100))


@pytest.mark.parametrize("thread_safe", [True, False])
def test_backends_that_are_not_thread_safe_are_called_one_at_a_time(thread_safe: bool) -> None:
    threads = 4
    inside = overlaps = 0
    everybody_in = threading.Barrier(threads)

    def act(_: FlowNetwork) -> MaxFlow:
        nonlocal inside, overlaps
        inside += 1
        if thread_safe:
            everybody_in.wait(timeout=60)  # passes only if all calls overlap
        overlaps = max(overlaps, inside)
        for _turn in range(1000):
            overlaps = max(overlaps, inside)
        inside -= 1
        return RIGHT

    # Two objects of one backend share its lock: they may share state.
    objects = [Scripted(act, thread_safe=thread_safe) for _ in range(2)]
    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda i: call_max_flow(objects[i % 2], SMALL), range(threads)))
    assert (overlaps > 1) == thread_safe


def test_a_backend_may_ask_lowtime_for_a_flow_itself() -> None:
    inner = Scripted(lambda _: RIGHT, thread_safe=False)
    outer = Scripted(lambda network: lowtime.max_flow(network, backend=inner), thread_safe=False)
    assert lowtime.max_flow(SMALL, backend=outer).value == 3


class Tracer(Scripted):
    """A tracer whose session does what the test says."""

    def open_frontier(
        self, network: ActivityNetwork, /, state: Mapping[str, Any] | None = None
    ) -> FrontierSession:
        return _Session(self.act)


class _Session:
    def __init__(self, act: Callable[[Any], Any]) -> None:
        self.advance = act
        self.state = self.counters = lambda: act(None)


def activity(unbounded: int = 2) -> ActivityNetwork:
    return ActivityNetwork(
        num_events=2,
        num_operations=1,
        tail=np.array([0]),
        head=np.array([1]),
        shortest=np.array([1]),
        longest=np.array([2]),
        table=np.array([0]),
        table_start=np.array([0, 1]),
        piece_start=np.array([1]),
        piece_end=np.array([2]),
        marginal=np.array([unbounded - 1]),
        unbounded=unbounded,
        cost_unit=1.0,
        start_cost=0.0,
    )


@pytest.mark.parametrize("method", ["advance", "state", "counters"])
def test_a_session_is_guarded_too(method: str) -> None:
    def act(_: Any) -> Segments:
        raise PanicException("native")

    session = call_open_frontier(Tracer(act), activity())
    arguments = (1,) if method == "advance" else ()
    with pytest.raises(BackendFault, match="PanicException"):
        getattr(session, method)(*arguments)


def test_a_session_advances_to_segments() -> None:
    session = call_open_frontier(Tracer(lambda _: 3), activity())
    with pytest.raises(BackendFault, match="Segments"):
        session.advance(1)


def test_a_tracer_is_refused_a_project_out_of_its_range() -> None:
    call_open_frontier(Tracer(lambda _: 3, limit=100), activity(100))
    with pytest.raises(CapacityRange, match=r"101\b.*100"):
        call_open_frontier(Tracer(lambda _: 3, limit=100), activity(101))
