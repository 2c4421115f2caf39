"""The instrument: what ran when, as long as somebody listens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from threading import get_ident
from time import perf_counter_ns
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeVar

if TYPE_CHECKING:
    from os import PathLike

    from lowtime.profiling.phase_times import PhaseTimes

P = ParamSpec("P")
R = TypeVar("R")

# The phases that lowtime records, in the order of a report. `advance` is one call of a frontier
# session: of a native one all its work, of the NumPy loop what it does between the other phases.
PHASES = (
    "read",
    "fit",
    "compile",
    "bounds",
    "max flow",
    "certificate",
    "cut",
    "step",
    "advance",
    "write",
)

# Other threads and coroutines do not see a profile that they did not open.
_active: ContextVar[Profile | None] = ContextVar("lowtime_profile", default=None)


class Event(NamedTuple):
    """One call of one phase.

    Attributes:
        phase: its name.
        thread: identity of the thread.
        start: nanoseconds since the profile began.
        duration: nanoseconds.
        own: nanoseconds, phases within this one not counted.
    """

    phase: str
    thread: int
    start: int
    duration: int
    own: int


class Profile:
    """What `lowtime.profile` recorded.

    Attributes:
        events: every call of every phase, in the order they ended.
        solves: per solve the backend, its version and its counters, in order.
        seconds: wall-clock time of the block; up to now while it runs.
    """

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.solves: list[dict[str, Any]] = []
        self._began = perf_counter_ns()
        self._ended: int | None = None
        self._open: dict[int, list[_Phase]] = {}

    @property
    def seconds(self) -> float:
        """Wall-clock time of the block, seconds."""
        return ((self._ended or perf_counter_ns()) - self._began) / 1e9

    @property
    def counters(self) -> dict[str, int]:
        """The counters of all solves, added up."""
        total: Counter[str] = Counter()
        for solve in self.solves:
            total.update(solve["counters"])
        return dict(total)

    def phases(self) -> tuple[PhaseTimes, ...]:
        """The distribution of every phase that was called, in the order of `PHASES`."""
        from lowtime.profiling.phase_times import PhaseTimes

        calls: dict[str, list[Event]] = {name: [] for name in PHASES}
        for event in sorted(self.events, key=lambda event: event.start):
            calls.setdefault(event.phase, []).append(event)
        return tuple(
            PhaseTimes.of(name, [event.duration for event in of], [event.own for event in of])
            for name, of in calls.items()
            if of
        )

    def table(self) -> str:
        """The phases and counters as a text table."""
        from lowtime.profiling.formats import table

        return table(self)

    def to_dict(self) -> dict[str, Any]:
        """Phases, counters and versions as JSON-ready values."""
        from lowtime.profiling.formats import to_dict

        return to_dict(self)

    def chrome_trace(self) -> dict[str, Any]:
        """Every call as Chrome's trace viewer and Perfetto read it, JSON-ready."""
        from lowtime.profiling.formats import chrome_trace

        return chrome_trace(self)

    def save(self, path: str | PathLike[str]) -> None:
        """Write a file whose name says the format; see `lowtime.profiling.profile_file`."""
        from lowtime.profiling.profile_file import write_profile

        write_profile(self, path)

    def phase(self, name: str) -> _Phase:
        """A block to record."""
        return _Phase(self, name)


class _Phase:
    """One call of a phase while it runs."""

    __slots__ = ("_name", "_profile", "_start", "_within")

    def __init__(self, profile: Profile, name: str) -> None:
        self._profile = profile
        self._name = name
        self._within = 0  # nanoseconds of the phases within this one

    def __enter__(self) -> None:
        self._profile._open.setdefault(get_ident(), []).append(self)
        self._start = perf_counter_ns()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        duration = perf_counter_ns() - self._start
        profile, thread = self._profile, get_ident()
        open_here = profile._open[thread]
        open_here.pop()
        if open_here:
            open_here[-1]._within += duration
        start = self._start - profile._began
        profile.events.append(Event(self._name, thread, start, duration, duration - self._within))


class _Nothing:
    """A block that nobody listens to."""

    __slots__ = ()

    def __enter__(self) -> None:
        pass

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        pass


_NOTHING = _Nothing()


@contextmanager
def profile() -> Iterator[Profile]:
    """Record where the time goes within a block.

    Only this thread (or coroutine) is recorded; an inner block takes over from an outer one.

    Yields:
        The profile, to be read when the block is over.

    Example:
        >>> import lowtime
        >>> with lowtime.profile() as p:
        ...     value = lowtime.max_flow(lowtime.FlowNetwork(2, [0], [1], [5], 0, 1)).value
        >>> [times.calls for times in p.phases() if times.phase == "max flow"]
        [1]
    """
    recorded = Profile()
    token = _active.set(recorded)
    try:
        yield recorded
    finally:
        _active.reset(token)
        recorded._ended = perf_counter_ns()


def phase(name: str) -> _Phase | _Nothing:
    """A block to record under a name, where somebody listens."""
    recorded = _active.get()
    return _NOTHING if recorded is None else _Phase(recorded, name)


def phased(name: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Make every call of a function a phase.

    Where nobody listens a call costs one more Python call and reads no clock.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def run(*args: P.args, **kwargs: P.kwargs) -> R:
            recorded = _active.get()
            if recorded is None:
                return function(*args, **kwargs)
            with _Phase(recorded, name):
                return function(*args, **kwargs)

        return run

    return decorate


def note_counters(backend: str, version: str, counters: Mapping[str, int]) -> None:
    """Add what one solve counted, where somebody listens."""
    recorded = _active.get()
    if recorded is not None:
        recorded.solves.append({"backend": backend, "version": version, "counters": dict(counters)})
