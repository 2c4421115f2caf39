"""The cheapest plan for a total time, as a linear program over the measured options.

A duration is a convex combination of the options' times, its cost the same combination of their
costs: the minimum is the lower convex hull without computing one. Nothing of lowtime takes part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_array


def least_cost(
    operations: Mapping[Any, Sequence[tuple[int, int]] | None],
    edges: Sequence[tuple[Any, Any]],
    total_time: int,
) -> float | None:
    """Least cost of a plan that takes at most ``total_time``; None where there is none.

    Args:
        operations: (quanta, cost) options of every node; None for a dummy.
        edges: precedences.
        total_time: quanta.
    """
    nodes = {node: i for i, node in enumerate(operations)}
    options = [(i, t, c) for node, i in nodes.items() for t, c in operations[node] or [(0, 0)]]
    n, k = len(nodes), len(options)
    # Variables: start of every node, then the weight of every option.
    rows: list[tuple[int, int, float]] = []
    limits: list[float] = []

    def must_end_by(node: int, row: int) -> None:
        rows.append((row, node, 1.0))
        rows.extend((row, n + j, float(t)) for j, (i, t, _) in enumerate(options) if i == node)

    for u, v in edges:
        must_end_by(nodes[u], len(limits))
        rows.append((len(limits), nodes[v], -1.0))
        limits.append(0.0)
    for node in range(n):
        must_end_by(node, len(limits))
        limits.append(float(total_time))
    r, c, x = zip(*rows, strict=True)
    one = coo_array(
        ([1.0] * k, ([i for i, _, _ in options], [n + j for j in range(k)])), shape=(n, n + k)
    )
    result = linprog(
        np.array([0.0] * n + [float(cost) for _, _, cost in options]),
        A_ub=coo_array((x, (r, c)), shape=(len(limits), n + k)).toarray(),
        b_ub=np.array(limits),
        A_eq=one.toarray(),
        b_eq=np.ones(n),
        bounds=(0, None),
        method="highs",
    )
    assert result.status in (0, 2), result.message
    return result.fun if result.status == 0 else None
