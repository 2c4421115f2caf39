"""The solver that programs written for lowtime 0.3.0 run, one quantum of time after the other."""

from __future__ import annotations

from collections.abc import Generator, Hashable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import define, field
from numpy.typing import NDArray

from lowtime.errors import InvalidGraph
from lowtime.frontier.checked_session import CheckedSession
from lowtime.frontier.solve import default_check, open_session, resolve_for_project
from lowtime.network.activity import ActivityNetwork
from lowtime.network.event_times import earliest_times, latest_times
from lowtime.network.options import check_unit_times, option_table
from lowtime.network.precedence import precedence
from lowtime.network.project import Project
from lowtime.operation import Operation, follow, forget_times, set_times, unfollow

if TYPE_CHECKING:
    import networkx as nx

CHUNK = 256  # segments asked for at once; small, so that the first result comes soon


@define
class IterationResult:
    """One point of the frontier.

    Attributes:
        iteration: points so far, from 1.
        cost_change: what the last quantum less has cost.
        cost: total cost of the models.
        quant_time: total time, quanta.
        unit_time: seconds per quantum.
        real_time: total time, seconds.
    """

    iteration: int
    cost_change: float
    cost: float
    quant_time: int
    unit_time: float
    real_time: float = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.real_time = self.quant_time * self.unit_time


class PhillipsDessouky:
    """Traces the frontier of a DAG and leaves every plan of it on the DAG's own operations.

    `lowtime.solve` returns the whole frontier at once, needs no source and sink and leaves the
    operations alone.

    Args:
        dag: has an operation on every node, and the graph attributes ``source_node`` and
            ``sink_node``, its only source and sink.
        attr_name: node attribute that holds the operation.

    Raises:
        ValueError: when the DAG breaks one of these rules, an operation stands on two nodes, or
            operations differ in their ``unit_time``.
    """

    def __init__(self, dag: nx.DiGraph[Any], attr_name: str = "op") -> None:
        order = precedence(dag, attr_name)
        _check_end(dag, "source", dag.in_degree())
        _check_end(dag, "sink", dag.out_degree())
        specs = {
            id(operation.spec): (node, operation.spec)
            for node, operation in zip(order.nodes, order.operations, strict=True)
            if not operation.is_dummy
        }
        if not specs:
            raise InvalidGraph(
                f"all operations in attribute {attr_name!r} are dummies; nothing to plan"
            )
        tables = [option_table(spec.options.options, node) for node, spec in specs.values()]
        self.unit_time = check_unit_times(tables)
        self.aon_dag = dag
        self.attr_name = attr_name

    def run(self) -> Generator[IterationResult, None, None]:
        """The points of the frontier, one quantum after the other, from long to short.

        Lazy: the DAG is compiled when the first point is asked for, and between two points the
        same operation objects are changed; copy what should stay. At every point the durations,
        knobs, earliest and latest times of all operations are current. The first point is one
        quantum below the longest schedule.

        Raises:
            InvalidProfile: a cost or time is not a finite number.
            InvalidGraph: a duration was changed between two points.
            BackendFault: the backend failed or was wrong.
        """
        project = Project.from_dag(self.aon_dag, self.attr_name)
        network = project.network
        chosen = resolve_for_project(network)
        check = default_check(chosen.backend)
        session = CheckedSession(
            network,
            open_session(network, chosen, check),
            check,
            f"backend {chosen.name!r}",
        )
        plan = _Plan(project)
        try:
            yield from self._points(session, plan, 1 if check == "always" else CHUNK)
        finally:
            plan.leave()

    def _points(
        self, session: CheckedSession, plan: _Plan, chunk: int
    ) -> Generator[IterationResult, None, None]:
        iteration = 0
        done = False
        while not done:
            part = session.advance(chunk)
            done = part.done
            if done:
                session.certify()
            offset = part.offset.tolist()
            for k, length in enumerate(part.length.tolist()):
                arcs = part.arc[offset[k] : offset[k + 1]].tolist()
                signs = part.sign[offset[k] : offset[k + 1]].tolist()
                for _ in range(length):
                    cost_change = plan.shorten(arcs, signs, int(part.slope[k]))
                    iteration += 1
                    yield IterationResult(
                        iteration=iteration,
                        cost_change=cost_change,
                        cost=plan.cost,
                        quant_time=plan.time,
                        unit_time=self.unit_time,
                    )


