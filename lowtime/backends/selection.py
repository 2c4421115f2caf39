"""Which backend a solve uses."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lowtime.backends.declared_range import range_excess
from lowtime.backends.first_party import AUTO, AUTO_RANKING, RESERVED
from lowtime.backends.not_found import (
    backend_not_found,
    installed_names,
    warn_of_unknown_blocks,
)
from lowtime.backends.probe import Probed, probe
from lowtime.backends.registry import Offer, discover, hidden_names, registered
from lowtime.backends.soundness import unsound
from lowtime.errors import BackendUnusable, CapacityRange

if TYPE_CHECKING:
    from lowtime.backends.protocol import MaxFlowBackend

    Setting = str | MaxFlowBackend

ENVIRONMENT = "LOWTIME_BACKEND"

_of_context: ContextVar[Setting | None] = ContextVar("lowtime_backend", default=None)
_of_process: Setting | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Resolved:
    """The backend that a solve uses, and why.

    Attributes:
        backend: the backend.
        name: its name.
        version: version of its distribution, as it declares it.
        reason: where the choice was made, for people to read.
        skipped: backends that ``auto`` passed over, with the reason.
    """

    backend: MaxFlowBackend
    name: str
    version: str
    reason: str
    skipped: Mapping[str, str] = field(default_factory=dict)


def resolve(
    backend: Setting | None = None,
    *,
    max_capacity: int = 0,
    max_total: int = 0,
    num_nodes: int = 0,
) -> Resolved:
    """The backend to use: the call's, else `use_backend`'s, `set_backend`'s, the environment's.

    Args:
        backend: what the call names, ``"auto"`` included; None where it names nothing.
        max_capacity: largest capacity of an arc to be solved, parallel ones merged.
        max_total: largest sum of capacities that will leave the source.
        num_nodes: nodes of the network to be solved.

    Raises:
        BackendNotFound: no installed backend has the name.
        BackendUnusable: the backend cannot be loaded, is hidden, or is no backend.
        CapacityRange: the numbers are outside the range that the backend declares.

    Warns:
        RuntimeWarning: ``auto`` passed over a backend that cannot load or is out of range, or
            ``LOWTIME_BACKEND_BLOCK`` has names that hide nothing.
    """
    chosen, moved_on = decide(
        backend, max_capacity=max_capacity, max_total=max_total, num_nodes=num_nodes
    )
    if moved_on:
        warnings.warn(f"auto uses {chosen.name!r}; {moved_on}", RuntimeWarning, stacklevel=2)
    return chosen


def decide(
    backend: Setting | None = None,
    *,
    max_capacity: int = 0,
    max_total: int = 0,
    num_nodes: int = 0,
) -> tuple[Resolved, str]:
    """What `resolve` answers, and what it warns of: why ``auto`` moved on; "" if it did not.

    Warns:
        RuntimeWarning: ``LOWTIME_BACKEND_BLOCK`` has names that hide nothing.
    """
    warn_of_unknown_blocks()
    setting, origin = _setting(backend)
    if setting == AUTO:
        return _auto(origin, max_capacity, max_total, num_nodes)
    if isinstance(setting, str):
        chosen = _named(setting, origin)
    else:
        chosen = setting
        fault = unsound(chosen)
        if fault is not None:
            raise BackendUnusable(
                f"{type(chosen).__name__} object is not a backend: {fault.reason};"
                " expected a name or a backend object"
            )
    excess = range_excess(chosen.info, max_capacity, max_total, num_nodes)
    if excess is not None:
        raise CapacityRange(
            f"backend {chosen.info.name!r} cannot solve this: {excess}; choose another backend,"
            " or scale the problem down"
        )
    reason = origin or "named in the call"
    return Resolved(chosen, chosen.info.name, chosen.info.version, reason), ""


def set_backend(backend: Setting | None) -> None:
    """Choose the backend of this process, for all its threads.

    A worker process that is spawned later does not inherit the choice; it does inherit the
    environment variable ``LOWTIME_BACKEND``.

    Args:
        backend: a name, ``"auto"``, or a backend object; None undoes the choice.

    Raises:
        BackendNotFound: no installed backend has the name.
        BackendUnusable: the backend cannot be loaded, is hidden, or is no backend.

    Example:
        >>> set_backend("scipy")
        >>> get_backend()
        'scipy'
        >>> set_backend(None)
    """
    global _of_process
    if backend is not None:
        resolve(backend)
    _of_process = backend


def use_backend(backend: Setting | None) -> AbstractContextManager[None]:
    """Choose the backend within a ``with`` block.

    Other threads and coroutines do not see it.

    Args:
        backend: a name, ``"auto"``, or a backend object; None undoes the choice of an outer block.

    Raises:
        BackendNotFound: no installed backend has the name.
        BackendUnusable: the backend cannot be loaded, is hidden, or is no backend.

    Example:
        >>> with use_backend("networkx"):
        ...     get_backend()
        'networkx'
    """
    if backend is not None:
        resolve(backend)
    return _using(backend)


def get_backend() -> str:
    """Name of the backend that a solve would use here and now."""
    return resolve().name


@contextmanager
def _using(backend: Setting | None) -> Iterator[None]:
    token = _of_context.set(backend)
    try:
        yield
    finally:
        _of_context.reset(token)


def named_by_environment() -> str:
    """What ``LOWTIME_BACKEND`` names now; "" where it is unset or empty."""
    return os.environ.get(ENVIRONMENT, "").strip()


def _setting(of_call: Setting | None) -> tuple[Setting, str]:
    """What was chosen, and where; "" for the call itself."""
    if of_call is not None:
        return of_call, ""
    of_context = _of_context.get()
    if of_context is not None:
        return of_context, "use_backend"
    if _of_process is not None:
        return _of_process, "set_backend"
    of_environment = named_by_environment()
    if of_environment:
        return of_environment, ENVIRONMENT
    return AUTO, AUTO


def _named(name: str, origin: str) -> MaxFlowBackend:
    """The backend of a name; it never falls back to another one."""
    where = f", which {origin} names," if origin else ""
    if name in hidden_names():
        raise BackendUnusable(
            f"backend {name!r}{where} is hidden by LOWTIME_BACKEND_BLOCK; installed:"
            f" {', '.join(installed_names()) or 'none'}"
        )
    if name in registered():
        return registered()[name]
    offers = discover().offers.get(name, ())
    if not offers:
        raise backend_not_found(name, origin)
    if len(offers) > 1:
        owners = " and ".join(offer.distribution for offer in offers)
        raise BackendUnusable(
            f"the distributions {owners} both offer a backend {name!r}; uninstall one of them"
        )
    probed = probe(offers[0])
    if probed.backend is None:
        raise BackendUnusable(
            f"backend {name!r}{where} of {offers[0].distribution} {offers[0].version} is unusable"
            f" ({probed.state}): {probed.reason}; other backends:"
            f" {', '.join(other for other in installed_names() if other != name) or 'none'}"
        ) from probed.error
    return probed.backend


def _auto(origin: str, max_capacity: int, max_total: int, num_nodes: int) -> tuple[Resolved, str]:
    """The first backend of the ranking that is installed, loads, and takes the numbers."""
    skipped: dict[str, str] = {}
    failed: list[str] = []
    out_of_range = False
    chosen: MaxFlowBackend | None = None
    for name in AUTO_RANKING:
        if name in hidden_names():
            skipped[name] = "hidden by LOWTIME_BACKEND_BLOCK"
            continue
        probed = first_party(name)
        if probed is None:
            continue
        if probed.backend is None:
            skipped[name] = f"{probed.state}: {probed.reason}"
            failed.append(name)
            continue
        excess = range_excess(probed.backend.info, max_capacity, max_total, num_nodes)
        if excess is None:
            chosen = probed.backend
            break
        skipped[name] = excess
        failed.append(name)
        out_of_range = True
    why = "; ".join(f"{name}: {skipped[name]}" for name in failed)
    if chosen is None:
        error = CapacityRange if out_of_range else BackendUnusable
        none = f"none of {', '.join(AUTO_RANKING)} is both installed and not hidden by"
        raise error(f"no backend can be used; {why or f'{none} LOWTIME_BACKEND_BLOCK'}")
    reason = f"auto: first usable of {', '.join(AUTO_RANKING)}"
    if origin not in ("", AUTO):
        reason += f" (asked for by {origin})"
    return Resolved(chosen, chosen.info.name, chosen.info.version, reason, skipped), why


def first_party(name: str) -> Probed | None:
    """The loaded backend of lowtime's own that has the name, or None if it is not installed.

    What another distribution offers under the name is passed over: it was not asked for.
    """
    if name in registered():
        return Probed("usable", backend=registered()[name])
    offer = own_offer(name)
    return None if offer is None else probe(offer)


def own_offer(name: str) -> Offer | None:
    """The offer of lowtime's own distribution of a reserved name, if that is installed."""
    assert name in RESERVED
    offers = (offer for offer in discover().offers.get(name, ()) if not offer.trespasses)
    return next(offers, None)
