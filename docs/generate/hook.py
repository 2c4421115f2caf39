"""What the site needs and nobody types: figures, the live report, the help texts."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def on_pre_build(config: Any) -> None:
    """Write the generated files before mkdocs looks for pages."""
    sys.path.insert(0, str(HERE))
    try:
        import command_line
        import figures

        figures.write(HERE.parent / "figures")
        command_line.write(HERE.parent / "reference" / "command-line.md")
    finally:
        sys.path.remove(str(HERE))
