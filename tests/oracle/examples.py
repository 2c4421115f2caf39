"""How many random examples a property is tried on."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# LOWTIME_EXAMPLES=50 tries 50 times as many, others in every run: for hunting, not for the gate.
FACTOR = int(os.environ.get("LOWTIME_EXAMPLES", "1"))


def examples(count: int) -> settings:
    """Settings for ``count`` examples, the same in every run."""
    return settings(
        max_examples=count * FACTOR,
        derandomize=FACTOR == 1,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    )
