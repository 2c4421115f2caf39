"""Core checks: every call stands alone, and leaves nothing behind."""

from __future__ import annotations

import numpy as np

from lowtime.conformance.expected import require
from lowtime.conformance.goldens import golden
from lowtime.conformance.instances import FAMILIES, copy_of, make
from lowtime.conformance.registry import check
from lowtime.conformance.subject import Subject
from lowtime.counted import counted


@check("core", "1.0")
def input_left_alone(subject: Subject) -> None:
    """A solver that works in its input's arrays, made writable again or through a pointer.

    Source: lowtime's own study; residual capacities are often kept in place of capacities.
    """
    for family in ("grid", "parallel", "pipeline"):
        network = subject.fitted(FAMILIES[family](0))
        names = ("tail", "head", "capacity")
        before = {name: getattr(network, name).copy() for name in names}
        subject.require_exact(network, family)
        for name, copy in before.items():
            array = getattr(network, name)
            require(np.array_equal(array, copy), f"{family}: {name} was changed")
            require(not array.flags.writeable, f"{family}: {name} was made writable")


@check("core", "1.0")
def result_owned_by_caller(subject: Subject) -> None:
    """A result that shares memory with the input, or with a buffer that the next call fills.

    Source: native bindings that return views of a solver's storage.
    """
    network = subject.fitted(FAMILIES["grid"](1))
    first = subject.require_exact(network, "grid(1)")
    kept = first.flow.copy()
    require(
        not np.shares_memory(first.flow, network.capacity), "the flow is a view of the capacities"
    )
    other = copy_of(network, capacity=network.capacity // 2)
    second = subject.require_exact(other, "grid(1), halved")
    require(np.array_equal(first.flow, kept), "a later call changed an earlier result")
    require(not np.shares_memory(first.flow, second.flow), "two results share memory")


@check("core", "1.0")
def capacities_changed(subject: Subject) -> None:
    """A stale answer: what was prepared for the same arcs with other capacities is used again.

    Source: caches keyed by topology, or by the identity of an array that was freed.
    """
    base = FAMILIES["layered"](2)
    for step in range(6):
        capacity = np.roll(base.capacity, step) + step % 3
        network = copy_of(base, capacity=capacity)
        subject.require_exact(network, f"layered(2), change {step}")


@check("core", "1.0")
def terminals_changed(subject: Subject) -> None:
    """A stale answer after a change of source and sink only.

    Source: caches keyed by arcs.
    """
    base = FAMILIES["antiparallel"](3)
    for source, sink in ((0, 11), (11, 0), (3, 7), (0, 5), (0, 11)):
        network = copy_of(base, source=source, sink=sink)
        subject.require_exact(network, f"antiparallel(3) from {source} to {sink}")


@check("core", "1.0")
def networks_in_turn(subject: Subject) -> None:
    """Storage of a larger network that leaks into a smaller one, solved after it.

    Source: reused workspaces.
    """
    for family in ("grid", "tiny", "wide", "zeros", "pipeline", "tiny", "grid"):
        network, expected = golden(family, 4)
        subject.require_exact(network, f"{family}(4)", expected)


@check("core", "1.0")
def same_flow_every_time(subject: Subject) -> None:
    """Another maximum flow for the same network: hash order, seeds from the clock, races.

    Source: reports of plans that could not be reproduced.
    """
    for family in ("ties", "grid", "bipartite", "parallel"):
        network = subject.fitted(FAMILIES[family](0))
        flows = {subject.require_exact(network, family).flow.tobytes() for _ in range(5)}
        require(len(flows) == 1, f"{family}: five calls gave {len(flows)} different flows")


@check("core", "1.0")
def types_of_the_result(subject: Subject) -> None:
    """A value or a flow of another type: NumPy scalars, floats, lists, 32 bits, two dimensions.

    Source: NumPy scalars wrap where Python integers grow, and floats lose units from 2^53 on.
    """
    for num_arcs in (0, 1, 2):
        network = make(3, [(0, 1, 2), (1, 2, 2)][:num_arcs], 0, 2)
        subject.require_exact(network, counted(num_arcs, "arc"))
