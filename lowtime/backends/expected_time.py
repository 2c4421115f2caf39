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
        warm_call: s per call from the crash loop, whose networks hold nearly all of their flow
            already.
        warm_arc: the same per arc.
        step: s per step of a frontier and its `ProjectSize.parallelism` to the power 0.3, where
            the backend traces it itself; None where lowtime's loop calls it.
        sweep: s per step and event that it looks at: ``parallelism ** sweep_width *
            reach ** sweep_reach``, with the reach of `ProjectSize`.
        sweep_width: power of the parallelism.
        sweep_reach: power of the reach.
    """

    call: float
    arc: float
    power: float = 1.0
    node_pair: float = 0.0
    warm_call: float = 0.0
    warm_arc: float = 0.0
    step: float | None = None
    sweep: float = 0.0
    sweep_width: float = 1.0
    sweep_reach: float = 1.0


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


@dataclass(frozen=True, slots=True)
class ProjectSize:
    """What the time of a whole frontier depends on.

    Attributes:
        events: of the project.
        arcs: the same.
        steps: expected steps of the crash loop.
        parallelism: operations under way at a time, on average over the longest schedule: about the
            number of arcs that cut it in two.
        depth: arcs of the longest chain.
    """

    events: int
    arcs: int
    steps: int
    parallelism: float
    depth: int

    @property
    def reach(self) -> float:
        """How far along the project, in arcs, a step changes the residual network.

        Wide projects feel a change all along, narrow ones only near it: pipelines of the same
        stages take the same time per step, however many micro-batches they have.
        """
        return min(self.depth, REACH * self.parallelism)


# Rough numbers, to tell seconds from hours: on networks other than those measured a solver may take
# many times as long. `python -m bench.expected_times` fits them to a report of the benchmarks.
# begin of what it writes
RATES = {
    "rust": Rate(
        call=2.4e-06,
        arc=9.6e-10,
        power=1.4,
        warm_call=3e-06,
        warm_arc=6e-09,
        step=3e-06,
        sweep=2.3e-11,
        sweep_width=1.1,
        sweep_reach=2.4,
    ),
    "igraph": Rate(call=7.9e-05, arc=2.6e-09, power=1.5, warm_call=1e-06, warm_arc=1.8e-07),
    "scipy": Rate(call=0.00035, arc=3e-10, power=1.8, warm_call=0.00023, warm_arc=1.1e-07),
    "networkx": Rate(call=0.00096, arc=9.6e-09, power=2.0, warm_call=0.0017, warm_arc=9.2e-07),
    "rust-ek-sparse": Rate(call=1e-06, arc=1.4e-09, power=2.0, warm_call=1e-06, warm_arc=7.8e-08),
    "rust-ek-dense": Rate(
        call=1e-06, arc=4.5e-09, power=2.0, node_pair=6.2e-09, warm_call=0.00011, warm_arc=4.6e-08
    ),
}
LOOP = LoopRate(
    compile=0.00067,
    compile_arc=7.1e-07,
    step=2.1e-05,
    step_arc=2.5e-07,
    call=0.00015,
    call_arc=1.4e-07,
    calls=0.5,
)
# end of what it writes

RESIDUAL = 1.4  # arcs of a residual network per arc of the project
STEP_POWER = 0.3
REACH = 3.0


def max_flow_seconds(backend: str, nodes: int, arcs: int) -> float | None:
    """Expected seconds of one maximum flow; None for a backend that is not in the table."""
    rate = RATES.get(backend)
    if rate is None:
        return None
    grown: float = arcs**rate.power
    return rate.call + rate.arc * grown + rate.node_pair * nodes**2


def warm_flow_seconds(backend: str, nodes: int, arcs: int) -> float | None:
    """Expected seconds of a flow that the crash loop asks for; None for an unknown backend."""
    rate = RATES.get(backend)
    if rate is None:
        return None
    return rate.warm_call + rate.warm_arc * arcs + rate.node_pair * nodes**2


def frontier_seconds(backend: str, size: ProjectSize) -> float | None:
    """Expected seconds of a whole frontier; None for a backend that is not in the table."""
    rate = RATES.get(backend)
    if rate is None:
        return None
    compiling = LOOP.compile + LOOP.compile_arc * size.arcs
    if rate.step is not None:
        region: float = size.parallelism**rate.sweep_width * size.reach**rate.sweep_reach
        least: float = rate.step * size.parallelism**STEP_POWER
        return compiling + size.steps * (least + rate.sweep * region)
    call = warm_flow_seconds(backend, size.events, round(RESIDUAL * size.arcs)) or 0.0
    per_call = LOOP.call + LOOP.call_arc * size.arcs + call
    per_step = LOOP.step + LOOP.step_arc * size.arcs + LOOP.calls * per_call
    return compiling + size.steps * per_step
