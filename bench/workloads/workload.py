"""A family of inputs of growing size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Workload:
    """A family of inputs.

    Attributes:
        name: part of a case's id.
        makes: ``"project"`` (a DAG of operations) or ``"flow"`` (a `FlowNetwork`).
        unit: what the size counts, such as ``micro-batches``.
        sizes: the sizes measured; about a decade apart where the family is generated.
        smoke: a size that takes milliseconds.
        build: the input of a size; the same one on every call.
        missing: why there is none here (such as data outside the repository); empty where it is.
    """

    name: str
    makes: Literal["project", "flow"]
    unit: str
    sizes: tuple[int, ...]
    smoke: int
    build: Callable[[int], Any]
    missing: str = ""
