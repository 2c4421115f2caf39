"""A frontier as a list of segments, traced by lowtime's own loop or by a session."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from lowtime.backends.protocol import FrontierSession, Segments
from lowtime.conformance.expected import require
from lowtime.conformance.projects import FAMILIES
from lowtime.conformance.reference import reference_flow
from lowtime.counted import counted
from lowtime.flow.network import FlowNetwork
from lowtime.flow.result import MaxFlow
from lowtime.frontier.crash_loop import CrashLoop
from lowtime.network.activity import ActivityNetwork

Changes = tuple[tuple[int, int], ...]
Segment = tuple[int, int, Changes]  # length, slope, (arc, sign) by arc

MAX_TURNS = 1_000_000  # of one session; more is a session that never ends


def reference_max_flow(network: FlowNetwork) -> MaxFlow:
    """A maximum flow by the reference solver."""
    value, flow = reference_flow(network)
    return MaxFlow(value, np.array(flow, dtype=np.int64))


def loop_segments(
    network: ActivityNetwork, max_flow: Callable[[FlowNetwork], MaxFlow] = reference_max_flow
) -> list[Segment]:
    """The frontier by lowtime's NumPy loop, every flow certified."""
    return joined(session_segments(CrashLoop(network, max_flow, check=True), network, 64))


def family_segments(family: str, seed: int) -> tuple[ActivityNetwork, list[Segment]]:
    """A seeded project, made afresh, and its frontier."""
    return FAMILIES[family](seed), list(_frontier(family, seed))


@cache
def _frontier(family: str, seed: int) -> tuple[Segment, ...]:
    return tuple(loop_segments(FAMILIES[family](seed)))


def session_segments(
    session: FrontierSession, network: ActivityNetwork, max_segments: int
) -> list[Segment]:
    """All segments of a session, not joined, each turn checked against the contract.

    Args:
        session: the session.
        network: its project.
        max_segments: segments to ask for at once.

    Raises:
        CheckFailed: a turn breaks the contract of `Segments` or of `advance`.
    """
    found: list[Segment] = []
    for _ in range(MAX_TURNS):
        turn = session.advance(max_segments)
        found += turn_segments(turn, network, max_segments)
        if turn.done:
            return found
    require(False, f"no end after {MAX_TURNS} turns")
    return found


def turn_segments(turn: Segments, network: ActivityNetwork, max_segments: int) -> list[Segment]:
    """The segments of one turn.

    Raises:
        CheckFailed: another type, shape, dtype or value than the contract says.
    """
    require(isinstance(turn, Segments), f"advance returned {type(turn).__name__}, not Segments")
    require(type(turn.done) is bool, f"done is a {type(turn.done).__name__}; expected bool")
    count = len(turn.length)
    shapes = {
        "length": (np.int64, count),
        "slope": (np.int64, count),
        "offset": (np.int64, count + 1),
        "arc": (np.int32, int(turn.offset[-1])),
        "sign": (np.int8, int(turn.offset[-1])),
    }
    for name, (dtype, size) in shapes.items():
        array = getattr(turn, name)
        require(
            isinstance(array, np.ndarray) and array.dtype == dtype and array.shape == (size,),
            f"{name} is {getattr(array, 'dtype', '?')}{getattr(array, 'shape', '?')};"
            f" expected {np.dtype(dtype)}({size},)",
        )
    require(count <= max_segments, f"{counted(count, 'segment')}; asked for {max_segments} at most")
    require(count > 0 or turn.done, "a turn without segments that does not say done")
    require(turn.offset[0] == 0, f"offset starts at {turn.offset[0]}")
    found: list[Segment] = []
    offset, arcs, signs = turn.offset.tolist(), turn.arc.tolist(), turn.sign.tolist()
    for k, (length, slope) in enumerate(
        zip(turn.length.tolist(), turn.slope.tolist(), strict=True)
    ):
        own = arcs[offset[k] : offset[k + 1]]
        changes = tuple(zip(own, signs[offset[k] : offset[k + 1]], strict=True))
        require(length >= 1 and slope >= 1, f"segment of length {length} and slope {slope}")
        require(
            len(own) > 0 and own == sorted(set(own)), f"arcs {own} of a segment do not increase"
        )
        require(
            min(own) >= 0 and max(own) < network.num_operations,
            f"arcs {own}: only the {counted(network.num_operations, 'operation')} can change",
        )
        require(
            all(abs(sign) == 1 for _, sign in changes), f"a sign other than -1 and 1: {changes}"
        )
        found.append((length, slope, changes))
    return found


def joined(segments: list[Segment]) -> list[Segment]:
    """Neighbours of equal slope and equal changes as one: where they are divided is free."""
    result: list[Segment] = []
    for length, slope, changes in segments:
        if result and result[-1][1:] == (slope, changes):
            length += result.pop()[0]
        result.append((length, slope, changes))
    return result


def require_same_segments(found: list[Segment], expected: list[Segment], where: str) -> None:
    """Fail at the first segment that differs."""
    for k, (mine, theirs) in enumerate(zip(found, expected, strict=False)):
        require(mine == theirs, f"{where}: segment {k} is {mine}; expected {theirs}")
    require(
        len(found) == len(expected),
        f"{where}: {counted(len(found), 'segment')}, then the end; expected {len(expected)}",
    )
