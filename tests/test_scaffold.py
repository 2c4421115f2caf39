"""A stranger's road: write, build, install and prove a plugin, beside others that are broken.

The wheels are built once and installed into one fresh environment, all of them together: lowtime,
the two plugins that ``lowtime new-backend`` writes, the OR-tools example, and five wheels that must
harm nobody who does not name them.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lowtime.backends.first_party import RESERVED
from lowtime.scaffold.new_backend import new_backend

ROOT = Path(__file__).parents[1]

INFO = """
from lowtime.backends.protocol import BackendInfo
from lowtime.conformance.honest import HonestBackend

class Backend(HonestBackend):
    info = BackendInfo({name!r}, "1.0.0", 2**63 - 1, 2**63 - 1{more})
"""
BAD_WHEELS = {
    # distribution -> (name of the backend, its module)
    "stranger-broken": ("broken", "raise RuntimeError('this plugin cannot be imported')\n"),
    "stranger-old": ("old", INFO.format(name="old", more=", protocol=99")),
    "stranger-twin-a": ("twin", INFO.format(name="twin", more="")),
    "stranger-twin-b": ("twin", INFO.format(name="twin", more="")),
    "stranger-scipy": ("scipy", INFO.format(name="scipy", more="")),
}


def wheel_of(distribution: str, name: str, source: str, folder: Path) -> Path:
    """A wheel with one module and one entry point, written by hand."""
    module = distribution.replace("-", "_")
    info = f"{module}-1.0.0.dist-info"
    path = folder / f"{module}-1.0.0-py3-none-any.whl"
    files = {
        f"{module}.py": source,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0.0\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\n"
        "Tag: py3-none-any\n",
        f"{info}/entry_points.txt": f"[lowtime.backends]\n{name} = {module}:Backend\n",
    }
    record = "".join(f"{file},,\n" for file in (*files, f"{info}/RECORD"))
    with zipfile.ZipFile(path, "w") as wheel:
        for file, text in {**files, f"{info}/RECORD": record}.items():
            wheel.writestr(file, text)
    return path


@dataclass(frozen=True)
class Stranger:
    """A fresh environment with every wheel in it.

    Attributes:
        folder: where it lies; plugins' sources are in ``swift-cut`` and ``quick-cut``.
        rust: whether the plugin in Rust is there, too.
    """

    folder: Path
    rust: bool

    def run(self, *command: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        """Run a program of the environment."""
        program = self.folder / "venv/bin" / command[0]
        return subprocess.run(
            [str(program), *command[1:]],
            cwd=cwd or self.folder,
            env={**os.environ, "PYTHONPATH": "", "LOWTIME_BACKEND": ""},
            capture_output=True,
            text=True,
        )

    def python(self, program: str) -> str:
        """What a Python program prints; it must succeed without a warning."""
        finished = self.run("python", "-W", "error", "-c", program)
        assert finished.returncode == 0, finished.stderr
        return finished.stdout.strip()


def pip(*arguments: str, rust: bool = False) -> None:
    """Run the pip of the environment that the tests run in."""
    # One target folder for all test runs: only the first compiles the plugin's dependencies.
    target = str(ROOT / "backends/rust/target/new-backend")
    env = {**os.environ, "CARGO_TARGET_DIR": target, "MATURIN_PEP517_ARGS": "--profile dev"}
    command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments]
    finished = subprocess.run(
        command, env=env if rust else None, capture_output=True, text=True, check=False
    )
    assert finished.returncode == 0, finished.stderr


@pytest.fixture(scope="session")
def stranger(tmp_path_factory: pytest.TempPathFactory, required: frozenset[str]) -> Stranger:
    folder = tmp_path_factory.mktemp("stranger")
    wheels = folder / "wheels"
    wheels.mkdir()
    rust = "rust" in required
    new_backend(folder / "swift-cut", "python")
    example = ROOT / "examples/third_party_ortools"
    pure = [str(ROOT), str(folder / "swift-cut"), str(example)]
    pip("wheel", "--no-deps", "--no-build-isolation", "-w", str(wheels), *pure)
    if rust:
        new_backend(folder / "quick-cut", "rust")
        pip("wheel", "--no-deps", "-w", str(wheels), str(folder / "quick-cut"), rust=True)
    for distribution, (name, source) in BAD_WHEELS.items():
        wheel_of(distribution, name, source, wheels)
    venv = folder / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(venv)], check=True)
    everything = [str(wheel) for wheel in wheels.iterdir()]
    pip("--python", str(venv / "bin/python"), "install", "--no-compile", "pytest>=8", *everything)
    return Stranger(folder, rust)


def report_of(stranger: Stranger, name: str) -> dict[str, object]:
    """The report that ``lowtime conformance`` writes; it must say that the backend conforms."""
    file = stranger.folder / f"{name}.json"
    finished = stranger.run("lowtime", "conformance", name, "--json", str(file))
    assert finished.returncode == 0, finished.stdout + finished.stderr
    report: dict[str, object] = json.loads(file.read_text())
    assert report["conforms"] is True
    assert report["backend"] == name
    return report


def test_a_new_python_backend_conforms_as_it_is(stranger: Stranger) -> None:
    assert report_of(stranger, "swift-cut")["backend_version"] == "0.1.0"
    finished = stranger.run("python", "-m", "pytest", "-q", cwd=stranger.folder / "swift-cut")
    assert finished.returncode == 0, finished.stdout
    assert "88 passed, 23 skipped" in finished.stdout


def test_a_new_rust_backend_conforms_as_it_is(stranger: Stranger) -> None:
    if not stranger.rust:
        pytest.skip("no backend in Rust is required here")
    assert report_of(stranger, "quick-cut")["backend_version"] == "0.1.0"


def test_the_ortools_example_conforms(stranger: Stranger) -> None:
    report = report_of(stranger, "ortools")
    levels = report["levels"]
    assert isinstance(levels, list)
    status = {level["level"]: level["status"] for level in levels}
    assert status == {
        "core": "passed",
        "limits": "passed",
        "frontier": "not offered",
        "robustness": "passed",
    }


def test_the_guides_commands_run(stranger: Stranger, tmp_path: Path) -> None:
    guide = (ROOT / "docs/how-to/add-a-backend.md").read_text("utf-8")
    lines = [
        line
        for block in re.findall(r"(?ms)^```sh\n(.*?)^```$", guide)
        for line in block.splitlines()
    ]
    # The others make environments and fetch packages, as the fixture does in its own way.
    commands = [shlex.split(line) for line in lines if line.startswith("lowtime ")]
    done = ["lowtime", "conformance", "swift-cut"]  # by the test above
    assert commands.count(done) == 1
    for command in commands:
        if command != done:
            finished = stranger.run(*command, cwd=tmp_path)
            assert finished.returncode == 0, (command, finished.stdout, finished.stderr)
    assert {path.name for path in tmp_path.iterdir()} == {"swift-cut", "conformance.json"}


def test_a_stranger_is_picked_by_name_alone(stranger: Stranger) -> None:
    program = """
