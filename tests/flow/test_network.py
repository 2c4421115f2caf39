"""Flow networks are checked once, when they are made."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle.examples import examples
from oracle.networks import flow_networks
from scipy.sparse import csr_array

from lowtime.errors import CapacityRange, InvalidNetwork
from lowtime.flow.network import INT64_MAX, FlowNetwork, exact_sum


def network(**changes: Any) -> FlowNetwork:
    """A small network with some arguments changed."""
    arguments = {
        "num_nodes": 3,
        "tail": [0, 0, 1],
        "head": [1, 2, 2],
        "capacity": [5, 1, 3],
        "source": 0,
        "sink": 2,
    }
    return FlowNetwork(**{**arguments, **changes})


def test_sizes_and_totals() -> None:
    plain = network()
    assert plain.num_arcs == 3
    assert plain.total_leaving_source == 6
    assert plain.total_entering_sink == 4
    assert plain.labels is None


def test_totals_leave_self_loops_out() -> None:
    loops = network(tail=[0, 0, 2, 1], head=[0, 1, 2, 2], capacity=[7, 1, 9, 2])
    assert loops.total_leaving_source == 1
    assert loops.total_entering_sink == 2


def test_arrays_are_private_read_only_and_of_the_stated_types() -> None:
    capacity = np.array([5, 1, 3])
    plain = network(capacity=capacity)
    capacity[:] = 0
    assert plain.capacity.tolist() == [5, 1, 3]
    for name, dtype in (("tail", np.int32), ("head", np.int32), ("capacity", np.int64)):
        array = getattr(plain, name)
        assert array.dtype == dtype
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_a_network_is_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        network().sink = 1  # type: ignore[misc]


@pytest.mark.parametrize(
    "kind", [list, tuple, np.array, lambda values: np.array(values, dtype=np.uint8)]
)
def test_integers_of_any_array_kind(kind: Any) -> None:
    assert network(capacity=kind([5, 1, 3])).capacity.tolist() == [5, 1, 3]
    assert network(tail=kind([0, 0, 1])).tail.tolist() == [0, 0, 1]


def test_no_arcs_are_legal() -> None:
    assert network(tail=[], head=[], capacity=[]).num_arcs == 0
    assert network(tail=[], head=[], capacity=[]).total_leaving_source == 0


def test_parallel_antiparallel_and_loop_arcs_keep_their_order() -> None:
    plain = network(tail=[0, 0, 1, 1, 0], head=[1, 1, 0, 1, 1], capacity=[1, 2, 3, 4, 0])
    assert plain.capacity.tolist() == [1, 2, 3, 4, 0]


@pytest.mark.parametrize(
    ("changes", "match"),
    [
        ({"num_nodes": 1}, "num_nodes is 1"),
        ({"num_nodes": 2**31}, "num_nodes"),
        ({"num_nodes": 3.0}, "num_nodes is 3.0"),
        ({"num_nodes": True}, "num_nodes is True"),
        ({"source": 3}, "source 3"),
        ({"source": -1}, "source -1"),
        ({"sink": 3}, "sink 3"),
        ({"sink": "t"}, "sink is 't'"),
        ({"sink": 0}, "both node 0"),
        ({"tail": [0, 0]}, "2, 3 and 3"),
        ({"capacity": [1, 2, 3, 4]}, "3, 3 and 4"),
        ({"tail": [0, 3, 1]}, "arc 1: tail 3"),
        ({"head": [1, 2, -1]}, "arc 2: head -1"),
        ({"head": [1, 2, 2**40]}, "arc 2: head"),
        ({"capacity": [5, 1, -3]}, "arc 2: capacity -3 is negative"),
        ({"capacity": [5.0, 1.0, 3.0]}, "float64"),
        ({"capacity": [5.0, float("inf"), 3.0]}, "float64"),
        ({"capacity": [True, False, True]}, "bool"),
        ({"capacity": ["5", "1", "3"]}, "expected integers"),
        ({"capacity": [5, None, 3]}, "object"),
        ({"capacity": [[5, 1, 3]]}, "2 dimensions"),
        ({"capacity": 5}, "0 dimensions"),
        ({"labels": ("s", "t")}, "2 labels for 3 nodes"),
    ],
)
def test_a_broken_rule_names_arc_or_node(changes: dict[str, Any], match: str) -> None:
    with pytest.raises(InvalidNetwork, match=match):
        network(**changes)


@pytest.mark.parametrize(
    "capacity",
    [
        [2**63, 1, 3],
        [-(2**63) - 1, 1, 3],
        np.array([2**64 - 1, 1, 3], dtype=np.uint64),
        [10**30, 1, 3],
    ],
)
def test_capacities_beyond_64_bits(capacity: Any) -> None:
    with pytest.raises(CapacityRange, match="arc 0"):
        network(capacity=capacity)


def test_the_largest_capacity_is_legal() -> None:
    assert network(capacity=[INT64_MAX, 0, INT64_MAX]).capacity[0] == INT64_MAX
    assert network(capacity=np.array([2**63 - 1, 0, 3], dtype=np.uint64)).capacity[0] == INT64_MAX


def test_what_leaves_the_source_fits_64_bits() -> None:
    half = 2**62
    assert network(capacity=[half, half - 1, 3]).total_leaving_source == INT64_MAX
    with pytest.raises(CapacityRange, match=f"sum to {2**63}"):
        network(capacity=[half, half, 3])
    # What leaves other nodes may sum to more, as long as no two arcs are parallel.
    inner = FlowNetwork(4, [0, 1, 1], [1, 2, 3], [5, INT64_MAX, INT64_MAX], 0, 3)
    assert inner.total_leaving_source == 5


def test_what_enters_the_sink_may_pass_64_bits() -> None:
    plain = FlowNetwork(4, [0, 1, 2], [1, 3, 3], [5, INT64_MAX, INT64_MAX], 0, 3)
    assert plain.total_entering_sink == 2 * INT64_MAX


def test_parallel_arcs_fit_64_bits_together() -> None:
    half = 2**62
    arcs = {"tail": [1, 0, 1], "head": [2, 1, 2]}
    assert network(**arcs, capacity=[half, 1, half - 1]).num_arcs == 3
    with pytest.raises(CapacityRange, match=f"parallel arcs 1 -> 2 sum to {2**63}"):
        network(**arcs, capacity=[half, 1, half])
    # Antiparallel arcs are no sum.
    network(tail=[1, 0, 2], head=[2, 1, 1], capacity=[INT64_MAX, 1, INT64_MAX])


@examples(100)
@given(st.lists(st.integers(0, INT64_MAX), max_size=20))
def test_exact_sums_never_wrap(values: list[int]) -> None:
    assert exact_sum(np.array(values, dtype=np.int64)) == sum(values)


# ------------------------------------------------------------------------- from other forms


@examples(60)
@given(flow_networks())
def test_from_csr_is_the_network_of_its_entries(plain: FlowNetwork) -> None:
    order = np.lexsort((plain.head, plain.tail))
    indptr = np.searchsorted(plain.tail[order], np.arange(plain.num_nodes + 1))
    made = FlowNetwork.from_csr(
        indptr, plain.head[order], plain.capacity[order], plain.source, plain.sink
    )
    assert made.num_nodes == plain.num_nodes
    assert made.tail.tolist() == plain.tail[order].tolist()
    assert made.capacity.tolist() == plain.capacity[order].tolist()


def test_from_the_arrays_of_a_scipy_matrix() -> None:
    matrix = csr_array(np.array([[0, 5, 1], [0, 0, 3], [0, 0, 0]]))
    made = FlowNetwork.from_csr(matrix.indptr, matrix.indices, matrix.data, 0, 2)
    assert made.tail.tolist() == [0, 0, 1]
    assert made.head.tolist() == [1, 2, 2]


@pytest.mark.parametrize(
    "indptr", [[], [1, 2, 3, 3], [0, 2, 1, 3], [0, 2, 3, 4], [0, 2, 2, 2], [0.0, 2.0, 3.0, 3.0]]
)
def test_row_pointers_that_do_not_rise_to_the_number_of_entries(indptr: list[Any]) -> None:
    with pytest.raises(InvalidNetwork, match="indptr"):
        FlowNetwork.from_csr(indptr, [1, 2, 2], [5, 1, 3], 0, 2)
