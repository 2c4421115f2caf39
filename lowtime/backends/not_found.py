"""The error for a backend that is not installed."""

from __future__ import annotations

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
    from difflib import get_close_matches

    installed = installed_names()
    close = get_close_matches(name, [*installed, *RESERVED], n=1)
    said = f"no backend {name!r}" + (f", which {origin} names" if origin else "")
    if close and close[0] != name:
        said += f" (did you mean {close[0]!r}?)"
    wanted = name if name in RESERVED else close[0] if close else ""
    hint = "" if wanted in installed else install_hint(wanted)
    listing = ", ".join(installed) or "none"
    hint = hint or f"other backends are plugins: distributions with an entry point in {GROUP!r}"
    return BackendNotFound(f"{said}; installed: {listing}; {hint}")
