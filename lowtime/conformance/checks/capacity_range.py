"""Limit checks: exact at the declared range, refused by lowtime one past it."""

from __future__ import annotations

import re

from lowtime.conformance.expected import require
from lowtime.conformance.instances import Arc, make
from lowtime.conformance.registry import CheckFailed, check
from lowtime.conformance.subject import Subject
from lowtime.counted import counted
from lowtime.errors import CapacityRange
from lowtime.flow.network import INT64_MAX, FlowNetwork

WIDEST_FAN = 1000  # arcs; a total that needs more of them is not reached by any network we try


@check("limits", "1.0")
def declaration(subject: Subject) -> None:
    """A declaration that lowtime cannot compare with: floats, infinities, zero, beyond 64 bits.

    Source: limits written as 2e9 or math.inf.
    """
    info = subject.info
    subject.require_exact(make(2, [(0, 1, 1)], 0, 1), "one arc")
    require(
        re.fullmatch("[a-z][a-z0-9-]*", info.name) is not None,
        f"name {info.name!r} is not of the form [a-z][a-z0-9-]*",
    )
    require(isinstance(info.version, str) and info.version != "", "the version is empty")
    for name in ("max_capacity", "max_total"):
        limit = getattr(info, name)
        require(
            type(limit) is int and 1 <= limit <= INT64_MAX,
            f"{name} is {limit!r}; expected an int in 1 .. 2^63 - 1",
        )
    require(type(info.thread_safe) is bool, f"thread_safe is {info.thread_safe!r}")
    require(info.protocol == 1, f"protocol is {info.protocol!r}; this suite speaks 1")
    require(subject.info == info, "the declaration changed with a call")


@check("limits", "1.0")
def widest_arcs(subject: Subject) -> None:
    """Capacities at the declared limit that are rounded, wrapped or clipped; neighbours that tie.

    Source: https://github.com/scipy/scipy/pull/14540 (int32); float64 solvers from 2^53 on.
    """
    wide = subject.info.max_capacity
    top = min(wide, subject.info.max_total)
    for first, second in ((top, top), (top, top - 1), (top - 1, top), (top - 1, top - 1)):
        network = make(3, [(0, 1, first), (1, 2, second)], 0, 2)
        side = (True, second < first, False)
        subject.require_known(network, f"{first} then {second}", min(first, second), side)
    inner = make(4, [(0, 1, top), (1, 2, wide), (2, 3, top - 1)], 0, 3)
    subject.require_known(inner, f"{wide} inside", top - 1, (True, True, True, False))


@check("limits", "1.0")
def largest_total(subject: Subject) -> None:
    """A total at the declared limit that wraps or is rounded when a solver adds up.

    Source: OR-tools, whose status is POSSIBLE_OVERFLOW; the pathfinding crate, which wraps.
    """
    parts = _parts(subject.info.max_total, subject.info.max_capacity, 3)
    for short in (0, 1):
        last = max(range(len(parts)), key=parts.__getitem__)
        exits = [part - short * (k == last) for k, part in enumerate(parts)]
        sink = len(parts) + 1
        arcs: list[Arc] = [(0, 1 + k, part) for k, part in enumerate(parts)]
        arcs += [(1 + k, sink, exit) for k, exit in enumerate(exits)]
        side = tuple(v == 0 or bool(short and v == 1 + last) for v in range(sink + 1))
        where = f"{counted(len(parts), 'arc')} of {sum(parts)} in all, {short} less out"
        subject.require_known(make(sink + 1, arcs, 0, sink), where, sum(exits), side)


