"""Robustness checks: faults stay ordinary, and nothing but the result comes out of a call."""

from __future__ import annotations

import io
import logging
import os
import random
import signal
import sys
import warnings
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from typing import Any

import numpy as np

from lowtime.conformance.checks.capacity_range import require_refusal
from lowtime.conformance.expected import require
from lowtime.conformance.goldens import golden
from lowtime.conformance.instances import chain, diamond, make
from lowtime.conformance.registry import CheckFailed, check
from lowtime.conformance.subject import Subject
from lowtime.errors import CapacityRange
from lowtime.flow.network import INT64_MAX


@check("robustness", "1.0")
def wrong_arguments(subject: Subject) -> None:
    """An exception that `except Exception` does not catch, or an answer, for what is no network.

    A panic of native code (pyo3's PanicException) or a SystemExit would end the caller's program.
    The type of the exception and its text are free.

    Source: the published lowtime 0.3.0, whose solver panics on infeasible input.
    """
    max_flow: Callable[[Any], Any] = subject.counted.max_flow
    for wrong in (None, "network", 7, [[0, 1, 3]], {"nodes": 2}, object()):
        try:
            max_flow(wrong)
        except Exception:
            pass
        except BaseException as problem:
            raise CheckFailed(
                f"{wrong!r} instead of a network raised {type(problem).__name__},"
                " which is no Exception"
            ) from problem
        else:
            raise CheckFailed(f"{wrong!r} instead of a network was solved")
    subject.require_golden("tiny", range(5))


@check("robustness", "1.0")
def odd_but_legal_networks(subject: Subject) -> None:
    """An exception of any type where a flow of 0 is right.

    Source: https://github.com/networkx/networkx/issues/733
    """
    odd = {
        "no arcs": make(2, [], 1, 0),
        "no arc at the source": make(4, [(1, 2, 3), (2, 3, 1)], 0, 3),
        "no arc at the sink": make(4, [(0, 1, 3), (1, 2, 1)], 0, 3),
        "zeros": make(3, [(0, 1, 0), (1, 2, 0), (0, 2, 0)], 0, 2),
        "self-loops": make(2, [(0, 0, 4), (1, 1, 4)], 0, 1),
        "into the source only": make(3, [(1, 0, 4), (2, 0, 4)], 0, 2),
        "many nodes": make(2000, [(1, 1998, 5)], 0, 1999),
    }
    for where, network in odd.items():
        result = subject.require_exact(network, where)
        require(result.value == 0, f"{where}: value {result.value}; expected 0")


@check("robustness", "1.0")
def calls_after_a_refusal(subject: Subject) -> None:
    """A backend that lowtime cannot use any more once it refused a network.

    Source: lowtime's own study.
    """
    wide = subject.info.max_capacity
    if wide < INT64_MAX:
        require_refusal(subject, make(3, [(0, 1, 1), (1, 2, wide + 1)], 0, 2))
    subject.require_golden("tiny", range(5))


@check("robustness", "1.0")
def very_long_path(subject: Subject) -> None:
    """Recursion in native code, which overflows the stack and ends the process: 20,000 arcs deep.

    A backend that takes fewer nodes declares so (``max_nodes``), and is not called.

    Source: lowtime's own study.
    """
    try:
        subject.require_known(
            chain(20_000), "chain(20000)", 2, tuple(node > 10_000 for node in range(20_001))
        )
    except CapacityRange:
        require(subject.info.max_nodes < 20_001, "it refused what it declares to take")
    subject.require_golden("tiny", range(2))


@check("robustness", "1.0")
def steps_that_do_not_follow_capacities(subject: Subject) -> None:
    """A solver whose time grows with the capacities, and with large ones never ends.

    Source: Ford and Fulkerson (1962), section I.8.
    """
    for bits in (30, 40, 49):
        top = min(2**bits, subject.info.max_capacity, subject.info.max_total // 2)
        side = (True, False, False, False)
        subject.require_known(diamond(max(top, 1)), f"diamond({top})", 2 * max(top, 1), side)


@check("robustness", "1.0")
def silence(subject: Subject) -> None:
    """Lines printed, records logged, warnings issued: a library is called 100,000 times a run.

    Source: the contract of `MaxFlowBackend`, "a backend never logs".
    """
    records: list[logging.LogRecord] = []
    handler = logging.Handler(logging.DEBUG)
    handler.emit = records.append  # type: ignore[assignment,method-assign]
    root, level = logging.getLogger(), logging.getLogger().level
    out, err = io.StringIO(), io.StringIO()
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        with (
            redirect_stdout(out),
            redirect_stderr(err),
            warnings.catch_warnings(record=True) as warned,
        ):
            warnings.simplefilter("always")
            subject.require_golden("tiny", range(10))
            subject.require_golden("unreachable", range(2))
    finally:
        root.removeHandler(handler)
        root.setLevel(level)
    require(not out.getvalue(), f"printed {out.getvalue()[:60]!r}")
    require(not err.getvalue(), f"wrote {err.getvalue()[:60]!r} to standard error")
    require(not records, f"logged {records[0].getMessage()[:60]!r}" if records else "")
    require(not warned, f"warned {str(warned[0].message)[:60]!r}" if warned else "")


@check("robustness", "1.0")
def settings_left_alone(subject: Subject) -> None:
    """Settings of the whole process changed: seeds, recursion limit, signals, working directory.

    Source: solvers that seed the global generator or raise the recursion limit.
    """
    subject.require_golden("tiny", range(2))  # what only the first call does, such as imports
    before = _settings()
    subject.require_golden("grid", range(2))
    subject.require_golden("parallel", range(2))
    after = _settings()
    for name, value in before.items():
        require(after[name] == value, f"a call changed {name}")


def _settings() -> dict[str, Any]:
    return {
        "NumPy's error handling": np.geterr(),
        "NumPy's global generator": repr(np.random.get_state(legacy=False)),  # noqa: NPY002
        "Python's global generator": random.getstate(),
        "the recursion limit": sys.getrecursionlimit(),
        "the switch interval": sys.getswitchinterval(),
        "the handler of SIGINT": signal.getsignal(signal.SIGINT),
        "the environment": dict(os.environ),
        "the working directory": os.getcwd(),
        "the module search path": list(sys.path),
        "the warning filters": len(warnings.filters),
    }


@check("robustness", "1.0")
def named_backend_is_called(subject: Subject) -> None:
    """A solve by lowtime's public functions that ends in another backend.

    Source: front ends that fall back without a word.
    """
    from lowtime.backends.direct import max_flow, min_cut

    for seed in range(5):
        original, expected = golden("layered", seed)
        network = subject.fitted(original)
        before = subject.calls
        value = max_flow(network, backend=subject.counted).value
        cut = min_cut(network, backend=subject.counted)
        require(subject.calls == before + 2, "lowtime did not call the backend it was given")
        require(value == cut.value, f"layered({seed}): {value} and {cut.value}")
        if network is original:
            side = tuple(cut.source_side.tolist())
            require(side == expected.source_side, f"layered({seed}): another cut")
