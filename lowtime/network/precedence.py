"""The order of the operations: from a DAG with operations on nodes to arcs between events."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lowtime.errors import InvalidGraph

if TYPE_CHECKING:
    import networkx as nx

    from lowtime.operation import Operation


@dataclass(frozen=True, slots=True, eq=False)
class Precedence:
    """Arcs between topologically numbered events.

    The node of topological rank ``r`` starts at event ``2 r + 1`` and finishes at event
    ``2 r + 2``; event 0 is the start of the project, the last event its end.

    Attributes:
        nodes: the user's nodes, in the order of ``dag.nodes``.
        operations: their operations.
        num_events: ``2 * len(nodes) + 2``.
        tail: int32[m], first the arcs of the operations, then the precedences.
        head: int32[m].
    """

    nodes: tuple[Hashable, ...]
    operations: tuple[Operation[Any], ...]
    num_events: int
    tail: NDArray[np.int32]
    head: NDArray[np.int32]


def precedence(dag: nx.DiGraph[Any], attr_name: str) -> Precedence:
    """The precedence of a DAG of operations.

    Args:
        dag: digraph with an operation on every node.
        attr_name: node attribute that holds it.

    Raises:
        InvalidGraph: not a digraph, empty, cyclic, a node without an operation, one operation
            on two nodes.
    """
    if not (hasattr(dag, "is_directed") and dag.is_directed()):
        raise InvalidGraph(f"expected a directed graph, found {type(dag).__name__}")
    nodes = tuple(dag.nodes)
    if not nodes:
        raise InvalidGraph("the graph has no nodes; expected one operation at least")
    operations = _operations(dag, attr_name)
    number = {node: i for i, node in enumerate(nodes)}
    successors: list[list[int]] = [[] for _ in nodes]
    for u, following in dag.adjacency():  # dag.adj[u] would make a view for every node
        successors[number[u]] = [number[v] for v in following]
    rank = _topological_rank(dag, nodes, successors)
    tails = [2 * r + 1 for r in rank]
    heads = [2 * r + 2 for r in rank]
    has_predecessor = [False] * len(nodes)
    for i, after in enumerate(successors):
        for v in after:
            tails.append(2 * rank[i] + 2)
            heads.append(2 * rank[v] + 1)
            has_predecessor[v] = True
    end = 2 * len(nodes) + 1
    for i, follows in enumerate(has_predecessor):
        if not follows:
            tails.append(0)
            heads.append(2 * rank[i] + 1)
    for i, after in enumerate(successors):
        if not after:
            tails.append(2 * rank[i] + 2)
            heads.append(end)
    return Precedence(
        nodes, operations, end + 1, np.array(tails, np.int32), np.array(heads, np.int32)
    )


def _operations(dag: nx.DiGraph[Any], attr_name: str) -> tuple[Operation[Any], ...]:
    from lowtime.operation import Operation

    operations = []
    node_of: dict[int, Hashable] = {}
    for node, attributes in dag.nodes(data=True):
        operation = attributes.get(attr_name)
        if operation is None:
            raise InvalidGraph(
                f"node {node!r} has no operation; set its attribute {attr_name!r},"
                " or name another attribute with attr_name="
            )
        if not isinstance(operation, Operation):
            raise InvalidGraph(
                f"node {node!r}: attribute {attr_name!r} is a {type(operation).__name__};"
                " expected a lowtime.operation.Operation"
            )
        if id(operation) in node_of:
            raise InvalidGraph(
                f"nodes {node_of[id(operation)]!r} and {node!r} share one operation; make one for"
                " each (they may share its OperationSpec)"
            )
        node_of[id(operation)] = node
        operations.append(operation)
    return tuple(operations)


def _topological_rank(
    dag: nx.DiGraph[Any], nodes: tuple[Hashable, ...], successors: list[list[int]]
) -> list[int]:
    """Position of every node in a topological order.

    Source:
        Kahn, Topological sorting of large networks (1962), doi:10.1145/368996.369025.
    """
    waiting_for = [0] * len(nodes)
    for following in successors:
        for v in following:
            waiting_for[v] += 1
    ready = deque(u for u, count in enumerate(waiting_for) if count == 0)
    rank = [-1] * len(nodes)
    position = 0
    while ready:
        u = ready.popleft()
        rank[u] = position
        position += 1
        for v in successors[u]:
            waiting_for[v] -= 1
            if waiting_for[v] == 0:
                ready.append(v)
    if position < len(nodes):
        import networkx as nx

        cycle = [edge[0] for edge in nx.find_cycle(dag)]
        shown = " -> ".join(repr(node) for node in [*cycle[:8], cycle[0]])
        raise InvalidGraph(
            f"the graph is not a directed acyclic graph (DAG): {shown}"
            + (f" (a cycle of {len(cycle)} nodes)" if len(cycle) > 8 else "")
        )
    return rank
