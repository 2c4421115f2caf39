"""``make versus``: one frontier through the NumPy loop and through lowtime 0.3.0, in one run.

GPT-3 175B on A100, 8 stages, 12 micro-batches: the same program, the same fit, the same answer,
runs interleaved, each in its own process. 0.3.0 lives in a virtual environment of its own.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
DATA = ROOT / "tests/data/sosp24"
NAME = "gpt3-175b+a100_sxm_bf16"
PUBLISHED = "lowtime==0.3.0"
SAME_COST = 2e-9  # relative; 0.3.0 rounds marginal costs to 1e-6


def published_python(folder: Path) -> Path:
    """Python of the environment that holds the published library, made if need be."""
    python = folder / "bin/python"
    if not python.exists():
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", PUBLISHED], check=True)
    return python


def run(python: Path | str, *backend: str) -> tuple[float, list[float]]:
    """Seconds and costs of one run of the program."""
    files = (DATA / f"stage_profile/{NAME}.csv", DATA / f"published_fit/{NAME}.json")
    program = (python, ROOT / "bench/one_frontier.py", *files, "1e-3", "83.64", "12", *backend)
    done = subprocess.run(program, check=True, capture_output=True, text=True)
    result = json.loads(done.stdout)
    return result["seconds"], result["costs"]


def main() -> int:
    """Print medians and ratios; the exit code is 1 below the ratio asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--environment", type=Path, default=ROOT / ".make/lowtime-0.3.0")
    parser.add_argument("--backends", default="scipy,igraph")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--at-least", type=float, default=5.0, help="ratio of the best backend")
    arguments = parser.parse_args()
    python = published_python(arguments.environment)
    backends = arguments.backends.split(",")
    seconds: dict[str, list[float]] = {PUBLISHED: [], **{name: [] for name in backends}}
    for _ in range(arguments.runs):
        took, theirs = run(python)
        seconds[PUBLISHED].append(took)
        for name in backends:
            took, ours = run(sys.executable, name)
            seconds[name].append(took)
            check_same(theirs, ours, name)
    medians = {name: statistics.median(values) for name, values in seconds.items()}
    print(f"{'':<16}{'median':>9}{'spread':>17}{'ratio':>8}")
    for name, values in seconds.items():
        spread = f"{min(values):.2f}..{max(values):.2f}"
        ratio = medians[PUBLISHED] / medians[name]
        print(f"{name:<16}{medians[name]:>8.2f}s{spread:>17}{ratio:>7.1f}x")
    best = max(medians[PUBLISHED] / medians[name] for name in backends)
    return int(best < arguments.at_least)


def check_same(theirs: list[float], ours: list[float], name: str) -> None:
    """Exit unless both frontiers have the same points and costs."""
    apart = max((abs(a - b) / abs(b) for a, b in zip(theirs, ours, strict=True)), default=0.0)
    if apart > SAME_COST:
        sys.exit(f"{name}: costs differ by {apart:.1e} from the published library's")


if __name__ == "__main__":
    sys.exit(main())
