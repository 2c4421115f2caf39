"""Backends: protocol, registry, selection; called, the list of those installed."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lowtime.backends.listing import ListedBackend


class CallablePackage(ModuleType):
    """`lowtime.backends` is the package of this name, and the function that lists backends."""

    def __call__(self, probe: bool = False) -> tuple[ListedBackend, ...]:
        """Every backend that is installed or registered; see `listing.list_backends`."""
        from lowtime.backends.listing import list_backends

        return list_backends(probe)


sys.modules[__name__].__class__ = CallablePackage
