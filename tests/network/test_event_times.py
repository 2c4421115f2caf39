"""Earliest and latest times, against every path."""

from __future__ import annotations

import networkx as nx
import numpy as np
from hypothesis import given
from oracle.examples import examples
from oracle.networks import activity_networks
from oracle.textbook import event_times

from lowtime.network.activity import ActivityNetwork
from lowtime.network.event_times import earliest_times, latest_times


@examples(60)
@given(activity_networks())
def test_earliest_times_are_longest_paths(network: ActivityNetwork) -> None:
    found = earliest_times(network, network.longest)
    assert found.dtype == np.int64
    assert found.tolist() == event_times(network, network.longest.tolist())


@examples(60)
@given(activity_networks())
def test_latest_times_let_the_project_end_in_time(network: ActivityNetwork) -> None:
    end = int(earliest_times(network, network.longest)[-1]) + 3
    graph: nx.MultiDiGraph[int] = nx.MultiDiGraph()
    for tail, head, length in zip(
        network.tail.tolist(), network.head.tolist(), network.longest.tolist(), strict=True
    ):
        graph.add_edge(tail, head, length=length)
    expected = [
        end
        - max(
            sum(graph.edges[edge]["length"] for edge in path)
            for path in nx.all_simple_edge_paths(graph, event, network.sink)
        )
        if event != network.sink
        else end
        for event in range(network.num_events)
    ]
    assert latest_times(network, network.longest, end).tolist() == expected


@examples(30)
@given(activity_networks())
def test_slack_is_never_negative(network: ActivityNetwork) -> None:
    earliest = earliest_times(network, network.shortest)
    latest = latest_times(network, network.shortest, int(earliest[-1]))
    assert np.all(latest >= earliest)
    assert earliest[0] == latest[0] == 0
