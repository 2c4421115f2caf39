"""Which backend is used: precedence, threads, coroutines, processes, errors."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

import networkx as nx
import numpy as np
import pytest
from lowtime_networkx import NetworkXBackend

import lowtime
from lowtime.backends import first_party, registry
from lowtime.backends.protocol import BackendInfo
from lowtime.backends.selection import resolve
from lowtime.errors import BackendNotFound, BackendUnusable, CapacityRange, LowtimeError
from lowtime.flow.network import INT64_MAX, FlowNetwork
from lowtime.flow.result import MaxFlow
from lowtime.operation import DummyOperation

from .conftest import Plugin

SMALL = lowtime.FlowNetwork(3, [0, 1], [1, 2], [5, 3], source=0, sink=2)


def object_named(name: str, limit: int = 2**63 - 1) -> NetworkXBackend:
    class Named(NetworkXBackend):
        info = BackendInfo(name, "0.1", max_capacity=limit, max_total=limit)

    return Named()


def test_each_way_of_choosing_beats_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    assert resolve().reason.startswith("auto")
    monkeypatch.setenv("LOWTIME_BACKEND", "networkx")
    assert (resolve().name, resolve().reason) == ("networkx", "LOWTIME_BACKEND")
    lowtime.set_backend("scipy")
    assert (resolve().name, resolve().reason) == ("scipy", "set_backend")
    with lowtime.use_backend("igraph"):
        assert (resolve().name, resolve().reason) == ("igraph", "use_backend")
        assert resolve("networkx").name == "networkx"
        assert "call" in resolve("networkx").reason
        with lowtime.use_backend("networkx"):
            assert lowtime.get_backend() == "networkx"
        assert lowtime.get_backend() == "igraph"
        with lowtime.use_backend(None):  # undoes the outer block, not the process's choice
            assert lowtime.get_backend() == "scipy"
    lowtime.set_backend(None)
    assert lowtime.get_backend() == "networkx"
    monkeypatch.setenv("LOWTIME_BACKEND", " ")
    assert resolve().reason.startswith("auto")


@pytest.mark.parametrize("how", ["call", "context", "process"])
def test_objects_are_taken_as_they_are(how: str) -> None:
    mine = object_named("mine")
    if how == "call":
        assert resolve(mine).backend is mine
    elif how == "context":
        with lowtime.use_backend(mine):
            assert resolve().backend is mine
            assert lowtime.get_backend() == "mine"
    else:
        lowtime.set_backend(mine)
        assert resolve().backend is mine


def test_auto_by_name_beats_what_was_chosen_before(monkeypatch: pytest.MonkeyPatch) -> None:
    lowtime.set_backend("networkx")
    assert resolve("auto").reason.startswith("auto")
    with lowtime.use_backend("auto"):
        assert resolve().reason.startswith("auto")
        assert "use_backend" in resolve().reason


def test_auto_takes_the_first_of_the_ranking() -> None:
    installed = {row.name for row in lowtime.backends()}
    first = next(name for name in first_party.AUTO_RANKING if name in installed)
    assert lowtime.get_backend() == first


@pytest.mark.parametrize("bad", ["nosuch", "scipy2"])
def test_choosing_an_unknown_backend_changes_nothing(bad: str) -> None:
    lowtime.set_backend("networkx")
    with pytest.raises(BackendNotFound):
        lowtime.set_backend(bad)
    with pytest.raises(BackendNotFound):
        lowtime.use_backend(bad)
    assert lowtime.get_backend() == "networkx"


def test_the_error_says_what_there_is_and_what_was_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BackendNotFound, match=r"'scpy'.*did you mean 'scipy'\?.*networkx, .*scipy"):
        lowtime.max_flow(SMALL, backend="scpy")
    monkeypatch.setenv("LOWTIME_BACKEND", "scpy")
    with pytest.raises(BackendNotFound, match="LOWTIME_BACKEND"):
        lowtime.max_flow(SMALL)
    assert issubclass(BackendNotFound, LookupError)


@pytest.mark.parametrize("name", ["rust", "rsut"])
def test_the_error_says_how_to_install(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from lowtime.backends import registry

    lean = registry.Discovery(
        {name: offers for name, offers in registry.discover().offers.items() if "rust" not in name},
        {},
    )
    monkeypatch.setattr(registry, "_read_entry_points", lambda: lean)
    monkeypatch.setattr(registry, "_discovered", None)
    with pytest.raises(BackendNotFound, match="pip install lowtime-rust"):
        lowtime.set_backend(name)


@pytest.mark.parametrize(
    "thing", [3, object(), BackendInfo("x", "1", 1, 1), NetworkXBackend, b"scipy"]
)
def test_what_is_no_backend_is_refused(thing: object) -> None:
    with pytest.raises(BackendUnusable):
        lowtime.set_backend(thing)


def test_blocked_names_are_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOWTIME_BACKEND_BLOCK", "rust, igraph,,")
    chosen = resolve()
    assert chosen.name == "scipy"
    assert chosen.skipped["igraph"] == "hidden by LOWTIME_BACKEND_BLOCK"
    with pytest.raises(BackendUnusable, match="LOWTIME_BACKEND_BLOCK"):
        lowtime.set_backend("igraph")
    with pytest.raises(BackendNotFound) as caught:
        lowtime.set_backend("nosuch2")
    assert "igraph" not in str(caught.value)
    states = {row.name: row.state for row in lowtime.backends(probe=True)}
    assert states["igraph"] == "blocked"
    assert states["scipy"] == "usable"


BROKEN = "raise ImportError('this plugin is broken')"
BLOCKED_IN_VAIN = (
    "LOWTIME_BACKEND_BLOCK names 'RSUT' (did you mean 'rust'?), 'brken' (did you mean 'broken'?),"
    " 'qqq'; no backend is called so, they hide nothing; known: broken, "
)


@pytest.mark.parametrize(
    "ask",
    [resolve, lowtime.backends, lambda: lowtime.explain(lowtime.FlowNetwork(2, [], [], [], 0, 1))],
    ids=["solve", "backends", "explain"],
)
def test_a_blocked_name_that_nobody_has_was_ignored_silently(
    ask: Callable[[], object], plugin: Plugin, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = plugin("broken", "some-plugin", BROKEN)
    monkeypatch.setenv("LOWTIME_BACKEND_BLOCK", "RSUT,igraph,broken,brken,qqq")
    with pytest.warns(RuntimeWarning, match=re.escape(BLOCKED_IN_VAIN)) as caught:
        ask()
    assert len(caught) == 1
    assert module not in sys.modules


def test_one_block_list_serves_machines_with_fewer_backends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(registry, "_read_entry_points", lambda: registry.Discovery({}, {}))
    monkeypatch.setenv("LOWTIME_BACKEND_BLOCK", "rust,igraph")  # neither is installed here
    assert lowtime.backends() == ()  # a warning would be an error


def test_with_everything_blocked_there_is_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOWTIME_BACKEND_BLOCK", ",".join(first_party.AUTO_RANKING))
    with pytest.raises(BackendUnusable, match=r"no backend can be used; .*LOWTIME_BACKEND_BLOCK"):
        resolve()


def test_auto_moves_on_from_what_cannot_load(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOWTIME_BACKEND_BLOCK", "rust,igraph")
    monkeypatch.setitem(sys.modules, "lowtime_scipy", None)  # its import fails
    with pytest.warns(RuntimeWarning, match="auto uses 'networkx'; scipy: ") as caught:
        chosen = resolve()
    assert len(caught) == 1
    assert chosen.name == "networkx"
    assert "scipy" in chosen.skipped
    with pytest.raises(BackendUnusable):  # a named backend never falls back
        resolve("scipy")


def test_auto_moves_on_from_what_declares_too_little(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOWTIME_BACKEND_BLOCK", "rust")
    large = lowtime.FlowNetwork(2, [0], [1], [2**62], source=0, sink=1)
    with pytest.warns(RuntimeWarning, match="auto uses 'networkx'") as caught:
        assert lowtime.max_flow(large).value == 2**62
    assert len(caught) == 1
    for name in ("igraph", "scipy"):
        with pytest.raises(CapacityRange, match=str(2**62)):
            lowtime.max_flow(large, backend=name)


def test_nothing_takes_the_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOWTIME_BACKEND_BLOCK", "rust,networkx")
    with pytest.raises(CapacityRange, match=r"igraph: .*scipy: "):
        resolve(max_total=2**62)


def test_other_threads_see_the_process_and_not_the_context() -> None:
    seen: dict[str, str] = {}

    def look(key: str) -> None:
        seen[key] = lowtime.get_backend()

    def in_thread(key: str, run: Callable[..., object] = lambda f, *a: f(*a)) -> None:
        thread = threading.Thread(target=run, args=(look, key))
        thread.start()
        thread.join()

    lowtime.set_backend("networkx")
    with lowtime.use_backend("scipy"):
        in_thread("plain")
        in_thread("with the context handed over", copy_context().run)
    assert seen == {"plain": "networkx", "with the context handed over": "scipy"}


def test_coroutines_do_not_see_each_others_choice() -> None:
    async def choose(name: str, mine: asyncio.Event, other: asyncio.Event) -> str:
        with lowtime.use_backend(name):
            mine.set()
            await other.wait()
            return lowtime.get_backend()

    async def both() -> list[str]:
        first, second = asyncio.Event(), asyncio.Event()
        return await asyncio.gather(
            choose("scipy", first, second), choose("networkx", second, first)
        )

    # In a thread of its own: tests of the page may have left an event loop running in this one.
    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(asyncio.run, both()).result() == ["scipy", "networkx"]


def test_the_choice_ends_with_the_block_also_on_an_error() -> None:
    lowtime.set_backend("networkx")
    with pytest.raises(ZeroDivisionError), lowtime.use_backend("scipy"):
        raise ZeroDivisionError
    assert lowtime.get_backend() == "networkx"


def test_spawned_workers_inherit_the_environment_only(monkeypatch: pytest.MonkeyPatch) -> None:
    def in_worker() -> str:
        code = "import lowtime; print(lowtime.get_backend())"
        worker = [sys.executable, "-c", code]
        return subprocess.run(worker, check=True, capture_output=True, text=True).stdout.strip()

    of_auto = lowtime.get_backend()
    lowtime.set_backend("networkx")
    assert in_worker() == of_auto
    monkeypatch.setenv("LOWTIME_BACKEND", "scipy")
    assert in_worker() == "scipy"
    assert lowtime.get_backend() == "networkx"


def test_the_environment_is_read_when_resolving(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOWTIME_BACKEND", "nosuch")
    code = "import lowtime, lowtime.backends.selection"
    subprocess.run([sys.executable, "-c", code], check=True)
    monkeypatch.setenv("LOWTIME_BACKEND", "scipy")
    assert lowtime.get_backend() == "scipy"


def test_every_error_is_lowtimes() -> None:
    assert issubclass(BackendNotFound, LowtimeError)
    assert issubclass(BackendUnusable, LowtimeError)
    assert issubclass(BackendUnusable, ImportError)


def test_more_nodes_than_a_backend_takes_are_refused_before_it_is_called() -> None:
    """``--dry-run`` once promised runs that rust-ek-dense then refused."""

    class Small:
        info = BackendInfo("small", "1", INT64_MAX, INT64_MAX, max_nodes=4)

        def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
            assert network.num_nodes <= 4
            return MaxFlow(0, np.zeros(network.num_arcs, dtype=np.int64))

    fits, exceeds = (FlowNetwork(n, [0], [1], [0], source=0, sink=n - 1) for n in (4, 5))
    assert lowtime.max_flow(fits, backend=Small()).value == 0
    for refusing in (lowtime.max_flow, lowtime.explain):
        with pytest.raises(lowtime.CapacityRange, match="5 nodes; it takes at most 4"):
            refusing(exceeds, backend=Small())
    dag = nx.path_graph(3, create_using=nx.DiGraph)
    nx.set_node_attributes(dag, {node: DummyOperation() for node in dag}, "op")
    for refusing in (lowtime.solve, lowtime.explain):
        with pytest.raises(lowtime.CapacityRange, match="it takes at most 4"):
            refusing(dag, backend=Small())


@pytest.mark.parametrize("limit", [0, -1, True, 2.0, None])
def test_a_largest_number_of_nodes_is_a_whole_one(limit: object) -> None:
    class Odd:
        info = BackendInfo("odd", "1", 1, 1, max_nodes=limit)  # type: ignore[arg-type]

        def max_flow(self, network: FlowNetwork, /) -> MaxFlow:
            raise AssertionError

    with pytest.raises(lowtime.BackendUnusable, match="max_nodes"):
        lowtime.set_backend(Odd())
