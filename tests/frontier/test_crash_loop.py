"""The numbered facts of the method, each on random networks full of ties."""

from __future__ import annotations

from collections.abc import Callable

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from lowtime_igraph import IgraphBackend
from lowtime_networkx import NetworkXBackend
from lowtime_scipy import ScipyBackend
from oracle.examples import examples
from oracle.networks import Arc, activity_networks, network_of
from oracle.textbook import bounds, event_times, textbook_frontier

from lowtime.backends.protocol import Segments
from lowtime.errors import BackendFault
from lowtime.flow.network import FlowNetwork
from lowtime.flow.result import MaxFlow
from lowtime.frontier.crash_loop import CrashLoop
from lowtime.frontier.trace import trace
from lowtime.network.activity import MAX_UNBOUNDED, ActivityNetwork
from lowtime.network.bounds import cost_in_units

solve_flow = ScipyBackend().max_flow


def traced(
    network: ActivityNetwork, max_flow: Callable[[FlowNetwork], MaxFlow] = solve_flow
) -> Segments:
    """All segments; a session may return early, when its 50 ms are over."""
    return trace(network, CrashLoop(network, max_flow), check="final")


def single_steps(
    network: ActivityNetwork, max_flow: Callable[[FlowNetwork], MaxFlow] = solve_flow
) -> list[tuple[tuple[int, ...], int]]:
    """Durations of all arcs, and the slope that led there, at every point."""
    session = CrashLoop(network, max_flow)
    durations = network.longest.copy()
    points = [(tuple(durations.tolist()), 0)]
    done = False
    while not done:
        part = session.advance(3)
        for k, length in enumerate(part.length.tolist()):
            changes = slice(part.offset[k], part.offset[k + 1])
            for _ in range(length):
                durations[part.arc[changes]] += part.sign[changes]
                points.append((tuple(durations.tolist()), int(part.slope[k])))
        done = part.done
    return points


@examples(60)
@given(activity_networks())
def test_every_point_is_the_one_of_the_textbook(network: ActivityNetwork) -> None:
    # Fact 3: long steps give the plans of single ones. Facts 1, 2 and 6: nothing that is kept
    # between steps (flow, event times, source side) changes any plan.
    expected = [(point.durations, point.slope) for point in textbook_frontier(network)]
    assert single_steps(network) == expected


@examples(60)
@given(activity_networks())
def test_the_last_maximum_flow_stays_feasible(network: ActivityNetwork) -> None:
    # Fact 1, seen just before every augmentation and after every step.
    values: list[int] = []

    def check(when: str) -> None:
        state = session.state()
        durations, times = state["duration"].tolist(), event_times(network, duration_of(state))
        balance = [0] * network.num_events
        for arc, flow in enumerate(state["flow"].tolist()):
            tail, head = int(network.tail[arc]), int(network.head[arc])
            if times[head] - times[tail] > durations[arc]:
                assert flow == 0, when
                assert durations[arc] == network.longest[arc], when
            else:
                lower, upper = bounds(network, arc, durations[arc])
                assert lower <= flow, when
                assert upper is None or flow <= upper, when
            balance[tail] -= flow
            balance[head] += flow
        assert not any(balance[1:-1]), when
        values.append(balance[-1])

    def watched(plain: FlowNetwork) -> MaxFlow:
        check("before an augmentation")
        return solve_flow(plain)

    session = CrashLoop(network, watched)
    slopes: list[int] = []
    while True:
        part = session.advance(1)
        slopes += part.slope.tolist()
        check("after a step")
        if part.done:
            break
    assert values == sorted(values)
    assert slopes == sorted(slopes)
    assert set(slopes) <= set(values)


def duration_of(state: dict[str, np.ndarray]) -> list[int]:
    """Durations of a state as ints."""
    return list(state["duration"].tolist())


@examples(40)
@given(activity_networks())
def test_event_times_move_with_the_cut(network: ActivityNetwork) -> None:
    # Fact 2: they stay the earliest ones.
    session = CrashLoop(network, solve_flow)
    done = False
    while not done:
        done = session.advance(1).done
        state = session.state()
        assert state["event_time"].tolist() == event_times(network, duration_of(state))


