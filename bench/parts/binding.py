"""What each backend's Python layer costs: per call and per arc, in the manner of latency tests.

As in the OSU latency and bandwidth tests of MPI bindings, the smallest message gives the fixed
cost and the largest ones the cost per unit. The networks are trivial: one arc from source to sink,
all others out of reach, so that solving is little beside reading.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from bench.measure import repeats_for, seconds_per_call
from bench.plan import Plan
from bench.sample import Sample
from lowtime.backends.selection import resolve
from lowtime.flow.network import FlowNetwork

TITLE = "Binding overhead"
ARCS = (2, 10, 100, 1_000, 10_000, 100_000, 1_000_000)
LARGEST = {"rust-ek-dense": 1_000, "networkx": 10_000}
WARM_UPS = 2


def trivial_network(arcs: int) -> FlowNetwork:
    """One arc source -> sink; a path of the other arcs through nodes that nothing reaches."""
    nodes = np.arange(2, arcs + 1)
    tail = np.concatenate(([0], nodes))
    head = np.concatenate(([1], nodes + 1))
    return FlowNetwork(arcs + 2, tail, head, np.ones(arcs, dtype=np.int64), 0, 1)


@contextmanager
def native_clock(backend: str) -> Iterator[list[float]]:
    """Sums up, in one cell, the seconds spent within the compiled (or NetworkX's) solver itself."""
    spent = [0.0]

    def clocked(function: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: Any, **kwargs: Any) -> Any:
            start = time.perf_counter()
            try:
                return function(*args, **kwargs)
            finally:
                spent[0] += time.perf_counter() - start

        return run

    owner, name = _solver_of(backend)
    original = getattr(owner, name)
    if backend == "igraph":  # a method of a compiled class; the adapter looks the class up
        replacement: Any = type("Clocked", (), {"maxflow": staticmethod(clocked(original.maxflow))})
    else:
        replacement = clocked(original)
    setattr(owner, name, replacement)
    try:
        yield spent
    finally:
        setattr(owner, name, original)


def _solver_of(backend: str) -> tuple[Any, str]:
    if backend == "igraph":
        import igraph  # type: ignore[import-untyped]

        return igraph, "GraphBase"
    if backend == "scipy":
        from scipy.sparse import csgraph

        return csgraph, "maximum_flow"
    if backend == "networkx":
        import networkx as nx

        return nx.algorithms.flow, "boykov_kolmogorov"
    from lowtime_rust import _native

    names = {
        "rust": "max_flow",
        "rust-ek-sparse": "max_flow_edmonds_karp_sparse",
        "rust-ek-dense": "max_flow_edmonds_karp_dense",
    }
    return _native, names[backend]


def run(plan: Plan) -> dict[str, Any]:
    """Whole call and time inside the solver, per backend and number of arcs."""
    rows = []
    backends = plan.backends()
    for arcs in ARCS[:3] if plan.smoke else ARCS:
        start = time.perf_counter()
        network = trivial_network(arcs)
        made = time.perf_counter() - start
        for name in backends:
            if arcs > LARGEST.get(name, arcs) or (plan.left <= 0 and arcs > ARCS[1]):
                continue
            backend = resolve(name).backend
            call = _call(backend, network)
            for _ in range(WARM_UPS):
                call()
            repeats = repeats_for(seconds_per_call(call))
            whole, inner = [], []
            for _ in range(plan.runs):
                with native_clock(name) as spent:
                    whole.append(seconds_per_call(call, repeats))
                inner.append(spent[0] / repeats)
            rows.append(
                {
                    "backend": name,
                    "arcs": arcs,
                    "whole": Sample(tuple(whole), repeats).to_dict(),
                    "native": Sample(tuple(inner), repeats).to_dict(),
                    "check_seconds": made,
                }
            )
    return {"rows": rows, "warm_ups": WARM_UPS, "runs": plan.runs, "fits": _fits(rows)}


def _call(backend: Any, network: FlowNetwork) -> Callable[[], object]:
    return lambda: backend.max_flow(network)


def _fits(rows: list[dict[str, Any]]) -> dict[str, dict[str, float]]:
    """Fixed seconds per call (at the fewest arcs) and seconds per arc (at the most)."""
    fits = {}
    for name in dict.fromkeys(row["backend"] for row in rows):
        layer = {
            row["arcs"]: max(row["whole"]["median"] - row["native"]["median"], 0.0)
            for row in rows
            if row["backend"] == name
        }
        least, most = min(layer), max(layer)
        share = next(row for row in rows if row["backend"] == name and row["arcs"] == most)
        fits[name] = {
            "fixed": layer[least],
            "per_arc": max(layer[most] - layer[least], 0.0) / (most - least),
            "share_at_most": layer[most] / share["whole"]["median"],
            "most": float(most),
        }
    return fits
