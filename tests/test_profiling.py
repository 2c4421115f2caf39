"""The instrument: what it records, what it writes, and that nobody pays for it while it is off."""

from __future__ import annotations

import json
import sys
import threading
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

import networkx as nx
import pytest

import lowtime
from lowtime.cli import main
from lowtime.cli.program import SUBCOMMANDS
from lowtime.operation import CandidateExecutionOptions, ExecutionOption, Operation, OperationSpec
from lowtime.profiling import PhaseTimes, phase, phased, recorder
from lowtime.profiling.profile_file import UnknownProfileFormat


def chain(operations: int = 6) -> nx.DiGraph[Any]:
    """Operations in series with two kinks each."""
    options = [
        ExecutionOption(real_time=t, unit_time=1.0, cost=c, knob=k)
        for t, c, k in [(2.0, 20.0, 3), (5.0, 9.0, 2), (9.0, 4.0, 1)]
    ]
    spec = OperationSpec(CandidateExecutionOptions(options), None)
    dag: nx.DiGraph[Any] = nx.DiGraph()
    for node in range(operations):
        dag.add_node(node, op=Operation(spec))
    nx.add_path(dag, range(operations))
    return dag


def test_phases_of_a_solve() -> None:
    with lowtime.profile() as p:
        frontier = lowtime.solve(chain(), backend="networkx")
    times = {of.phase: of for of in p.phases()}
    assert {"compile", "bounds", "max flow", "certificate", "cut", "step", "advance"} <= set(times)
    assert times["step"].calls == frontier.provenance.counters["steps"]
    assert times["max flow"].calls == frontier.provenance.counters["augmentations"]
    assert p.counters == dict(frontier.provenance.counters)
    assert p.solves[0]["backend"] == "networkx"
    # Own times are parts of the wall-clock time of one thread, none counted twice.
    assert 0 < sum(of.own for of in p.phases()) <= p.seconds


def test_own_time_excludes_phases_within(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 1000, 10))
    monkeypatch.setattr(recorder, "perf_counter_ns", lambda: next(clock))
    with lowtime.profile() as p, phase("outer"), phase("inner"):
        pass
    by_name = {event.phase: event for event in p.events}
    assert by_name["inner"].duration == 10
    assert by_name["outer"].duration == 30
    assert by_name["outer"].own == 20
    assert p.seconds == pytest.approx(50e-9)


def test_first_call_stands_apart() -> None:
    times = PhaseTimes.of("x", [1000, *range(1, 101)], [1000, *range(1, 101)])
    assert times.first == pytest.approx(1000e-9)
    assert times.calls == 101
    assert times.least == pytest.approx(1e-9)
    assert times.most == pytest.approx(100e-9)
    assert (times.median, times.p90, times.p99) == pytest.approx((50e-9, 90e-9, 99e-9))
    assert PhaseTimes.of("x", [5], [5]).median == 0


def test_phase_ends_where_an_error_passes() -> None:
    @phased("step")
    def fail() -> None:
        raise ZeroDivisionError

    with lowtime.profile() as p:
        with pytest.raises(ZeroDivisionError):
            fail()
        with phase("cut"):
            pass
    assert [event.phase for event in p.events] == ["step", "cut"]
    assert p.events[1].duration == p.events[1].own


def test_inner_profile_takes_over_and_gives_back() -> None:
    with lowtime.profile() as outer:
        with lowtime.profile() as inner, phase("cut"):
            pass
        with phase("step"):
            pass
    with phase("write"):
        pass
    assert [event.phase for event in inner.events] == ["cut"]
    assert [event.phase for event in outer.events] == ["step"]


def test_other_threads_are_not_recorded() -> None:
    def work() -> None:
        with phase("cut"):
            pass

    with lowtime.profile() as p:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert p.events == []


def test_off_reads_no_clock_and_costs_few_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted, not timed: what the instrument runs while nobody listens."""
    monkeypatch.setattr(recorder, "perf_counter_ns", lambda: pytest.fail("a clock was read"))
    lowtime.solve(chain(), backend="networkx", check="off")  # imports are done
    calls: Counter[bool] = Counter()
    instrument = recorder.__file__

    def count(frame: FrameType, event: str, argument: object) -> None:
        if event in ("call", "c_call"):
            calls[event == "call" and frame.f_code.co_filename == instrument] += 1

    previous = sys.getprofile()
    sys.setprofile(count)
    try:
        lowtime.solve(chain(), backend="networkx", check="off")
    finally:
        sys.setprofile(previous)
    assert 0 < calls[True] < 0.03 * calls[False]


def test_table_names_every_phase_and_counter() -> None:
    with lowtime.profile() as p:
        lowtime.solve(chain(), backend="networkx")
    text = p.table()
    for of in p.phases():
        assert f"\n{of.phase} " in text
    assert f"steps {p.counters['steps']}" in text


def test_statistics_are_json() -> None:
    with lowtime.profile() as p:
        lowtime.solve(chain(), backend="networkx")
    stored = json.loads(json.dumps(p.to_dict(), allow_nan=False))
    assert stored["phases"]["step"]["calls"] == p.counters["steps"]
    assert stored["lowtime_version"] == lowtime.__version__


def test_chrome_trace_nests() -> None:
    with lowtime.profile() as p:
        lowtime.solve(chain(), backend="networkx")
    events = p.chrome_trace()["traceEvents"]
    assert len(events) == len(p.events)
    assert {event["ph"] for event in events} == {"X"}
    assert [event["ts"] for event in events] == sorted(event["ts"] for event in events)
    turns = [event for event in events if event["name"] == "advance"]
    for step in (event for event in events if event["name"] == "step"):
        assert any(
            turn["ts"] <= step["ts"] and step["ts"] + step["dur"] <= turn["ts"] + turn["dur"] + 1e-3
            for turn in turns
        )


@pytest.mark.parametrize("name", ["p.txt", "p.json", "p.trace.json"])
def test_command_writes_a_profile(name: str, tmp_path: Path, run_command: Any) -> None:
    file = tmp_path / name
    assert run_command("backends", "--profile", str(file)) == 0
    text = file.read_text()
    if name == "p.txt":
        assert "wall" in text
    else:
        assert ("traceEvents" in json.loads(text)) == (name == "p.trace.json")


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_every_command_has_the_option(
    name: str, run_command: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(name, "--help") == 0
    assert "--profile" in capsys.readouterr().out


def test_command_that_fails_leaves_its_profile(tmp_path: Path, run_command: Any) -> None:
    network = tmp_path / "bad.max"
    network.write_text("p max nonsense\n")
    file = tmp_path / "p.json"
    assert run_command("max-flow", str(network), "--profile", str(file)) == 2
    assert json.loads(file.read_text())["phases"].keys() <= {"read"}


def test_profile_is_refused_before_the_work(
    tmp_path: Path, run_command: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command("backends", "--profile", str(tmp_path / "p.pdf")) == 2
    capsys.readouterr()
    assert run_command("backends", "--profile", str(tmp_path / "none" / "p.txt")) == 2
    assert capsys.readouterr().err.startswith(f"lowtime: {tmp_path / 'none' / 'p.txt'}: ")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(UnknownProfileFormat):
        lowtime.Profile().save(tmp_path / "p.pdf")


@pytest.fixture
def run_command(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The command line in this process: arguments in, exit code out."""

    def run(*arguments: str) -> int:
        monkeypatch.setattr(sys, "argv", ["lowtime", *arguments])
        return main()

    return run
