"""The look that all figures share: colours told apart by everybody, text that stays text."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

# Okabe and Ito, Color Universal Design (2008): told apart with every common colour vision.
INK = "#1b1f24"
MUTED = "#8a929c"
BLUE = "#0072b2"
ORANGE = "#d55e00"
CATEGORIES = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442")
# Low to high, lightness falling all the way, so that it also works in grey: inner steps of
# YlGnBu (Brewer, ColorBrewer, 2003), rated colour-blind safe.
SEQUENCE = ("#edf8b1", "#c7e9b4", "#7fcdbb", "#41b6c4", "#1d91c0", "#225ea8", "#253494")

RC: dict[Any, Any] = {
    "axes.axisbelow": True,
    "axes.edgecolor": MUTED,
    "axes.labelcolor": INK,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 9.0,
    "axes.titleweight": "bold",
    "figure.figsize": (6.0, 3.4),
    "font.size": 8.5,
    "grid.color": "#e3e6ea",
    "grid.linewidth": 0.6,
    "legend.fontsize": 8.0,
    "legend.frameon": False,
    "pdf.fonttype": 42,  # TrueType: journals refuse matplotlib's default Type 3
    "savefig.bbox": "tight",
    "savefig.dpi": 200,
    "svg.fonttype": "none",
    "svg.hashsalt": "lowtime",  # the same figure is the same file
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.labelsize": 8.0,
    "ytick.labelsize": 8.0,
}


@contextmanager
def figure_style() -> Iterator[None]:
    """Apply the style inside the block; the caller's own settings come back after it."""
    import matplotlib as mpl

    with mpl.rc_context(RC):
        yield
