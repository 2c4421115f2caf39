"""Finding and loading plugins, however they misbehave."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from lowtime_networkx import NetworkXBackend

import lowtime
from lowtime.backends import registry
from lowtime.backends.protocol import BackendInfo
from lowtime.backends.registry import discover
from lowtime.backends.selection import resolve
from lowtime.errors import BackendNotFound, BackendUnusable

Plugin = Callable[..., str]
SMALL = lowtime.FlowNetwork(3, [0, 1], [1, 2], [5, 3], source=0, sink=2)


def row(name: str, distribution: str = "stranger", probe: bool = True):
    rows = [
        r for r in lowtime.backends(probe=probe) if (r.name, r.distribution) == (name, distribution)
    ]
    assert len(rows) == 1
    return rows[0]


def require_others_intact() -> None:
    """Nobody who did not name the plugin is hurt."""
    assert lowtime.max_flow(SMALL).value == 3
    assert lowtime.max_flow(SMALL, backend="scipy").value == 3
    states = {r.name: r.state for r in lowtime.backends(probe=True) if r.distribution == "lowtime"}
    assert states == {"networkx": "usable", "scipy": "usable"}


def test_a_strangers_plugin_is_found_and_used(plugin: Plugin) -> None:
    module = plugin("theirs", "stranger")
    assert row("theirs", probe=False).state == "not loaded"
    assert module not in sys.modules
    lowtime.set_backend("theirs")
    assert module in sys.modules
    assert lowtime.max_flow(SMALL).value == 3
    chosen = resolve()
    assert (chosen.name, chosen.version) == ("theirs", "1.5")
    assert row("theirs", probe=False).state == "usable"
    assert row("theirs").max_total == 2**63 - 1


@pytest.mark.parametrize(
    "value", ["{module}:Backend", "{module}:make", "{module}:ready", "{module}:Holder.inner"]
)
def test_class_function_or_object(plugin: Plugin, value: str) -> None:
    plugin(
        "theirs",
        "stranger",
        """
        from lowtime_networkx import NetworkXBackend
        from lowtime.backends.protocol import BackendInfo
        class Backend(NetworkXBackend):
            info = BackendInfo(NAME, "1.5", max_capacity=9, max_total=9)
        def make(): return Backend()
        ready = Backend()
        class Holder: inner = ready
        """,
        value,
    )
    assert lowtime.max_flow(SMALL, backend="theirs").value == 3


def test_an_entry_point_is_called_once(plugin: Plugin) -> None:
    plugin("theirs", "stranger")
    assert resolve("theirs").backend is resolve("theirs").backend


BROKEN = {
    "syntax error": ("def (", "broken"),
    "exception at import": ("1 / 0", "broken"),
    "exit at import": ("raise SystemExit(3)", "broken"),
    "base exception at import": (
        "class Panic(BaseException): pass\nraise Panic('native')",
        "broken",
    ),
    "missing dependency": ("import a_library_that_nobody_has", "missing dependency"),
    "dependency too old": ("raise ImportError('needs solver >= 9')", "missing dependency"),
    "no such attribute": ("", "broken"),
    "constructor raises": (
        "class Backend:\n def __init__(self): raise OSError('licence')",
        "broken",
    ),
    "not a backend": ("Backend = 3", "wrong protocol"),
    "no info": ("class Backend:\n def max_flow(self, network): pass", "wrong protocol"),
    "info of another type": (
        "class Backend:\n info = {}\n def max_flow(self, network): pass",
        "wrong protocol",
    ),
    "info raises": (
        "class Backend:\n info = property(lambda s: 1 / 0)\n def max_flow(self, network): pass",
        "broken",
    ),
    "later protocol": (
        """
        from lowtime.backends.protocol import BackendInfo
        class Backend:
            info = BackendInfo(NAME, "1", 9, 9, protocol=2)
            def max_flow(self, network): pass
        """,
        "wrong protocol",
    ),
    "later protocol with another info": (
        """
        class Info: protocol = 2
        class Backend:
            info = Info()
            def max_flow(self, network): pass
        """,
        "wrong protocol",
    ),
    "no max_flow": (
        """
        from lowtime.backends.protocol import BackendInfo
        class Backend: info = BackendInfo(NAME, "1", 9, 9)
        """,
        "wrong protocol",
    ),
    "another name": (
        """
        from lowtime.backends.protocol import BackendInfo
        class Backend:
            info = BackendInfo("ours", "1", 9, 9)
            def max_flow(self, network): pass
        """,
        "broken",
    ),
    "limit is no number": (
        """
        from lowtime.backends.protocol import BackendInfo
        class Backend:
            info = BackendInfo(NAME, "1", float("inf"), 9)
            def max_flow(self, network): pass
        """,
        "broken",
    ),
}


@pytest.mark.parametrize("mishap", BROKEN)
@pytest.mark.filterwarnings("ignore::SyntaxWarning")
def test_a_broken_plugin_hurts_nobody_else(plugin: Plugin, mishap: str) -> None:
    code, state = BROKEN[mishap]
    plugin("theirs", "stranger", code)
    require_others_intact()
    assert row("theirs").state == state
    assert row("theirs").reason
    for name_it in (
        lambda: lowtime.set_backend("theirs"),
        lambda: lowtime.use_backend("theirs"),
        lambda: lowtime.max_flow(SMALL, backend="theirs"),
    ):
        with pytest.raises(BackendUnusable, match=f"'theirs' of stranger .*{state}"):
            name_it()
    require_others_intact()


def test_a_module_that_is_not_there_is_broken(plugin: Plugin) -> None:
    plugin("theirs", "stranger", value="no_such_module_here:Backend")
    assert row("theirs").state == "broken"


def test_ctrl_c_while_loading_gets_through(plugin: Plugin) -> None:
    plugin("theirs", "stranger", "raise KeyboardInterrupt")
    with pytest.raises(KeyboardInterrupt):
        lowtime.backends(probe=True)


def test_a_failure_is_tried_again(plugin: Plugin, monkeypatch: pytest.MonkeyPatch) -> None:
    """After somebody installs what was missing."""
    plugin("theirs", "stranger", "import a_library_that_nobody_has\n" + _HONEST)
    assert row("theirs").state == "missing dependency"
    monkeypatch.setitem(sys.modules, "a_library_that_nobody_has", sys)
    assert row("theirs").state == "usable"


_HONEST = """
from lowtime_networkx import NetworkXBackend
from lowtime.backends.protocol import BackendInfo
class Backend(NetworkXBackend):
    info = BackendInfo(NAME, "1.5", max_capacity=9, max_total=9)
