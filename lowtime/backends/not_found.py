"""What is said of a backend that is not installed: an error, or a warning where it is hidden."""

from __future__ import annotations

import warnings
from collections.abc import Iterable

from lowtime.backends.first_party import RESERVED, install_hint
from lowtime.backends.registry import GROUP, discover, hidden_names, registered
from lowtime.errors import BackendNotFound


def installed_names() -> list[str]:
    """Names that can be asked for, hidden ones left out, in alphabetical order."""
    return sorted({*discover().offers, *registered()} - hidden_names())


def backend_not_found(name: str, origin: str) -> BackendNotFound:
    """What to raise for an unknown name: the closest match, what is installed, how to get it.

    Args:
        name: the name asked for.
        origin: where it was named, such as ``LOWTIME_BACKEND``; "" for the call itself.
    """
    installed = installed_names()
    close = _closest(name, [*installed, *RESERVED])
    said = f"no backend {name!r}" + (f", which {origin} names" if origin else "")
    if close != name:
        said += _did_you_mean(close)
    wanted = name if name in RESERVED else close
    hint = "" if wanted in installed else install_hint(wanted)
    listing = ", ".join(installed) or "none"
    hint = hint or f"other backends are plugins: distributions with an entry point in {GROUP!r}"
    return BackendNotFound(f"{said}; installed: {listing}; {hint}")


def warn_of_unknown_blocks() -> None:
    """Warn of names in ``LOWTIME_BACKEND_BLOCK`` that hide nothing; nothing is loaded.

    lowtime's own names need no installation: one list may serve many machines.

    Warns:
        RuntimeWarning: names that no backend has, installed or registered, with the closest match.
    """
    unknown = sorted(hidden_names() - {*RESERVED, *registered()})
    if unknown:  # what is installed is looked up only now
        unknown = [name for name in unknown if name not in discover().offers]
    if not unknown:
        return
    known = sorted({*RESERVED, *registered(), *discover().offers})
    listing = ", ".join(f"{name!r}{_did_you_mean(_closest(name, known))}" for name in unknown)
    which = "it hides" if len(unknown) == 1 else "they hide"
    commas = (
        "; separate names with commas" if any(len(name.split()) > 1 for name in unknown) else ""
    )
    # Without a stacklevel the place is always this one, so that Python says it once.
    warnings.warn(
        f"LOWTIME_BACKEND_BLOCK names {listing}; no backend is called so, {which} nothing; known:"
        f" {', '.join(known)}{commas}",
        RuntimeWarning,
        stacklevel=1,
    )


def _closest(name: str, known: Iterable[str]) -> str:
    """The known name most like it, itself included; "" if none is near."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(name.lower(), list(known), n=1)), "")


def _did_you_mean(name: str) -> str:
    return f" (did you mean {name!r}?)" if name else ""
