"""A call into a backend, refused before it or turned into a `BackendFault` where it goes wrong."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from threading import RLock
from typing import Any, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from lowtime.backends.declared_range import crash_loop_nodes, network_excess, range_excess
from lowtime.backends.protocol import (
    FrontierSession,
    FrontierTracer,
    MaxFlowBackend,
    Segments,
)
from lowtime.errors import BackendFault, CapacityRange
from lowtime.flow.network import FlowNetwork
from lowtime.flow.result import MaxFlow
from lowtime.network.activity import ActivityNetwork
from lowtime.profiling import phased

P = ParamSpec("P")
T = TypeVar("T")

# One lock per name of a backend that is not thread-safe: two objects of it may share state.
# Reentrant, because such a backend may itself ask lowtime for a flow.
_locks: dict[str, RLock] = {}
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_locks.clear)  # the thread that held one is gone


@phased("max flow")
def call_max_flow(backend: MaxFlowBackend, network: FlowNetwork) -> MaxFlow:
    """What a backend returns for a network: a `MaxFlow` in form; `certify` proves the rest.

    Args:
        backend: a sound backend; see `lowtime.backends.selection.resolve`.
        network: the network.

    Raises:
        CapacityRange: the network is outside the range that the backend declares.
        BackendFault: the backend raised, or returned something that is not a `MaxFlow` with a
            Python int and an int64 flow of every arc.
    """
    info = backend.info
    excess = network_excess(info, network)
    if excess is not None:
        raise CapacityRange(f"backend {info.name!r} cannot solve this network: {excess}{_WAY_OUT}")
    result = _guarded(backend, backend.max_flow, network)
    wrong = _malformed(result, network.num_arcs)
    if wrong is not None:
        raise BackendFault(f"backend {info.name!r} returned {wrong}")
    return result


def call_open_frontier(
    backend: FrontierTracer,
    network: ActivityNetwork,
    state: Mapping[str, NDArray[Any]] | None = None,
) -> FrontierSession:
    """A session of a tracer, whose calls are guarded as this one is.

    Raises:
        CapacityRange: the network's capacities are outside the range that the backend declares.
        BackendFault: the backend raised.
    """
    excess = range_excess(
        backend.info, network.unbounded, network.unbounded, crash_loop_nodes(network)
    )
    if excess is not None:
        raise CapacityRange(
            f"backend {backend.info.name!r} cannot trace this project: {excess}{_WAY_OUT}"
        )
    return _GuardedSession(backend, _guarded(backend, backend.open_frontier, network, state=state))


_WAY_OUT = "; choose another backend, or scale the problem down"


class _GuardedSession:
    def __init__(self, backend: FrontierTracer, session: FrontierSession) -> None:
        self._backend = backend
        self._session = session

    def advance(self, max_segments: int, /) -> Segments:
        segments = _guarded(self._backend, self._session.advance, max_segments)
        if not isinstance(segments, Segments):
            raise BackendFault(
                f"backend {self._backend.info.name!r} advanced to {_described(segments)};"
                " expected Segments"
            )
        return segments

    def state(self) -> Mapping[str, NDArray[Any]]:
        return _guarded(self._backend, self._session.state)

    def counters(self) -> Mapping[str, int]:
        return _guarded(self._backend, self._session.counters)


def _guarded(
    backend: MaxFlowBackend, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
) -> T:
    info = backend.info
    lock = nullcontext() if info.thread_safe else _locks.setdefault(info.name, RLock())
    try:
        with lock:
            return function(*args, **kwargs)
    except BaseException as error:  # pyo3's PanicException is no Exception
        if _passes(error):
            raise
        raise BackendFault(
            f"backend {info.name!r} raised {type(error).__name__}: {error}"
        ) from error


def _passes(error: BaseException) -> bool:
    """Whether an exception ends the program, generator or task, and is nobody's fault."""
    if isinstance(error, KeyboardInterrupt | SystemExit | GeneratorExit):
        return True
    asyncio = sys.modules.get("asyncio")  # if it was never imported, this is not one of its own
    return asyncio is not None and isinstance(error, asyncio.CancelledError)


def _malformed(result: object, num_arcs: int) -> str | None:
    if not isinstance(result, MaxFlow):
        return f"{_described(result)}; expected a MaxFlow"
    if not isinstance(result.value, int) or isinstance(result.value, bool):
        return f"the value {_described(result.value)}; expected a Python int"
    flow = result.flow
    if not isinstance(flow, np.ndarray) or flow.dtype != np.int64 or flow.shape != (num_arcs,):
        return f"the flow {_described(flow)}; expected int64[{num_arcs}]"
    return None


def _described(value: object) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{list(value.shape)}"
    return f"{str(value)[:40]} ({type(value).__name__})"
