"""Core checks: one per published input that broke a real solver."""

from __future__ import annotations

from lowtime.conformance.instances import copy_of
from lowtime.conformance.published import FlowCase, flow_cases
from lowtime.conformance.registry import CheckFunction, add_check
from lowtime.conformance.subject import Subject


def _check_of(case: FlowCase) -> CheckFunction:
    def published(subject: Subject) -> None:
        subject.require_exact(copy_of(case.network), case.name, case.expected)

    return published


for _case in flow_cases():
    add_check(f"published_{_case.name}", "core", "1.0", _check_of(_case), _case.fault)
