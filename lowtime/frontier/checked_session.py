"""A session whose answers are checked before anybody uses them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lowtime.backends.protocol import FrontierSession, Segments
from lowtime.errors import BackendFault
from lowtime.frontier.certificate import certify_point
from lowtime.network.activity import ActivityNetwork
from lowtime.network.bounds import cost_in_units
from lowtime.profiling import phase, phased


class CheckedSession:
    """A frontier session under the eyes of lowtime.

    Args:
        network: the project.
        session: where to start from, usually the longest schedule.
        check: ``"always"`` proves the point after every call optimal, ``"final"`` only the one
            where `certify` is called, ``"off"`` none.
        backend: name for messages.
    """

    def __init__(
        self, network: ActivityNetwork, session: FrontierSession, check: str, backend: str
    ) -> None:
        self._network = network
        self._session = session
        self._check = check
        self._backend = backend
        self._duration = session.state()["duration"].copy() if check != "off" else None
        self._spent = 0  # cost units
        self._done = False

    def advance(self, max_segments: int) -> Segments:
        """The next segments, at most ``max_segments`` of them, one at least unless all are done.

        Raises:
            BackendFault: what the session returned breaks its contract, or is not optimal.
        """
        with phase("advance"):
            part = self._session.advance(max_segments)
        _check_segments(self._network, part, self._backend)
        if not (part.done or len(part.length)):
            raise BackendFault(f"{self._backend} made no progress and did not say that it is done")
        self._done = part.done
        if self._duration is not None:
            change = part.sign * np.repeat(part.length, np.diff(part.offset))
            np.add.at(self._duration, part.arc, change)
            self._spent += sum(
                slope * length
                for slope, length in zip(part.slope.tolist(), part.length.tolist(), strict=True)
            )
            if self._check == "always":
                self._certify_point(self._duration)
        return part

    def certify(self) -> None:
        """Prove, unless ``check`` is off, that the session stands at an optimal point.

        Raises:
            BackendFault: it does not, or has counted its cost wrongly on the way.
        """
        if self._duration is None:
            return
        self._certify_point(self._duration)
        expected = cost_in_units(self._network, self._duration)
        if self._spent != expected:
            raise BackendFault(
                f"{self._backend} counted {self._spent} cost units for durations that cost"
                f" {expected}"
            )

    @phased("certificate")
    def _certify_point(self, duration: NDArray[np.int64]) -> None:
        state = self._session.state()
        if not np.array_equal(state["duration"], duration):
            raise BackendFault(
                f"{self._backend} reported changes that do not lead to its own durations"
            )
        if bool(state["done"][0]) != self._done:
            raise BackendFault(f"{self._backend} says done = {self._done}, its state otherwise")
        certify_point(self._network, state, self._backend)


def _check_segments(network: ActivityNetwork, part: Segments, backend: str) -> None:
    k, c = len(part.length), len(part.arc)
    sound = (
        len(part.slope) == k
        and len(part.offset) == k + 1
        and part.offset[0] == 0
        and part.offset[-1] == c
        and len(part.sign) == c
        and not np.any(part.length < 1)
        and not np.any(part.slope < 1)
        and not np.any(np.diff(part.slope) < 0)
        and not np.any(np.diff(part.offset) < 1)
        and not np.any((part.arc < 0) | (part.arc >= network.num_operations))
        and not np.any(np.abs(part.sign) != 1)
    )
    if not sound:
        raise BackendFault(f"{backend} returned segments that break the contract of Segments")
