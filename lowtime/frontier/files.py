"""Frontiers as ``.npz`` files, without pickle."""

from __future__ import annotations

import json
from os import PathLike
from typing import IO, Any

import numpy as np

from lowtime.backends.protocol import Segments
from lowtime.counted import quanta
from lowtime.errors import InvalidProfile
from lowtime.frontier.frontier import Frontier
from lowtime.frontier.labels import from_json, to_json
from lowtime.frontier.problem import Problem
from lowtime.frontier.provenance import Provenance
from lowtime.frontier.session_checks import check_segments
from lowtime.network.activity import ActivityNetwork
from lowtime.network.options import OptionTable
from lowtime.profiling import phased
from lowtime.whole_file import whole_file

FORMAT = "lowtime-frontier-1"
NETWORK_ARRAYS = (
    "tail",
    "head",
    "shortest",
    "longest",
    "table",
    "table_start",
    "piece_start",
    "piece_end",
    "marginal",
)
SEGMENT_ARRAYS = ("length", "slope", "offset", "arc", "sign")


@phased("write")
def save(frontier: Frontier, path: str | PathLike[str]) -> None:
    """Write a frontier with all its plans; the file appears whole, by rename, or not at all.

    Raises:
        InvalidProfile: a node or knob that JSON cannot hold.
        OSError: the file cannot be written.
    """
    problem, network = frontier.problem, frontier.problem.network
    header = {
        "format": FORMAT,
        "num_events": network.num_events,
        "num_operations": network.num_operations,
        "unbounded": network.unbounded,
        "cost_unit": network.cost_unit,
        "start_cost": network.start_cost,
        "unit_time": problem.unit_time,
        "done": frontier.complete,
        "provenance": frontier.provenance.to_dict(),
        "nodes": to_json(problem.nodes, "node"),
        "knobs": to_json((knob for table in problem.options for knob in table.knobs), "knob"),
        "option_nodes": to_json((table.node for table in problem.options), "node"),
    }
    options = problem.options
    arrays: dict[str, Any] = {
        "header": np.frombuffer(json.dumps(header).encode(), dtype=np.uint8),
        **{f"network_{name}": getattr(network, name) for name in NETWORK_ARRAYS},
        **{f"segments_{name}": getattr(frontier.segments, name) for name in SEGMENT_ARRAYS},
        "option_of": problem.option_of,
        "option_start": np.cumsum([0] + [len(table.knobs) for table in options]),
        "option_quanta": _stacked([table.quanta for table in options], np.int64),
        "option_costs": _stacked([table.costs for table in options], np.float64),
        "option_times": _stacked([table.times for table in options], np.float64),
    }
    with whole_file(path) as file:
        np.savez(file, **arrays)


def _stacked(arrays: list[Any], dtype: Any) -> Any:
    return np.concatenate(arrays).astype(dtype) if arrays else np.zeros(0, dtype)


@phased("read")
def load(path: str | PathLike[str]) -> Frontier:
    """A frontier from a file written by `save`.

    Raises:
        InvalidProfile: the file is no frontier, or is damaged.
        OSError: the file cannot be read.
    """
    with open(path, "rb") as file:
        try:
            return _read(file)
        except Exception as error:  # what a damaged archive makes its readers raise is open-ended
            why = f"it lacks {error}" if isinstance(error, KeyError) else error
            raise InvalidProfile(
                f"{path} is not a frontier file, or is damaged: {why or type(error).__name__}"
            ) from error


def _read(file: IO[bytes]) -> Frontier:
    if file.read(2) != b"PK":  # NumPy would take it for a pickle, and say how to load that
        raise InvalidProfile("it is no NumPy archive (.npz)")
    file.seek(0)
    with np.load(file, allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in stored.files}
    for array in arrays.values():
        array.setflags(write=False)
    header = json.loads(arrays["header"].tobytes())
    if header["format"] != FORMAT:
        raise InvalidProfile(f"its format is {header['format']!r}; expected {FORMAT!r}")
    return _frontier(arrays, header)


def _frontier(arrays: dict[str, Any], header: dict[str, Any]) -> Frontier:
    network = ActivityNetwork(
        num_events=header["num_events"],
        num_operations=header["num_operations"],
        unbounded=header["unbounded"],
        cost_unit=header["cost_unit"],
        start_cost=header["start_cost"],
        **{name: arrays[f"network_{name}"] for name in NETWORK_ARRAYS},
    )
    knobs = from_json(header["knobs"])
    starts = arrays["option_start"].tolist()
    options = tuple(
        OptionTable(
            node=node,
            quanta=arrays["option_quanta"][first:end],
            costs=arrays["option_costs"][first:end],
            times=arrays["option_times"][first:end],
            knobs=tuple(knobs[first:end]),
            unit_time=header["unit_time"],
        )
        for node, first, end in zip(
            from_json(header["option_nodes"]), starts[:-1], starts[1:], strict=True
        )
    )
    problem = Problem(
        network=network,
        nodes=tuple(from_json(header["nodes"])),
        options=options,
        option_of=arrays["option_of"],
        unit_time=header["unit_time"],
    )
    segments = Segments(
        **{name: arrays[f"segments_{name}"] for name in SEGMENT_ARRAYS}, done=header["done"]
    )
    check_segments(network, segments, "the file")
    shortened = sum(segments.length.tolist())
    if shortened > problem.longest_time:
        raise InvalidProfile(
            f"its segments shorten the longest schedule, {quanta(problem.longest_time)}, by"
            f" {shortened}"
        )
    return Frontier(problem, segments, Provenance(**header["provenance"]))
