"""A real browser for the page, and folders that the real command made."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from lowtime.frontier.frontier import Frontier

from ..conftest import browser_path, browser_required

ARTIFACTS = Path(os.environ.get("LOWTIME_ARTIFACTS", Path(__file__).parents[2] / "artifacts"))
LOCAL = ("file:", "data:", "blob:")
STAGES, POWER = 8, 83.64


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Headless Chromium; a missing one fails where it is required, else skips with the reason."""
    path = browser_path()
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        missing = "playwright"
    else:
        missing = "" if path else "a browser (Debian: apt-get install chromium)"
    if missing:
        tell = pytest.fail if browser_required() else pytest.skip
        tell(f"the page is not tested: {missing} is missing")
    with sync_playwright() as playwright:
        # Root, as in CI, cannot use Chromium's sandbox.
        started = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield started
        started.close()


@dataclass
class Opened:
    """A page in the browser, and everything it complained about or asked the network for."""

    page: Any
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def evaluate(self, script: str, argument: Any = None) -> Any:
        return self.page.evaluate(script, argument)

    def wait_for(self, condition: str) -> None:
        """Wait until a JavaScript expression holds (the page's policy forbids Playwright's way)."""
        self.evaluate(
            """async () => {
                const end = performance.now() + 20000;
                while (!(CONDITION)) {
                    if (performance.now() > end) throw new Error("never: CONDITION");
                    await new Promise((done) => setTimeout(done, 10));
                }
            }""".replace("CONDITION", condition)
        )

    def text(self, identifier: str) -> str:
        content: str = self.page.locator(f"#{identifier}").inner_text()
        return content

    def point(self) -> int:
        selected: int = self.evaluate("lowtimeReport.point")
        return selected


Open = Callable[..., Opened]


@pytest.fixture
def open_page(browser: Any) -> Iterator[Open]:
    """Open a file in a fresh context; at the end, nothing may have gone wrong in it."""
    contexts: list[Any] = []
    pages: list[Opened] = []

    def open_(path: Path, *, wait: bool = True, address: str = "", **context: Any) -> Opened:
        settings = {"viewport": {"width": 1280, "height": 900}, "accept_downloads": True}
        contexts.append(browser.new_context(**(settings | context)))
        page = contexts[-1].new_page()
        opened = Opened(page)
        pages.append(opened)
        page.on("console", lambda message: opened.complaints.append(message.text))
        page.on("pageerror", lambda error: opened.complaints.append(str(error)))
        page.on("request", lambda request: opened.requests.append(request.url))
        page.goto(path.as_uri() + address)
        if wait:
            opened.wait_for("window.lowtimeReport?.chart.ready")
        return opened

    yield open_
    complaints = [complaint for opened in pages for complaint in opened.complaints]
    foreign = [url for opened in pages for url in opened.requests if not url.startswith(LOCAL)]
    for context in contexts:
        context.close()
    assert complaints == []
    assert foreign == []


@pytest.fixture(scope="session")
def kept_open(browser: Any, pipeline: Pipeline) -> Iterator[Opened]:
    """One page for all tests that need no browser settings of their own: opening takes a second."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True)
    page = context.new_page()
    opened = Opened(page)
    page.on("console", lambda message: opened.complaints.append(message.text))
    page.on("pageerror", lambda error: opened.complaints.append(str(error)))
    page.on("request", lambda request: opened.requests.append(request.url))
    page.goto(pipeline.page.as_uri())
    opened.wait_for("window.lowtimeReport?.chart.ready")
    yield opened
    context.close()


@pytest.fixture
def opened(kept_open: Opened) -> Iterator[Opened]:
    """The pipeline's page as when it was opened; nothing may go wrong in it."""
    kept_open.evaluate(
        """() => {
            const page = lowtimeReport;
            for (const form of document.querySelectorAll("form")) form.reset();
            delete document.documentElement.dataset.theme;
            document.getElementById("color").value = "knob";
            page.timeline.fit();
            page._recolor();
            page.select(page.best);
            document.activeElement.blur();
        }"""
    )
    # Buttons and tables follow when the reader rests; the address comes last.
    kept_open.wait_for("location.hash === '#point=' + lowtimeReport.point")
    yield kept_open
    assert kept_open.complaints == []
    assert [url for url in kept_open.requests if not url.startswith(LOCAL)] == []


def run_lowtime(*arguments: object) -> str:
    """Run ``lowtime ARGUMENTS`` as its users do; what it prints."""
    command = [sys.executable, "-m", "lowtime", *map(str, arguments)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@dataclass(frozen=True)
class Pipeline:
    """A folder of `lowtime pipeline`, its frontier, and the page of it."""

    folder: Path
    page: Path
    frontier: Frontier


@pytest.fixture(scope="session")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Pipeline:
    """GPT-3 175B on A100, 8 stages, 12 micro-batches: the profile that ships."""
    made = tmp_path_factory.mktemp("report")
    profile = files("lowtime.data") / "gpt3-175b_a100.csv"
    setup = ("--microbatches", 12, "--unit-time", "1e-3", "--blocking-power", POWER)
    run_lowtime("pipeline", profile, *setup, "--output", made / "out")
    run_lowtime("report", made / "out", "-o", made / "report.html")
    frontier = Frontier.load(made / "out" / "frontier.npz")
    return Pipeline(made / "out", made / "report.html", frontier)


@pytest.fixture(scope="session")
def artifacts() -> Path:
    """Where screenshots and timings are kept."""
    ARTIFACTS.mkdir(parents=True, exist_ok=True)
    return ARTIFACTS
