"""The environments of contestants that cannot live in ours, made when they are first needed."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

FOLDER = Path(__file__).parents[1] / ".venv-bench"
PEERS = ("ortools>=9.10", "PyMaxflow>=1.3", "highspy>=1.7", "pytest-benchmark>=4")
PUBLISHED = ("0.2.0", "0.3.0")


def peers_python() -> Path:
    """Python that sees all that this one does, and the other solvers besides."""
    python = FOLDER / "main/bin/python"
    if not python.exists():
        _make(FOLDER / "main", PEERS)
        inner = subprocess.run(
            [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()
        # A .pth file adds folders but not their own .pth files (editable installs); this does.
        line = f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n"
        (Path(inner) / "lowtime-environment.pth").write_text(line)
    return python


def published_python(version: str) -> Path:
    """Python with a published lowtime and nothing of ours."""
    python = FOLDER / f"lowtime-{version}/bin/python"
    if not python.exists():
        _make(FOLDER / f"lowtime-{version}", (f"lowtime=={version}",))
    return python


def _make(folder: Path, requirements: tuple[str, ...]) -> None:
    print(f"making {folder} for {', '.join(requirements)}", file=sys.stderr)
    venv.create(folder, with_pip=True, clear=True)
    command = [folder / "bin/python", "-m", "pip", "install", "--quiet", *requirements]
    subprocess.run([*command, "--disable-pip-version-check"], check=True)


if __name__ == "__main__":
    peers_python()
    for published in PUBLISHED:
        published_python(published)
