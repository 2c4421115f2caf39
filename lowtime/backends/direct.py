"""Maximum flows and minimum cuts of a network, without a project around them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lowtime.backends.call import call_max_flow
from lowtime.backends.selection import Resolved, resolve
from lowtime.errors import InvalidNetwork
from lowtime.flow.certificate import certify
from lowtime.flow.cut import canonical_cut, cut_arcs
from lowtime.flow.from_networkx import unbounded_flow
from lowtime.flow.lower_bounds import BoundedNetwork
from lowtime.flow.network import FlowNetwork
from lowtime.flow.result import Cut, MaxFlow
from lowtime.profiling import phase

if TYPE_CHECKING:
    from lowtime.backends.protocol import MaxFlowBackend

CHECKS = ("always", "final", "off")


def max_flow(
    network: FlowNetwork | BoundedNetwork,
    backend: str | MaxFlowBackend | None = None,
    check: str | None = None,
) -> MaxFlow:
    """A maximum flow of a network.

    Args:
        network: the network, with or without lower bounds.
        backend: name of a max-flow backend, or a backend object; None takes the selected one.
        check: ``"always"`` or ``"final"`` (the default) proves the flow maximal; ``"off"`` trusts
            the backend.

    Raises:
        Infeasible: no flow meets the lower bounds.
        InvalidNetwork: lower bounds can be met, and a path that nothing limits makes the maximum
            infinite.
        CapacityRange: the capacities are too large for the backend.
        BackendNotFound: no backend has the given name.
        BackendUnusable: the backend cannot be loaded.
        BackendFault: the backend raised, or returned something that is not a maximum flow.

    Example:
        >>> network = FlowNetwork(3, [0, 1, 0], [1, 2, 2], [5, 3, 4], source=0, sink=2)
        >>> result = max_flow(network)
        >>> result.value, result.flow.tolist()
        (7, [3, 3, 4])
    """
    if check == "off" and isinstance(network, FlowNetwork):
        return call_max_flow(_resolved_for(network, backend).backend, network)
    return _solved(network, backend, check)[0]


def min_cut(
    network: FlowNetwork | BoundedNetwork,
    backend: str | MaxFlowBackend | None = None,
    check: str | None = None,
) -> Cut:
    """The canonical minimum cut of a network: the same one whichever backend finds the flow.

    Args:
        network: as for `max_flow`; lower bounds of arcs back into the source side are subtracted
            from the value.
        backend: as for `max_flow`.
        check: as for `max_flow`.

    Raises:
        LowtimeError: as `max_flow`.

    Example:
        >>> network = FlowNetwork(3, [0, 1, 0], [1, 2, 2], [5, 3, 4], source=0, sink=2)
        >>> cut = min_cut(network)
        >>> cut.value, cut.source_side.tolist(), cut.arcs.tolist()
        (7, [True, True, False], [1, 2])
    """
    result, side = _solved(network, backend, check)
    plain = network.network if isinstance(network, BoundedNetwork) else network
    return Cut(result.value, side, cut_arcs(plain, side))


def _solved(
    network: FlowNetwork | BoundedNetwork, backend: str | MaxFlowBackend | None, check: str | None
) -> tuple[MaxFlow, NDArray[np.bool_]]:
    if check not in (None, *CHECKS):
        raise ValueError(f"check is {check!r}; expected one of {', '.join(CHECKS)}")
    if isinstance(network, BoundedNetwork):
        return _solved_between_bounds(network, backend, check)
    if not isinstance(network, FlowNetwork):
        raise InvalidNetwork(
            f"network is a {type(network).__name__}; expected a FlowNetwork"
            " (FlowNetwork.from_networkx, .from_csr and .from_dimacs make one)"
        )
    return _plain(network, _resolved_for(network, backend), check)


def _solved_between_bounds(
    network: BoundedNetwork, backend: str | MaxFlowBackend | None, check: str | None
) -> tuple[MaxFlow, NDArray[np.bool_]]:
    """A feasible flow first, then what can be sent on top of it."""
    if not network.lower.any():
        return _plain(network.network, _resolved_for(network.network, backend), check)
    balanced = network.balanced()
    result, side = _plain(balanced, _resolved_for(balanced, backend), check)
    flow = network.feasible_flow(balanced, result, side)
    if network.unbounded is not None:
        raise unbounded_flow(network.unbounded)
    spare = network.spare(flow)
    chosen = _resolved_for(spare.network, backend)
    result, side = _plain(spare.network, chosen, check)
    flow = spare.augmented(flow, result.flow)
    return MaxFlow(network.value(flow), flow), side[:-1]


def _resolved_for(network: FlowNetwork, backend: str | MaxFlowBackend | None) -> Resolved:
    largest = int(network.capacity.max(initial=0))
    return resolve(
        backend,
        max_capacity=largest,
        max_total=network.total_leaving_source,
        num_nodes=network.num_nodes,
    )


def _plain(
    network: FlowNetwork, chosen: Resolved, check: str | None
) -> tuple[MaxFlow, NDArray[np.bool_]]:
    result = call_max_flow(chosen.backend, network)
    if check == "off":
        with phase("cut"):
            return result, canonical_cut(network, result.flow)
    with phase("certificate"):
        return result, certify(network, result, f"backend {chosen.name!r}")
