"""The time-cost tradeoff of a DAG of operations, with max-flow solvers as plugins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lowtime.backends import CallablePackage
    from lowtime.backends.direct import max_flow as max_flow
    from lowtime.backends.direct import min_cut as min_cut
    from lowtime.backends.explanation import explain as explain
    from lowtime.backends.protocol import BackendInfo as BackendInfo
    from lowtime.backends.registry import register_backend as register_backend
    from lowtime.backends.selection import get_backend as get_backend
    from lowtime.backends.selection import set_backend as set_backend
    from lowtime.backends.selection import use_backend as use_backend
    from lowtime.errors import BackendFault as BackendFault
    from lowtime.errors import BackendNotFound as BackendNotFound
    from lowtime.errors import BackendUnusable as BackendUnusable
    from lowtime.errors import CapacityRange as CapacityRange
    from lowtime.errors import Infeasible as Infeasible
    from lowtime.errors import InvalidGraph as InvalidGraph
    from lowtime.errors import InvalidNetwork as InvalidNetwork
    from lowtime.errors import InvalidProfile as InvalidProfile
    from lowtime.errors import LowtimeError as LowtimeError
    from lowtime.flow.network import FlowNetwork as FlowNetwork
    from lowtime.flow.result import Cut as Cut
    from lowtime.flow.result import MaxFlow as MaxFlow
    from lowtime.frontier.frontier import Frontier as Frontier
    from lowtime.frontier.plan import Plan as Plan
    from lowtime.frontier.solve import solve as solve
    from lowtime.network.activity import ActivityNetwork as ActivityNetwork
    from lowtime.profiling import Profile as Profile
    from lowtime.profiling import profile as profile

    backends: CallablePackage  # the sub-package, which lists the backends when it is called

__version__ = "1.0.0"

# Public name -> module that defines it, imported when first asked for: `import lowtime` is light.
_HOME = {
    "ActivityNetwork": "lowtime.network.activity",
    "BackendFault": "lowtime.errors",
    "BackendInfo": "lowtime.backends.protocol",
    "BackendNotFound": "lowtime.errors",
    "BackendUnusable": "lowtime.errors",
    "CapacityRange": "lowtime.errors",
    "Cut": "lowtime.flow.result",
    "FlowNetwork": "lowtime.flow.network",
    "Frontier": "lowtime.frontier.frontier",
    "Infeasible": "lowtime.errors",
    "InvalidGraph": "lowtime.errors",
    "InvalidNetwork": "lowtime.errors",
    "InvalidProfile": "lowtime.errors",
    "LowtimeError": "lowtime.errors",
    "MaxFlow": "lowtime.flow.result",
    "Plan": "lowtime.frontier.plan",
    "Profile": "lowtime.profiling",
    "explain": "lowtime.backends.explanation",
    "get_backend": "lowtime.backends.selection",
    "max_flow": "lowtime.backends.direct",
    "min_cut": "lowtime.backends.direct",
    "profile": "lowtime.profiling",
    "register_backend": "lowtime.backends.registry",
    "set_backend": "lowtime.backends.selection",
    "solve": "lowtime.frontier.solve",
    "use_backend": "lowtime.backends.selection",
}
_SUBMODULES = ("backends", "conformance", "errors")

__all__ = ["__version__", *sorted([*_HOME, "backends"])]


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in _HOME:
        value = getattr(import_module(_HOME[name]), name)
        globals()[name] = value
        return value
    if name in _SUBMODULES:
        return import_module(f"lowtime.{name}")
    raise AttributeError(f"module 'lowtime' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_SUBMODULES})