def _check_end(dag: nx.DiGraph[Any], kind: str, degrees: Iterable[tuple[Hashable, int]]) -> None:
    """The DAG's only source or sink must be the one that the graph attribute names."""
    named = dag.graph.get(f"{kind}_node")
    if named is None:
        raise InvalidGraph(
            f"graph attribute '{kind}_node' is missing; set dag.graph['{kind}_node']"
        )
    found = [node for node, degree in degrees if degree == 0]
    if len(found) > 1:
        raise InvalidGraph(
            f"the graph has {len(found)} {kind} nodes, {found[:3]!r} among them; expected one"
            f" (lowtime.graph_utils.add_{kind}_node adds it)"
        )
    if found != [named]:
        raise InvalidGraph(
            f"graph attribute '{kind}_node' is {named!r}, but the {kind} of the graph is"
            f" {found[0]!r}"
        )


class _Plan:
    """The plan that the DAG's operations carry; also the timetable that they follow."""

    def __init__(self, project: Project) -> None:
        network = project.network
        self._network: ActivityNetwork = network
        self._operations: tuple[Operation[Any], ...] = project.operations
        self._duration: NDArray[np.int64] = network.longest.copy()
        self._nodes = project.nodes
        self._settled = False
        self._set_by_hand = False  # some duration, since the last point
        self._moving = False
        for operation, duration in zip(self._operations, network.longest.tolist(), strict=False):
            if not operation.is_dummy:
                operation.duration = duration
            follow(operation, self)
        self.time = int(earliest_times(network, network.longest)[-1])
        # Costs of models add up without rounding, as in `get_total_cost`. Where a convex hull has
        # moved a cost the models no longer tell what a plan costs; cost units do.
        self._by_model = project.cost_error == 0
        self._units = 0
        self._costs = [
            0 if operation.is_dummy else _exact(operation.get_cost())
            for operation in self._operations
        ]
        self._exact = sum(self._costs)

    @property
    def cost(self) -> float:
        """Total cost, rounded once."""
        if self._by_model:
            return _rounded(self._exact)
        return self._network.start_cost + self._units * self._network.cost_unit

    def shorten(self, arcs: list[int], signs: list[int], slope: int) -> float:
        """Make the project one quantum shorter; returns what that costs."""
        if self._set_by_hand:
            self._check_durations()
        if self._settled:
            for operation in self._operations:
                forget_times(operation)
            self._settled = False
        self._moving = True
        change = 0
        for arc, sign in zip(arcs, signs, strict=True):
            operation = self._operations[arc]
            self._duration[arc] += sign
            operation.duration += sign
            if self._by_model:
                cost = _exact(operation.get_cost())
                change += cost - self._costs[arc]
                self._costs[arc] = cost
        self._moving = False
        self.time -= 1
        self._exact += change
        self._units += slope
        return _rounded(change) if self._by_model else slope * self._network.cost_unit

    def duration_set(self) -> None:
        """See `Timetable`."""
        self._set_by_hand = self._set_by_hand or not self._moving

    def _check_durations(self) -> None:
        """Refuse to go on from durations that are not those of the last point."""
        planned = self._duration[: len(self._nodes)].tolist()
        for node, operation, duration in zip(self._nodes, self._operations, planned, strict=True):
            if not operation.is_dummy and operation.duration != duration:
                raise InvalidGraph(
                    f"node {node!r}: its duration was set to {operation.duration} while run() was"
                    f" at {duration}; set it back before the next point, change a copy of the DAG,"
                    " or bound it by min_duration and max_duration and call run() again"
                )
        self._set_by_hand = False

    def settle(self) -> None:
        """Set the earliest and latest times of all operations; see `Timetable`."""
        network = self._network
        count = network.num_operations
        earliest = earliest_times(network, self._duration)
        latest = latest_times(network, self._duration, self.time)
        starts = earliest[network.tail[:count]].tolist()
        finishes = latest[network.head[:count]].tolist()
        durations = self._duration[:count].tolist()
        for operation, start, finish, duration in zip(
            self._operations, starts, finishes, durations, strict=True
        ):
            set_times(operation, self, (start, start + duration), (finish - duration, finish))
        self._settled = True

    def leave(self) -> None:
        """Leave the operations with the times of the last point, and to themselves."""
        if not self._settled:
            self.settle()
        for operation in self._operations:
            unfollow(operation, self)


POINT = 1074  # every finite float64 is a multiple of 2^-1074


def _exact(cost: float) -> int:
    """A cost in units of 2^-1074."""
    numerator, denominator = float(cost).as_integer_ratio()
    return numerator << (POINT + 1 - denominator.bit_length())


def _rounded(exact: int) -> float:
    return exact / (1 << POINT)
