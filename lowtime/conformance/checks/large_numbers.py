"""Limit checks: every unit counts, at every magnitude that the backend declares."""

from __future__ import annotations

import numpy as np

from lowtime.conformance.instances import FAMILIES, copy_of, make
from lowtime.conformance.registry import check
from lowtime.conformance.splitmix import SplitMix64
from lowtime.conformance.subject import Subject
from lowtime.flow.network import INT64_MAX, exact_sum


@check("limits", "1.0")
def powers_of_two(subject: Subject) -> None:
    """Storage that is too narrow: int32, uint32, float32, float64 and signed sums.

    Source: https://github.com/scipy/scipy/pull/14540; published case "2^53+1 against 2^53".
    """
    top = min(subject.info.max_capacity, subject.info.max_total)
    for bits in (7, 8, 15, 16, 24, 31, 32, 33, 48, 51, 52, 53, 54, 61, 62):
        for wide, narrow in ((2**bits + 1, 2**bits), (2**bits, 2**bits - 1)):
            if wide <= top:
                network = make(3, [(0, 1, wide), (1, 2, narrow)], 0, 2)
                where = f"{wide} then {narrow}"
                subject.require_known(network, where, narrow, (True, True, False))


@check("limits", "1.0")
def one_unit_apart(subject: Subject) -> None:
    """A tolerance, absolute or relative: capacities one unit apart are taken for equal.

    Source: the published lowtime 0.3.0, which takes a residual below 1e-6 for none.
    """
    top = min(subject.info.max_capacity, subject.info.max_total)
    for base in (2, 10**3, 10**6, 10**9, 10**12, 10**15, 10**18):
        if base + 2 <= top:
            falling = [base + 2, base + 1, base]
            arcs = [(k, k + 1, c) for k, c in enumerate([*falling, base + 1])]
            side = (True, True, True, False, False)
            subject.require_known(make(5, arcs, 0, 4), f"around {base}", base, side)


@check("limits", "1.0")
def crumbs_beside_large_flows(subject: Subject) -> None:
    """Small capacities lost beside large ones: sums in floats, scaling that stops early.

    Source: published case "feasible, 1e10 with tenths".
    """
    top = min(subject.info.max_capacity, subject.info.max_total)
    for crumb in (1, 3):
        if top <= 8 * crumb:
            continue
        large = top - 4 * crumb
        arcs = [(0, 1, large), (1, 5, large)]
        for node in (2, 3, 4):
            arcs += [(0, node, crumb), (node, 5, crumb)]
        arcs += [(1, 2, crumb), (4, 1, crumb)]
        subject.require_exact(make(6, arcs, 0, 5), f"{crumb} beside {large}")


@check("limits", "1.0")
def random_capacities_over_the_range(subject: Subject) -> None:
    """Rounding anywhere: networks whose capacities use every bit of the declared range.

    Source: lowtime's own study.
    """
    for family in ("sparse", "layered", "antiparallel", "parallel", "grid", "ties"):
        for seed in range(2):
            base = FAMILIES[family](seed)
            rng = SplitMix64(seed)
            scale = INT64_MAX // max(exact_sum(base.capacity), 1)
            low = np.array([rng.below(scale) for _ in range(base.num_arcs)], dtype=np.int64)
            capacity = np.where(base.capacity > 0, (base.capacity - 1) * np.int64(scale) + low, 0)
            network = copy_of(base, capacity=capacity)
            subject.require_exact(network, f"{family}({seed}) times {scale}")
