"""A whole frontier as one Parquet file, one row a point.

Columns: ``time`` (s), ``cost``, ``measured_cost``, ``quanta`` (list of int64, the duration of every
operation) and ``knob`` (list, the knob of every operation, null for dummies). The names of the
operations and the length of a quantum stand in the file's metadata, under ``lowtime``, as JSON.
Knobs that are neither all whole numbers, all numbers nor all strings are stored as JSON texts.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Sequence
from importlib import import_module
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lowtime.errors import InvalidProfile
from lowtime.frontier.frontier import Frontier
from lowtime.frontier.labels import from_json, to_json
from lowtime.frontier.problem import Problem
from lowtime.plans.stored_plan import StoredPlan, checked_index
from lowtime.profiling import phased
from lowtime.whole_file import whole_file

FORMAT = "lowtime-plans-1"
VALUES_AT_ONCE = 4_000_000  # durations in memory while writing: 32 MB


@phased("write")
def write_parquet(frontier: Frontier, path: str | PathLike[str]) -> None:
    """Write all plans of a frontier; the file appears whole or not at all.

    Raises:
        ImportError: pyarrow is missing; ``pip install lowtime[parquet]``.
        InvalidProfile: a node or knob that JSON cannot hold.
        OSError: the file cannot be written.
    """
    pa, pq = _pyarrow()
    problem = frontier.problem
    knobs, is_json = _knob_column([table.knobs for table in problem.options])
    header = {
        "format": FORMAT,
        "unit_time": problem.unit_time,
        "nodes": json.loads(to_json(problem.nodes, "node")),
        "knobs_are_json": is_json,
    }
    schema = pa.schema(
        [
            ("time", pa.float64()),
            ("cost", pa.float64()),
            ("measured_cost", pa.float64()),
            ("quanta", pa.list_(pa.int64())),
            ("knob", pa.list_(knobs.type)),
        ],
        metadata={"lowtime": json.dumps(header)},
    )
    points, operations = len(frontier), len(problem.nodes)
    rows = max(1, VALUES_AT_ONCE // max(operations, 1))
    dummy = problem.option_of < 0
    with (
        whole_file(path) as file,
        pq.ParquetWriter(file, schema, compression="zstd") as writer,
    ):
        for start in range(0, points, rows):
            end = min(start + rows, points)
            quanta = _quanta_of(frontier, start, end)
            mask = np.broadcast_to(dummy, quanta.shape).reshape(-1)
            offsets = pa.array(np.arange(end - start + 1, dtype=np.int32) * operations)
            chosen = _options_of(problem, quanta)
            names = knobs.take(pa.array(chosen.reshape(-1), mask=mask))
            columns = [
                pa.array(frontier.times[start:end]),
                pa.array(frontier.costs[start:end]),
                pa.array(frontier.measured_costs[start:end]),
                pa.ListArray.from_arrays(offsets, pa.array(quanta.reshape(-1))),
                pa.ListArray.from_arrays(offsets, names),
            ]
            writer.write_table(pa.Table.from_arrays(columns, schema=schema))


def _pyarrow() -> tuple[Any, Any]:
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as error:
        raise ImportError(
            "Parquet files need pyarrow; pip install 'lowtime[parquet]', or write JSON"
        ) from error


def _knob_column(tables: Sequence[Sequence[Any]]) -> tuple[Any, bool]:
    """All knobs in a row, of one type, and whether they had to become JSON texts."""
    pa, _ = _pyarrow()
    knobs = [knob for table in tables for knob in table]
    for kind in (int, float, str):
        if all(type(knob) is kind for knob in knobs):
            return pa.array(knobs), False
    return pa.array([to_json([knob], "knob")[1:-1] for knob in knobs], pa.string()), True


def _quanta_of(frontier: Frontier, start: int, end: int) -> NDArray[np.int64]:
    """Durations at the points ``start .. end - 1``: int64[end - start, operations]."""
    segments = frontier.segments
    first_point = np.concatenate(([0], np.cumsum(segments.length)))
    quanta = np.zeros((end - start, len(frontier.problem.nodes)), dtype=np.int64)
    quanta[0] = frontier.quanta_of(start)
    first = int(np.searchsorted(first_point, start, side="right")) - 1
    last = int(np.searchsorted(first_point, end - 1, side="left"))
    for k in range(first, last):
        rows = slice(
            max(int(first_point[k]), start) + 1 - start, int(first_point[k + 1]) + 1 - start
        )
        changes = slice(int(segments.offset[k]), int(segments.offset[k + 1]))
        quanta[rows, segments.arc[changes]] = segments.sign[changes]
    result: NDArray[np.int64] = np.cumsum(quanta, axis=0)
    return result


def _options_of(problem: Problem, quanta: NDArray[np.int64]) -> NDArray[np.int64]:
    """Number of the option chosen, among those of all tables in a row: int64[rows, operations]."""
    chosen = np.zeros_like(quanta)
    start = 0
    for k, table in enumerate(problem.options):
        columns = np.flatnonzero(problem.option_of == k)
        chosen[:, columns] = start + table.choose(quanta[:, columns])
        start += len(table.knobs)
    return chosen


class ParquetPlans:
    """The plans in a file that `write_parquet` wrote; see `lowtime.plans.stored_plan.StoredPlans`.

    Plans are read when they are asked for.

    Args:
        path: the file.

    Raises:
        ImportError: pyarrow is missing.
        InvalidProfile: the file is none of these, or is damaged.
        OSError: the file cannot be read.
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        pa, pq = _pyarrow()
        try:
            self._file = pq.ParquetFile(path)
            header = json.loads(self._file.schema_arrow.metadata[b"lowtime"])
            if header["format"] != FORMAT:
                raise InvalidProfile(f"{path}: format {header['format']!r}; expected {FORMAT!r}")
            self.nodes: tuple[Hashable, ...] = tuple(from_json(json.dumps(header["nodes"])))
            self.unit_time = float(header["unit_time"])
            self._knobs_are_json = bool(header["knobs_are_json"])
            totals = self._file.read(["time", "cost", "measured_cost"])
        except (KeyError, TypeError, ValueError, pa.ArrowException) as error:
            if isinstance(error, InvalidProfile):
                raise
            raise InvalidProfile(
                f"{path} is not a file of plans, or is damaged: {error}"
            ) from error
        self.times: NDArray[np.float64] = totals["time"].to_numpy()
        self.costs: NDArray[np.float64] = totals["cost"].to_numpy()
        self.measured_costs: NDArray[np.float64] = totals["measured_cost"].to_numpy()

    def __len__(self) -> int:
        """Number of points."""
        return len(self.times)

    def plan(self, index: int) -> StoredPlan:
        """The plan of a point; see `lowtime.plans.stored_plan.StoredPlans`."""
        index = checked_index(index, len(self))
        group, row = 0, index
        while row >= self._file.metadata.row_group(group).num_rows:
            row -= self._file.metadata.row_group(group).num_rows
            group += 1
        stored = self._file.read_row_group(group, ["quanta", "knob"]).slice(row, 1).to_pylist()[0]
        knobs = {
            node: from_json(f"[{knob}]")[0] if self._knobs_are_json else knob
            for node, knob in zip(self.nodes, stored["knob"], strict=True)
            if knob is not None
        }
        return StoredPlan(
            index=index,
            time=float(self.times[index]),
            cost=float(self.costs[index]),
            measured_cost=float(self.measured_costs[index]),
            quanta=dict(zip(self.nodes, stored["quanta"], strict=True)),
            knobs=knobs,
        )
