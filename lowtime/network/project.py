"""A DAG of operations, compiled: the arrays to solve, and the user's names for them."""

from __future__ import annotations

import math
import warnings
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from lowtime.counted import counted
from lowtime.errors import CapacityRange, InvalidProfile
from lowtime.network.activity import MAX_TOTAL_TIME, ActivityNetwork
from lowtime.network.cost_table import CostTable, cost_table
from lowtime.network.cost_units import CostUnits, cost_units
from lowtime.network.options import OptionTable, check_unit_times, option_table
from lowtime.network.precedence import Precedence, precedence

HULL_WARNING = 1e-9  # of the range of a table; below it, a moved cost is rounding noise

if TYPE_CHECKING:
    import networkx as nx

    from lowtime.operation import Operation


@dataclass(frozen=True, slots=True, eq=False)
class Project:
    """A compiled project.

    Attributes:
        network: the activity network; arc ``i < len(nodes)`` is the operation of ``nodes[i]``.
        nodes: the user's nodes, in the order of ``dag.nodes``.
        operations: the operation of every node, dummies included.
        options: the distinct option tables.
        option_of: option table of every node; -1 for dummies.
        unit_time: seconds per quantum.
        cost_error: bound on how far hulls moved the cost of any plan, in the user's cost; 0 where
            every table is convex.
    """

    network: ActivityNetwork
    nodes: tuple[Hashable, ...]
    operations: tuple[Operation[Any], ...]
    options: tuple[OptionTable, ...]
    option_of: tuple[int, ...]
    unit_time: float
    cost_error: float

    @classmethod
    def from_dag(cls, dag: nx.DiGraph[Any], attr_name: str = "op") -> Project:
        """Compile a DAG of operations; the operations are read, never changed.

        Several sources and sinks, isolated nodes and nodes of any hashable kind are legal.

        Args:
            dag: digraph with an `Operation` on every node.
            attr_name: node attribute that holds the operation.

        Raises:
            InvalidGraph: not a digraph, empty, a cycle or self-loop, a node without an operation,
                one operation on two nodes.
            InvalidProfile: options or cost models with NaN, infinite or negative values, different
                or non-positive unit times, a unit time longer than every option.
            CapacityRange: durations that sum beyond 2^62 quanta, or costs beyond float64.

        Warns:
            UserWarning: some cost is above the convex hull of its operation by more than 1e-9 of
                the operation's range; one warning for the whole project.

        Complexity: O(nodes + edges) plus the size of the distinct cost tables.
        """
        order = precedence(dag, attr_name)
        options, option_of = _option_tables(order)
        unit_time = check_unit_times(options)
        tables, table_of, fixed_costs = _cost_tables(order)
        _warn_of_hulls(order.nodes, tables, table_of)
        start_cost = _start_cost(tables, table_of, fixed_costs)
        return cls(
            network=_network(order, tables, table_of, start_cost),
            nodes=order.nodes,
            operations=order.operations,
            options=tuple(options),
            option_of=tuple(option_of),
            unit_time=unit_time,
            cost_error=math.fsum(tables[k].hull_shift for k in table_of if k >= 0),
        )


def _option_tables(order: Precedence) -> tuple[list[OptionTable], list[int]]:
    tables: list[OptionTable] = []
    known: dict[int, int] = {}
    option_of = []
    for node, operation in zip(order.nodes, order.operations, strict=True):
        if operation.is_dummy:
            option_of.append(-1)
            continue
        spec = operation.spec
        if id(spec) not in known:
            known[id(spec)] = len(tables)
            tables.append(option_table(spec.options.options, node))
        option_of.append(known[id(spec)])
    return tables, option_of


def _cost_tables(order: Precedence) -> tuple[list[CostTable], list[int], list[float]]:
    """Distinct cost tables, the table of every operation (-1: fixed), the cost of the fixed."""
    from lowtime.operation import Operation

    tables: list[CostTable] = []
    known: dict[tuple[int, int, int], int] = {}
    table_of: list[int] = []
    fixed_costs: list[float] = []
    for node, operation in zip(order.nodes, order.operations, strict=True):
        if operation.is_dummy:
            table_of.append(-1)
            fixed_costs.append(0.0)
            continue
        # A subclass with a cost of its own is priced by it, everything else by its spec's model.
        own_cost = type(operation).get_cost is not Operation.get_cost
        priced_by: object = operation if own_cost else operation.spec
        key = (id(priced_by), operation.min_duration, operation.max_duration)
        if key not in known:
            shortest, longest = _durations(operation, node)
            known[key] = len(tables)
            model = operation.get_cost if own_cost else operation.spec.model
            tables.append(cost_table(model, shortest, longest, f"node {node!r}"))
        table = tables[known[key]]
        is_fixed = len(table.lengths) == 0
        table_of.append(-1 if is_fixed else known[key])
        fixed_costs.append(table.longest_cost if is_fixed else 0.0)
    return tables, table_of, fixed_costs


