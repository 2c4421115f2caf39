"""The cheapest plan within one deadline: a linear program, or a whole frontier."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from bench.workloads.published import published_dag
from lowtime.frontier.solve import solve
from lowtime.network.activity import ActivityNetwork
from lowtime.network.event_times import earliest_times
from lowtime.network.project import Project


def deadline_quanta(network: ActivityNetwork, share: float) -> int:
    """A deadline between the shortest (share 0) and the longest schedule (share 1)."""
    longest, shortest = (
        int(earliest_times(network, durations)[-1])
        for durations in (network.longest, network.shortest)
    )
    return shortest + round(share * (longest - shortest))


def highs(model: str, device: str, microbatches: int, share: float) -> Callable[[], float]:
    """HiGHS through SciPy, on the same integer cost tables; answers the cost above the start's.

    Variables: event times, and for every piece of every operation's cost the quanta crashed in it.
    Marginals rise from piece to piece as the duration falls, so the cheapest fill in order.
    """
    from scipy.optimize import linprog
    from scipy.sparse import coo_array, csr_array

    network = Project.from_dag(published_dag(model, device, microbatches)).network
    limit = deadline_quanta(network, share)
    arcs, events = network.num_arcs, network.num_events
    tables = [
        np.arange(network.table_start[k], network.table_start[k + 1]) if k >= 0 else np.arange(0)
        for k in network.table.tolist()
    ]
    piece = np.concatenate(tables)
    arc_of = np.repeat(np.arange(arcs), [len(table) for table in tables])
    unit = float(network.marginal.max())  # a solver with tolerances wants numbers near 1

    def call() -> float:
        rows = np.concatenate((np.arange(arcs), np.arange(arcs), arc_of))
        columns = np.concatenate((network.tail, network.head, events + np.arange(len(piece))))
        signs = np.concatenate((np.ones(arcs), -np.ones(arcs), -np.ones(len(piece))))
        matrix = csr_array(coo_array((signs, (rows, columns)), shape=(arcs, events + len(piece))))
        room = network.piece_end[piece] - network.piece_start[piece]
        upper = np.concatenate((np.full(events, float(limit)), room))
        upper[network.source] = 0.0
        cost = np.concatenate((np.zeros(events), network.marginal[piece] / unit))
        bounds = np.stack((np.zeros(len(upper)), upper), axis=1)
        result = linprog(cost, matrix, -network.longest, bounds=bounds, method="highs")
        if result.status != 0:
            raise RuntimeError(result.message)
        return float(result.fun) * unit * network.cost_unit

    return call


def frontier(
    model: str, device: str, microbatches: int, share: float, backend: str
) -> Callable[[], float]:
    """`lowtime.solve`: every deadline at once, then the plan of this one."""
    dag = published_dag(model, device, microbatches)
    project = Project.from_dag(dag)
    limit = deadline_quanta(project.network, share)

    def call() -> float:
        found = solve(dag, backend=backend)
        plan = found.at_deadline(limit * project.unit_time)
        return plan.cost - float(found.costs[0])

    return call
