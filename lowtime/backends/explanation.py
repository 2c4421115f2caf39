"""Which backend would solve a problem, why no other one would, and how long it would take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from lowtime.backends.declared_range import crash_loop_nodes
from lowtime.backends.expected_time import ProjectSize, frontier_seconds, max_flow_seconds
from lowtime.backends.first_party import AUTO_RANKING, RESERVED, install_hint
from lowtime.backends.listing import rows
from lowtime.backends.selection import Resolved, decide
from lowtime.counted import counted
from lowtime.flow.network import FlowNetwork
from lowtime.network.activity import ActivityNetwork

if TYPE_CHECKING:
    import networkx as nx

    from lowtime.backends.protocol import MaxFlowBackend


@dataclass(frozen=True, slots=True)
class Candidate:
    """A backend that would not be used.

    Attributes:
        name: its name.
        why_not: the reason, for people to read.
        seconds: what it would take, roughly; None where that is not known.
    """

    name: str
    why_not: str
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Explanation:
    """What `explain` found; printed, it is a paragraph for people.

    Attributes:
        problem: what was given, with its size.
        backend: name of the backend that would run.
        version: its version.
        reason: where it was chosen.
        seconds: how long it would take, roughly; None where that is not known.
        others: the other backends that are installed or are lowtime's own.
    """

    problem: str
    backend: str
    version: str
    reason: str
    seconds: float | None
    others: tuple[Candidate, ...]

    def __str__(self) -> str:
        lines = [
            f"{self.problem}: {self.backend} {self.version} ({self.reason}){_about(self.seconds)}"
        ]
        lines += [
            f"  not {other.name}: {other.why_not}{_about(other.seconds)}" for other in self.others
        ]
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class _Size:
    nodes: int  # of the flow networks to be solved
    arcs: int
    max_capacity: int
    max_total: int
    project: ProjectSize | None  # None: one maximum flow

    def seconds(self, backend: str) -> float | None:
        if self.project is None:
            return max_flow_seconds(backend, self.nodes, self.arcs)
        return frontier_seconds(backend, self.project)

    def __str__(self) -> str:
        arcs = counted(self.arcs, "arc")
        if self.project is None:
            return f"a network of {self.nodes} nodes and {arcs}"
        steps = counted(self.project.steps, "step")
        return f"a project of {self.project.events} events and {arcs}, in about {steps}"


def explain(
    problem: nx.DiGraph[Any] | ActivityNetwork | FlowNetwork,
    backend: str | MaxFlowBackend | None = None,
    attr_name: str = "op",
) -> Explanation:
    """Which backend would run, why each other would not, and the expected time; nothing is solved.

    Args:
        problem: a DAG of operations or an `ActivityNetwork`, for a whole frontier, or a
            `FlowNetwork`, for one maximum flow.
        backend: what the call to explain would name; None takes the selected one.
        attr_name: node attribute that holds the operation.

    Raises:
        LowtimeError: what solving the problem would raise before it starts.

    Warns:
        RuntimeWarning: ``LOWTIME_BACKEND_BLOCK`` has names that hide nothing.

    Example:
        >>> network = FlowNetwork(3, [0, 1], [1, 2], [5, 3], source=0, sink=2)
        >>> explanation = explain(network, backend="scipy")
        >>> explanation.backend, explanation.reason
        ('scipy', 'named in the call')
    """
    size = _size(problem, attr_name)
    chosen, _ = decide(
        backend,
        max_capacity=size.max_capacity,
        max_total=size.max_total,
        num_nodes=size.nodes,
    )
    return Explanation(
        problem=str(size),
        backend=chosen.name,
        version=chosen.version,
        reason=chosen.reason,
        seconds=size.seconds(chosen.name),
        others=tuple(
            Candidate(name, why_not, size.seconds(name))
            for name, why_not in _others(chosen).items()
        ),
    )


def _others(chosen: Resolved) -> dict[str, str]:
    """Every other backend -> why it would not run."""
    reasons: dict[str, str] = {}
    for row in rows(probe=False):
        if row.name == chosen.name:
            continue
        if row.state in ("usable", "not loaded"):
            reasons[row.name] = _passed_over(row.name, chosen)
        else:
            reasons.setdefault(row.name, f"{row.state}: {row.reason}")
    for name in RESERVED:
        if name not in reasons and name != chosen.name:
            reasons[name] = f"not installed ({install_hint(name)})"
    return reasons | dict(chosen.skipped)


def _passed_over(name: str, chosen: Resolved) -> str:
    if not chosen.reason.startswith("auto"):
        return f"{chosen.name} was chosen: {chosen.reason}"
    if name in AUTO_RANKING:
        return f"auto prefers {chosen.name}"
    return "auto does not take it; it runs when it is named"


def _size(problem: nx.DiGraph[Any] | ActivityNetwork | FlowNetwork, attr_name: str) -> _Size:
    if isinstance(problem, FlowNetwork):
        return _Size(
            problem.num_nodes,
            problem.num_arcs,
            int(problem.capacity.max(initial=0)),
            problem.total_leaving_source,
            None,
        )
    if not isinstance(problem, ActivityNetwork):
        problem = ActivityNetwork.from_dag(problem, attr_name)
    return _Size(
        crash_loop_nodes(problem),
        problem.num_arcs,
        problem.unbounded,
        problem.unbounded,
        project_size(problem),
    )


def project_size(network: ActivityNetwork) -> ProjectSize:
    """What the time of a whole frontier depends on, in O(arcs).

    Expected are at most one step per quantum that the project can be shortened by. With few kinks
    in the cost tables steps are longer: about one per kink and operation, and one per arc that
    becomes tight.
    """
    from lowtime.network.event_times import earliest_times

    longest, shortest, depth = (
        int(earliest_times(network, durations)[network.sink])
        for durations in (network.longest, network.shortest, np.ones_like(network.longest))
    )
    pieces = network.table_start[1:] - network.table_start[:-1]
    kinks = int(pieces[network.table[network.table >= 0]].sum())
    return ProjectSize(
        events=network.num_events,
        arcs=network.num_arcs,
        steps=min(longest - shortest, kinks + network.num_arcs),
        parallelism=max(int(network.longest.sum()) / max(longest, 1), 1.0),
        depth=depth,
    )


def _about(seconds: float | None) -> str:
    if seconds is None:
        return ""
    units = (("hours", 3600.0), ("minutes", 60.0), ("s", 1.0), ("ms", 1e-3))
    unit, length = next((u for u in units if seconds >= 2 * u[1]), ("microseconds", 1e-6))
    amount = seconds / length
    return f", about {amount:.{0 if amount >= 10 else 1}f} {unit}"
