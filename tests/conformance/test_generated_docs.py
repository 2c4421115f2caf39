"""The generated pages are what their generators write, and the guide's code does what it says."""

from __future__ import annotations

import ast
import re
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import settings

from lowtime.backends.first_party import RESERVED
from lowtime.conformance import suite_checks
from lowtime.conformance.suite_run import run
from lowtime.scaffold.new_backend import new_backend

DOCS = Path(__file__).parents[2] / "docs"
GUIDE = (DOCS / "how-to/add-a-backend.md").read_text("utf-8")
PYTHON = re.findall(r"(?ms)^```python\n(.*?)^```$", GUIDE)


def generator(name: str) -> ModuleType:
    """A script below ``docs/generate`` as a module."""
    spec = spec_from_file_location(f"docs_generate_{name}", DOCS / f"generate/{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_protocol_page_is_what_the_docstrings_say() -> None:
    written = generator("protocol_reference").page()
    assert (DOCS / "reference/backend-protocol.md").read_text("utf-8") == written
    assert written.count("```") % 2 == 0


def test_conformance_page_is_what_the_reports_say() -> None:
    table = generator("conformance_table")
    reports = table.stored_reports()
    assert (DOCS / "reference/conformance.md").read_text("utf-8") == table.page(reports)
    assert [report.backend for report in reports] == [*table.ORDER, "ortools"]
    assert set(table.ORDER) == set(RESERVED)
    for report in reports:
        assert report.conforms
        assert [check.name for check in report.checks] == [c.name for c in suite_checks("1.0")]
        core = [check.seconds for check in report.checks if check.level == "core"]
        assert sum(core) < 60
        frontier = {level.level: level.status for level in report.levels}["frontier"]
        assert (frontier == "passed") == (report.backend == "rust")


@pytest.fixture
def guide_plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of step 1 with the adapter of step 2 in it."""
    folder = tmp_path / "swift-cut"
    new_backend(folder, "python")
    adapter = folder / "lowtime_swift_cut/adapter.py"
    assert "class SwiftCutBackend:" in adapter.read_text()
    # The distribution is not installed here, so its version is written out.
    adapter.write_text(PYTHON[0].replace('version("lowtime-swift-cut")', '"0.1.0"'))
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, "lowtime_swift_cut", raising=False)
    return folder


def test_the_guides_backend_conforms(guide_plugin: Path) -> None:
    report = run("lowtime_swift_cut:SwiftCutBackend")
    assert [(failure.name, failure.message) for failure in report.failures] == []
    assert report.conforms
    assert "at core, limits, robustness" in report.claim


def test_the_guides_own_test_passes() -> None:
    names: dict[str, object] = {}
    exec(compile(PYTHON[0].replace('version("lowtime-swift-cut")', '"0"'), "guide", "exec"), names)
    exec(compile(PYTHON[1], "guide", "exec"), names)
    test = names["test_flow_is_within_capacity"]
    assert callable(test)
    settings(max_examples=30, deadline=None)(test)()


def test_the_guide_names_what_is_there() -> None:
    for code in PYTHON:
        ast.parse(code)
    for target in re.findall(r"\]\(([^)#]+)", GUIDE):
        assert (DOCS / "how-to" / target).resolve().exists(), target
    for name in RESERVED:
        assert f"`{name}`" in GUIDE
    headings = {
        re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-")
        for heading in re.findall(r"(?m)^## (.*)$", GUIDE)
    }
    assert set(re.findall(r"\]\(#([^)]+)\)", GUIDE)) <= headings
