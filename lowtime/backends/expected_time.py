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
    "rust": Rate(
        call=1e-06, arc=1.8e-09, power=1.4, step=5.8e-06, step_arc=7.6e-11, step_power=1.3
    ),
    "igraph": Rate(call=8.5e-05, arc=2.3e-08, power=1.3),
    "scipy": Rate(call=0.0006, arc=2.2e-10, power=1.8),
    "networkx": Rate(call=0.0013, arc=8.1e-09, power=2.0),
    "rust-ek-sparse": Rate(call=1e-06, arc=9.9e-10, power=2.0),
    "rust-ek-dense": Rate(call=1e-06, arc=3.8e-09, power=2.0, node_pair=6.2e-09),
}
LOOP = LoopRate(
    compile=0.00075,
    compile_arc=6.8e-07,
    step=6.9e-05,
    step_arc=2.7e-07,
    call=0.00022,
    call_arc=1.4e-07,
    calls=0.25,
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
