"""What a run of the suite found."""

from __future__ import annotations

import json
import platform
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

import lowtime
from lowtime.conformance.registry import LEVELS, Level, suite_checks
from lowtime.whole_file import whole_file

Status = Literal["passed", "failed", "not offered", "not run"]
REPORT_FORMAT = 1


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What one check found.

    Attributes:
        name: the check.
        level: its level.
        since: suite that added it.
        status: ``not offered`` where the backend lacks what the level tests; ``not run`` where the
            run was given up before.
        message: why it is not passed; empty otherwise.
        seconds: time it took.
        calls: calls into the backend that it made.
    """

    name: str
    level: Level
    since: str
    status: Status
    message: str = ""
    seconds: float = 0.0
    calls: int = 0


@dataclass(frozen=True, slots=True)
class LevelResult:
    """What one level amounts to.

    Attributes:
        level: the level.
        status: ``passed`` only if every check passed and enough of them ran.
        passed: checks passed.
        executed: checks that ran.
        required: checks that the suite has for the level.
    """

    level: Level
    status: Status
    passed: int
    executed: int
    required: int


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a run of the suite against one backend.

    Attributes:
        suite: version of the suite.
        backend: name that the backend declares.
        backend_version: version that it declares.
        requested: the level asked for, or None for all.
        levels: one result per level that was asked for.
        checks: one result per check.
        lowtime_version, python, numpy, platform: where the run took place.
        format: version of the JSON form.
    """

    suite: str
    backend: str
    backend_version: str
    requested: Level | None
    levels: tuple[LevelResult, ...]
    checks: tuple[CheckResult, ...]
    lowtime_version: str = lowtime.__version__
    python: str = platform.python_version()
    numpy: str = np.__version__
    platform: str = platform.platform()
    format: int = REPORT_FORMAT

    @property
    def conforms(self) -> bool:
        """Whether the backend may claim what was asked for.

        Every level must have passed. Where all levels were asked for, ``frontier``, which is
        optional, may also be not offered.
        """
        return bool(self.levels) and all(
            result.status == "passed"
            or (
                self.requested is None
                and result.level == "frontier"
                and result.status == "not offered"
            )
            for result in self.levels
        )

    @property
    def claim(self) -> str:
        """The sentence that an author may publish."""
        passed = [result.level for result in self.levels if result.status == "passed"]
        if not self.conforms:
            return f"{self.backend} {self.backend_version} does not conform to suite {self.suite}"
        return (
            f"{self.backend} {self.backend_version} conforms to suite {self.suite}"
            f" at {', '.join(passed)} (lowtime {self.lowtime_version})"
        )

    @property
    def failures(self) -> tuple[CheckResult, ...]:
        """The checks that failed."""
        return tuple(result for result in self.checks if result.status == "failed")

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON types."""
        return {**asdict(self), "conforms": self.conforms, "claim": self.claim}

    def to_json(self) -> str:
        """The report as a JSON document."""
        return json.dumps(self.to_dict(), indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Report:
        """The report of a JSON document.

        Raises:
            ValueError: another format, or not such a document.
        """
        document = json.loads(text)
        if not isinstance(document, dict) or document.get("format") != REPORT_FORMAT:
            raise ValueError(f"not a conformance report of format {REPORT_FORMAT}")
        for derived in ("conforms", "claim"):
            document.pop(derived, None)
        levels = tuple(LevelResult(**level) for level in document.pop("levels"))
        checks = tuple(CheckResult(**check) for check in document.pop("checks"))
        return cls(levels=levels, checks=checks, **document)

    def save(self, path: str | Path) -> None:
        """Write the JSON document; the file appears complete or not at all."""
        with whole_file(path) as file:
            file.write(self.to_json().encode())

    def table(self) -> str:
        """The report as text: one line per level, then every check that is not passed.

        A failed check is followed by the fault that it catches.
        """
        lines = [f"{'level':<12}{'status':<13}{'passed':>8}{'of':>5}{'calls':>9}{'seconds':>9}"]
        for level in self.levels:
            here = [result for result in self.checks if result.level == level.level]
            lines.append(
                f"{level.level:<12}{level.status:<13}{level.passed:>8}{level.required:>5}"
                f"{sum(result.calls for result in here):>9}"
                f"{sum(result.seconds for result in here):>9.2f}"
            )
        faults = {check.name: check.fault for check in suite_checks(self.suite)}
        for result in self.checks:
            if result.status in ("failed", "not run"):
                lines.append(f"{result.status}: {result.name} ({result.level}): {result.message}")
            if result.status == "failed":
                lines.append(f"    catches: {faults[result.name].partition(chr(10))[0]}")
        return "\n".join([*lines, self.claim])


def level_results(
    checks: tuple[CheckResult, ...], required: dict[Level, int]
) -> tuple[LevelResult, ...]:
    """What every level amounts to.

    Args:
        checks: results of all checks that were asked for.
        required: checks that the suite has for each level asked for; fewer executed ones fail it.
    """
    results = []
    for level in LEVELS:
        if level not in required:
            continue
        here = [check for check in checks if check.level == level]
        passed = sum(check.status == "passed" for check in here)
        executed = sum(check.status in ("passed", "failed") for check in here)
        status: Status = "failed"
        if here and all(check.status == "not offered" for check in here):
            status = "not offered"
        elif passed == len(here) and executed >= required[level] > 0:
            status = "passed"
        results.append(LevelResult(level, status, passed, executed, required[level]))
    return tuple(results)
