"""What is shipped: versions, wheel contents, and what must not be in the repository."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import lowtime

ROOT = Path(__file__).parents[1]


def _tracked() -> list[Path]:
    """Files of the repository, or of an unpacked archive of it."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode != 0:
        return [path for path in ROOT.rglob("*") if path.is_file() and ".venv" not in path.parts]
    return [path for name in listed.stdout.split("\0") if name and (path := ROOT / name).exists()]


def _manifest(path: str) -> dict[str, object]:
    manifest: dict[str, object] = tomllib.loads((ROOT / path).read_text(encoding="utf-8"))
    return manifest


def test_the_three_distributions_have_one_version() -> None:
    rust = _manifest("backends/rust/pyproject.toml")["project"]
    workspace = _manifest("backends/rust/Cargo.toml")["workspace"]
    assert isinstance(rust, dict)
    assert isinstance(workspace, dict)
    igraph = (ROOT / "backends/igraph/lowtime_igraph/__init__.py").read_text(encoding="utf-8")
    versions = {
        "lowtime": lowtime.__version__,
        "lowtime-igraph": re.findall(r'^__version__ = "(.+)"$', igraph, re.MULTILINE)[0],
        "lowtime-rust": rust["version"],
        "lowtime-rust's crates": workspace["package"]["version"],
    }
    assert len(set(versions.values())) == 1, versions


@pytest.mark.parametrize("path", ["backends/igraph/pyproject.toml", "backends/rust/pyproject.toml"])
def test_plugins_ask_for_the_lowtime_they_speak_with(path: str) -> None:
    project = _manifest(path)["project"]
    assert isinstance(project, dict)
    assert "lowtime>=1.0,<2" in project["dependencies"]


def test_no_extra_fetches_one_of_our_own_names() -> None:
    project = _manifest("pyproject.toml")["project"]
    assert isinstance(project, dict)
    wanted = [name for extra in project["optional-dependencies"].values() for name in extra]
    assert wanted
    assert not [name for name in wanted if name.startswith("lowtime")]


def test_the_wheel_holds_the_package_its_two_backends_and_the_demo_profile(tmp_path: Path) -> None:
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "--quiet",
            "--no-deps",
            "--wheel-dir",
            tmp_path,
            ROOT,
        ],
        check=True,
    )
    (wheel,) = tmp_path.glob("lowtime-*.whl")
    assert wheel.name == f"lowtime-{lowtime.__version__}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        (points,) = [name for name in names if name.endswith("entry_points.txt")]
        entry_points = archive.read(points).decode()
    packages = ("lowtime", "lowtime_networkx", "lowtime_scipy")
    sources = [
        path.relative_to(parent).as_posix()
        for package in packages
        for parent in (ROOT, ROOT / "backends/networkx", ROOT / "backends/scipy")
        for path in (parent / package).rglob("*.py")
    ]
    assert set(sources) <= names
    assert {"lowtime/py.typed", "lowtime/data/gpt3-175b_a100.csv"} <= names
    assert {name.split("/")[0] for name in names if ".dist-info" not in name} == set(packages)
    assert any(name.endswith("licenses/NOTICE") for name in names)
    for line in ("lowtime = lowtime.cli:main", "networkx = ", "scipy = "):
        assert line in entry_points


def test_no_lock_file_is_kept() -> None:
    locks = {
        "Cargo.lock",
        "uv.lock",
        "poetry.lock",
        "pdm.lock",
        "Pipfile.lock",
        "package-lock.json",
    }
    assert not [path for path in _tracked() if path.name in locks]


def test_no_package_registry_is_named() -> None:
    # Put together here, so that this file does not name them either.
    hosts = [
        b".".join(parts)
        for parts in (
            (b"pypi", b"org"),
            (b"pythonhosted", b"org"),
            (b"crates", b"io"),
            (b"npmjs", b"org"),
            (b"deb", b"debian", b"org"),
        )
    ]
    texts = {path: path.read_bytes() for path in _tracked() if path.suffix != ".gz"}
    named = [
        f"{path.relative_to(ROOT)}"
        for path, text in texts.items()
        if any(host in text for host in hosts)
    ]
    assert not named


@pytest.mark.parametrize(
    "heavy", ["networkx", "scipy", "igraph", "matplotlib", "importlib.metadata", "rich", "typer"]
)
def test_importing_lowtime_is_light(heavy: str) -> None:
    code = f"import sys, lowtime; sys.exit({heavy!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_help_of_the_command_is_light() -> None:
    code = (
        "import sys\nfrom lowtime.cli import main\nsys.argv = ['lowtime', '--help']\nmain()\n"
        "heavy = {'numpy', 'networkx', 'scipy', 'igraph', 'matplotlib', 'rich'}\n"
        "sys.exit(', '.join(heavy & set(sys.modules)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
