"""Flow networks in DIMACS max-flow files."""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from pathlib import Path

import numpy as np

from lowtime.counted import counted
from lowtime.errors import CapacityRange, InvalidNetwork
from lowtime.flow.network import INT64_MAX, FlowNetwork
from lowtime.profiling import phased
from lowtime.whole_file import whole_file

LONELY_NODES = 10**7  # nodes without an arc; solvers take up to 1.3 GB for so many


@phased("read")
def read_dimacs(path: str | PathLike[str]) -> FlowNetwork:
    """The network of a DIMACS max-flow file, its arcs in the order of the file.

    The file holds ``c`` (comment), one ``p max NODES ARCS``, one ``n NODE s``, one ``n NODE t`` and
    ARCS lines ``a TAIL HEAD CAPACITY``. Nodes are numbered from 1; ``labels`` keeps these numbers.

    Args:
        path: the file.

    Raises:
        InvalidNetwork: a line that is none of these, a node out of range, a capacity that is not
            an integer in 0 .. 2^63 - 1, 10^7 nodes more than the arcs have ends; the message names
            file and line.
        CapacityRange: see `FlowNetwork`.
        OSError: the file cannot be read.

    Source:
        The first DIMACS international algorithm implementation challenge, The core experiments
        (1990), section "Input files".
    """
    reader = _Reader(Path(path))
    with open(path, encoding="utf-8-sig", errors="replace") as lines:
        for number, line in enumerate(lines, start=1):
            reader.read(number, line.split())
    return reader.network()


@phased("write")
def write_dimacs(network: FlowNetwork, path: str | PathLike[str]) -> None:
    """Write a network to a DIMACS max-flow file, which appears when it is complete.

    Node ``i`` becomes number ``i + 1``; other labels are not kept.

    Args:
        network: the network.
        path: the file; one that exists is replaced.

    Raises:
        OSError: the file cannot be written.

    Example:
        >>> import tempfile, os
        >>> network = FlowNetwork(2, [0], [1], [7], source=0, sink=1)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     write_dimacs(network, os.path.join(folder, "one.max"))
        ...     read_dimacs(os.path.join(folder, "one.max")).capacity.tolist()
        [7]
    """
    with whole_file(path) as file:
        file.writelines(line.encode() for line in _lines(network))


def _lines(network: FlowNetwork) -> Iterator[str]:
    yield f"p max {network.num_nodes} {network.num_arcs}\n"
    yield f"n {network.source + 1} s\n"
    yield f"n {network.sink + 1} t\n"
    arcs = zip(
        (network.tail + np.int64(1)).tolist(),
        (network.head + np.int64(1)).tolist(),
        network.capacity.tolist(),
        strict=True,
    )
    for tail, head, capacity in arcs:
        yield f"a {tail} {head} {capacity}\n"


class _Reader:
    """What was read of a file so far."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._line = 0
        self._nodes: int | None = None
        self._arcs = 0
        self._terminals: dict[str, int] = {}
        self._tail: list[int] = []
        self._head: list[int] = []
        self._capacity: list[int] = []

    def read(self, number: int, fields: list[str]) -> None:
        """Take in one line."""
        self._line = number
        match fields:
            case ["a", tail, head, capacity]:
                self._tail.append(self._node(tail))
                self._head.append(self._node(head))
                self._capacity.append(self._integer(capacity, "capacity", 0, INT64_MAX))
            case [] | ["c", *_]:
                pass
            case ["p", "max", nodes, arcs]:
                if self._nodes is not None:
                    raise self._wrong("a second 'p' line; expected one")
                self._nodes = self._integer(nodes, "number of nodes", 2, 2**31 - 1)
                self._arcs = self._integer(arcs, "number of arcs", 0, INT64_MAX)
                # What a header claims is paid for in memory; what stands in the file bounds that.
                if self._nodes > 2 * self._arcs + LONELY_NODES:
                    raise self._wrong(
                        f"{self._nodes} nodes for {counted(self._arcs, 'arc')} with"
                        f" {2 * self._arcs} ends; expected {LONELY_NODES} nodes without an arc at"
                        " most; correct the header, or number only the nodes that have arcs"
                    )
            case ["n", node, "s" | "t" as which]:
                if which in self._terminals:
                    raise self._wrong(f"a second 'n ... {which}' line; expected one")
                self._terminals[which] = self._node(node)
            case [kind, *_] if kind.startswith("c"):
                pass  # "comment" without a space after the c
            case _:
                raise self._wrong(
                    f"{' '.join(fields)[:60]!r}; expected 'c ...', 'p max NODES ARCS', 'n NODE s',"
                    " 'n NODE t' or 'a TAIL HEAD CAPACITY'"
                )

    def network(self) -> FlowNetwork:
        """The network, after the last line."""
        if self._nodes is None:
            raise InvalidNetwork(f"{self._path}: no 'p max NODES ARCS' line")
        for which, name in (("s", "source"), ("t", "sink")):
            if which not in self._terminals:
                raise InvalidNetwork(f"{self._path}: no 'n NODE {which}' line names the {name}")
        if len(self._tail) != self._arcs:
            raise InvalidNetwork(
                f"{self._path}: {counted(len(self._tail), 'arc')}; the 'p' line announces"
                f" {self._arcs}"
            )
        source, sink = self._terminals["s"], self._terminals["t"]
        if source == sink:
            raise InvalidNetwork(f"{self._path}: node {source + 1} is both source and sink")
        try:
            return FlowNetwork(
                self._nodes,
                np.array(self._tail, dtype=np.int64),
                np.array(self._head, dtype=np.int64),
                np.array(self._capacity, dtype=np.int64),
                source,
                sink,
                labels=range(1, self._nodes + 1),
            )
        except CapacityRange as error:
            raise CapacityRange(f"{self._path}: {error.message}") from error

    def _node(self, text: str) -> int:
        if self._nodes is None:
            raise self._wrong("a node before the 'p max NODES ARCS' line")
        return self._integer(text, "node", 1, self._nodes) - 1

    def _integer(self, text: str, what: str, least: int, most: int) -> int:
        # int() alone would also take "1_000" and digits of other scripts, and refuse 5,000 digits.
        digits = text.isascii() and text.isdigit() and len(text) < 30
        if digits and least <= int(text) <= most:
            return int(text)
        raise self._wrong(f"{what} {text[:40]}; expected an integer in {least} .. {most}")

    def _wrong(self, what: str) -> InvalidNetwork:
        return InvalidNetwork(f"{self._path}:{self._line}: {what}")
