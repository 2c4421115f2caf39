"""From a DAG of operations to its frontier."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lowtime import __version__
from lowtime.backends.call import call_max_flow
from lowtime.backends.declared_range import crash_loop_nodes
from lowtime.backends.protocol import FrontierSession, FrontierTracer, MaxFlowBackend
from lowtime.backends.selection import Resolved, resolve
from lowtime.frontier.crash_loop import CrashLoop
from lowtime.frontier.frontier import Frontier
from lowtime.frontier.problem import Problem
from lowtime.frontier.provenance import Provenance
from lowtime.frontier.trace import trace
from lowtime.network.activity import ActivityNetwork
from lowtime.network.event_times import earliest_times
from lowtime.network.project import Project
from lowtime.profiling import note_counters, phase

if TYPE_CHECKING:
    import networkx as nx

CHECKS = ("always", "final", "off")


def solve(
    dag: nx.DiGraph[Any] | Project,
    attr_name: str = "op",
    backend: str | MaxFlowBackend | None = None,
    check: str | None = None,
    progress: Callable[[int, int], object] | None = None,
    time_limit: float | None = None,
) -> Frontier:
    """The complete time-cost frontier of a DAG of operations.

    The operations are read, never changed.

    Args:
        dag: digraph with a `lowtime.operation.Operation` on every node, or a compiled
            `lowtime.network.project.Project`. Several sources and sinks are legal.
        attr_name: node attribute that holds the operation.
        backend: name of a max-flow backend, or a backend object; None takes the selected one.
        check: ``"always"`` certifies every flow (of a tracer: every segment), ``"final"`` the last
            point, ``"off"`` nothing; None is ``"final"`` for tracers, ``"always"`` otherwise.
        progress: called now and then with (quanta shortened so far, quanta in all).
        time_limit: seconds after which to stop; the frontier then is not `Frontier.complete`.

    Raises:
        InvalidGraph: see `Project.from_dag`.
        InvalidProfile: see `Project.from_dag`.
        BackendNotFound: no backend has the given name.
        BackendUnusable: the backend cannot be loaded.
        BackendFault: the backend raised, or failed a check.

    Example:
        >>> import networkx as nx, lowtime
        >>> from lowtime.operation import (
        ...     CandidateExecutionOptions, ExecutionOption, Operation, OperationSpec)
        >>> options = [ExecutionOption(real_time=t, unit_time=1.0, cost=c, knob=k)
        ...            for t, c, k in [(1.0, 10.0, "fast"), (3.0, 4.0, "slow")]]
        >>> dag = nx.DiGraph()
        >>> dag.add_node("a", op=Operation(OperationSpec(CandidateExecutionOptions(options), None)))
        >>> lowtime.solve(dag, backend="scipy").costs.tolist()
        [4.0, 7.0, 10.0]
    """
    if check not in (None, *CHECKS):
        raise ValueError(f"check is {check!r}; expected one of {', '.join(CHECKS)}")
    if time_limit is not None and not time_limit >= 0:
        raise ValueError(f"time_limit is {time_limit}; expected seconds, 0 or more")
    started = time.perf_counter()
    with phase("compile"):
        project = dag if isinstance(dag, Project) else Project.from_dag(dag, attr_name)
        problem = Problem.from_project(project)
    compiled = time.perf_counter()
    network = project.network
    chosen = resolve_for_project(network, backend)
    check = check or default_check(chosen.backend)
    session = open_session(network, chosen, check)
    report = None
    if progress is not None:
        total = problem.longest_time - int(earliest_times(network, network.shortest)[-1])
        report = _progress(progress, total)
    segments = trace(
        network,
        session,
        check=check,
        progress=report,
        time_limit=time_limit,
        backend=f"backend {chosen.name!r}",
    )
    provenance = Provenance(
        backend=chosen.name,
        backend_version=chosen.version,
        reason=chosen.reason,
        skipped=chosen.skipped,
        certificate=check,
        counters=dict(session.counters()),
        seconds={"compile": compiled - started, "trace": time.perf_counter() - compiled},
        lowtime_version=__version__,
    )
    note_counters(provenance.backend, provenance.backend_version, provenance.counters)
    return Frontier(problem, segments, provenance)


def default_check(backend: MaxFlowBackend) -> str:
    """``"final"`` for tracers, whose states cost extra to prove; ``"always"`` for the others."""
    return "final" if isinstance(backend, FrontierTracer) else "always"


def resolve_for_project(
    network: ActivityNetwork, backend: str | MaxFlowBackend | None = None
) -> Resolved:
    """The backend that traces a project; what it raises and warns is said at `resolve`."""
    return resolve(
        backend,
        max_capacity=network.unbounded,
        max_total=network.unbounded,
        num_nodes=crash_loop_nodes(network),
    )


def open_session(network: ActivityNetwork, chosen: Resolved, check: str) -> FrontierSession:
    """A session at the longest schedule: the backend's own, or the NumPy crash loop around it."""
    backend = chosen.backend
    if isinstance(backend, FrontierTracer):
        from lowtime.backends.call import call_open_frontier

        return call_open_frontier(backend, network)
    return CrashLoop(
        network,
        lambda plain: call_max_flow(backend, plain),
        check=check == "always",
        name=f"backend {chosen.name!r}",
    )


def _progress(report: Callable[[int, int], object], total: int) -> Callable[[int], object]:
    return lambda shortened: report(shortened, total)
