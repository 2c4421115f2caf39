"""A published suite stays what it was."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lowtime.conformance import LEVELS, SUITES, registry, suite_checks
from lowtime.conformance.registry import MINIMUM, add_check, check
from lowtime.conformance.subject import Subject

SUITE_1_0 = (Path(__file__).parent / "suite_1_0.txt").read_text().split()


def test_suite_1_0_is_frozen() -> None:
    assert [f"{check.level}/{check.name}" for check in suite_checks("1.0")] == SUITE_1_0


@pytest.mark.parametrize("suite", SUITES)
def test_minimum_is_what_the_suite_has(suite: str) -> None:
    assert MINIMUM[suite] == {level: len(suite_checks(suite, level)) for level in LEVELS}


@pytest.mark.parametrize("each", suite_checks(), ids=lambda check: check.name)
def test_every_check_says_what_it_catches_and_whence(each: registry.Check) -> None:
    first, _, rest = each.fault.partition("\n")
    assert len(first) > 20
    assert re.search(r"^Source: .{8,}", rest, re.MULTILINE)
    assert re.fullmatch("[a-z][a-z0-9_]*", each.name)


def test_a_later_check_does_not_redden_an_earlier_suite(monkeypatch: pytest.MonkeyPatch) -> None:
    before = suite_checks("1.0")
    monkeypatch.setattr(registry, "SUITES", ("1.0", "1.1"))
    monkeypatch.setattr(registry, "_CHECKS", dict(registry._CHECKS))

    @check("core", "1.1")
    def a_check_to_come(subject: Subject) -> None:
        """A fault that nobody knows yet.

        Source: the future.
        """

    assert suite_checks("1.0") == before
    assert [c.name for c in suite_checks("1.1") if c not in before] == ["a_check_to_come"]
    assert "a_check_to_come" not in [c.name for c in suite_checks("1.1", "limits")]


def test_check_names_are_unique_and_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_CHECKS", dict(registry._CHECKS))
    function = suite_checks()[0].function
    with pytest.raises(ValueError, match="two checks"):
        add_check("tiny_networks", "core", "1.0", function, "again")
    with pytest.raises(ValueError, match="what fault"):
        add_check("unexplained", "core", "1.0", function, "")
    with pytest.raises(ValueError, match="no suite"):
        add_check("undated", "core", "0.9", function, "some fault")


def test_unknown_suites_and_levels_are_refused() -> None:
    with pytest.raises(ValueError, match=r"1\.0"):
        suite_checks("0.9")
    with pytest.raises(ValueError, match="robustness"):
        suite_checks("1.0", "speed")  # type: ignore[arg-type]
