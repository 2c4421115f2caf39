"""Numbers agree with their nouns."""

from __future__ import annotations

from pathlib import Path

import pytest
from oracle.dags import dag_of

import lowtime
from lowtime.counted import counted, quanta
from lowtime.errors import InvalidNetwork, InvalidProfile
from lowtime.flow.dimacs import read_dimacs
from lowtime.perseus.schedules import schedule_named


def test_one_is_singular_and_nothing_else() -> None:
    assert [counted(n, "point") for n in (0, 1, 2, 1000)] == [
        "0 points",
        "1 point",
        "2 points",
        "1000 points",
    ]
    assert (quanta(1), quanta(2)) == ("1 quantum", "2 quanta")
    assert counted(65845, "plan", spec=",") == "65,845 plans"


def test_one_was_plural_in_messages(tmp_path: Path) -> None:
    frontier = lowtime.solve(dag_of({"a": [(1, 2)]}), backend="scipy")
    assert repr(frontier).startswith("<Frontier: 1 point, ")
    with pytest.raises(ValueError, match="sample 1 plan;"):
        frontier.sample(1)
    network = lowtime.FlowNetwork(2, [0], [1], [5], source=0, sink=1)
    assert str(lowtime.explain(network)).startswith("a network of 2 nodes and 1 arc: ")
    with pytest.raises(InvalidNetwork, match="1 label for 2 nodes"):
        lowtime.FlowNetwork(2, [0], [1], [5], source=0, sink=1, labels=("s",))
    (tmp_path / "net.max").write_text("p max 2 2\nn 1 s\nn 2 t\na 1 2 5\n")
    with pytest.raises(InvalidNetwork, match="1 arc; the 'p' line announces 2"):
        read_dimacs(tmp_path / "net.max")
    with pytest.raises(InvalidProfile, match="1 stage cannot be shared out"):
        schedule_named("interleaved-1f1b").order(1, 1)
