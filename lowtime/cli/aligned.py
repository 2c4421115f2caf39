"""Text tables: aligned columns, the same on a terminal and in a pipe."""

from __future__ import annotations

from collections.abc import Sequence


def aligned(titles: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """A table with its titles; columns of numbers are set right, others left.

    Args:
        titles: one per column.
        lines: cells of every line, as many as titles.
    """
    columns = list(zip(titles, *lines, strict=True))
    numeric = [all(_is_number(cell) for cell in cells) for _, *cells in columns]
    widths = [max(map(len, column)) for column in columns]
    text = ""
    for line in (titles, *lines):
        cells = [
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(line, widths, numeric, strict=True)
        ]
        text += "  ".join(cells).rstrip() + "\n"
    return text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
