"""A session whose answers are checked before anybody uses them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lowtime.backends.protocol import FrontierSession, Segments
from lowtime.counted import counted
from lowtime.errors import BackendFault
from lowtime.frontier.certificate import certify_point
from lowtime.frontier.session_checks import check_prices, check_segments, check_state
from lowtime.network.activity import ActivityNetwork
from lowtime.network.bounds import cost_in_units
from lowtime.profiling import phase, phased


class CheckedSession:
    """A frontier session under the eyes of lowtime.

    Args:
        network: the project.
        session: where to start from, usually the longest schedule.
        check: ``"always"`` proves the point after every call optimal and its segments priced
            right, ``"final"`` only the point where `certify` is called, ``"off"`` none.
        backend: name for messages.
    """

    def __init__(
        self, network: ActivityNetwork, session: FrontierSession, check: str, backend: str
    ) -> None:
        self._network = network
        self._session = session
        self._check = check
        self._backend = backend
        self._duration: NDArray[np.int64] | None = None
        if check != "off":
            state = session.state()
            check_state(network, state, backend)
            self._duration = state["duration"].copy()
        self._spent = 0  # cost units
        self._slope = 1  # the least that the next segment may have
        self._done = False

    def advance(self, max_segments: int) -> Segments:
        """The next segments, at most ``max_segments`` of them, one at least unless all are done.

        Raises:
            BackendFault: what the session returned breaks its contract, or is not optimal.
        """
        with phase("advance"):
            part = self._session.advance(max_segments)
        check_segments(self._network, part, self._backend)
        k = len(part.length)
        if k > max_segments or not (part.done or k):
            raise BackendFault(
                f"{self._backend} returned {counted(k, 'segment')} with done = {part.done};"
                f" expected 1 .. {max_segments}, or none with done = True"
            )
        if k and part.slope[0] < self._slope:
            raise BackendFault(
                f"{self._backend} found a slope of {part.slope[0]} after one of {self._slope};"
                " slopes never fall"
            )
        self._slope = int(part.slope[-1]) if k else self._slope
        self._done = part.done
        if self._duration is not None:
            before = self._duration.copy()
            change = part.sign * np.repeat(part.length, np.diff(part.offset))
            np.add.at(self._duration, part.arc, change)
            self._spent += sum(
                slope * length
                for slope, length in zip(part.slope.tolist(), part.length.tolist(), strict=True)
            )
            if self._check == "always":
                self._certify_point(self._duration)
                check_prices(self._network, before, part, self._backend)
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
        certify_point(self._network, state, self._backend)
        if not np.array_equal(state["duration"], duration):
            raise BackendFault(
                f"{self._backend} reported changes that do not lead to its own durations"
            )
        if bool(state["done"][0]) != self._done:
            raise BackendFault(f"{self._backend} says done = {self._done}, its state otherwise")
