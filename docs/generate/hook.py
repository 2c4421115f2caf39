"""What the site needs and nobody types: figures, the live report, help texts, measured speed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SPEED_REPORT = HERE.parents[1] / "bench" / "reports" / "latest"
SPEED_PAGE = "explanation/speed.md"


def on_config(config: Any) -> None:
    """Offer the page on speed where there is a report of the benchmarks to fill it."""
    if SPEED_REPORT.is_dir():
        (explanation,) = (part["Explanation"] for part in config.nav if "Explanation" in part)
        explanation.append({"How fast it is": SPEED_PAGE})


def on_pre_build(config: Any) -> None:
    """Write the generated files before mkdocs looks for pages."""
    sys.path.insert(0, str(HERE))
    try:
        import command_line
        import figures
        import speed_figures

        figures.write(HERE.parent / "figures")
        command_line.write(HERE.parent / "reference" / "command-line.md")
        if SPEED_REPORT.is_dir():
            speed_figures.write(HERE.parent / "figures")
    finally:
        sys.path.remove(str(HERE))


def on_files(files: Any, config: Any) -> Any:
    """Leave the page on speed out where nothing was measured."""
    if not SPEED_REPORT.is_dir():
        files.remove(files.get_file_from_path(SPEED_PAGE))
    return files
