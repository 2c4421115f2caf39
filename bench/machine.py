"""The machine, and the versions of everything that runs on it."""

from __future__ import annotations

import os
import platform
import subprocess
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

PACKAGES = (
    "lowtime",
    "lowtime-igraph",
    "lowtime-rust",
    "numpy",
    "scipy",
    "networkx",
    "igraph",
    "ortools",
    "PyMaxflow",
    "highspy",
)


def machine() -> dict[str, Any]:
    """Processor, memory, system, load, Python and package versions, commit, time; JSON-ready."""
    return {
        "processor": _processor(),
        "cpus": os.cpu_count(),
        "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "system": platform.platform(),
        "python": platform.python_version(),
        "load_average": list(os.getloadavg()),
        "commit": _commit(),
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": {name: version for name in PACKAGES if (version := _version(name))},
    }


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(":")[1].strip() for line in lines if "model name" in line), "unknown")


def _commit() -> str:
    command = ["git", "describe", "--always", "--dirty"]
    done = subprocess.run(
        command, cwd=Path(__file__).parent, capture_output=True, text=True, check=False
    )
    return done.stdout.strip() or "unknown"
