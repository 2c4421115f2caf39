"""The site builds strictly, holds what it promises, and loads nothing from elsewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(made)]
    ran = subprocess.run(
        command,
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return made


class Loaded(HTMLParser):
    """What a page makes the browser fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        is_loaded = tag in ("script", "img", "iframe") or (
            tag == "link" and values.get("rel") in ("stylesheet", "icon", "preconnect")
        )
        address = values.get("src") or values.get("href")
        if is_loaded and address:
            self.addresses.append(address)


def test_pages_load_nothing_from_elsewhere(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 20
    for page in pages:
        if page.parent.name == "figures":
            continue  # the live report has its own policy, tested with it
        loaded = Loaded()
        loaded.feed(page.read_text(encoding="utf-8"))
        assert [a for a in loaded.addresses if re.match(r"(https?:)?//", a)] == [], page


def test_figures_are_vectors_and_the_live_report_is_there(site: Path) -> None:
    figures = site / "figures"
    for name in ("frontier", "before-after", "power", "options", "steps", "cuts"):
        assert "<svg" in (figures / f"{name}.svg").read_text(encoding="utf-8")
    assert (figures / "gpt3-a100.html").stat().st_size < 15_000_000


def test_every_command_is_in_the_reference(site: Path) -> None:
    from lowtime.cli.program import SUBCOMMANDS

    page = (site / "reference/command-line.html").read_text(encoding="utf-8")
    for name in SUBCOMMANDS:
        assert f"Usage: lowtime {name}" in page


def test_public_names_are_in_the_reference(site: Path) -> None:
    import lowtime

    pages = "".join(page.read_text("utf-8") for page in (site / "reference").glob("*.html"))
    missing = [
        name
        for name in lowtime.__all__
        if name not in ("__version__", "backends") and name not in pages
    ]
    assert missing == []


def test_sources_of_the_site_are_not_published(site: Path) -> None:
    assert list(site.rglob("*.py")) == []
