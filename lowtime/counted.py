"""Numbers of things, in words that agree with them."""

from __future__ import annotations


def counted(count: int, noun: str, plural: str = "", spec: str = "") -> str:
    """A number with its noun, in singular for one.

    Args:
        count: how many.
        noun: of one, such as ``point``.
        plural: of any other number; "" takes the noun with an s.
        spec: format of the number, such as ``,``.

    >>> counted(1, "point"), counted(0, "point"), counted(2000, "quantum", "quanta", ",")
    ('1 point', '0 points', '2,000 quanta')
    """
    return f"{count:{spec}} {noun if count == 1 else plural or noun + 's'}"


def quanta(count: int) -> str:
    """A number of quanta: ``1 quantum``, ``2 quanta``."""
    return counted(count, "quantum", "quanta")
