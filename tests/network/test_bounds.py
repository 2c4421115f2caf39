"""Flow bounds, rooms to the next kink, and exact costs, against the tables read piece by piece."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle.examples import examples
from oracle.networks import Arc, activity_networks, network_of
from oracle.textbook import bounds, saved

from lowtime.network.activity import MAX_UNBOUNDED, ActivityNetwork
from lowtime.network.bounds import ArcBounds, cost_in_units


def durations(network: ActivityNetwork, data: st.DataObject) -> np.ndarray:
    """Some duration of every arc."""
    span = network.longest - network.shortest
    parts = data.draw(st.lists(st.integers(0, 99), min_size=len(span), max_size=len(span)))
    return network.shortest + np.array(parts) % (span + 1)


def expected(network: ActivityNetwork, duration: np.ndarray) -> list[tuple[int, int]]:
    """Lower and upper bound of every arc."""
    pairs = [bounds(network, arc, d) for arc, d in enumerate(duration.tolist())]
    return [(low, network.unbounded if up is None else up) for low, up in pairs]


def found(arc_bounds: ArcBounds) -> list[tuple[int, int]]:
    """The same, as the class has them."""
    return list(zip(arc_bounds.lower.tolist(), arc_bounds.upper.tolist(), strict=True))


@examples(60)
@given(activity_networks(), st.data())
def test_bounds_at_any_durations(network: ActivityNetwork, data: st.DataObject) -> None:
    duration = durations(network, data)
    assert found(ArcBounds(network, duration)) == expected(network, duration)


@examples(60)
@given(activity_networks(), st.data())
def test_rooms_end_where_a_marginal_changes(network: ActivityNetwork, data: st.DataObject) -> None:
    arc_bounds = ArcBounds(network, durations(network, data))
    start = arc_bounds.duration
    shorter = np.flatnonzero(start > network.shortest)
    for arc, room in zip(shorter, arc_bounds.crash_room(shorter).tolist(), strict=True):
        d = int(start[arc])
        assert len({saved(network, arc, d - k) for k in range(1, room + 1)}) == 1
        assert saved(network, arc, d - room - 1) != saved(network, arc, d - 1)
    longer = np.flatnonzero(start < network.longest)
    for arc, room in zip(longer, arc_bounds.relax_room(longer).tolist(), strict=True):
        d = int(start[arc])
        assert len({saved(network, arc, d + k) for k in range(room)}) == 1
        assert saved(network, arc, d + room) != saved(network, arc, d)


@examples(60)
@given(activity_networks(), st.data())
def test_bounds_follow_crashes_and_relaxations(
    network: ActivityNetwork, data: st.DataObject
) -> None:
    arc_bounds = ArcBounds(network, durations(network, data))
    for _ in range(6):
        shorter = np.flatnonzero(arc_bounds.duration > network.shortest)
        longer = np.flatnonzero(arc_bounds.duration < network.longest)
        crash = data.draw(st.booleans())
        arcs = shorter if crash else longer
        if not arcs.size:
            continue
        arcs = arcs[: data.draw(st.integers(1, len(arcs)))]
        room = arc_bounds.crash_room(arcs) if crash else arc_bounds.relax_room(arcs)
        step = data.draw(st.integers(1, int(room.min())))
        (arc_bounds.crash if crash else arc_bounds.relax)(arcs, step)
        assert found(arc_bounds) == expected(network, arc_bounds.duration)


def test_durations_are_a_copy() -> None:
    network = network_of(2, [Arc(0, 1, table=0)], [], [(0, ((2, 5),))])
    arc_bounds = ArcBounds(network, network.longest)
    arc_bounds.crash(np.array([0]), 1)
    assert network.longest.tolist() == [2]


@examples(60)
@given(activity_networks(), st.data())
def test_cost_is_the_sum_of_what_is_no_longer_saved(
    network: ActivityNetwork, data: st.DataObject
) -> None:
    duration = durations(network, data)
    total = sum(
        saved(network, arc, d) or 0
        for arc in range(network.num_arcs)
        for d in range(int(duration[arc]), int(network.longest[arc]))
    )
    assert cost_in_units(network, duration) == total


@pytest.mark.parametrize("quanta", [1, 2**40])
def test_cost_is_exact_beyond_64_bits(quanta: int) -> None:
    steep = MAX_UNBOUNDED - 2
    network = network_of(
        3,
        [Arc(0, 1, table=0), Arc(1, 2, table=1)],
        [],
        [(0, ((quanta, steep - 7), (quanta, 6))), (0, ((quanta, 7),))],
    )
    assert cost_in_units(network, network.shortest) == quanta * (steep - 7 + 6 + 7)
