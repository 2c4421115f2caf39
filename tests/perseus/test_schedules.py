"""Schedules by name: what they order, how long that takes, and what they refuse."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import lowtime
from lowtime.errors import InvalidProfile
from lowtime.network.event_times import earliest_times
from lowtime.network.project import Project
from lowtime.perseus.action import Action, Kind
from lowtime.perseus.instruction import Backward, Forward, Recomputation
from lowtime.perseus.order import PipelineOrder
from lowtime.perseus.pipeline import pipeline_dag
from lowtime.perseus.rules import precedences
from lowtime.perseus.schedule import Synchronous1F1B
from lowtime.perseus.schedules import schedule_named, schedule_names
from tests.perseus.equal_stages import lasting, specs

CSV = Path(__file__).parents[1] / "data" / "schedules"
SHAPES = [(1, 1), (1, 5), (2, 3), (3, 9), (4, 2), (4, 4), (4, 12), (8, 12), (8, 24)]


def makespan(order: PipelineOrder, **seconds: float) -> int:
    """Total time of the order when all stages take the same, through the real network."""
    network = Project.from_dag(pipeline_dag(order, lasting(order, **seconds))).network
    return int(earliest_times(network, network.longest)[-1])


@pytest.mark.parametrize(("stages", "batches"), SHAPES)
@pytest.mark.parametrize("name", ["gpipe", "1f1b"])
def test_gpipe_and_1f1b_with_equal_stages(name: str, stages: int, batches: int) -> None:
    """Both fill and drain once; they differ in memory, not in time."""
    order = schedule_named(name).order(stages, batches)
    assert makespan(order, forward=7, backward=13) == (batches + stages - 1) * (7 + 13)


@pytest.mark.parametrize(("stages", "batches"), SHAPES)
def test_early_recomputation_with_equal_stages(stages: int, batches: int) -> None:
    """Recomputations never add to what a stage waits."""
    order = schedule_named("early-recomputation-1f1b").order(stages, batches)
    found = makespan(order, forward=7, backward=13, recompute=6)
    assert found == batches * (7 + 6 + 13) + (stages - 1) * (7 + 13)


@pytest.mark.parametrize(("ranks", "batches"), [(1, 3), (2, 4), (3, 9), (4, 4), (4, 12), (8, 16)])
@pytest.mark.parametrize("chunks", [1, 2, 3, 4])
def test_interleaving_divides_the_waiting_by_the_chunks(
    ranks: int, batches: int, chunks: int
) -> None:
    order = schedule_named(f"interleaved-1f1b:{chunks}").order(ranks * chunks, batches)
    assert order.num_ranks == ranks
    assert makespan(order, forward=7, backward=13) == (batches * chunks + ranks - 1) * (7 + 13)


@pytest.mark.parametrize(("stages", "batches"), [(1, 3), (2, 3), (4, 4), (4, 12), (8, 12), (8, 24)])
@pytest.mark.parametrize(("f", "i", "w"), [(10, 10, 10), (10, 12, 8), (10, 10, 5)])
def test_zero_bubble_h1_waits_one_weight_gradient_less_per_stage(
    stages: int, batches: int, f: int, i: int, w: int
) -> None:
    """Table 2 of the paper: (stages - 1) x (F + I - W), against (F + I + W) of 1F1B."""
    order = schedule_named("zb-h1").order(stages, batches)
    found = makespan(order, forward=f, input_grad=i, weight_grad=w)
    assert found == batches * (f + i + w) + (stages - 1) * (f + i - w)


@pytest.mark.parametrize(("stages", "batches"), [(4, 12), (8, 24)])
def test_no_rank_of_1f1b_or_zero_bubble_h1_holds_more_than_the_first(
    stages: int, batches: int
) -> None:
    def most_held(order: PipelineOrder, frees: Kind) -> list[int]:
        peaks = []
        for cells in order.ranks:
            held = peak = 0
            for (action,) in cells:
                held += (action.kind is Kind.FORWARD) - (action.kind is frees)
                peak = max(peak, held)
            peaks.append(peak)
        return peaks

    assert most_held(schedule_named("gpipe").order(stages, batches), Kind.BACKWARD) == (
        [batches] * stages
    )
    held = most_held(schedule_named("1f1b").order(stages, batches), Kind.BACKWARD)
    assert held == [stages - stage for stage in range(stages)]
    held = most_held(schedule_named("zb-h1").order(stages, batches), Kind.WEIGHT_GRAD)
    assert held == [stages] * stages


@pytest.mark.parametrize(("stages", "batches"), SHAPES)
def test_1f1b_is_the_order_of_the_instruction_schedule(stages: int, batches: int) -> None:
    order = schedule_named("1f1b").order(stages, batches)
    made = lasting(order, forward=1, backward=2)
    for stage, cells in enumerate(order.ranks):
        kinds = {Forward: made[stage, "forward"], Backward: made[stage, "backward"]}
        expected = [
            (type(inst).__name__.upper(), inst.stage_id, inst.micro_batch_id)
            for inst in Synchronous1F1B(stages, batches, stage, kinds)
        ]
        assert [(a.kind.name, a.stage, a.micro_batch) for (a,) in cells] == expected


@pytest.mark.parametrize("name", schedule_names())
def test_every_schedule_trains_every_micro_batch_on_every_stage(name: str) -> None:
    order = schedule_named(name).order(4, 4)
    assert (order.num_stages, order.num_micro_batches, order.name) == (4, 4, name)
    forwards = Counter(a.kind for _, a in order.actions())
    assert forwards[Kind.FORWARD] == 16
    assert forwards[Kind.BACKWARD] + forwards[Kind.INPUT_GRAD] == 16
    assert len(set(precedences(order))) >= 4


def test_names_may_be_written_in_capitals_or_as_aliases() -> None:
    assert schedule_names() == [
        "1f1b",
        "early-recomputation-1f1b",
        "gpipe",
        "interleaved-1f1b",
        "zb-h1",
    ]
    for name, title in [("1F1B", "1f1b"), ("zero-bubble-h1", "zb-h1")]:
        ranks = schedule_named(name).order(2, 2).ranks
        assert ranks == schedule_named(title).order(2, 2).ranks


@pytest.mark.parametrize(
    ("name", "stages", "batches", "message"),
    [
        ("1f1", 2, 2, "did you mean '1f1b'"),
        ("1f1b:2", 2, 2, "one stage a rank"),
        ("interleaved-1f1b:x", 2, 2, "'x'"),
        ("interleaved-1f1b:0", 2, 2, "'0'"),
        ("interleaved-1f1b:" + "9" * 5000, 2, 2, "of 9 digits at most"),
        ("1f1b", 8, 10**9, "8000000000 forward passes; expected 1000000 at most"),
        ("zb-h1", 10**9, 8, "8000000000 forward passes; expected 1000000 at most"),
        ("interleaved-1f1b", 3, 3, "3 stages"),
        ("interleaved-1f1b", 4, 3, "3 micro-batches"),
        ("gpipe", 0, 3, "stages is 0"),
        ("gpipe", 2, 0, "micro-batches is 0"),
        (CSV / "zero_bubble_8rank.csv", 8, 12, "10 micro-batches"),
    ],
)
def test_what_a_schedule_cannot_do_is_refused(
    name: Any, stages: int, batches: int, message: str
) -> None:
    with pytest.raises(InvalidProfile, match=message):
        schedule_named(name).order(stages, batches)


# PyTorch's files


@pytest.mark.parametrize(
    ("name", "ranks", "shape"),
    [
        ("zb1p_2rank_2stage_comms", 2, (4, 8)),
        ("zero_bubble_8rank", 8, (8, 10)),
        ("dualpipev_4rank_10mb", 4, (8, 10)),
    ],
)
def test_pytorch_files_are_solved_alike_by_all_backends(
    name: str, ranks: int, shape: tuple[int, int], backend_name: str
) -> None:
    schedule = schedule_named(CSV / f"{name}.csv")
    assert schedule.shape == shape
    order = schedule.order(*shape)
    assert order.num_ranks == ranks
    options = {
        "forward": [(3.0, 9.0), (4.0, 5.0), (6.0, 4.0)],
        "backward": [(6.0, 18.0), (8.0, 11.0), (11.0, 8.0)],
        "input_grad": [(3.0, 8.0), (5.0, 4.0)],
        "weight_grad": [(2.0, 7.0), (4.0, 4.0), (5.0, 3.0)],
    }
    dag = pipeline_dag(order, specs(order, options))
    frontier = lowtime.solve(dag, backend=backend_name)
    reference = lowtime.solve(dag, backend="scipy")
    assert frontier.digest() == reference.digest()
    assert frontier.times[-1] == makespan_of(order, options, min)
    assert frontier.times[0] == makespan_of(order, options, max)


def makespan_of(order: PipelineOrder, options: Any, pick: Any) -> int:
    return makespan(order, **{name: pick(t for t, _ in pairs) for name, pairs in options.items()})


def test_the_kinds_of_the_files_are_read_right() -> None:
    zb1p = schedule_named(CSV / "zb1p_2rank_2stage_comms.csv").order(4, 8)
    kinds = Counter((a.stage % 2, a.kind.name) for _, a in zb1p.actions())
    assert kinds[0, "BACKWARD"] == 16  # BW
    assert kinds[1, "INPUT_GRAD"] == kinds[1, "WEIGHT_GRAD"] == 16  # B with a W of its own
    assert kinds[0, "RECEIVE_BACKWARD"] == 16
    dualpipe = schedule_named(CSV / "dualpipev_4rank_10mb.csv").order(8, 10)
    overlapped = [cell for cells in dualpipe.ranks for cell in cells if len(cell) == 2]
    assert len(overlapped) == 41
    assert (Action(Kind.FORWARD, 0, 7), Action(Kind.BACKWARD, 7, 3)) in overlapped
    assert dualpipe.needs[:4] == (
        (0, "backward"),
        (0, "forward"),
        (0, "input_grad"),
        (0, "weight_grad"),
    )


def test_a_whole_step_of_zero_bubble_takes_what_its_rows_say() -> None:
    """The file's ranks alternate I and W after all forward passes: the last ends 7 W earlier."""
    order = schedule_named(CSV / "zero_bubble_8rank.csv").order(8, 10)
    found = makespan(order, forward=10, input_grad=10, weight_grad=10)
    assert found == (10 + 7) * 10 + 7 * 10 + 10 * 20 - 6 * 10


