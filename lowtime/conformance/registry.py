"""The checks of the suite, each with its level and the suite version that added it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from lowtime.conformance.subject import Subject

Level = Literal["core", "limits", "frontier", "robustness"]
LEVELS: tuple[Level, ...] = ("core", "limits", "frontier", "robustness")
SUITES = ("1.0",)

# Checks that each level of each suite runs. A run that executes fewer proves nothing, and a check
# lost by accident shows here. Numbers of a published suite never change.
MINIMUM: dict[str, dict[Level, int]] = {
    "1.0": {"core": 63, "limits": 12, "frontier": 23, "robustness": 12},
}

CheckFunction = Callable[["Subject"], None]


@dataclass(frozen=True, slots=True)
class Check:
    """One check of the suite.

    Attributes:
        name: unique among all checks, words joined by underscores.
        level: level the check belongs to.
        since: first suite that runs the check, ``major.minor``.
        function: called with the `Subject`; returns when the backend passes, raises when not.
        fault: what fault it catches and where that comes from, its docstring.
    """

    name: str
    level: Level
    since: str
    function: CheckFunction
    fault: str


_CHECKS: dict[str, Check] = {}


class CheckFailed(AssertionError):
    """A backend gave a wrong answer in a check."""


def check(level: Level, since: str) -> Callable[[CheckFunction], CheckFunction]:
    """Decorator that adds a function to the suite under the function's name."""

    def add(function: CheckFunction) -> CheckFunction:
        add_check(function.__name__, level, since, function, inspect.getdoc(function) or "")
        return function

    return add


def add_check(name: str, level: Level, since: str, function: CheckFunction, fault: str) -> None:
    """Add a check to the suite.

    Raises:
        ValueError: a second check of one name, no docstring, or an unknown level or suite.
    """
    if name in _CHECKS:
        raise ValueError(f"there are two checks named {name}")
    if not fault:
        raise ValueError(f"check {name} does not say what fault it catches")
    if level not in LEVELS or since not in SUITES:
        raise ValueError(f"check {name}: no level {level!r}, or no suite {since!r}")
    _CHECKS[name] = Check(name, level, since, function, fault)


def suite_checks(suite: str = SUITES[-1], level: Level | None = None) -> tuple[Check, ...]:
    """The checks that a suite runs, level by level, by name.

    Args:
        suite: version of the suite; it runs what was added up to it and nothing later, so a claim
            such as "conforms to 1.0" stays reproducible.
        level: only this level; None for all.

    Raises:
        ValueError: no such suite or level.
    """
    import lowtime.conformance.checks  # noqa: F401  its modules add themselves when imported

    if suite not in SUITES:
        raise ValueError(f"no suite {suite!r}; there are {', '.join(SUITES)}")
    if level is not None and level not in LEVELS:
        raise ValueError(f"no level {level!r}; there are {', '.join(LEVELS)}")
    known = SUITES[: SUITES.index(suite) + 1]
    return tuple(
        check
        for wanted in LEVELS
        if level in (None, wanted)
        for _, check in sorted(_CHECKS.items())
        if check.level == wanted and check.since in known
    )
