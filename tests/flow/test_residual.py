"""The residual network: what it lets through is exactly what the bounds leave."""

from __future__ import annotations

from random import Random

import numpy as np
from hypothesis import given
from lowtime_scipy import ScipyBackend
from oracle.examples import examples
from oracle.networks import seeded

from lowtime.flow.residual import residual_network

Case = tuple[list[tuple[int, int, int, int]], list[int], list[int]]


def random_case(random: Random) -> Case:
    """Arcs (tail, head, lower, upper), a circulation-free feasible flow, arcs that count.

    The flow is a sum of paths from event 0 to event 4, so that it is conserved.
    """
    nodes = 5
    arcs, flow = [], []
    for _ in range(random.randint(1, 12)):
        tail = random.randrange(nodes - 1)
        arcs.append((tail, random.randrange(tail + 1, nodes)))
        flow.append(0)
    for _ in range(4):
        path, at = [], 0
        while at != nodes - 1:
            onward = [i for i, (tail, _) in enumerate(arcs) if tail == at]
            if not onward:
                break
            path.append(random.choice(onward))
            at = arcs[path[-1]][1]
        if at == nodes - 1:
            for arc in path:
                flow[arc] += 1
    bounded = [
        (tail, head, random.randint(0, x), x + random.randint(0, 3))
        for (tail, head), x in zip(arcs, flow, strict=True)
    ]
    counted = [i for i, x in enumerate(flow) if x or random.random() < 0.8]
    return bounded, flow, counted


@examples(100)
@given(seeded(random_case))
def test_an_augmented_flow_is_conserved_within_its_bounds_and_maximal(case: Case) -> None:
    arcs, flow, counted = case
    tail, head, lower, upper = (np.array(column) for column in zip(*arcs, strict=True))
    limit = 10**6
    residual = residual_network(
        5,
        tail.astype(np.int32),
        head.astype(np.int32),
        lower,
        upper,
        np.array(flow),
        np.array(counted, dtype=np.int64),
        (0, 4),
        limit,
    )
    plain = residual.network
    assert plain.source == 5
    assert plain.total_leaving_source == limit
    result = ScipyBackend().max_flow(plain)
    after = residual.augmented(np.array(flow), result.flow)
    assert np.all((lower <= after) & (after <= upper))
    untouched = np.setdiff1d(np.arange(len(arcs)), counted)
    assert after[untouched].tolist() == np.array(flow)[untouched].tolist()
    for event in range(1, 4):
        assert after[head == event].sum() == after[tail == event].sum()
    gained = after[tail == 0].sum() - sum(x for x, t in zip(flow, tail, strict=True) if t == 0)
    assert gained == result.value
    again = residual_network(
        5,
        tail.astype(np.int32),
        head.astype(np.int32),
        lower,
        upper,
        after,
        np.array(counted, dtype=np.int64),
        (0, 4),
        limit,
    )
    assert ScipyBackend().max_flow(again.network).value == 0


def test_the_limit_is_all_that_may_leave_the_source() -> None:
    residual = residual_network(
        2,
        np.array([0, 0], dtype=np.int32),
        np.array([1, 1], dtype=np.int32),
        np.zeros(2, dtype=np.int64),
        np.array([2**50, 2**50]),
        np.array([3, 0]),
        np.array([0, 1]),
        (0, 1),
        7,
    )
    assert residual.network.capacity.tolist() == [7, 2**50 - 3, 2**50, 3]
    assert residual.arc.tolist() == [0, 1, 0]
    assert residual.sign.tolist() == [1, 1, -1]
    assert ScipyBackend().max_flow(residual.network).value == 7
