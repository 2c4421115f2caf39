"""The list of backends and the state each is in."""

from __future__ import annotations

from dataclasses import dataclass

from lowtime.backends.first_party import AUTO_RANKING, RESERVED
from lowtime.backends.not_found import warn_of_unknown_blocks
from lowtime.backends.probe import Probed, loaded, probe
from lowtime.backends.registry import Offer, discover, hidden_names, registered
from lowtime.backends.soundness import State


@dataclass(frozen=True, slots=True)
class ListedBackend:
    """One row of the list.

    Attributes:
        name: name of the backend.
        distribution: distribution that offers it; "" where the program registered it.
        version: version of the distribution.
        state: ``"not loaded"``, ``"usable"``, ``"missing dependency"``, ``"broken"``,
            ``"blocked"`` or ``"wrong protocol"``.
        reason: why it is not usable, or what to know about it; often "".
        max_capacity: largest capacity of one arc; None until it is loaded.
        max_total: largest total leaving the source; None until it is loaded.
        max_nodes: the most nodes that it takes; None until it is loaded.
    """

    name: str
    distribution: str
    version: str
    state: State
    reason: str = ""
    max_capacity: int | None = None
    max_total: int | None = None
    max_nodes: int | None = None


def list_backends(probe: bool = False) -> tuple[ListedBackend, ...]:
    """Every backend that is installed or registered; `lowtime.backends` is this function.

    Args:
        probe: load each of them to find out whether it works; else nothing is loaded.

    Returns:
        First-party backends in the order in which ``auto`` tries them, then the others by name.

    Warns:
        RuntimeWarning: ``LOWTIME_BACKEND_BLOCK`` has names that hide nothing.
    """
    warn_of_unknown_blocks()
    return rows(probe)


def rows(probe: bool) -> tuple[ListedBackend, ...]:
    """What `list_backends` returns, without its warning."""
    discovery = discover()
    listed = [
        _offered(offer, offers, probe)
        for name, offers in discovery.offers.items()
        for offer in offers
        if name not in registered()
    ]
    listed += [_registered_row(name) for name in registered()]
    listed += [
        ListedBackend("?", distribution, "?", "broken", f"its entry points are unreadable: {why}")
        for distribution, why in discovery.unreadable.items()
    ]
    return tuple(sorted(listed, key=_place))


def _place(row: ListedBackend) -> tuple[int, str, str]:
    ranked = [*AUTO_RANKING, *(name for name in RESERVED if name not in AUTO_RANKING)]
    place = ranked.index(row.name) if row.name in ranked else len(ranked)
    return place, row.name, row.distribution


def _offered(offer: Offer, offers: tuple[Offer, ...], load: bool) -> ListedBackend:
    if offer.name in hidden_names():
        outcome = Probed("blocked", "hidden by LOWTIME_BACKEND_BLOCK")
    elif load or offer.trespasses:  # a trespasser is turned away without being loaded
        outcome = probe(offer)
    else:
        outcome = loaded(offer) or Probed("not loaded")
    others = [other.distribution for other in offers if other is not offer]
    reason = outcome.reason
    if others and not reason:
        reason = f"{', '.join(others)} offers this name too; asking for it by name is an error"
    info = None if outcome.backend is None else outcome.backend.info
    return ListedBackend(
        name=offer.name,
        distribution=offer.distribution,
        version=offer.version,
        state=outcome.state,
        reason=reason,
        max_capacity=None if info is None else info.max_capacity,
        max_total=None if info is None else info.max_total,
        max_nodes=None if info is None else info.max_nodes,
    )


def _registered_row(name: str) -> ListedBackend:
    info = registered()[name].info
    blocked = name in hidden_names()
    return ListedBackend(
        name=name,
        distribution="",
        version=info.version,
        state="blocked" if blocked else "usable",
        reason="hidden by LOWTIME_BACKEND_BLOCK" if blocked else "registered by this program",
        max_capacity=info.max_capacity,
        max_total=info.max_total,
        max_nodes=info.max_nodes,
    )