def write(tmp_path: Path, *rows: str) -> Path:
    path = tmp_path / "schedule.csv"
    path.write_text("\n".join(rows) + "\n")
    return path


@pytest.mark.parametrize(
    ("rows", "where"),
    [
        (["0F0,0B0", "1F0,1X0"], "row 2, column 2"),
        (["0F0,F0"], "row 1, column 2"),
        (["0F0,0F"], "row 1, column 2"),
        (["0F0,(0F1;0B0)OVERLAP"], "row 1, column 2"),
        (["0F0,(0F1;0Q0)OVERLAP_F_B"], "row 1, column 2"),
        (["0F0,0B-1"], "row 1, column 2"),
        (["0F0,٣B0"], "row 1, column 2"),
        (["0F0,0B0,0B0"], "0B0 stands on rank 0"),
        (["0F0,0B0", "0F0"], "0F0 stands on rank 1"),
        (["0F0,0B0,0F1"], "micro-batch 1"),
        (["0F0,0I0"], "micro-batch 0"),
        (["0F0,0BW0,0W0"], "micro-batch 0"),
        (["0F0,0B0", "2F0,2B0"], "stage 1 does nothing"),
        (["0F999999999,0B999999999"], "micro-batch 0"),
        (["0B0"], "forward"),
        ([""], "empty"),
        (['0F0,"0B0'], "schedule.csv"),
    ],
)
def test_a_file_that_is_no_schedule_is_refused_with_the_place(
    rows: list[str], where: str, tmp_path: Path
) -> None:
    with pytest.raises(InvalidProfile, match=where):
        schedule_named(write(tmp_path, *rows))