@check("limits", "1.0")
def parallel_arcs_at_the_limit(subject: Subject) -> None:
    """Parallel arcs whose sum, at the declared limit, is rounded when they are merged or split.

    Source: lowtime's own study.
    """
    top = min(subject.info.max_capacity, subject.info.max_total)
    parts = [top - 2 * (top // 3), top // 3, 0, top // 3]
    for after in (top, max(top - 1, 1)):
        arcs: list[Arc] = [(0, 1, part) for part in parts]
        network = make(3, [*arcs, (1, 2, after)], 0, 2)
        side = (True, after < top, False)
        subject.require_known(network, f"{parts} then {after}", after, side)


@check("limits", "1.0")
def antiparallel_arcs_at_the_limit(subject: Subject) -> None:
    """A residual capacity, the sum of both directions', that wraps though no capacity does.

    Source: SciPy's int32 residuals (published case "residual of an antiparallel pair passes 2^31").
    """
    wide, total = subject.info.max_capacity, subject.info.max_total
    extra = min(5, total // 4)
    wing = min(wide, total - extra)
    for back in (1, wide // 2, wide):
        arcs: list[Arc] = [(0, 1, wing), (1, 2, wide), (2, 1, back), (2, 3, wing)]
        arcs += [(0, 4, extra), (4, 2, extra), (1, 5, extra), (5, 3, extra)]
        network = make(6, [arc for arc in arcs if arc[2]], 0, 3)
        subject.require_exact(network, f"{back} against {wide}")


@check("limits", "1.0")
def inner_sums_beyond_64_bits(subject: Subject) -> None:
    """Capacities at one inner node that add up beyond the declared range, and beyond 64 bits.

    Legal, because what passes is bounded by what leaves the source.

    Source: lowtime's own study.
    """
    wide = subject.info.max_capacity
    top = min(wide, subject.info.max_total)
    middle = range(2, 10)
    arcs: list[Arc] = [(0, 1, top)]
    for node in middle:
        arcs += [(1, node, wide), (node, 10, wide)]
    for out in (top, top - 1):
        network = make(12, [*arcs, (10, 11, out)], 0, 11)
        side = (True, *(out < top for _ in range(10)), False)
        subject.require_known(network, f"eight times {wide}", out, side)


@check("limits", "1.0")
def refusal_of_a_capacity(subject: Subject) -> None:
    """A network one past ``max_capacity`` that is solved all the same.

    lowtime must refuse it with CapacityRange and must not call the backend.

    Source: the contract of `MaxFlowBackend`: lowtime refuses such a network before calling it.
    """
    wide = subject.info.max_capacity
    if wide < INT64_MAX:
        require_refusal(subject, make(4, [(0, 1, 1), (1, 2, wide + 1), (2, 3, 1)], 0, 3))
    subject.require_exact(make(4, [(0, 1, 1), (1, 2, wide), (2, 3, 1)], 0, 3), f"{wide}")


@check("limits", "1.0")
def refusal_of_a_total(subject: Subject) -> None:
    """A network one past ``max_total`` that is solved all the same.

    Source: the contract of `MaxFlowBackend`: lowtime refuses such a network before calling it.
    """
    total, wide = subject.info.max_total, subject.info.max_capacity
    parts = _parts(min(total, INT64_MAX - 1), wide, 3)
    if total < INT64_MAX and sum(parts) == total:
        least = min(range(len(parts)), key=parts.__getitem__)
        parts[least] += 1
        fan: list[Arc] = [(0, 1 + k, part) for k, part in enumerate(parts)]
        if parts[least] <= wide:
            require_refusal(subject, make(len(parts) + 2, fan, 0, len(parts) + 1))
    subject.require_exact(make(2, [(0, 1, 1)], 0, 1), "after the refusal")


def require_refusal(subject: Subject, network: FlowNetwork) -> None:
    """Fail unless lowtime refuses the network without a call into the backend."""
    before = subject.calls
    try:
        subject.solve(network)
    except CapacityRange:
        require(subject.calls == before, "the backend was called before the refusal")
        return
    raise CheckFailed("a network one past the declared range was not refused")


def _parts(total: int, wide: int, at_least: int) -> list[int]:
    """``total`` in near-equal positive parts of at most ``wide``, or as much as a fan can carry."""
    count = min(max(at_least, -(-total // wide)), WIDEST_FAN, total)
    total = min(total, count * wide)
    return [total // count + (k < total % count) for k in range(count)]
