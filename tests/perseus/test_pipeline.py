"""The DAG of a training iteration."""

from __future__ import annotations

import math

import networkx as nx
import pytest

import lowtime
from lowtime.errors import InvalidProfile
from lowtime.perseus.action import Action, Kind
from lowtime.perseus.instruction import (
    Backward,
    Communication,
    Forward,
    InputGradient,
    WeightGradient,
)
from lowtime.perseus.order import PipelineOrder, in_sequence
from lowtime.perseus.pipeline import CommunicationTimes, pipeline_dag
from lowtime.perseus.schedules import schedule_named
from tests.perseus.equal_stages import lasting


def test_edges_of_1f1b_are_the_rank_order_and_the_passes_between_stages() -> None:
    order = schedule_named("1f1b").order(2, 2)
    dag = pipeline_dag(order, lasting(order, forward=1, backward=2))
    f, b = "forward", "backward"
    expected = [
        ((0, f, 0), (0, f, 1)),
        ((0, f, 1), (0, b, 0)),
        ((0, b, 0), (0, b, 1)),
        ((1, f, 0), (1, b, 0)),
        ((1, b, 0), (1, f, 1)),
        ((1, f, 1), (1, b, 1)),
        ((0, f, 0), (1, f, 0)),
        ((0, f, 1), (1, f, 1)),
        ((1, b, 0), (0, b, 0)),
        ((1, b, 1), (0, b, 1)),
        # a forward pass before the backward pass of the same stage, where the rank order does not
        # say so next to each other already
        ((0, f, 0), (0, b, 0)),
        ((0, f, 1), (0, b, 1)),
    ]
    assert set(dag.edges) == set(expected)
    assert list(dag.nodes)[:4] == [(0, f, 0), (0, f, 1), (0, b, 0), (0, b, 1)]
    assert isinstance(dag.nodes[0, f, 0]["op"], Forward)
    assert isinstance(dag.nodes[1, b, 1]["op"], Backward)
    op = dag.nodes[1, b, 1]["op"]
    assert (op.stage_id, op.micro_batch_id, op.rank) == (1, 1, 1)


def test_input_gradients_feed_stages_and_weight_gradients_wait_for_them() -> None:
    order = schedule_named("zb-h1").order(2, 2)
    dag = pipeline_dag(order, lasting(order, forward=1, input_grad=1, weight_grad=1))
    assert dag.has_edge((1, "input_grad", 1), (0, "input_grad", 1))
    assert dag.has_edge((1, "input_grad", 0), (1, "weight_grad", 0))
    assert isinstance(dag.nodes[0, "input_grad", 0]["op"], InputGradient)
    assert isinstance(dag.nodes[0, "weight_grad", 0]["op"], WeightGradient)


def test_whole_and_split_backward_passes_feed_each_other() -> None:
    def passes(stage: int, *kinds: Kind) -> tuple[tuple[Action, ...], ...]:
        return in_sequence([Action(kind, stage, 0) for kind in kinds])

    order = PipelineOrder(
        (
            passes(0, Kind.FORWARD, Kind.BACKWARD),
            passes(1, Kind.FORWARD, Kind.INPUT_GRAD, Kind.WEIGHT_GRAD),
            passes(2, Kind.FORWARD, Kind.BACKWARD),
        ),
        "mixed",
    )
    made = lasting(order, forward=1, backward=2, input_grad=1, weight_grad=5)
    dag = pipeline_dag(order, made)
    assert dag.has_edge((2, "backward", 0), (1, "input_grad", 0))
    assert dag.has_edge((1, "input_grad", 0), (0, "backward", 0))
    assert lowtime.solve(dag).times.tolist() == [3 + 2 + 1 + 5]


def test_overlapped_passes_start_and_end_together() -> None:
    cells = (
        (Action(Kind.FORWARD, 0, 0),),
        (Action(Kind.FORWARD, 0, 1), Action(Kind.BACKWARD, 0, 0)),
        (Action(Kind.BACKWARD, 0, 1),),
    )
    order = PipelineOrder((cells,), "overlapped")
    dag = pipeline_dag(order, lasting(order, forward=3, backward=5))
    assert lowtime.solve(dag).times.tolist() == [3 + max(3, 5) + 5]


def test_a_transfer_between_ranks_takes_its_time_beside_the_work() -> None:
    order = schedule_named("1f1b").order(3, 4)
    made = lasting(order, forward=4, backward=6)
    dag = pipeline_dag(order, made, CommunicationTimes(transfer=2.0))
    op = dag.nodes[0, "send_forward", 0]["op"]
    assert isinstance(op, Communication)
    assert (op.duration, op.get_cost(), op.rank) == (2, 0.0, 0)
    assert dag.has_edge((2, "send_backward", 3), (1, "backward", 3))
    # The first micro-batch passes two ranks down and the last gradient two ranks up.
    shortest = 6 * 4 + 6 * 6 + 4 * 2
    assert lowtime.solve(dag).times[-1] >= shortest
    assert len(dag) == 24 + 4 * 4
    # Stages on one rank hand over nothing.
    one_rank = schedule_named("interleaved-1f1b:3").order(3, 4)
    alone = pipeline_dag(
        one_rank, lasting(one_rank, forward=4, backward=6), CommunicationTimes(transfer=2.0)
    )
    assert len(alone) == 24


def test_communication_that_a_schedule_names_takes_fixed_times() -> None:
    order = PipelineOrder(
        (
            in_sequence(
                [
                    Action(Kind.UNSHARD, 0, 0),
                    Action(Kind.FORWARD, 0, 0),
                    Action(Kind.SEND_FORWARD, 0, 0),
                    Action(Kind.RESHARD, 0, 0),
                ]
            ),
            in_sequence([Action(Kind.RECEIVE_FORWARD, 1, 0), Action(Kind.FORWARD, 1, 0)]),
        ),
        "explicit",
    )
    made = lasting(order, forward=4)
    assert lowtime.solve(pipeline_dag(order, made)).times.tolist() == [8]
    times = CommunicationTimes(transfer=2.0, unshard=3.0, reshard=7.0)
    dag = pipeline_dag(order, made, times)
    assert dag.nodes[0, "unshard", 0]["op"].duration == 3
    assert lowtime.solve(dag).times.tolist() == [max(3 + 4 + 2 + 4, 3 + 4 + 7)]
    with pytest.raises(InvalidProfile, match="transfer"):
        CommunicationTimes(transfer=-1.0)
    with pytest.raises(InvalidProfile, match="reshard"):
        CommunicationTimes(reshard=math.nan)


def test_a_missing_spec_is_named() -> None:
    order = schedule_named("zb-h1").order(2, 2)
    made = lasting(order, forward=1, input_grad=1, weight_grad=1)
    del made[1, "weight_grad"]
    with pytest.raises(InvalidProfile, match="'weight_grad' of stage 1"):
        pipeline_dag(order, made)


def test_a_schedule_that_waits_for_itself_is_refused() -> None:
    order = PipelineOrder(
        (in_sequence([Action(Kind.BACKWARD, 0, 0), Action(Kind.FORWARD, 0, 0)]),),
        "backwards",
    )
    dag = pipeline_dag(order, lasting(order, forward=1, backward=1))
    assert not nx.is_directed_acyclic_graph(dag)
    with pytest.raises(lowtime.InvalidGraph):
        lowtime.solve(dag)
