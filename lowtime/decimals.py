"""Numbers as the decimals that the user wrote."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from numbers import Rational
from typing import Any

from lowtime.errors import InvalidProfile


def written(value: Any, what: str = "value") -> Fraction:
    """The exact value of a number as it is written in decimals.

    A float is read through its shortest decimal form, because that is what stood in the file or
    the program: 0.3 is 3/10 and not the binary number next to it. The same holds for NumPy's
    floating types, each in its own precision.

    Args:
        value: int, float, Decimal, Fraction or a NumPy scalar.
        what: name of the quantity for the error message.

    Raises:
        InvalidProfile: when the value is not a finite number.

    >>> written(0.1) * 3 == written(0.3)
    True
    """
    try:
        if isinstance(value, Rational):
            return Fraction(int(value.numerator), int(value.denominator))
        if isinstance(value, Decimal):
            return Fraction(value)
        if not isinstance(value, str):
            float(value)  # refuses whatever is not a number before its text is read
            return Fraction(str(value))
    except (TypeError, ValueError, OverflowError):
        pass
    raise InvalidProfile(f"{what} is {value!r}; expected a finite number")


def quanta(real_time: Any, unit_time: Any, whose: str = "option") -> int:
    """Number of whole quanta in a time, the exact floor of the decimals written.

    Args:
        real_time: seconds, finite and >= 0.
        unit_time: seconds, finite and > 0.
        whose: what the time belongs to, for the error message.

    Raises:
        InvalidProfile: when the time or the unit is not in its range.

    >>> quanta(0.3, 0.1), 0.3 // 0.1
    (3, 2.0)
    """
    time = written(real_time, f"real_time of {whose}")
    if time < 0:
        raise InvalidProfile(f"real_time of {whose} is {real_time!r}; expected 0 s or more")
    return time // _unit(unit_time, whose)


def _unit(unit_time: Any, whose: str) -> Fraction:
    if type(unit_time) is float:
        return _float_unit(unit_time, whose)
    return _checked_unit(unit_time, whose)


def _checked_unit(unit_time: Any, whose: str) -> Fraction:
    unit = written(unit_time, f"unit_time of {whose}")
    if unit <= 0:
        raise InvalidProfile(f"unit_time of {whose} is {unit_time!r}; expected more than 0 s")
    return unit


# One project has one unit time, and its decimal form is read for each of thousands of options.
_float_unit = lru_cache(maxsize=16)(_checked_unit)