import lowtime
lowtime.set_backend("swift-cut")
network = lowtime.FlowNetwork(3, [0, 1, 0], [1, 2, 2], [5, 3, 4], source=0, sink=2)
print(lowtime.max_flow(network).value, lowtime.get_backend())
"""
    printed = stranger.python(program)
    assert printed.startswith("7 ")
    assert "swift-cut" in printed


def test_broken_strangers_leave_import_and_default_solve_alone(stranger: Stranger) -> None:
    program = """
import sys, lowtime
assert not [name for name in sys.modules if name.startswith("stranger")]
network = lowtime.FlowNetwork(3, [0, 1, 0], [1, 2, 2], [5, 3, 4], source=0, sink=2)
print(lowtime.max_flow(network).value, lowtime.min_cut(network, backend="networkx").value)
assert not [name for name in sys.modules if name.startswith("stranger")]
"""
    assert stranger.python(program) == "7 7"


def test_broken_strangers_are_listed_with_the_reason(stranger: Stranger) -> None:
    finished = stranger.run("lowtime", "backends", "--probe")
    assert finished.returncode == 0, finished.stderr
    lines = finished.stdout.splitlines()

    def states(name: str) -> str:
        return "\n".join(line for line in lines if line.split()[0] == name)

    assert "broken" in states("broken")
    assert "this plugin cannot be imported" in states("broken")
    assert "wrong protocol" in states("old")
    assert "stranger-twin-a" in states("twin")
    assert "stranger-twin-b" in states("twin")
    for name in ("networkx", "swift-cut", "ortools"):
        assert " usable " in states(name), finished.stdout
    assert "reserved for lowtime" in states("scipy")


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("broken", ("cannot be imported",)),
        ("old", ("protocol 99",)),
        ("twin", ("stranger-twin-a", "stranger-twin-b")),
        ("scipy", ("stranger-scipy", "lowtime")),
    ],
)
def test_who_names_a_broken_stranger_is_told(
    stranger: Stranger, name: str, parts: tuple[str, ...]
) -> None:
    finished = stranger.run("lowtime", "conformance", name)
    assert finished.returncode == 2
    assert all(part in finished.stderr for part in parts), finished.stderr


def test_command_writes_the_files_it_lists(tmp_path: Path) -> None:
    from lowtime.cli.program import _program

    for language in ("python", "rust"):
        folder = tmp_path / f"my-{language}"
        result = CliRunner().invoke(_program, ["new-backend", str(folder), "--language", language])
        assert result.exit_code == 0, result.output
        listed = {Path(line) for line in result.output.split()}
        assert listed == {path for path in folder.rglob("*") if path.is_file()}
        names = {path.name for path in listed}
        assert {"pyproject.toml", "README.md", "ci.yml", "adapter.py"} <= names
        assert "test_conformance.py" in names
        assert not [path for path in listed if "@" in str(path) or path.suffix == ".tmpl"]
        for path in listed:
            text = path.read_text("utf-8")
            assert "@name@" not in text
            assert "@module@" not in text
            assert "@class@" not in text


def test_name_comes_from_the_folder_without_the_prefix(tmp_path: Path) -> None:
    new_backend(tmp_path / "lowtime-swift-cut", "python")
    text = (tmp_path / "lowtime-swift-cut/pyproject.toml").read_text()
    assert 'name = "lowtime-swift-cut"' in text
    assert 'swift-cut = "lowtime_swift_cut:SwiftCutBackend"' in text


@pytest.mark.parametrize("name", ["Swift", "9lives", "a--b", "a_b", "", "auto", *RESERVED])
def test_names_that_no_plugin_may_have_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="name"):
        new_backend(tmp_path / "plugin", "python", name)
    assert not list(tmp_path.iterdir())


def test_nothing_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken/file").write_text("mine")
    with pytest.raises(FileExistsError):
        new_backend(tmp_path / "taken", "python")
    with pytest.raises(ValueError, match="cobol"):
        new_backend(tmp_path / "other", "cobol")
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]
    (tmp_path / "empty").mkdir()
    assert "pyproject.toml" in new_backend(tmp_path / "empty", "python")


def test_a_template_that_cannot_be_written_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*arguments: object, **options: object) -> int:
        raise OSError(28, "No space left on device")

    write: Callable[..., int] = full
    monkeypatch.setattr(Path, "write_text", write)
    with pytest.raises(OSError, match="space"):
        new_backend(tmp_path / "plugin", "python")
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_made_is_told_by_its_name(tmp_path: Path) -> None:
    folder = tmp_path / ("a" * 250)  # there is no room for the name of a neighbour
    with pytest.raises(OSError, match="long") as error:
        new_backend(folder, "python")
    assert error.value.filename == str(folder)
