"""The registry under pytest-benchmark: ``make bench CASE=frontier/pipeline_1f1b-n=96-rust``.

CASE is a pattern as of the shell that the end of ``verb/id`` must match.
"""

from __future__ import annotations

import os
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import Any

import pytest

from bench.measure import repeats_for, seconds_per_call
from bench.registry import Case, cases
from bench.verbs import VERBS

ROUNDS, FEW_ROUNDS = 7, 3
LONG = 2.0  # seconds; longer calls get few rounds


def _asked(case: Case) -> bool:
    return fnmatchcase(f"{case.verb}/{case.id}", f"*{os.environ.get('CASE', '') or '*'}")


CASES = [case for case in cases() if _asked(case)]


def _bench(verb: str) -> Any:
    @pytest.mark.parametrize(
        "case", [pytest.param(case, id=case.id) for case in CASES if case.verb == verb]
    )
    def bench(benchmark: Any, case: Case) -> None:
        timed = VERBS[verb](case)
        arguments = timed.setup()
        first = seconds_per_call(lambda: timed.call(*arguments))
        rounds = ROUNDS if first < LONG else FEW_ROUNDS
        benchmark.extra_info["first_call_seconds"] = first
        if timed.setup is tuple:
            benchmark.pedantic(timed.call, rounds=rounds, iterations=repeats_for(first))
        else:
            benchmark.pedantic(timed.call, setup=lambda: (timed.setup(), {}), rounds=rounds)

    return bench


if not CASES:
    asked = os.environ["CASE"]
    near = get_close_matches(asked, [f"{case.verb}/{case.id}" for case in cases()], cutoff=0.3)
    raise pytest.UsageError(
        f"no case matches CASE={asked!r}; the closest are {', '.join(near) or '(none)'}"
    )
for _verb in {case.verb: None for case in CASES}:
    globals()[f"bench_{_verb}"] = _bench(_verb)
