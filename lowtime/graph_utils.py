"""Graph functions that programs written for lowtime 0.3.0 import."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_type_hints

from lowtime.counted import counted
from lowtime.errors import InvalidGraph
from lowtime.operation import DummyOperation, Operation

if TYPE_CHECKING:
    import networkx as nx

GraphT = TypeVar("GraphT", bound="nx.Graph[Any]")


def add_source_node(graph: nx.DiGraph[Any], source_node: Hashable, attr_name: str = "op") -> None:
    """Add a dummy operation before every node that has no predecessor.

    Args:
        graph: changed in place.
        source_node: the new node.
        attr_name: node attribute that holds the operation.
    """
    first = [node for node, degree in graph.in_degree() if degree == 0 and node != source_node]
    graph.add_node(source_node, **{attr_name: DummyOperation()})
    graph.add_edges_from((source_node, node) for node in first)


def add_sink_node(graph: nx.DiGraph[Any], sink_node: Hashable, attr_name: str = "op") -> None:
    """Add a dummy operation after every node that has no successor.

    Args:
        graph: changed in place.
        sink_node: the new node.
        attr_name: node attribute that holds the operation.
    """
    last = [node for node, degree in graph.out_degree() if degree == 0 and node != sink_node]
    graph.add_node(sink_node, **{attr_name: DummyOperation()})
    graph.add_edges_from((node, sink_node) for node in last)


def relabel_nodes_to_int(graph: GraphT) -> tuple[GraphT, dict[Any, int]]:
    """A copy of the graph whose nodes are 0, 1, ... in the order of its nodes, and the mapping.

    The graph attributes ``source_node`` and ``sink_node`` follow.

    Raises:
        ValueError: when the graph does not name its source and sink.
    """
    import networkx as nx

    source, sink = _ends(graph)
    mapping = {node: number for number, node in enumerate(graph.nodes)}
    relabeled: GraphT = nx.relabel_nodes(graph, mapping, copy=True)  # type: ignore[assignment]
    relabeled.graph["source_node"] = mapping[source]
    relabeled.graph["sink_node"] = mapping[sink]
    return relabeled, mapping


def aon_dag_to_aoa_dag(aon: nx.DiGraph[Any], attr_name: str = "op") -> nx.DiGraph[int]:
    """The activity-on-arc drawing of an activity-on-node DAG; O(nodes + edges).

    The i-th node that a breadth-first search from the source reaches becomes the arc 2i -> 2i + 1
    that holds its operation; every edge becomes an arc of its own dummy operation.

    Args:
        aon: has an operation on every node, and the graph attributes ``source_node`` and
            ``sink_node``, its only source and sink.
        attr_name: node attribute, and arc attribute of the result, that holds the operation.

    Raises:
        ValueError: when the graph has a cycle, does not name its source and sink, or has others.
    """
    import networkx as nx

    if not nx.is_directed_acyclic_graph(aon):
        raise InvalidGraph("the graph has a cycle; expected a DAG")
    source, sink = _ends(aon)
    for kind, named, degrees in (
        ("source", source, aon.in_degree()),
        ("sink", sink, aon.out_degree()),
    ):
        found = [node for node, degree in degrees if degree == 0]
        if found != [named]:
            raise InvalidGraph(
                f"graph attribute {kind}_node is {named!r} but the nodes that are a {kind} are"
                f" {found[:5]!r}; add one with add_{kind}_node"
            )
    # Programs follow the first path that they find, so nodes, arcs and neighbours keep the
    # published order: that of a breadth-first search.
    order = _breadth_first(aon, source)
    number = {node: index for index, node in enumerate(order)}
    aoa: nx.DiGraph[int] = nx.DiGraph()
    for index, node in enumerate(order):
        operation = _operation(aon.nodes[node], attr_name, f"node {node!r}")
        aoa.add_edge(2 * index, 2 * index + 1, **{attr_name: operation})
    for index, node in enumerate(order):
        for after in sorted(number[successor] for successor in aon.successors(node)):
            aoa.add_edge(2 * index + 1, 2 * after, **{attr_name: DummyOperation()})
    aoa.graph.update(aon.graph)
    aoa.graph["source_node"] = 0
    aoa.graph["sink_node"] = 2 * number[sink] + 1
    return aoa


def aoa_to_critical_dag(aoa_dag: nx.DiGraph[Any], attr_name: str = "op") -> nx.DiGraph[Any]:
    """The critical arcs of an activity-on-arc DAG; O(nodes + edges).

    Sets the earliest and latest start and finish of every operation on the way, from the durations
    that the operations have.

    Args:
        aoa_dag: has an operation on every arc, and the graph attributes ``source_node`` and
            ``sink_node``.
        attr_name: arc attribute that holds the operation.

    Raises:
        ValueError: when the graph has a cycle or does not name its source and sink.
    """
    import networkx as nx

    if not nx.is_directed_acyclic_graph(aoa_dag):
        raise InvalidGraph("the graph has a cycle; expected a DAG")
    source, sink = _ends(aoa_dag)
    order = list(nx.topological_sort(aoa_dag))
    earliest = dict.fromkeys(order, 0)
    for tail in order:
        for head, attributes in aoa_dag.adj[tail].items():
            operation = _operation(attributes, attr_name, f"arc {tail!r} -> {head!r}")
            earliest[head] = max(earliest[head], earliest[tail] + operation.duration)
    latest = dict.fromkeys(order, max(earliest.values(), default=0))
    for tail in reversed(order):
        for head, attributes in aoa_dag.adj[tail].items():
            latest[tail] = min(latest[tail], latest[head] - attributes[attr_name].duration)

    critical = aoa_dag.copy()
    for tail, head, attributes in aoa_dag.edges(data=True):
        operation = attributes[attr_name]
        operation.earliest_start = earliest[tail]
        operation.earliest_finish = earliest[tail] + operation.duration
        operation.latest_finish = latest[head]
        operation.latest_start = latest[head] - operation.duration
        if operation.earliest_finish != operation.latest_finish:
            critical.remove_edge(tail, head)
    critical.graph["source_node"], critical.graph["sink_node"] = source, sink
    return critical


def get_total_cost(
    graph: nx.DiGraph[Any], mode: Literal["edge", "node"], attr_name: str = "op"
) -> float:
    """Sum of the costs of all operations at their durations, rounded once.

    Args:
        graph: has an operation on every node or arc.
        mode: "node" or "edge": where the operations are.
        attr_name: attribute that holds the operation.

    Raises:
        ValueError: for another mode.
    """
    attributes: Iterable[dict[str, Any]]
    if mode == "edge":
        attributes = (data for _, _, data in graph.edges(data=True))
    elif mode == "node":
        attributes = (data for _, data in graph.nodes(data=True))
    else:
        raise ValueError(f"mode is {mode!r}; expected 'edge' or 'node'")
    operations: Iterable[Operation[Any]] = (data[attr_name] for data in attributes)
    return math.fsum(operation.get_cost() for operation in operations if not operation.is_dummy)


def get_critical_aoa_dag_total_time(critical_dag: nx.DiGraph[Any], attr_name: str = "op") -> int:
    """Time of a DAG of critical arcs, quanta.

    Args:
        critical_dag: as from `aoa_to_critical_dag`.
        attr_name: arc attribute that holds the operation.
    """
    source, sink = _ends(critical_dag)
    return sum(
        _duration(critical_dag[tail][head][attr_name])
        for tail, head in _walk(critical_dag, source, sink)
    )


def get_critical_aon_dag_total_time(critical_dag: nx.DiGraph[Any], attr_name: str = "op") -> int:
    """Time of a DAG of critical nodes whose edges join what runs back to back, quanta.

    Args:
        critical_dag: has the graph attributes ``source_node`` and ``sink_node``.
        attr_name: node attribute that holds the operation.
    """
    source, sink = _ends(critical_dag)
    nodes = [source] + [head for _, head in _walk(critical_dag, source, sink)]
    return sum(_duration(critical_dag.nodes[node][attr_name]) for node in nodes)


def _duration(operation: Operation[Any]) -> int:
    return 0 if operation.is_dummy else operation.duration


def _breadth_first(graph: nx.DiGraph[Any], source: Any) -> list[Any]:
    """Nodes in the order in which a breadth-first search reaches them."""
    reached = [source]
    known = {source}
    for node in reached:
        for successor in graph.successors(node):
            if successor not in known:
                known.add(successor)
                reached.append(successor)
    return reached


def _walk(graph: nx.DiGraph[Any], source: Any, sink: Any) -> list[tuple[Any, Any]]:
    """The edges of one path from source to sink, fewest first; every critical path is as long."""
    before: dict[Any, Any] = {source: source}
    reached = [source]
    for node in reached:
        if node == sink:
            break
        for successor in graph.successors(node):
            if successor not in before:
                before[successor] = node
                reached.append(successor)
    if sink not in before:
        raise InvalidGraph(f"no critical path leads from {source!r} to {sink!r}")
    edges = []
    while sink != source:
        edges.append((before[sink], sink))
        sink = before[sink]
    return edges[::-1]


def _ends(graph: nx.Graph[Any]) -> tuple[Any, Any]:
    try:
        return graph.graph["source_node"], graph.graph["sink_node"]
    except KeyError as error:
        raise InvalidGraph(
            f"graph attribute {error.args[0]!r} is missing; set dag.graph[{error.args[0]!r}]"
        ) from None


def _operation(attributes: dict[str, Any], attr_name: str, where: str) -> Operation[Any]:
    operation = attributes.get(attr_name)
    if not isinstance(operation, Operation):
        raise InvalidGraph(f"{where} has no operation in attribute {attr_name!r}")
    return operation


class DependencyResolver:
    """Tells whether one operation must wait for another.

    A rule is a function of two operations that returns True for a dependency of the second on the
    first. It is asked only about operations of the types that its two arguments are annotated with.

    Args:
        dependency_rules: the rules.
        node_type: what all annotated types must be subclasses of.

    Raises:
        ValueError: for a rule without exactly two annotated arguments, or of other types.
    """

    def __init__(
        self,
        dependency_rules: Sequence[Callable[..., bool]],
        node_type: type[Operation[Any]],
    ) -> None:
        self.rules = dependency_rules
        self.arg_types = [_argument_types(rule, node_type) for rule in dependency_rules]
        # Programs ask about all pairs of nodes, of few types; most pairs of types have no rule.
        self._rules_of: dict[tuple[type, type], tuple[Callable[..., bool], ...]] = {}

    def is_dependent(self, op1: Operation[Any], op2: Operation[Any]) -> bool:
        """Whether some rule says that ``op2`` must wait for ``op1``.

        Raises:
            RuntimeError: when a rule returns something else than a bool.
        """
        types = (type(op1), type(op2))
        try:
            rules = self._rules_of[types]
        except KeyError:
            rules = self._rules_of[types] = tuple(
                rule
                for rule, (first, second) in zip(self.rules, self.arg_types, strict=True)
                if isinstance(op1, first) and isinstance(op2, second)
            )
        for rule in rules:
            answer = rule(op1, op2)
            if answer is True:
                return True
            if answer is not False:
                raise RuntimeError(f"dependency rule {_name(rule)} returned {answer!r}, not a bool")
        return False


def _argument_types(
    rule: Callable[..., bool], node_type: type[Operation[Any]]
) -> tuple[type[Operation[Any]], type[Operation[Any]]]:
    hints = get_type_hints(rule)
    hints.pop("return", None)
    if len(hints) != 2:
        raise ValueError(
            f"dependency rule {_name(rule)} has"
            f" {counted(len(hints), 'annotated argument')}; expected two"
        )
    first, second = hints.values()
    for hint in (first, second):
        if not (isinstance(hint, type) and issubclass(hint, node_type)):
            raise ValueError(
                f"dependency rule {_name(rule)} takes {hint!r}; expected a subclass of"
                f" {node_type.__name__}"
            )
    return first, second


def _name(rule: Callable[..., bool]) -> str:
    return getattr(rule, "__name__", repr(rule))