@examples(40)
@given(activity_networks())
def test_everything_is_an_exact_integer(network: ActivityNetwork) -> None:
    # Fact 4: the slopes add up to the cost of the durations, without a rest.
    session = CrashLoop(network, solve_flow)
    spent, done = 0, False
    while not done:
        part = session.advance(2)
        done = part.done
        assert all(array.dtype == np.int64 for array in (part.length, part.slope, part.offset))
        spent += sum(s * n for s, n in zip(part.slope.tolist(), part.length.tolist(), strict=True))
        state = session.state()
        assert {state[key].dtype for key in ("duration", "event_time", "flow")} == {
            np.dtype(np.int64)
        }
        assert cost_in_units(network, state["duration"]) == spent


@examples(40)
@given(activity_networks())
def test_no_more_than_unb_leaves_the_source(network: ActivityNetwork) -> None:
    # Fact 5: a flow above M, the sum of the largest marginals, ends the frontier and only it.
    offered = []

    def watched(plain: FlowNetwork) -> MaxFlow:
        assert plain.total_leaving_source <= network.unbounded
        result = solve_flow(plain)
        offered.append((plain.total_leaving_source, result.value))
        return result

    session = CrashLoop(network, watched)
    done = False
    while not done:
        part = session.advance(4)
        assert all(slope < network.unbounded for slope in part.slope.tolist())
        done = part.done
    left, value = offered.pop()
    assert left == value, "the last flow takes all that is left of UNB"
    assert all(value < left for left, value in offered)
    shortest = list(network.shortest.tolist())
    assert session.state()["event_time"][-1] == event_times(network, shortest)[-1]


def through_reversed_arcs(plain: FlowNetwork) -> MaxFlow:
    """Another maximum flow: the one of the network with its arcs in reverse order."""
    turned = FlowNetwork(
        plain.num_nodes,
        plain.tail[::-1],
        plain.head[::-1],
        plain.capacity[::-1],
        plain.source,
        plain.sink,
    )
    result = NetworkXBackend(flow_func=nx.algorithms.flow.preflow_push).max_flow(turned)
    return MaxFlow(result.value, result.flow[::-1].copy())


@examples(40)
@given(activity_networks())
def test_a_solver_is_asked_only_when_there_is_flow_to_find(network: ActivityNetwork) -> None:
    def watched(plain: FlowNetwork) -> MaxFlow:
        result = solve_flow(plain)
        assert result.value > 0
        return result

    traced(network, watched)


@examples(40)
@given(activity_networks())
def test_plans_do_not_depend_on_which_maximum_flow_was_found(network: ActivityNetwork) -> None:
    # Fact 6.
    expected = single_steps(network)
    assert single_steps(network, through_reversed_arcs) == expected
    assert single_steps(network, IgraphBackend().max_flow) == expected


@examples(30)
@given(activity_networks())
def test_a_session_restored_from_its_state_goes_on_with_the_same_bits(
    network: ActivityNetwork,
) -> None:
    expected = single_steps(network)
    session = CrashLoop(network, solve_flow)
    durations = network.longest.copy()
    points = [(tuple(durations.tolist()), 0)]
    done = False
    while not done:
        session = CrashLoop(network, solve_flow, state=session.state())
        part = session.advance(1)
        for k, length in enumerate(part.length.tolist()):
            for _ in range(length):
                durations[part.arc] += part.sign
                points.append((tuple(durations.tolist()), int(part.slope[k])))
        done = part.done
    assert points == expected


def test_the_state_is_a_copy() -> None:
    network = network_of(2, [Arc(0, 1, table=0)], [], [(0, ((2, 5),))])
    session = CrashLoop(network, solve_flow)
    for array in session.state().values():
        array[...] = 1
    assert session.state()["duration"].tolist() == [2]
    assert session.advance(9).length.tolist() == [2]


