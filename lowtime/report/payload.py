"""A frontier packed for a page: a JSON header, typed arrays, gzip, base64."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from lowtime.errors import CapacityRange
from lowtime.frontier.figure_style import CATEGORIES, SEQUENCE
from lowtime.frontier.labels import to_json
from lowtime.frontier.lanes import Lanes
from lowtime.perseus.plan_files import PUBLISHED_NAMES

if TYPE_CHECKING:
    from lowtime.frontier.frontier import Frontier
    from lowtime.report.terms import Terms

EXACT = 2**53  # JavaScript's numbers are integers up to here
ALIGNMENT = 8  # typed arrays may only start at multiples of their item size


def payload(
    frontier: Frontier, lanes: Lanes, terms: Terms, title: str, settings: Mapping[str, Any]
) -> str:
    """Everything the page needs, as base64 text.

    Segments are stored, not points: the page replays them in integers.

    Layout before compression: uint32 length of the header (little-endian), the header in UTF-8,
    then the arrays, each at a multiple of 8 bytes from the start, as the header lists them.

    Raises:
        CapacityRange: a time above 2^53 quanta, which the page could not hold exactly.
        InvalidProfile: a node or knob that JSON cannot hold.
    """
    problem, network = frontier.problem, frontier.problem.network
    if problem.longest_time > EXACT or int(network.longest.max(initial=0)) > EXACT:
        raise CapacityRange(
            f"the longest schedule takes {problem.longest_time} quanta; a page holds 2^53 at most;"
            " solve with a longer unit time"
        )
    options = problem.options
    arrays = {
        "tail": network.tail,
        "head": network.head,
        "longest": network.longest.astype(np.float64),
        "optionOf": np.asarray(problem.option_of, dtype=np.int32),
        "laneOf": lanes.of,
        "optionStart": np.cumsum([0] + [len(table.knobs) for table in options]).astype(np.int32),
        "optionQuanta": _joined([table.quanta for table in options]),
        "optionCosts": _joined([table.costs for table in options]),
        "optionTimes": _joined([table.times for table in options]),
        "length": frontier.segments.length.astype(np.float64),
        "slope": frontier.segments.slope.astype(np.float64),  # at most UNB <= 2^50: exact
        "offset": frontier.segments.offset.astype(np.float64),
        "arc": frontier.segments.arc.astype(np.int32),
        "sign": frontier.segments.sign.astype(np.int8),
    }
    header = {
        "title": title,
        "unitTime": problem.unit_time,
        "costUnit": problem.cost_unit,
        "startCost": problem.start_cost,
        "longestTime": problem.longest_time,
        "complete": frontier.complete,
        "numEvents": network.num_events,
        "nodes": json.loads(to_json(problem.nodes, "node")),
        "knobs": json.loads(to_json((k for table in options for k in table.knobs), "knob")),
        "lanes": [str(label) for label in lanes.labels],
        "packed": lanes.packed,
        "terms": {
            "cost": terms.cost,
            "costUnit": terms.cost_unit,
            "knob": terms.knob,
            "knobUnit": terms.knob_unit,
            "lane": terms.lane,
            "devices": terms.devices,
            "blockingPower": terms.blocking_power,
        },
        "settings": dict(settings),
        "planNames": PUBLISHED_NAMES,
        "provenance": frontier.provenance.to_dict(),
        "costError": frontier.cost_error,
        "sequence": SEQUENCE,
        "categories": CATEGORIES,
    }
    return base64.b64encode(_packed(header, arrays)).decode()


def _joined(arrays: list[Any]) -> Any:
    return np.concatenate([np.zeros(0), *arrays]).astype(np.float64)


def _packed(header: dict[str, Any], arrays: Mapping[str, Any]) -> bytes:
    listed = {name: [array.dtype.str.lstrip("<|"), len(array)] for name, array in arrays.items()}
    text = json.dumps({**header, "arrays": listed}, separators=(",", ":"), allow_nan=False).encode()
    parts = [len(text).to_bytes(4, "little"), text]
    size = 4 + len(text)
    for array in arrays.values():
        padding = -size % ALIGNMENT
        body = array.astype(array.dtype.newbyteorder("<")).tobytes()
        parts += [bytes(padding), body]
        size += padding + len(body)
    return gzip.compress(b"".join(parts), 9, mtime=0)  # no clock: same frontier, same file
