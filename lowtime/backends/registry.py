"""The backends that installed distributions offer, or that the program registered."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lowtime.backends.first_party import AUTO, RESERVED
from lowtime.errors import BackendUnusable

if TYPE_CHECKING:
    from importlib.metadata import Distribution, EntryPoint

    from lowtime.backends.protocol import MaxFlowBackend

GROUP = "lowtime.backends"


@dataclass(frozen=True, slots=True)
class Offer:
    """A distribution's claim to provide a backend; nothing of it is loaded.

    Attributes:
        name: the entry point's name.
        distribution: name of the distribution.
        version: version of the distribution.
        entry_point: what to load.
    """

    name: str
    distribution: str
    version: str
    entry_point: EntryPoint

    @property
    def trespasses(self) -> bool:
        """Whether the name is reserved for another distribution."""
        owner = RESERVED.get(self.name)
        return owner is not None and owner != _normalized(self.distribution)


@dataclass(frozen=True, slots=True)
class Discovery:
    """What is installed.

    Attributes:
        offers: all offers of every name; two of one name come from two distributions.
        unreadable: distribution -> reason, where its entry points cannot be read.
    """

    offers: Mapping[str, tuple[Offer, ...]]
    unreadable: Mapping[str, str]


_registered: dict[str, MaxFlowBackend] = {}
_discovered: tuple[object, Discovery] | None = None


def discover() -> Discovery:
    """The backends on ``sys.path``; read again only when one of its folders has changed."""
    global _discovered
    stamp = tuple((folder, _changed(folder)) for folder in sys.path)
    if _discovered is None or _discovered[0] != stamp:
        _discovered = (stamp, _read_entry_points())
    return _discovered[1]


def registered() -> Mapping[str, MaxFlowBackend]:
    """The backends that the program registered, by name."""
    return _registered


def hidden_names() -> frozenset[str]:
    """The names in ``LOWTIME_BACKEND_BLOCK``, read now."""
    names = os.environ.get("LOWTIME_BACKEND_BLOCK", "").split(",")
    return frozenset(name.strip() for name in names) - {""}


def register_backend(backend: MaxFlowBackend, replace: bool = False) -> None:
    """Make a backend object known by its ``info.name``, in this process.

    For tests and notebooks; a distribution uses the entry-point group ``lowtime.backends``.

    Args:
        backend: an object with ``info`` and ``max_flow``.
        replace: take the place of a backend, installed or registered, that has the name already.

    Raises:
        BackendUnusable: not a backend of this protocol, or the name is taken.

    Example:
        >>> register_backend(MyBackend())  # doctest: +SKIP
    """
    from lowtime.backends.soundness import unsound

    fault = unsound(backend)
    if fault is not None:
        raise BackendUnusable(f"cannot register {type(backend).__name__}: {fault.reason}")
    name = backend.info.name
    if not replace:
        owners = [offer.distribution for offer in discover().offers.get(name, ())]
        if name in RESERVED:
            owners.append(RESERVED[name])
        taken = "another registered backend" if name in _registered else ", ".join(owners[:1])
        if taken:
            raise BackendUnusable(
                f"the name {name!r} belongs to {taken}; choose another info.name, or pass"
                " replace=True"
            )
    _registered[name] = backend


def is_valid_name(name: str) -> bool:
    """Whether a backend may be called so: ``[a-z][a-z0-9-]*``, and not ``auto``."""
    return re.fullmatch("[a-z][a-z0-9-]*", name) is not None and name != AUTO


def _changed(folder: str) -> int:
    try:
        return os.stat(folder or ".").st_mtime_ns
    except OSError:
        return -1


def _read_entry_points() -> Discovery:
    from importlib.metadata import distributions

    offers: dict[str, tuple[Offer, ...]] = {}
    unreadable: dict[str, str] = {}
    seen: set[str] = set()
    for distribution in distributions():
        label = "unnamed"
        # One damaged distribution must not hide the others: anything may be wrong in its files.
        try:
            label = distribution.name
            # A distribution seen twice counts once; Python would import from the first one.
            if _normalized(label) in seen:
                continue
            seen.add(_normalized(label))
            for offer in _offers(distribution):
                offers[offer.name] = (*offers.get(offer.name, ()), offer)
        except Exception as error:
            if "lowtime" in (_raw_entry_points(distribution) or ""):
                unreadable[str(label)] = f"{type(error).__name__}: {error}"
    return Discovery(offers, unreadable)


def _offers(distribution: Distribution) -> list[Offer]:
    # Most distributions have no entry points for us; parsing them all would take most of the time.
    if GROUP not in (_raw_entry_points(distribution) or ""):
        return []
    mine = {point for point in distribution.entry_points if point.group == GROUP}
    return [
        Offer(point.name, distribution.name, distribution.version, point)
        for point in sorted(mine, key=lambda point: (point.name, point.value))
    ]


def _raw_entry_points(distribution: Distribution) -> str | None:
    try:
        return distribution.read_text("entry_points.txt")
    except Exception:
        return None


def _normalized(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
