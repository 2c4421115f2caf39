"""``python -m bench.expected_times REPORT --write``: fit the table of `lowtime.explain` anew."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

import lowtime.backends.expected_time as shipped
from lowtime.backends.expected_time import LoopRate, ProjectSize, Rate
from lowtime.backends.first_party import RESERVED

Constants = TypeVar("Constants", Rate, LoopRate)

COMPILE = "compile"
HOLD_OUT = 3  # every third case is kept out of the fit, to try the table on
# No call takes less; beyond these powers the table says little about a solver.
LEAST = {"call": 1e-6, "warm_call": 1e-6, "power": 0.9, "sweep_width": 0.5, "sweep_reach": 0.5}
MOST = {"power": 2.0, "sweep_width": 2.0, "sweep_reach": 3.0}
WARM = "state_warm"
TRACER = ("step", "sweep", "sweep_width", "sweep_reach")
BEGIN, END = "# begin of what it writes\n", "# end of what it writes\n"


@dataclass(frozen=True, slots=True)
class Measured:
    """One median of a report.

    Attributes:
        case: workload and size.
        backend: name; ``"compile"`` where no backend takes part.
        nodes: of the network or project.
        arcs: the same.
        project: of a frontier; None for one maximum flow.
        seconds: what it took.
    """

    case: str
    backend: str
    nodes: int
    arcs: int
    project: ProjectSize | None
    seconds: float

    @property
    def decides(self) -> bool:
        """Whether the table is for this: whole frontiers, and flow networks that occur on them."""
        return self.project is not None or self.backend == COMPILE or self.case.startswith("state")

    @property
    def warm(self) -> bool:
        """Whether it is a flow that the crash loop asks for."""
        return self.case.startswith(WARM)


@dataclass(frozen=True, slots=True)
class Table:
    """The two constants of `lowtime.backends.expected_time`."""

    rates: Mapping[str, Rate]
    loop: LoopRate

    def seconds(self, one: Measured) -> float:
        """What the table expects."""
        if one.backend == COMPILE:
            return self.loop.compile + self.loop.compile_arc * one.arcs
        kept = shipped.RATES, shipped.LOOP
        shipped.RATES, shipped.LOOP = dict(self.rates), self.loop
        try:
            if one.project is None and one.warm:
                expected = shipped.warm_flow_seconds(one.backend, one.nodes, one.arcs)
            elif one.project is None:
                expected = shipped.max_flow_seconds(one.backend, one.nodes, one.arcs)
            else:
                expected = shipped.frontier_seconds(one.backend, one.project)
        finally:
            shipped.RATES, shipped.LOOP = kept
        assert expected is not None
        return expected


SHIPPED = Table(shipped.RATES, shipped.LOOP)


def measured(parts: Mapping[str, Any]) -> list[Measured]:
    """The medians of a report that the table speaks about, in a fixed order."""
    return sorted(_measured(parts), key=lambda one: (one.backend, one.project is None, one.case))


def _measured(parts: Mapping[str, Any]) -> Iterator[Measured]:
    for part in ("cold_flow", "projects", "published"):
        for row in parts.get(part, {}).get("rows", ()):
            verb = row.get("verb")
            if verb == "step" or (part != "cold_flow" and "project" not in row):
                continue  # a step is neither a flow nor a frontier
            for name, outcome in row["outcomes"].items():
                if (name in RESERVED or verb == COMPILE) and outcome["sample"]:
                    yield Measured(
                        f"{row['workload']}-n={row['size']}",
                        COMPILE if verb == COMPILE else name,
                        row["nodes"],
                        row["arcs"],
                        ProjectSize(**row["project"]) if "project" in row else None,
                        outcome["sample"]["median"],
                    )


def split(measurements: Iterable[Measured]) -> tuple[list[Measured], list[Measured]]:
    """Cases to fit to, and cases to try the fit on; whole cases, alike for all backends."""
    known = list(measurements)
    cases = sorted({one.case for one in known})
    held = set(cases[HOLD_OUT - 1 :: HOLD_OUT])
    return [one for one in known if one.case not in held], [
        one for one in known if one.case in held
    ]


def fitted(measurements: Iterable[Measured]) -> Table:
    """The table whose expected times are nearest, in factors, to the measured ones."""
    known = list(measurements)
    rates = {}
    loop = _fit_compile([one for one in known if one.backend == COMPILE])
    for name, rate in SHIPPED.rates.items():
        flows = [one for one in known if one.backend == name and one.project is None]
        rate = _fit_flow(rate, flows)
        traced = [one for one in known if one.backend == name and one.project is not None]
        rates[name] = rate if rate.step is None else _fit_tracer(rate, loop, traced)
    looped = [
        one
        for one in known
        if one.project is not None
        and one.backend != COMPILE
        and SHIPPED.rates[one.backend].step is None
    ]
    return Table(rates, _fit_loop(rates, loop, looped))


def _fit_flow(rate: Rate, flows: list[Measured]) -> Rate:
    cold = ("call", "arc", "power") + (("node_pair",) if rate.node_pair else ())
    backend = flows[0].backend if flows else ""
    for names, warm in ((cold, False), (("warm_call", "warm_arc"), True)):
        known = [one for one in flows if one.warm == warm]
        rate = _fit(rate, names, lambda made: Table({backend: made}, SHIPPED.loop), known)
    return rate


def _fit_tracer(rate: Rate, loop: LoopRate, traced: list[Measured]) -> Rate:
    return _fit(rate, TRACER, lambda made: Table({traced[0].backend: made}, loop), traced)


def _fit_compile(compiled: list[Measured]) -> LoopRate:
    names = ("compile", "compile_arc")
    return _fit(SHIPPED.loop, names, lambda made: Table({}, made), compiled)


def _fit_loop(rates: Mapping[str, Rate], loop: LoopRate, looped: list[Measured]) -> LoopRate:
    names = ("step", "step_arc", "call", "call_arc")
    return _fit(loop, names, lambda made: Table(rates, made), looped)


def _fit(
    start: Constants,
    names: tuple[str, ...],
    table: Callable[[Constants], Table],
    known: list[Measured],
) -> Constants:
    """The constants that make the sum of squared log factors least.

    Far cases count linearly, so that one family does not pull the table away from all others. With
    fewer measurements than constants the shipped ones stay.
    """
    if len(known) < len(names):
        return start
    from scipy.optimize import least_squares

    seconds = np.log([one.seconds for one in known])
    low = np.array([LEAST.get(name, 1e-12) for name in names])
    high = np.array([MOST.get(name, 10.0) for name in names])

    def made(logarithms: Any) -> Constants:
        return replace(start, **dict(zip(names, np.exp(logarithms).tolist(), strict=True)))

    def residuals(logarithms: Any) -> Any:
        candidate = table(made(logarithms))
        return np.log([candidate.seconds(one) for one in known]) - seconds

    first = np.clip([getattr(start, name) for name in names], 1.01 * low, 0.99 * high)
    bounds = (np.log(low), np.log(high))
    return made(least_squares(residuals, np.log(first), bounds=bounds, loss="soft_l1").x)


def rewritten(source: str, table: Table) -> str:
    """The source of `lowtime.backends.expected_time` with another table."""
    before, rest = source.split(BEGIN)
    _, after = rest.split(END)
    lines = ["RATES = {"]
    for name, rate in table.rates.items():
        values = {name: getattr(rate, name) for name in ("call", "arc", "power")}
        if rate.node_pair:
            values["node_pair"] = rate.node_pair
        values |= {name: getattr(rate, name) for name in ("warm_call", "warm_arc")}
        if rate.step is not None:
            values |= {name: getattr(rate, name) for name in TRACER}
        fields = [f"{name}={float(f'{value:.2g}')!r}" for name, value in values.items()]
        lines.append(f'    "{name}": Rate({", ".join(fields)}),')
    loop = table.loop
    lines += ["}", "LOOP = LoopRate("]
    for name in loop.__slots__:
        lines.append(f"    {name}={float(f'{getattr(loop, name):.2g}')!r},")
    lines.append(")")
    return before + BEGIN + "\n".join(lines) + "\n" + END + after


def main(arguments: list[str] | None = None) -> int:
    """Print the table; with ``--write`` put it into the package."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("report", type=Path, help="report.json")
    parser.add_argument(
        "--write", action="store_true", help="into lowtime/backends/expected_time.py"
    )
    asked = parser.parse_args(arguments)
    parts = json.loads(asked.report.read_text())["parts"]
    file = Path(shipped.__file__)
    text = rewritten(file.read_text(), fitted(split(measured(parts))[0]))
    if asked.write:
        file.write_text(text)
    else:
        print(text.split(BEGIN)[1].split(END)[0])
    return 0


if __name__ == "__main__":
    sys.exit(main())
