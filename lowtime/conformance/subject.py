"""The backend under test, as a check sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lowtime.backends.call import call_max_flow, call_open_frontier
from lowtime.backends.declared_range import network_excess
from lowtime.backends.protocol import (
    BackendInfo,
    FrontierSession,
    FrontierTracer,
    MaxFlowBackend,
)
from lowtime.conformance.counted import CountedBackend, CountedTracer
from lowtime.conformance.expected import Expected, expected_of, require_max_flow
from lowtime.conformance.goldens import golden
from lowtime.conformance.instances import copy_of
from lowtime.flow.network import FlowNetwork
from lowtime.flow.result import MaxFlow
from lowtime.network.activity import ActivityNetwork


class Subject:
    """A backend under test, called as lowtime calls it, every call counted.

    Attributes:
        backend: the backend itself; calls that go round the count are a check's own business.
        reference: how another process finds the backend (an installed name, or
            ``module:attribute``), or None where it was given as an object.
    """

    def __init__(self, backend: MaxFlowBackend, reference: str | None = None) -> None:
        self.backend = backend
        self.reference = reference
        self.counted = (
            CountedTracer(backend)
            if isinstance(backend, FrontierTracer)
            else CountedBackend(backend)
        )

    @property
    def info(self) -> BackendInfo:
        """What the backend declares."""
        return self.backend.info

    @property
    def calls(self) -> int:
        """Calls into the backend so far."""
        return self.counted.calls

    @property
    def traces(self) -> bool:
        """Whether the backend offers the frontier level."""
        return isinstance(self.counted, CountedTracer)

    def solve(self, network: FlowNetwork) -> MaxFlow:
        """What the backend returns when lowtime calls it."""
        return call_max_flow(self.counted, network)

    def open_frontier(
        self, network: ActivityNetwork, state: Mapping[str, NDArray[Any]] | None = None
    ) -> FrontierSession:
        """A session of the tracer under test, opened as lowtime opens it."""
        assert isinstance(self.counted, CountedTracer)  # frontier checks run on tracers only
        return call_open_frontier(self.counted, network, state)

    def fitted(self, network: FlowNetwork) -> FlowNetwork:
        """The network, or the same with capacities halved until the backend's range holds it.

        A backend with a small range is right to refuse; its range is tested at level ``limits``.
        A positive capacity stays positive, so what is cut off keeps its shape.
        """
        capacity = network.capacity
        while capacity.max(initial=0) > 1 and network_excess(self.info, network) is not None:
            capacity = np.where(capacity > 1, capacity >> 1, capacity)
            network = copy_of(network, capacity=capacity)
        return network

    def require_exact(
        self, network: FlowNetwork, where: str, expected: Expected | None = None
    ) -> MaxFlow:
        """What the backend returns for the fitted network, after proving it right.

        Args:
            network: the network.
            where: names the instance in a failure's message.
            expected: the right answer where it is known; else the reference solver finds it.

        Raises:
            CheckFailed: the backend is wrong.
        """
        fitted = self.fitted(network)
        if expected is None or fitted is not network:
            expected = expected_of(fitted)
        result = self.solve(fitted)
        require_max_flow(fitted, result, expected, where)
        return result

    def require_known(
        self, network: FlowNetwork, where: str, value: int, source_side: tuple[bool, ...]
    ) -> MaxFlow:
        """As `require_exact`, with the answer that theory gives."""
        return self.require_exact(network, where, Expected(value, source_side))

    def require_golden(self, family: str, seeds: range) -> None:
        """Prove the backend right on instances of a family with stored answers."""
        for seed in seeds:
            network, expected = golden(family, seed)
            self.require_exact(network, f"{family}({seed})", expected)