def _durations(operation: Operation[Any], node: Hashable) -> tuple[int, int]:
    """Shortest and longest duration, quanta; a program may have set them."""
    span = operation.min_duration, operation.max_duration
    if not (all(isinstance(d, int | np.integer) for d in span) and 0 <= span[0] <= span[1]):
        raise InvalidProfile(
            f"node {node!r}: its durations are {span[0]!r} .. {span[1]!r} quanta; expected whole"
            " numbers, 0 <= min_duration <= max_duration"
        )
    return int(span[0]), int(span[1])


def _start_cost(tables: list[CostTable], table_of: list[int], fixed_costs: list[float]) -> float:
    """Cost of the longest schedule, rounded once; no sum of costs on the way may overflow."""
    used = [k for k in table_of if k >= 0]
    ranges = [table.cost_range for table in tables]
    longest = fixed_costs + [tables[k].longest_cost for k in used]
    try:
        math.fsum([abs(cost) for cost in longest] + [ranges[k] for k in used])
        return math.fsum(longest)
    except OverflowError as error:
        raise CapacityRange(
            "the costs of all operations sum beyond the range of float64; scale them down"
        ) from error


def _warn_of_hulls(nodes: Sequence[Hashable], tables: list[CostTable], table_of: list[int]) -> None:
    """One warning for all operations whose costs are not convex, naming the one hulled most."""
    shifts = [table.relative_shift for table in tables]
    hulled = [i for i, k in enumerate(table_of) if k >= 0 and shifts[k] > HULL_WARNING]
    if not hulled:
        return
    most = max(hulled, key=lambda i: shifts[table_of[i]])
    table = tables[table_of[most]]
    warnings.warn(
        f"the costs of {len(hulled)} of {counted(len(nodes), 'operation')} are not convex; plans"
        " report the cost of their convex hulls as `cost`, and of the options really chosen as"
        f" `measured_cost`. Node {nodes[most]!r} the most: the hull lowers one of its costs by"
        f" {max(table.hull_shift, table.options_shift):.6g} ({table.relative_shift:.3g} of their"
        " range)",
        UserWarning,
        stacklevel=4,  # whoever calls `lowtime.solve`
    )


def _fixed_duration(operation: Operation[Any], node: Hashable) -> int:
    """Duration of an operation without a choice; programs give dummies one, as a delay."""
    if not operation.is_dummy:
        return operation.min_duration
    duration = operation.duration
    if not isinstance(duration, int | np.integer) or not 0 <= duration <= MAX_TOTAL_TIME:
        raise InvalidProfile(
            f"node {node!r}: its dummy takes {duration!r} quanta; expected an integer from 0 to"
            " 2^62"
        )
    return int(duration)


def _network(
    order: Precedence, tables: list[CostTable], table_of: list[int], start_cost: float
) -> ActivityNetwork:
    used = sorted({k for k in table_of if k >= 0})
    position = {k: i for i, k in enumerate(used)}
    uses = np.bincount([position[k] for k in table_of if k >= 0], minlength=len(used)).tolist()
    units = cost_units([tables[k].marginals for k in used], uses)
    table_start, piece_start, piece_end, marginal = _pieces([tables[k] for k in used], units)
    operations, arcs = len(order.nodes), len(order.tail)
    shortest = np.zeros(arcs, dtype=np.int64)
    longest = np.zeros(arcs, dtype=np.int64)
    table = np.full(arcs, -1, dtype=np.int32)
    spans = {k: (tables[k].shortest, tables[k].longest, position[k]) for k in used}
    for i, (operation, k) in enumerate(zip(order.operations, table_of, strict=True)):
        if k >= 0:
            shortest[i], longest[i], table[i] = spans[k]
        else:
            shortest[i] = longest[i] = _fixed_duration(operation, order.nodes[i])
    return ActivityNetwork(
        num_events=order.num_events,
        num_operations=operations,
        tail=order.tail,
        head=order.head,
        shortest=shortest,
        longest=longest,
        table=table,
        table_start=table_start,
        piece_start=piece_start,
        piece_end=piece_end,
        marginal=marginal,
        unbounded=units.unbounded,
        cost_unit=math.ldexp(1.0, -units.exponent),
        start_cost=start_cost,
    )


def _pieces(tables: list[CostTable], units: CostUnits) -> tuple[Any, Any, Any, Any]:
    """Runs of equal marginals: the pieces of the integer cost tables."""
    if not tables:
        none = np.zeros(0, dtype=np.int64)
        return np.zeros(1, dtype=np.int64), none, none, none
    count = [len(table.lengths) for table in tables]
    marginal = np.concatenate(units.marginals)
    length = np.concatenate([table.lengths for table in tables])
    opens_table = np.zeros(len(length) + 1, dtype=bool)
    opens_table[np.cumsum([0, *count])] = True
    opens_piece = opens_table[:-1].copy()
    opens_piece[1:] |= np.diff(marginal) != 0
    # Where every entry starts, counted from the shortest duration of its table.
    begun = np.cumsum(length) - length
    shortest = np.array([table.shortest for table in tables], dtype=np.int64)
    begun += np.repeat(shortest - begun[np.flatnonzero(opens_table[:-1])], count)
    first = np.flatnonzero(opens_piece)
    last = np.append(first[1:], len(length))[: len(first)] - 1
    table_start = np.append(np.flatnonzero(opens_table[:-1][first]), len(first))
    return table_start, begun[first], begun[last] + length[last], marginal[first]