def test_what_is_received_must_be_sent(tmp_path: Path) -> None:
    path = write(tmp_path, "0F0,0RECV_B0,0B0", "1RECV_F0,1F0,1B0,1SEND_B0")
    order = schedule_named(path).order(2, 1)
    with pytest.raises(InvalidProfile, match="1RECV_F0 has no matching 0SEND_F0"):
        list(precedences(order))


def test_a_missing_file_says_so(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        schedule_named(tmp_path / "none.csv")


def test_empty_cells_and_forward_only_schedules_are_legal(tmp_path: Path) -> None:
    order = schedule_named(write(tmp_path, "0F0,,0F1,", "", ",1F0,1F1")).order(2, 2)
    assert makespan(order, forward=5) == 15


def test_unsharding_counts_for_its_stage(tmp_path: Path) -> None:
    order = schedule_named(
        write(tmp_path, "0UNSHARD,0F0,0B0,0RESHARD,0UNSHARD,0F1,0B1,0RESHARD")
    ).order(1, 2)
    nodes = [action.node for _, action in order.actions()]
    assert nodes.count((0, "unshard", 0)) == nodes.count((0, "unshard", 1)) == 1


def test_recomputation_needs_its_row_in_the_profile() -> None:
    order = schedule_named("early-recomputation-1f1b").order(2, 2)
    assert (1, "recompute") in order.needs
    dag = pipeline_dag(order, lasting(order, forward=1, backward=1, recompute=1))
    assert isinstance(dag.nodes[1, "recompute", 0]["op"], Recomputation)
