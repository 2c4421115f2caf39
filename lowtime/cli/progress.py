"""A progress bar with rate and time left, on a terminal; nothing in a pipe."""

from __future__ import annotations
