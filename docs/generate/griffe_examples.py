"""Reads our ``Example:`` sections as the doctests that they are."""

from __future__ import annotations

import re
from typing import Any

import griffe


class Examples(griffe.Extension):
    """Griffe knows the plural only, and takes the singular for a remark."""

    def on_instance(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """Rename the section in every docstring."""
        if obj.docstring is not None:
            text = obj.docstring.value
            obj.docstring.value = re.sub(r"(?m)^( *)Example:$", r"\1Examples:", text)
