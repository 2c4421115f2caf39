"""How long a backend is expected to take, roughly."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rate:
    """Seconds of one call of a backend: a sum of terms, each a measured constant times a size.

    Attributes:
        call: s per call.
        arc: s per arc to the ``power``.
        power: how a call grows with its arcs.
        node_pair: s per node squared, where the backend keeps tables of all pairs.
        step: s per step of a frontier, where the backend traces it itself; None where lowtime's
            loop calls it.
        step_arc: s per step and arc of the project to the ``step_power``.
        step_power: how a step grows with the arcs of the project.
    """

    call: float
    arc: float
    power: float = 1.0
    node_pair: float = 0.0
    step: float | None = None
    step_arc: float = 0.0
    step_power: float = 1.0


@dataclass(frozen=True, slots=True)
class LoopRate:
    """Seconds of lowtime's own work: compiling, and its crash loop without the backend's calls.

    Attributes:
        compile: s per solve, before the loop.
        compile_arc: the same per arc of the project.
        step: s per step.
        step_arc: s per step and arc of the project.
        call: s per call of the backend, spent around it (residual network, certificate, cut).
        call_arc: the same per arc of the project.
        calls: calls of the backend per step.
    """

    compile: float
    compile_arc: float
    step: float
    step_arc: float
    call: float
    call_arc: float
    calls: float


# Rough numbers, to tell seconds from hours: on networks other than those measured a solver may take
# many times as long. `python -m bench.expected_times` fits them to a report of the benchmarks.
# begin of what it writes
RATES = {
    "rust": Rate(call=7e-6, arc=1.1e-8, step=9e-6, step_arc=5e-10),
    "igraph": Rate(call=1e-4, arc=2e-7),
    "scipy": Rate(call=4e-4, arc=1.3e-7),
    "networkx": Rate(call=1e-4, arc=1e-5),
    "rust-ek-sparse": Rate(call=7e-5, arc=2.6e-7),
    "rust-ek-dense": Rate(call=1e-4, arc=2.6e-7, node_pair=6e-9),
}
LOOP = LoopRate(
    compile=1e-3, compile_arc=2e-6, step=1.5e-4, step_arc=3e-8, call=5e-4, call_arc=5e-8, calls=0.25
)
# end of what it writes

RESIDUAL = 1.4  # arcs of a residual network per arc of the project


def max_flow_seconds(backend: str, nodes: int, arcs: int) -> float | None:
    """Expected seconds of one maximum flow; None for a backend that is not in the table."""
    rate = RATES.get(backend)
    if rate is None:
        return None
    grown: float = arcs**rate.power
    return rate.call + rate.arc * grown + rate.node_pair * nodes**2


def frontier_seconds(backend: str, nodes: int, arcs: int, steps: int) -> float | None:
    """Expected seconds of a whole frontier; None for a backend that is not in the table.

    Args:
        backend: its name.
        nodes: events of the project.
        arcs: arcs of the project.
        steps: expected steps of the crash loop.
    """
    rate = RATES.get(backend)
    if rate is None:
        return None
    compiling = LOOP.compile + LOOP.compile_arc * arcs
    if rate.step is not None:
        grown: float = arcs**rate.step_power
        return compiling + steps * (rate.step + rate.step_arc * grown)
    call = max_flow_seconds(backend, nodes, round(RESIDUAL * arcs)) or 0.0
    per_call = LOOP.call + LOOP.call_arc * arcs + call
    return compiling + steps * (LOOP.step + LOOP.step_arc * arcs + LOOP.calls * per_call)
