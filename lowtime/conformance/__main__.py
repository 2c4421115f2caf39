"""``python -m lowtime.conformance NAME``."""

from __future__ import annotations

import argparse
import sys

from lowtime.conformance.execution import TIME_LIMIT
from lowtime.conformance.registry import LEVELS, SUITES
from lowtime.conformance.suite_run import run
from lowtime.errors import LowtimeError


def main(arguments: list[str] | None = None) -> int:
    """Run the suite from the command line.

    Returns:
        0 where the backend conforms, 1 where not, 2 where it cannot be tried.
    """
    parser = argparse.ArgumentParser(prog="python -m lowtime.conformance", description=run.__doc__)
    parser.description = "Check a max-flow backend against lowtime's contract."
    parser.add_argument("backend", help="installed name, or module:attribute")
    parser.add_argument("--level", choices=LEVELS, help="only this level")
    parser.add_argument("--suite", choices=SUITES, default=SUITES[-1])
    parser.add_argument("--time-limit", type=float, default=TIME_LIMIT, help="seconds per check")
    parser.add_argument("--json", metavar="FILE", help="write the report to FILE")
    options = parser.parse_args(arguments)
    try:
        report = run(options.backend, options.level, options.suite, time_limit=options.time_limit)
    except (LowtimeError, ValueError) as problem:
        print(problem, file=sys.stderr)
        return 2
    if options.json:
        report.save(options.json)
    print(report.table())
    return 0 if report.conforms else 1


if __name__ == "__main__":
    sys.exit(main())
