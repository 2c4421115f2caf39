"""What comes out when an offered backend is loaded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lowtime.backends.first_party import RESERVED
from lowtime.backends.registry import Offer, is_valid_name
from lowtime.backends.soundness import State, unsound

if TYPE_CHECKING:
    from lowtime.backends.protocol import MaxFlowBackend


@dataclass(frozen=True, slots=True, eq=False)
class Probed:
    """The outcome of loading a backend.

    Attributes:
        state: ``"usable"``, or what is in the way.
        reason: what was found and what was expected; "" where it is usable.
        backend: the backend, where it is usable.
        error: the exception that loading it raised, if any.
    """

    state: State
    reason: str = ""
    backend: MaxFlowBackend | None = None
    error: BaseException | None = None


# Backends loaded so far. An entry point is called once: whoever asks again gets the same object.
_loaded: dict[Offer, Probed] = {}


def loaded(offer: Offer) -> Probed | None:
    """The backend if it was loaded before."""
    return _loaded.get(offer)


def probe(offer: Offer) -> Probed:
    """Load a backend; a failure is an outcome, and is tried again the next time.

    Only KeyboardInterrupt gets through: whatever else a plugin's import raises (SystemExit and
    pyo3's PanicException included) is that plugin's trouble.
    """
    known = _loaded.get(offer)
    if known is not None:
        return known
    if not is_valid_name(offer.name):
        return Probed("broken", f"the name {offer.name!r} is not of the form [a-z][a-z0-9-]*")
    if offer.trespasses:
        return Probed("broken", f"the name is reserved for {RESERVED[offer.name]}")
    try:
        value = offer.entry_point.load()
        is_backend = hasattr(value, "max_flow") and not isinstance(value, type)
        backend = value if is_backend or not callable(value) else value()
        fault = unsound(backend, offer.name)
    except KeyboardInterrupt:
        raise
    except ImportError as error:
        own = offer.entry_point.module.partition(".")[0]
        missing = (error.name or "").partition(".")[0]
        state: State = "broken" if missing == own else "missing dependency"
        return Probed(state, str(error), error=error)
    except BaseException as error:
        return Probed("broken", f"{type(error).__name__}: {error}", error=error)
    if fault is not None:
        return Probed(fault.state, fault.reason)
    return _loaded.setdefault(offer, Probed("usable", backend=backend))
