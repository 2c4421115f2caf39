"""The reference page of the backend protocol, written from the docstrings.

python docs/generate/protocol_reference.py
"""

from __future__ import annotations

import dataclasses
import inspect
import re
from pathlib import Path

from lowtime.backends import protocol
from lowtime.flow.network import FlowNetwork
from lowtime.flow.result import MaxFlow
from lowtime.network.activity import ActivityNetwork

PAGE = Path(__file__).parents[1] / "reference/backend-protocol.md"
CLASSES: tuple[type, ...] = (
    protocol.MaxFlowBackend,
    protocol.BackendInfo,
    FlowNetwork,
    MaxFlow,
    protocol.FrontierTracer,
    protocol.FrontierSession,
    protocol.Segments,
    ActivityNetwork,
)
SECTIONS = ("Attributes", "Args", "Returns", "Raises", "Example", "Source")
INTRODUCTION = f"""# Backend protocol

<!-- Written by docs/generate/protocol_reference.py from the docstrings. Do not edit. -->

Version {protocol.PROTOCOL_VERSION}. How to use it: [add a backend](../how-to/add-a-backend.md).
"""


def page() -> str:
    """The whole page, in Markdown."""
    return "\n".join([INTRODUCTION, *(class_section(each) for each in CLASSES)])


def class_section(documented: type) -> str:
    """A class with its methods that the protocol is made of."""
    lines = [
        f"## {documented.__name__}",
        "",
        f"`{documented.__module__}.{documented.__name__}`",
        "",
        markdown(inspect.getdoc(documented) or ""),
    ]
    for name, member in vars(documented).items():
        if not name.startswith("_") and inspect.isfunction(member) and member.__doc__:
            signature = re.sub(r"[\w.]*\.(\w+)", r"\1", str(inspect.signature(member)))
            lines += [f"### {documented.__name__}.{name}", "", "```python"]
            lines += [f"{name}{signature.replace(chr(39), '')}", "```", ""]
            lines += [markdown(inspect.getdoc(member) or "")]
    if dataclasses.is_dataclass(documented):
        defaults = [
            f"`{field.name}={field.default!r}`"
            for field in dataclasses.fields(documented)
            if field.default is not dataclasses.MISSING
        ]
        if defaults:
            lines += [f"Defaults: {', '.join(defaults)}.", ""]
    return "\n".join(lines)


def markdown(docstring: str) -> str:
    """A Google docstring as Markdown: sections in bold, their entries as a list."""
    lines: list[str] = []
    section = ""
    for line in docstring.splitlines():
        title = line.removesuffix(":")
        entry = re.match(r"    ([\w, ]+): (.*)", line)
        if line == f"{title}:" and title in SECTIONS:
            section = title
            lines += [f"**{title}**", "", *(["```python"] if title == "Example" else [])]
        elif section == "Example":
            lines.append(line.removeprefix("    "))
        elif entry:
            lines.append(f"- `{entry[1]}`: {entry[2]}")
        elif line.startswith("     "):  # goes on with an entry
            lines.append(f"  {line.strip()}")
        else:
            lines += [line, *([""] if line.endswith(":") else [])]
    if section == "Example":
        lines.append("```")
    return re.sub("(?<!`)``(?!`)", "`", "\n".join(lines)) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
