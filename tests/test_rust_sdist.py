"""The source distribution of lowtime-rust builds by itself."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
RUST = ROOT / "backends/rust"

# Not the wheel that is shipped: without optimization it compiles in a fraction of the time.
QUICK = {
    "CARGO_PROFILE_RELEASE_LTO": "off",
    "CARGO_PROFILE_RELEASE_OPT_LEVEL": "0",
    "CARGO_PROFILE_RELEASE_CODEGEN_UNITS": "16",
}


def run(*command: object, **environment: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *map(str, command)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_the_source_distribution_carries_both_crates_and_builds(
    required: frozenset[str], tmp_path: Path
) -> None:
    if "rust" not in required:
        pytest.skip("rust is not required here")
    run("maturin", "sdist", "--manifest-path", RUST / "crates/python/Cargo.toml", "-o", tmp_path)
    (sdist,) = tmp_path.glob("lowtime_rust-*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames()}
    for crate in ("engine", "python"):
        sources = (RUST / "crates" / crate / "src").rglob("*.rs")
        assert {path.relative_to(RUST).as_posix() for path in sources} <= names
    # Our own target folder, so that the next run compiles no dependency again.
    target = str(RUST / "target/from-sdist")
    wheels = ("--no-build-isolation", "--no-deps", "--wheel-dir", tmp_path, sdist)
    run("pip", "wheel", "--quiet", *wheels, CARGO_TARGET_DIR=target, **QUICK)
    (wheel,) = tmp_path.glob("lowtime_rust-*.whl")
    assert "-cp311-abi3-" in wheel.name
    with zipfile.ZipFile(wheel) as archive:
        files = set(archive.namelist())
    assert {"lowtime_rust/py.typed", "lowtime_rust/_native.pyi"} <= files
    assert any(name.startswith("lowtime_rust/_native") and ".so" in name for name in files)