def test_a_tie_of_operations_in_series_is_decided_for_the_one_nearest_the_source() -> None:
    network = network_of(4, [Arc(i, i + 1, table=0) for i in range(3)], [], [(0, ((2, 5),))])
    part = traced(network)
    assert part.arc.tolist() == [0, 1, 2]
    assert part.sign.tolist() == [-1, -1, -1]
    assert part.done


def test_a_crashed_operation_is_relaxed_when_that_pays_for_others() -> None:
    # The bridge x = 1 -> 2 is cheapest at first; once a-b and c-d are critical too, crashing a and
    # d costs 2 + 2, and x, crossed backward, gives 1 back.
    cheap, dear, bridge = (1, ((4, 2),)), (5, ((1, 10),)), (1, ((2, 1),))
    network = network_of(
        4,
        [
            Arc(0, 1, table=0),
            Arc(1, 3, table=1),
            Arc(0, 2, table=1),
            Arc(2, 3, table=0),
            Arc(1, 2, table=2),
        ],
        [],
        [cheap, dear, bridge],
    )
    part = traced(network)
    assert part.slope.tolist()[:2] == [1, 3]
    assert part.length.tolist()[:2] == [2, 2]
    assert part.arc.tolist()[:4] == [4, 0, 3, 4]
    assert part.sign.tolist()[:4] == [-1, -1, -1, 1]


def test_a_step_does_not_depend_on_the_unit_of_time() -> None:
    coarse = network_of(
        3, [Arc(0, 1, table=0), Arc(1, 2, table=1)], [], [(1, ((2, 7), (3, 2))), (0, ((4, 5),))]
    )
    fine = network_of(
        3,
        [Arc(0, 1, table=0), Arc(1, 2, table=1)],
        [],
        [(10**9, ((2 * 10**9, 7), (3 * 10**9, 2))), (0, ((4 * 10**9, 5),))],
    )
    parts = [CrashLoop(network, solve_flow).advance(99) for network in (coarse, fine)]
    assert (parts[0].length * 10**9).tolist() == parts[1].length.tolist()
    assert parts[0].slope.tolist() == parts[1].slope.tolist()
    assert parts[0].arc.tolist() == parts[1].arc.tolist()


def test_marginals_up_to_the_largest_unb_are_exact(backend_name: str) -> None:
    from lowtime.backends.call import call_max_flow
    from lowtime.backends.selection import resolve

    big = MAX_UNBOUNDED - 2
    network = network_of(
        3,
        [Arc(0, 1, table=0), Arc(1, 2, table=1)],
        [],
        [(0, ((1, big),)), (0, ((1, 1),))],
    )
    assert network.unbounded == MAX_UNBOUNDED
    backend = resolve(backend_name).backend
    part = traced(network, lambda plain: call_max_flow(backend, plain))
    assert part.slope.tolist() == [1, big]
    assert part.done