"""


def test_two_distributions_with_one_name(plugin: Plugin) -> None:
    plugin("theirs", "stranger")
    plugin("theirs", "other-stranger")
    require_others_intact()
    assert "other-stranger" in row("theirs").reason
    with pytest.raises(BackendUnusable, match="stranger") as caught:
        lowtime.set_backend("theirs")
    assert "other-stranger and stranger" in str(caught.value)


def test_one_distribution_seen_twice_is_no_collision(plugin: Plugin) -> None:
    plugin("theirs", "Stran.Ger")
    plugin("theirs", "stran-ger")
    assert len(discover().offers["theirs"]) == 1
    assert lowtime.max_flow(SMALL, backend="theirs").value == 3


@pytest.mark.parametrize("name", ["scipy", "networkx", "rust", "igraph", "rust-ek-dense"])
def test_a_reserved_name_is_not_a_strangers(plugin: Plugin, name: str) -> None:
    module = plugin(name, "stranger")
    assert lowtime.max_flow(SMALL).value == 3
    assert "reserved" in row(name).reason
    assert row(name).state == "broken"
    with pytest.raises(BackendUnusable, match="stranger"):
        lowtime.set_backend(name)
    assert module not in sys.modules


def test_a_reserved_name_is_refused_also_without_its_owner(
    plugin: Plugin, monkeypatch: pytest.MonkeyPatch
) -> None:
    plugin("igraph", "stranger")
    found = discover()
    strangers = tuple(offer for offer in found.offers["igraph"] if offer.trespasses)
    alone = registry.Discovery({**found.offers, "igraph": strangers}, {})
    monkeypatch.setattr(registry, "_read_entry_points", lambda: alone)
    monkeypatch.setattr(registry, "_discovered", None)
    with pytest.raises(BackendUnusable, match="reserved for lowtime-igraph"):
        lowtime.set_backend("igraph")
    assert lowtime.max_flow(SMALL).value == 3


@pytest.mark.parametrize("name", ["Theirs", "1st", "the_irs", "auto"])
def test_a_name_of_another_form_is_broken(plugin: Plugin, name: str) -> None:
    plugin(name, "stranger")
    assert row(name).state == "broken"
    if name != "auto":
        with pytest.raises(BackendUnusable, match="form"):
            lowtime.set_backend(name)
    require_others_intact()


@pytest.mark.parametrize(
    "damage", ["[lowtime.backends]\nno equals sign\n", "\x00", "[lowtime.backends]\nx = !!\n"]
)
def test_unreadable_entry_points_hurt_nobody(plugin: Plugin, damage: str, tmp_path: Path) -> None:
    plugin("theirs", "stranger")
    (file,) = tmp_path.glob("*/*.dist-info/entry_points.txt")
    file.write_text(damage)
    require_others_intact()
    if "=" not in damage and "lowtime" in damage:
        assert row("?").state == "broken"


def test_a_distribution_installed_meanwhile_is_seen(plugin: Plugin) -> None:
    assert "theirs" not in discover().offers
    plugin("theirs", "stranger")
    assert "theirs" in discover().offers


def test_discovery_is_remembered() -> None:
    assert discover() is discover()


def test_register_for_this_process() -> None:
    class Mine(NetworkXBackend):
        info = BackendInfo("mine", "0.1", max_capacity=9, max_total=9)

    mine = Mine()
    with pytest.raises(BackendNotFound):
        lowtime.set_backend("mine")
    lowtime.register_backend(mine)
    assert resolve("mine").backend is mine
    assert row("mine", "").state == "usable"
    with pytest.raises(BackendUnusable, match="replace=True"):
        lowtime.register_backend(Mine())
    other = Mine()
    lowtime.register_backend(other, replace=True)
    assert resolve("mine").backend is other


def test_registering_over_an_installed_backend_must_be_meant() -> None:
    with pytest.raises(BackendUnusable, match="belongs to lowtime"):
        lowtime.register_backend(NetworkXBackend())
    mine = NetworkXBackend()
    lowtime.register_backend(mine, replace=True)
    assert resolve("networkx").backend is mine


@pytest.mark.parametrize("name", ["auto", "Mine", "", 3])
def test_registering_needs_a_proper_name(name: str) -> None:
    class Mine(NetworkXBackend):
        info = BackendInfo(name, "0.1", max_capacity=9, max_total=9)

    with pytest.raises(BackendUnusable, match=r"info\.name"):
        lowtime.register_backend(Mine())


def test_registering_needs_a_backend() -> None:
    with pytest.raises(BackendUnusable, match="BackendInfo"):
        lowtime.register_backend(3)


def test_light_import() -> None:
    """Neither importing lowtime nor asking for its backends' package loads anything heavy."""
    code = (
        "import sys, lowtime; lowtime.backends; lowtime.set_backend; lowtime.FlowNetwork;"
        "heavy = {'networkx', 'scipy', 'igraph', 'matplotlib', 'importlib.metadata'};"
        "sys.exit(str(heavy & set(sys.modules)) if heavy & set(sys.modules) else 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_listing_loads_nothing() -> None:
    code = (
        "import sys, lowtime; rows = lowtime.backends();"
        "assert {r.state for r in rows} == {'not loaded'}, rows;"
        "heavy = {'networkx', 'scipy', 'igraph', 'lowtime_scipy'} & set(sys.modules);"
        "sys.exit(str(heavy) if heavy else 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
