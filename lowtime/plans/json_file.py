"""A whole frontier as one JSON file.

It is stored as runs of points with the same changes, so that 65,000 plans of 1,500 operations stay
a few megabytes. Its keys:

``format``
    ``lowtime-plans-1``
``unit_time``
    seconds per quantum
``nodes``
    name of every operation; a tuple stands there as ``{"tuple": [...]}``
``options``
    tables of options, from fast to slow: ``quanta``, ``time``, ``cost``, ``knob``
``option_of``
    table of every operation, -1 for dummies
``time``, ``cost``, ``measured_cost``
    of every point, from the longest schedule to the shortest
``first``
    durations of all operations at the first point, quanta
``runs``
    ``[points, [operations crashed], [operations relaxed]]``: for so many points on, each of these
    operations gets a quantum shorter, or longer, from one point to the next

The knob of an operation is that of the slowest option that takes no more quanta than its duration.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lowtime.errors import InvalidProfile
from lowtime.frontier.frontier import Frontier
from lowtime.frontier.labels import from_json, to_json
from lowtime.plans.stored_plan import StoredPlan, checked_index
from lowtime.profiling import phased
from lowtime.whole_file import whole_file

FORMAT = "lowtime-plans-1"


@phased("write")
def write_json(frontier: Frontier, path: str | PathLike[str]) -> None:
    """Write all plans of a frontier; the file appears whole or not at all.

    Raises:
        InvalidProfile: a node or knob that JSON cannot hold.
        OSError: the file cannot be written.
    """
    problem = frontier.problem
    stored = {
        "format": FORMAT,
        "unit_time": problem.unit_time,
        "nodes": json.loads(to_json(problem.nodes, "node")),
        "options": [
            {
                "quanta": table.quanta.tolist(),
                "time": table.times.tolist(),
                "cost": table.costs.tolist(),
                "knob": json.loads(to_json(table.knobs, "knob")),
            }
            for table in problem.options
        ],
        "option_of": problem.option_of.tolist(),
        "time": frontier.times.tolist(),
        "cost": frontier.costs.tolist(),
        "measured_cost": frontier.measured_costs.tolist(),
        "first": frontier.quanta_of(0).tolist(),
        "runs": list(_runs(frontier)),
    }
    text = json.dumps(stored, separators=(",", ":"), allow_nan=False)
    with whole_file(path) as file:
        file.write(text.encode() + b"\n")


def _runs(frontier: Frontier) -> Iterator[list[Any]]:
    segments = frontier.segments
    arcs, signs, offset = segments.arc.tolist(), segments.sign.tolist(), segments.offset.tolist()
    for k, length in enumerate(segments.length.tolist()):
        changes = list(
            zip(arcs[offset[k] : offset[k + 1]], signs[offset[k] : offset[k + 1]], strict=True)
        )
        crashed = [arc for arc, sign in changes if sign < 0]
        relaxed = [arc for arc, sign in changes if sign > 0]
        yield [length, crashed, relaxed]


class JsonPlans:
    """The plans in a file that `write_json` wrote; see `lowtime.plans.stored_plan.StoredPlans`.

    Args:
        path: the file.

    Raises:
        InvalidProfile: the file is none of these, or is damaged.
        OSError: the file cannot be read.
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        try:
            with open(path, encoding="utf-8") as file:
                stored = json.load(file)
            if stored["format"] != FORMAT:
                raise InvalidProfile(f"{path}: format {stored['format']!r}; expected {FORMAT!r}")
            self._take(stored)
        except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError) as error:
            if isinstance(error, InvalidProfile):
                raise
            raise InvalidProfile(
                f"{path} is not a file of plans, or is damaged: {error}"
            ) from error

    def _take(self, stored: dict[str, Any]) -> None:
        self.nodes: tuple[Hashable, ...] = tuple(from_json(json.dumps(stored["nodes"])))
        self.unit_time = float(stored["unit_time"])
        self.times = np.array(stored["time"], dtype=np.float64)
        self.costs = np.array(stored["cost"], dtype=np.float64)
        self.measured_costs = np.array(stored["measured_cost"], dtype=np.float64)
        self._first = np.array(stored["first"], dtype=np.int64)
        self._option_of = [int(table) for table in stored["option_of"]]
        self._options = [
            (np.array(table["quanta"], dtype=np.int64), from_json(json.dumps(table["knob"])))
            for table in stored["options"]
        ]
        runs = stored["runs"]
        self._first_point = np.cumsum([0] + [run[0] for run in runs])
        self._changes = [
            (np.array(crashed, dtype=np.int64), np.array(relaxed, dtype=np.int64))
            for _, crashed, relaxed in runs
        ]
        operations = len(self.nodes)
        if not (
            len(self.times) == len(self.costs) == len(self.measured_costs)
            and len(self.times) == self._first_point[-1] + 1
            and len(self._first) == len(self._option_of) == operations
            and max(self._option_of, default=-1) < len(self._options)
            and all(
                not arcs.size or 0 <= arcs.min() <= arcs.max() < operations
                for change in self._changes
                for arcs in change
            )
        ):
            raise ValueError("its lists do not fit together")

    def __len__(self) -> int:
        """Number of points."""
        return len(self.times)

    def plan(self, index: int) -> StoredPlan:
        """The plan of a point; see `lowtime.plans.stored_plan.StoredPlans`."""
        index = checked_index(index, len(self))
        quanta = self._quanta(index).tolist()
        knobs = {}
        for node, table, duration in zip(self.nodes, self._option_of, quanta, strict=True):
            if table >= 0:
                options, names = self._options[table]
                fitting = int(np.searchsorted(options, duration, side="right"))
                knobs[node] = names[max(fitting, 1) - 1]
        return StoredPlan(
            index=index,
            time=float(self.times[index]),
            cost=float(self.costs[index]),
            measured_cost=float(self.measured_costs[index]),
            quanta=dict(zip(self.nodes, quanta, strict=True)),
            knobs=knobs,
        )

    def _quanta(self, index: int) -> NDArray[np.int64]:
        quanta = self._first.copy()
        points = self._first_point.tolist()
        for start, end, (crashed, relaxed) in zip(points, points[1:], self._changes, strict=False):
            if start >= index:
                break
            steps = min(end, index) - start
            quanta[crashed] -= steps
            quanta[relaxed] += steps
        return quanta