def test_ten_thousand_arcs_out_of_the_start_event_do_not_overflow() -> None:
    # The sum of UNB over all of them is above 2^63; only the super-source's arc limits the flow.
    count = 10_000
    table = (0, ((1, (MAX_UNBOUNDED - 1) // count),))
    network = network_of(
        count + 2,
        [Arc(1 + i, count + 1, table=0) for i in range(count)],
        [Arc(0, 1 + i) for i in range(count)],
        [table],
    )
    assert count * network.unbounded > 2**63
    part = traced(network)
    assert part.length.tolist() == [1]
    assert part.slope.tolist() == [count * table[1][0][1]]
    assert part.done


def test_an_event_that_many_arcs_lead_to_is_searched_once() -> None:
    # The search once visited it once per arc: quadratic in the arcs of one event.
    count = 500
    network = network_of(
        count + 2,
        [Arc(1 + i, count + 1, table=0) for i in range(count)],
        [Arc(0, 1 + i) for i in range(count)],
        [(0, ((1, 3),))],
    )
    session = CrashLoop(network, solve_flow)
    assert session.advance(9).done
    assert session.counters()["nodes_visited"] < 2 * network.num_events


def test_a_fixed_infinity_cuts_frontiers_short_and_ours_does_not() -> None:
    # The earlier attempt at i64 capacities scaled costs by 1e9 and gave arcs without a limit the
    # capacity 10000 x 1e9. A marginal cost above 10000 then makes the "infinite" arc the cheaper
    # cut, and the sum over a million such arcs leaves 64 bits.
    infinity = 10_000 * 10**9
    steep = 15_000 * 10**9  # marginal cost 15000, in the same scale
    cheap = 5 * 10**9
    tight = FlowNetwork(4, [0, 1, 2], [1, 2, 3], [infinity, steep, infinity], source=0, sink=3)
    assert solve_flow(tight).value == infinity < steep, "the cut is made of arcs without a limit"
    assert 1_000_000 * infinity > 2**63 - 1

    network = network_of(
        6,
        [Arc(1, 2, table=0), Arc(3, 4, table=1)],
        [Arc(0, 1), Arc(2, 3), Arc(4, 5)],
        [(1, ((1, steep),)), (1, ((1, cheap),))],
    )
    part = traced(network)
    assert part.slope.tolist() == [cheap, steep]
    assert part.done
    assert network.unbounded == cheap + steep + 1 <= MAX_UNBOUNDED


def test_a_million_arcs_without_a_limit_are_one_bounded_flow() -> None:
    # Their capacities would sum to 10^6 x 2^50 > 2^63; as arcs behind one super-source they are
    # legal as long as no two of them are parallel.
    arcs = 9_000
    heads = np.arange(2, arcs + 2)
    network = FlowNetwork(
        arcs + 3,
        np.concatenate(([0], np.full(arcs, 1), heads)),
        np.concatenate(([1], heads, np.full(arcs, arcs + 2))),
        np.concatenate(([MAX_UNBOUNDED], np.full(2 * arcs, MAX_UNBOUNDED))),
        source=0,
        sink=arcs + 2,
    )
    assert arcs * MAX_UNBOUNDED > 2**63 - 1
    assert solve_flow(network).value == MAX_UNBOUNDED


def zero_flow(plain: FlowNetwork) -> MaxFlow:
    """Conserved, within its bounds, but not maximal."""
    result = solve_flow(plain)
    return MaxFlow(0, np.zeros_like(result.flow))


def overstated(plain: FlowNetwork) -> MaxFlow:
    result = solve_flow(plain)
    return MaxFlow(result.value + 1, result.flow)


def leaking(plain: FlowNetwork) -> MaxFlow:
    result = solve_flow(plain)
    flow = result.flow.copy()
    flow[-1] -= 1 if flow[-1] else -1
    return MaxFlow(result.value, flow)


@pytest.mark.parametrize("faulty", [zero_flow, overstated, leaking])
def test_a_wrong_flow_is_a_fault_and_no_frontier(
    faulty: Callable[[FlowNetwork], MaxFlow],
) -> None:
    network = network_of(3, [Arc(0, 1, table=0), Arc(1, 2, table=0)], [], [(1, ((2, 5),))])
    with pytest.raises(BackendFault, match="'faulty'"):
        CrashLoop(network, faulty, name="backend 'faulty'").advance(1)


def overfull(plain: FlowNetwork) -> MaxFlow:
    """Twice the maximum over every arc: the cut that seems to follow separates nothing."""
    result = solve_flow(plain)
    return MaxFlow(result.value, plain.capacity.copy())


@pytest.mark.parametrize("faulty", [zero_flow, overfull])
def test_an_unchecked_wrong_flow_never_loops(faulty: Callable[[FlowNetwork], MaxFlow]) -> None:
    network = network_of(
        4,
        [Arc(0, 1, table=0), Arc(1, 2, duration=3), Arc(2, 3, table=0)],
        [],
        [(1, ((2, 5),))],
    )
    with pytest.raises(BackendFault, match="'faulty'"):
        trace(
            network,
            CrashLoop(network, faulty, check=False, name="backend 'faulty'"),
            check="final",
            backend="backend 'faulty'",
        )
