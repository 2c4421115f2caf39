"""Where a result comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Provenance:
    """How a frontier was made.

    Attributes:
        backend: name of the backend.
        backend_version: version of its distribution.
        reason: why it was chosen.
        skipped: backends that ``auto`` passed over, with the reason.
        certificate: ``"always"``, ``"final"`` or ``"off"``: what was proved; a failed proof
            raises instead.
        counters: work done by the crash loop (``steps``, ``augmentations``, ...).
        seconds: time of the phases ``compile`` and ``trace``.
        lowtime_version: version of lowtime.
    """

    backend: str
    backend_version: str
    reason: str
    skipped: Mapping[str, str] = field(default_factory=dict)
    certificate: str = "off"
    counters: Mapping[str, int] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
    lowtime_version: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The attributes as JSON-ready values."""
        return {
            "backend": self.backend,
            "backend_version": self.backend_version,
            "reason": self.reason,
            "skipped": dict(self.skipped),
            "certificate": self.certificate,
            "counters": dict(self.counters),
            "seconds": dict(self.seconds),
            "lowtime_version": self.lowtime_version,
        }
