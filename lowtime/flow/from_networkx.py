"""A flow network from a NetworkX digraph."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from numbers import Rational
from typing import TYPE_CHECKING, Any

import numpy as np

from lowtime.decimals import written
from lowtime.errors import CapacityRange, InvalidNetwork
from lowtime.flow.network import INT64_MAX, FlowNetwork

if TYPE_CHECKING:
    import networkx as nx

    Scale = int | float | Fraction | Decimal | None

_UNBOUNDED = -1  # until the number that stands for it is known
_SHOWN = 12  # nodes of a path that a message shows


def from_networkx(
    graph: nx.DiGraph[Any],
    source: Hashable,
    sink: Hashable,
    *,
    capacity: str = "capacity",
    scale: Scale = None,
) -> FlowNetwork:
    """A network with one arc per edge, in the order of ``graph.edges``.

    An edge without the attribute, or with an infinite one, is unbounded. A number larger than some
    finite cut stands for it, so that no minimum cut contains the arc. The same number stands for a
    capacity above 2^63 - 1, where that changes no minimum cut.

    Args:
        graph: a DiGraph or MultiDiGraph with nodes of any kind; they become ``labels``.
        source: node of the graph.
        sink: another node of the graph.
        capacity: edge attribute with a non-negative integer.
        scale: factor for capacities that are decimals or fractions. The product is exact (a float
            counts as the decimal that is written: 0.1 is a tenth) and rounded to the nearest
            integer, half to even. Without it only integers are accepted.

    Raises:
        InvalidNetwork: an undirected graph, a missing terminal, a capacity that is negative, NaN or
            not an integer, a path of unbounded edges from source to sink.
        CapacityRange: capacities above 2^63 - 1 that limit the flow.

    Example:
        >>> import networkx as nx
        >>> graph = nx.DiGraph()
        >>> graph.add_edge("s", "a", capacity=0.3)
        >>> graph.add_edge("a", "t")
        >>> network = FlowNetwork.from_networkx(graph, "s", "t", scale=10)
        >>> network.labels, network.capacity.tolist()
        (('s', 'a', 't'), [3, 4])
    """
    arcs = read_arcs(graph, source, sink, capacity=capacity, lower=None, scale=scale)
    return FlowNetwork(
        len(arcs.labels),
        np.array(arcs.tail, dtype=np.int64),
        np.array(arcs.head, dtype=np.int64),
        np.array(arcs.upper, dtype=np.int64),
        arcs.source,
        arcs.sink,
        arcs.labels,
    )


@dataclass(frozen=True, slots=True)
class GraphArcs:
    """The edges of a graph in integers.

    Attributes:
        labels: the graph's nodes.
        tail: index of every edge's tail in ``labels``.
        head: index of every edge's head.
        lower: lower bound of every edge, 0 .. 2^63 - 1.
        upper: capacity of every edge, 0 .. 2^63 - 1.
        source: index of the source.
        sink: index of the sink.
        unbounded: a path of infinite capacities from source to sink, as text; None where there is
            none. Only kept where lower bounds may still leave no flow at all; else it is an error.
    """

    labels: tuple[Hashable, ...]
    tail: list[int]
    head: list[int]
    lower: list[int]
    upper: list[int]
    source: int
    sink: int
    unbounded: str | None = None


def read_arcs(
    graph: nx.DiGraph[Any],
    source: Hashable,
    sink: Hashable,
    *,
    capacity: str,
    lower: str | None,
    scale: Scale,
) -> GraphArcs:
    """The edges of a graph, checked; see `from_networkx`.

    Args:
        graph: as there.
        source: as there.
        sink: as there.
        capacity: as there.
        lower: edge attribute with the lower bound, 0 where it is missing; None: all are 0.
        scale: as there.
    """
    if not graph.is_directed():
        raise InvalidNetwork(
            "the graph is undirected; expected a DiGraph (graph.to_directed() makes two arcs of"
            " every edge)"
        )
    index = {node: number for number, node in enumerate(graph)}
    for node, name in ((source, "source"), (sink, "sink")):
        if node not in index:
            raise InvalidNetwork(f"{name} {node!r} is not a node of the graph")
    factor = None if scale is None else _checked_scale(scale)
    arcs = GraphArcs(tuple(index), [], [], [], [], index[source], index[sink])
    for u, v, attributes in graph.edges(data=True):
        where = f"edge {u!r} -> {v!r}"
        least = 0 if lower is None else _exact(attributes.get(lower, 0), where, lower, factor)
        most = _exact(attributes.get(capacity, math.inf), where, capacity, factor)
        if least > most:
            raise InvalidNetwork(
                f"{where}: {lower} {attributes.get(str(lower))!r} is above {capacity}"
                f" {attributes.get(capacity)!r}"
            )
        arcs.tail.append(index[u])
        arcs.head.append(index[v])
        arcs.lower.append(_checked_lower(least, where))
        arcs.upper.append(_UNBOUNDED if most == math.inf else round(most))
    if any(map(_is_large, arcs.upper)):
        unbounded = _unbounded_path(arcs)
        # On a path without limits whatever the lower bounds ask for can pass: their sum.
        stand_in = sum(arcs.lower) + 1 if unbounded else _above_a_finite_cut(arcs)
        arcs.upper[:] = [stand_in if _is_large(most) else most for most in arcs.upper]
        return replace(arcs, unbounded=unbounded)
    return arcs


def _unbounded_path(arcs: GraphArcs) -> str | None:
    """A path of infinite capacities, where lower bounds may still leave no flow at all.

    Raises:
        InvalidNetwork: there is such a path, and there are no lower bounds.
    """
    infinite = _reached(arcs, lambda upper: upper == _UNBOUNDED)
    if arcs.sink not in infinite:
        return None
    path = _path(arcs, infinite)
    if any(arcs.lower):
        return path
    raise unbounded_flow(path)


def unbounded_flow(path: str) -> InvalidNetwork:
    """The error that names a path of infinite capacities."""
    return InvalidNetwork(
        f"the maximum flow is unbounded: no capacity limits the path {path}; give one of its edges"
        " a capacity"
    )


def _checked_scale(scale: Any) -> Fraction:
    if not _is_number(scale) or not math.isfinite(scale) or scale <= 0:
        raise InvalidNetwork(f"scale is {scale!r}; expected a finite number above 0")
    return written(scale, "scale")


def _exact(value: Any, where: str, attribute: str | None, factor: Fraction | None) -> Any:
    """The scaled number before rounding: an int, a Fraction, or infinity."""
    if not _is_number(value):
        raise InvalidNetwork(f"{where}: {attribute} is {value!r}; expected a number")
    if value != value:
        raise InvalidNetwork(f"{where}: {attribute} is NaN; expected a number")
    if value < 0:
        raise InvalidNetwork(f"{where}: {attribute} is {value!r}; expected 0 or more")
    if value == math.inf:
        return math.inf
    if factor is not None:
        return written(value) * factor
    if isinstance(value, int | np.integer):
        return int(value)
    raise InvalidNetwork(
        f"{where}: {attribute} is {value!r}, a {type(value).__name__}; expected an integer, or"
        " scale= to turn decimals and fractions into integers"
    )


def _is_number(value: Any) -> bool:
    kinds = int | float | Decimal | Rational | np.integer | np.floating
    return isinstance(value, kinds) and not isinstance(value, bool)


def _checked_lower(value: Any, where: str) -> int:
    if value == math.inf:
        raise InvalidNetwork(f"{where}: its lower bound is infinite; expected a finite number")
    rounded: int = round(value)
    if rounded > INT64_MAX:
        raise CapacityRange(
            f"{where}: its lower bound {rounded} is above 2^63 - 1; scale the numbers down"
        )
    return rounded


def _is_large(upper: int) -> bool:
    """Whether a capacity is infinite, or does not fit int64."""
    return upper == _UNBOUNDED or upper > INT64_MAX


def _above_a_finite_cut(arcs: GraphArcs) -> int:
    """A number that can stand for every large capacity.

    The nodes that the source reaches over large arcs have only small ones leaving them: a cut. A
    cut with a stand-in in it is dearer by one at least, also after the lower bounds of the arcs
    back into it are subtracted, so no minimum cut has one. Nor does a stand-in make lower bounds
    infeasible: it is no less than their sum. Both hold for the true capacities, which are larger.

    Raises:
        CapacityRange: a path of large capacities leads from the source to the sink, or the number
            is above 2^63 - 1.
    """
    large = _reached(arcs, _is_large)
    if arcs.sink in large:
        raise CapacityRange(
            f"every capacity on the path {_path(arcs, large)} is above 2^63 - 1; scale the"
            " capacities down"
        )
    cut = sum(
        upper
        for tail, head, upper in zip(arcs.tail, arcs.head, arcs.upper, strict=True)
        if tail in large and head not in large
    )
    stand_in = cut + sum(arcs.lower) + 1
    if stand_in > INT64_MAX:
        raise CapacityRange(
            f"a capacity that is infinite or above 2^63 - 1 needs a number above {stand_in - 1} to"
            " stand for it, which does not fit 64 bits; scale the capacities down"
        )
    return stand_in


def _reached(arcs: GraphArcs, passable: Callable[[int], bool]) -> dict[int, int]:
    """The nodes that the source reaches over arcs of some capacities -> the node before them."""
    onward: dict[int, list[int]] = {}
    for tail, head, upper in zip(arcs.tail, arcs.head, arcs.upper, strict=True):
        if passable(upper):
            onward.setdefault(tail, []).append(head)
    came_from = {arcs.source: arcs.source}
    found = [arcs.source]
    for node in found:
        for head in onward.get(node, ()):
            if head not in came_from:
                came_from[head] = node
                found.append(head)
    return came_from


def _path(arcs: GraphArcs, came_from: dict[int, int]) -> str:
    path = [arcs.sink]
    while path[-1] != arcs.source:
        path.append(came_from[path[-1]])
    names = [repr(arcs.labels[node]) for node in reversed(path)]
    if len(names) > _SHOWN:
        names[_SHOWN // 2 : -_SHOWN // 2] = ["..."]
    return " -> ".join(names)
