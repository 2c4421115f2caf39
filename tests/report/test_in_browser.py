"""The page as people use it: in a real headless Chromium."""

from __future__ import annotations

import json
import math
import random
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lowtime.frontier.frontier import Frontier

from ..conftest import required_backends
from .conftest import POWER, STAGES, Open, Opened, Pipeline, run_lowtime


def shown_number(text: str) -> float:
    return float(re.sub(r"[^0-9.\-]", "", text.replace("\u2212", "-")))


def assert_shows(opened: Opened, pipeline: Pipeline, point: int) -> None:
    """Time, energy and saving on the page are those of the frontier's point."""
    frontier = pipeline.frontier
    energies = frontier.costs + STAGES * frontier.times * POWER
    assert opened.point() == point
    assert shown_number(opened.text("time")) == pytest.approx(frontier.times[point], abs=6e-4)
    assert shown_number(opened.text("total")) == pytest.approx(energies[point], abs=0.06)
    saved = 100 * (1 - energies[point] / energies[-1])
    assert shown_number(opened.text("saved")) == pytest.approx(saved, abs=0.006)
    assert shown_number(opened.text("saved-note")) == pytest.approx(
        energies[-1] - energies[point], abs=0.06
    )
    assert opened.evaluate("lowtimeReport.plan.end") == frontier.quanta[point]
    marked = opened.evaluate(
        """() => {
            const { xaxis, yaxis } = document.getElementById("chart")._fullLayout;
            const { e, f } = new DOMMatrix(document.getElementById("mark").style.transform);
            return [xaxis.p2l(e - xaxis._offset), yaxis.p2l(f - yaxis._offset)];
        }"""
    )
    assert marked == pytest.approx([frontier.times[point], energies[point]], rel=1e-4)


def test_the_slider_moves_everything_together(opened: Opened, pipeline: Pipeline) -> None:
    last = len(pipeline.frontier) - 1
    for value in (0, last // 3, last):
        opened.page.locator("#slider").fill(str(value))
        assert_shows(opened, pipeline, last - value)


def test_every_key_moves_as_far_as_it_says(opened: Opened, pipeline: Pipeline) -> None:
    last = len(pipeline.frontier) - 1
    page_step = max(10, round(last / 100))
    opened.page.locator("#slider").focus()
    moves = [
        ("Home", last),
        ("ArrowRight", last - 1),
        ("PageUp", last - 1 - page_step),
        ("Shift+ArrowUp", last - 11 - page_step),
        ("ArrowLeft", last - 10 - page_step),
        ("PageDown", last - 10),
        ("Shift+ArrowDown", last),
        ("ArrowDown", last),
        ("End", 0),
        ("ArrowRight", 0),
    ]
    for key, point in moves:
        opened.page.keyboard.press(key)
        assert_shows(opened, pipeline, point)


def test_buttons_reach_the_ends_and_the_least_energy(opened: Opened, pipeline: Pipeline) -> None:
    page, frontier = opened.page, pipeline.frontier
    last = len(frontier) - 1
    page.get_by_role("button", name="Fastest").click()
    assert_shows(opened, pipeline, last)
    assert page.get_by_role("button", name="One step faster").is_disabled()
    page.get_by_role("button", name="One step longer").click()
    assert_shows(opened, pipeline, last - 1)
    page.get_by_role("button", name="Least energy").click()
    assert_shows(opened, pipeline, frontier.cheapest(STAGES * POWER).index)
    page.get_by_role("button", name="Longest").click()
    assert_shows(opened, pipeline, 0)


def ask(opened: Opened, name: str, text: str) -> str:
    """Type into one of the boxes, press Enter; the complaint, if any."""
    box = opened.page.locator(f"#{name}")
    box.fill(text)
    box.press("Enter")
    return opened.text(f"{name}-answer")


def test_a_deadline_selects_what_the_command_selects(opened: Opened, pipeline: Pipeline) -> None:
    frontier = pipeline.frontier
    copied = [repr(float(frontier.times[i])) for i in (0, 7, 333, len(frontier) - 1)]
    for text in [*copied, "3.00049", "1e9"]:
        assert ask(opened, "deadline", text) == ""
        assert opened.point() == frontier.at_deadline(float(text)).index
    for text in ("3.3", "2.818", copied[2]):  # 3300 quanta are 3.3000000000000003 s
        ask(opened, "deadline", text)
        command = ("plan", pipeline.folder, "--deadline", text, "--format", "json")
        (plan,) = json.loads(run_lowtime(*command))
        assert opened.point() == plan["point"]


def test_a_budget_selects_what_the_command_selects(opened: Opened, pipeline: Pipeline) -> None:
    frontier = pipeline.frontier
    energies = frontier.costs + STAGES * frontier.times * POWER
    for budget in (energies.min(), energies[0], energies[-1], float(np.median(energies))):
        assert ask(opened, "budget", repr(float(budget))) == ""
        assert opened.point() == int(np.flatnonzero(energies <= budget)[-1])
    median = repr(float(np.median(energies)))
    (plan,) = json.loads(
        run_lowtime("plan", pipeline.folder, "--budget", median, "--format", "json")
    )
    assert opened.point() == plan["point"]


def test_a_slowdown_selects_what_the_library_selects(opened: Opened, pipeline: Pipeline) -> None:
    for factor in ("1", "1.1", "1.2", "9"):
        assert ask(opened, "slowdown", factor) == ""
        assert opened.point() == pipeline.frontier.at_slowdown(float(factor)).index


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("deadline", "1", "No plan finishes"),
        ("deadline", "soon", "Type a number"),
        ("deadline", "", "Type a number"),
        ("deadline", "0x10", "Type a number"),
        ("budget", "1", "No plan needs"),
        ("slowdown", "0.5", "1 or more"),
    ],
)
def test_what_cannot_be_met_is_said_and_changes_nothing(
    opened: Opened, pipeline: Pipeline, name: str, text: str, complaint: str
) -> None:
    before = opened.point()
    assert complaint in ask(opened, name, text)
    assert opened.page.locator(f"#{name}").get_attribute("aria-invalid") == "true"
    assert opened.point() == before
    assert ask(opened, name, "1e9") == ""
    assert opened.page.locator(f"#{name}").get_attribute("aria-invalid") == "false"


@pytest.mark.parametrize("name", ["JSON", "CSV", "Zeus"])
def test_a_download_equals_what_the_command_writes(
    opened: Opened, pipeline: Pipeline, tmp_path: Path, name: str
) -> None:
    for deadline in ("2.9", "3.3", "4.1", "4.2"):
        ask(opened, "deadline", deadline)
        with opened.page.expect_download() as waiting:
            opened.page.locator("#downloads").get_by_role("button", name=name).click()
        file_name = waiting.value.suggested_filename
        waiting.value.save_as(tmp_path / deadline / file_name)
        wanted = tmp_path / f"wanted-{deadline}"
        asked = ("--deadline", deadline, "--format", name.lower(), "--output", wanted)
        run_lowtime("plan", pipeline.folder, *asked)
        written = wanted / file_name if wanted.is_dir() else wanted
        assert (tmp_path / deadline / file_name).read_bytes() == written.read_bytes()


def test_zeus_has_no_number_for_the_longest_schedule(opened: Opened) -> None:
    zeus = opened.page.locator("#downloads").get_by_role("button", name="Zeus")
    assert zeus.is_enabled()
    opened.page.get_by_role("button", name="Longest").click()
    opened.wait_for("lowtimeReport.downloads.some(([button]) => button.disabled)")
    assert zeus.is_disabled()


def test_points_are_the_same_numbers_to_the_bit(opened: Opened, pipeline: Pipeline) -> None:
    frontier = pipeline.frontier
    times, costs, energies = opened.evaluate(
        """() => {
            const f = lowtimeReport.frontier, all = [...Array(f.points).keys()];
            return ["time", "cost", "total"].map((name) => all.map((i) => f[name](i)));
        }"""
    )
    assert times == frontier.times.tolist()
    assert costs == frontier.costs.tolist()
    assert energies == (frontier.costs + STAGES * frontier.times * POWER).tolist()


def test_plans_are_the_same_integers(opened: Opened, pipeline: Pipeline) -> None:
    frontier = pipeline.frontier
    points = [0, 1, 255, 256, 257, len(frontier) // 2, len(frontier) - 2, len(frontier) - 1]
    for point in points:
        plan = frontier.plan(point)
        found = opened.evaluate(
            """(point) => {
                const page = lowtimeReport;
                page.select(point);
                const { durations, start, slack } = page.plan;
                const measured = page.frontier.measured(page.options);
                return [durations, start, slack].map((a) => Array.from(a)).concat([measured]);
            }""",
            point,
        )
        wanted = [plan.operation_quanta, plan.start_quanta, plan.slack_quanta]
        assert found[:3] == [array.tolist() for array in wanted]
        assert found[3] == plan.measured_cost


def test_the_measured_curve_is_the_measured_costs(opened: Opened, pipeline: Pipeline) -> None:
    frontier = pipeline.frontier
    points = list(range(0, len(frontier), 3))
    found = opened.evaluate("(points) => lowtimeReport.frontier.measuredAlong(points)", points)
    assert found == pytest.approx(frontier.measured_costs[points].tolist(), rel=1e-12)


def test_energy_is_split_without_remainder(opened: Opened, pipeline: Pipeline) -> None:
    frontier = pipeline.frontier
    for point in (0, 400, len(frontier) - 1):
        opened.evaluate("(point) => lowtimeReport.select(point)", point)
        split = opened.evaluate("lowtimeReport.split")
        plan = frontier.plan(point)
        assert sum(split.values()) == pytest.approx(plan.cost + STAGES * plan.time * POWER)
        busy = float(plan.operation_quanta.sum()) * frontier.unit_time
        assert split["needed"] == pytest.approx(plan.cost + busy * POWER)
        assert min(split.values()) >= 0


def test_numbers_are_written_and_added_as_python_does(opened: Opened, pipeline: Pipeline) -> None:
    chosen = random.Random(7)
    numbers = [chosen.uniform(-1, 1) * 10.0 ** chosen.randint(-25, 25) for _ in range(2000)]
    numbers += [0.0, 1.0, -2.5, 1e16, 1e15, 123456789012345680.0, 1e-4, 1e-5, 5e-324, 1e22]
    assert opened.evaluate("(numbers) => numbers.map(pythonFloat)", numbers) == list(
        map(repr, numbers)
    )
    for _ in range(20):
        terms = chosen.sample(numbers, 200)
        assert opened.evaluate("(terms) => exactSum(terms)", terms) == math.fsum(terms)
    half_way = [1e-16, 1.0, 1e16]
    assert opened.evaluate("(terms) => exactSum(terms)", half_way) == math.fsum(half_way)


def luminance(color: str) -> float:
    red, green, blue = (int(part) / 255 for part in re.findall(r"\d+", color)[:3])
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (red, green, blue)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(opened: Opened, selector: str) -> float:
    """Contrast of an element's text with the card behind it (WCAG 2.2)."""
    text, card = opened.evaluate(
        """(selector) => {
            const at = document.querySelector(selector);
            return [getComputedStyle(at).color,
                    getComputedStyle(at.closest(".card") ?? document.body).backgroundColor];
        }""",
        selector,
    )
    high, low = sorted((luminance(text), luminance(card)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_themes_are_readable(
    open_page: Open, pipeline: Pipeline, artifacts: Path, scheme: str
) -> None:
    opened = open_page(pipeline.page, color_scheme=scheme)
    page_color = opened.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (luminance(page_color) < 0.1) == (scheme == "dark")
    for selector in (".value", ".note", "#saved", "h2", "label", "#deadline-form .note"):
        assert contrast(opened, selector) >= 4.5, selector
    axis = opened.evaluate("getComputedStyle(document.querySelector('#chart .xtick text')).fill")
    assert (luminance(axis) > 0.5) == (scheme == "dark")
    opened.page.screenshot(path=artifacts / f"report-{scheme}.png", full_page=True)


def test_the_theme_can_be_switched(opened: Opened, pipeline: Pipeline) -> None:
    background = "getComputedStyle(document.body).backgroundColor"
    light = luminance(opened.evaluate(background))
    opened.page.get_by_role("button", name="Switch to the dark theme").click()
    assert luminance(opened.evaluate(background)) < 0.1 < light
    opened.page.get_by_role("button", name="Switch to the light theme").click()
    assert luminance(opened.evaluate(background)) == light


@pytest.mark.parametrize("width", [360, 768])
def test_narrow_screens_need_no_sideways_scrolling(
    open_page: Open, pipeline: Pipeline, artifacts: Path, width: int
) -> None:
    opened = open_page(
        pipeline.page,
        viewport={"width": width, "height": 800},
        is_mobile=True,
        has_touch=True,
        device_scale_factor=2,
    )
    assert opened.evaluate("document.documentElement.scrollWidth") <= width
    clipped = opened.evaluate(
        """() => [...document.querySelectorAll("button")]
            .filter((b) => b.scrollWidth > b.clientWidth + 1).map((b) => b.id || b.textContent)"""
    )
    assert clipped == []
    if width < 640:
        heights = opened.evaluate(
            """() => [...document.querySelectorAll("main button:not([hidden]), main form input")]
                .filter((e) => e.offsetParent).map((e) => e.offsetHeight)"""
        )
        assert min(heights) >= 44  # a finger's size
    opened.page.screenshot(path=artifacts / f"report-{width}.png", full_page=True)


def test_everything_has_a_name_for_screen_readers(opened: Opened, pipeline: Pipeline) -> None:
    page = opened.page
    nameless = opened.evaluate(
        """() => [...document.querySelectorAll("button, input, select, canvas, [tabindex]")]
            .filter((e) => !(e.getAttribute("aria-label") || e.labels?.length
                             || e.textContent.trim())).map((e) => e.outerHTML)"""
    )
    assert nameless == []
    slider = page.get_by_role("slider", name="Plan, from the fastest to the longest")
    slider.focus()
    page.keyboard.press("Home")
    assert slider.get_attribute("aria-valuetext").startswith("2.818 seconds")
    opened.wait_for("document.getElementById('status').textContent.includes('2.818 s')")
    assert "2.818 seconds" in page.locator("#timeline").get_attribute("aria-label")
    levels = opened.evaluate("[...document.querySelectorAll('h1,h2,h3')].map((h) => +h.tagName[1])")
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert opened.evaluate("document.documentElement.lang") == "en"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_accessibility_checker_finds_nothing(
    open_page: Open, pipeline: Pipeline, scheme: str
) -> None:
    """axe-core, with every rule that it has switched on by default."""
    opened = open_page(pipeline.page, color_scheme=scheme)
    opened.evaluate("document.querySelectorAll('details').forEach((d) => (d.open = true))")
    opened.wait_for("lowtimeReport.tables.plan === lowtimeReport.plan")
    opened.evaluate((files("axe_playwright_python") / "axe.min.js").read_text("utf-8"))
    found = opened.evaluate("axe.run(document)")
    assert [(fault["id"], fault["nodes"][0]["html"]) for fault in found["violations"]] == []
    assert len(found["passes"]) > 40


def test_the_page_can_be_walked_with_the_tabulator(open_page: Open, pipeline: Pipeline) -> None:
    opened = open_page(pipeline.page)
    reached = []
    while len(reached) < 40 and "timeline" not in reached:
        opened.page.keyboard.press("Tab")
        reached.append(opened.evaluate("document.activeElement.id"))
    wanted = ["theme", "slider", "fastest", "best", "deadline", "budget", "slowdown", "color"]
    wanted += ["zoom-in", "timeline"]
    assert [name for name in reached if name in wanted] == wanted


def test_the_timeline_zooms_and_tells_operations(opened: Opened, pipeline: Pipeline) -> None:
    page = opened.page
    page.locator("#timeline").focus()
    before = opened.evaluate("lowtimeReport.timeline.view")
    page.keyboard.press("+")
    page.keyboard.press("ArrowRight")
    after = opened.evaluate("lowtimeReport.timeline.view")
    assert after[1] - after[0] < before[1] - before[0]
    page.keyboard.press("0")
    assert opened.evaluate("lowtimeReport.timeline.view") == before
    place = opened.evaluate(
        """() => {
            const t = lowtimeReport.timeline, i = lowtimeReport.data.nodes.findIndex(
                ({ tuple: [stage, kind] }) => stage === 7 && kind === "backward");
            const { start, durations } = lowtimeReport.plan;
            return [t.x(start[i] + durations[i] / 2), 7.5 * t.rowHeight];
        }"""
    )
    page.locator("#timeline").hover(position={"x": place[0], "y": place[1]})
    tip = opened.text("tip")
    assert "backward 0" in tip
    assert "MHz" in tip
    assert re.search(r"power: [\d.]+ W", tip)


def test_colours_can_tell_knob_power_and_kind(opened: Opened, pipeline: Pipeline) -> None:
    pictures = set()
    for mode in ("knob", "power", "kind"):
        opened.page.locator("#color").select_option(mode)
        pictures.add(opened.evaluate("document.getElementById('timeline').toDataURL()"))
    assert len(pictures) == 3
    assert "forward" in opened.text("key")


def test_the_table_holds_the_selected_plan(opened: Opened, pipeline: Pipeline) -> None:
    plan = pipeline.frontier.plan(100)
    opened.evaluate("lowtimeReport.select(100)")
    opened.evaluate("document.querySelectorAll('details').forEach((d) => (d.open = true))")
    opened.page.locator("#lane").select_option("3")
    rows = opened.page.locator("#operations-table tbody tr")
    opened.wait_for("lowtimeReport.tables.plan === lowtimeReport.plan")
    assert rows.count() == 24
    for index in (0, 11, 23):
        cells = rows.nth(index).locator("th, td").all_inner_texts()
        kind, microbatch = cells[0].split()
        node = (3, kind, int(microbatch))
        assert cells[1] == str(plan.knobs[node])
        assert float(cells[2]) == pytest.approx(plan.start_times[node], abs=6e-4)
        assert float(cells[3]) == pytest.approx(plan.durations[node], abs=6e-4)
        assert (cells[7] == "yes") == (node in plan.critical)


def test_zooming_into_the_chart_draws_more_points_there(opened: Opened, pipeline: Pipeline) -> None:
    low, high = float(pipeline.frontier.times[900]), float(pipeline.frontier.times[800])
    drawn = opened.evaluate(
        """async ([low, high]) => {
            const chart = document.getElementById("chart");
            const inside = () => chart.data[1].x.filter((x) => x >= low && x <= high).length;
            const before = inside();
            await Plotly.relayout(chart, { "xaxis.range[0]": low, "xaxis.range[1]": high });
            await new Promise((done) => setTimeout(done, 100));
            return [before, inside()];
        }""",
        [low, high],
    )
    assert drawn[0] < drawn[1] == 101


def test_a_click_on_the_chart_selects_the_plan_there(opened: Opened, pipeline: Pipeline) -> None:
    opened.evaluate("lowtimeReport.chart._pick(lowtimeReport.frontier.time(123))")
    assert opened.point() == 123


def test_an_address_names_a_plan(open_page: Open, pipeline: Pipeline) -> None:
    opened = open_page(pipeline.page, address="#point=77")
    assert opened.point() == 77
    opened.evaluate("lowtimeReport.select(78)")
    opened.wait_for("location.hash === '#point=78'")
    assert open_page(pipeline.page, address="#point=999999").point() >= 0


def test_without_scripts_the_ends_are_told(open_page: Open, pipeline: Pipeline) -> None:
    opened = open_page(pipeline.page, wait=False, java_script_enabled=False)
    table = opened.page.locator("noscript, section").first.inner_text()
    assert f"{pipeline.frontier.times[-1]:.6g} s" in table


def test_how_long_things_take_is_reported(
    open_page: Open, pipeline: Pipeline, artifacts: Path, record_property: Any
) -> None:
    """Wall-clock times go into the report, never into an assertion."""
    timings = measured_steps(open_page(pipeline.page))
    timings["bytes"] = pipeline.page.stat().st_size
    assert set(timings) == {"picture", "chart", "step", "slowest", "bytes"}
    record_property("report_timings_ms", timings)
    (artifacts / "report-timings.json").write_text(json.dumps(timings, indent=1) + "\n")


def test_the_largest_published_pipeline_is_a_page(
    open_page: Open, tmp_path: Path, artifacts: Path, record_property: Any
) -> None:
    """GPT-3 175B on A40 with 96 micro-batches: 65,845 plans of 1,536 operations."""
    if "rust" not in required_backends():
        pytest.skip("only the rust backend traces 65,845 points in a test's time")
    profile = Path(__file__).parents[1] / "data/sosp24/stage_profile/gpt3-175b+a40_bf16.csv"
    setup = ("--microbatches", 96, "--unit-time", "1e-4", "--blocking-power", 70.38)
    run_lowtime("pipeline", profile, *setup, "--filter", "raw", "--output", tmp_path / "out")
    run_lowtime("report", tmp_path / "out", "-o", tmp_path / "report.html")
    size = (tmp_path / "report.html").stat().st_size
    assert size < 15_000_000
    opened = open_page(tmp_path / "report.html")
    assert "65,845 plans" in opened.text("facts")
    timings = measured_steps(opened) | {"bytes": size}
    record_property("largest_report_timings_ms", timings)
    (artifacts / "report-a40-96-timings.json").write_text(json.dumps(timings, indent=1) + "\n")
    frontier = Frontier.load(tmp_path / "out" / "frontier.npz")
    for point in (0, 12_345, 65_844):
        opened.evaluate("(point) => lowtimeReport.select(point)", point)
        durations = opened.evaluate("Array.from(lowtimeReport.plan.durations)")
        assert durations == frontier.quanta_of(point).tolist()
        assert opened.evaluate("lowtimeReport.totals.time") == frontier.times[point]
    opened.page.screenshot(path=artifacts / "report-a40-96.png", full_page=True)


def test_several_stages_on_a_rank_share_its_lane(open_page: Open, tmp_path: Path) -> None:
    profile = Path(__file__).parents[1] / "data/sosp24/stage_profile/gpt3-175b+a100_sxm_bf16.csv"
    setup = ("--microbatches", 8, "--unit-time", "1e-3", "--blocking-power", POWER)
    schedule = ("--schedule", "interleaved-1f1b:2", "--transfer-time", 0.004)
    run_lowtime("pipeline", profile, *setup, *schedule, "--output", tmp_path / "out")
    run_lowtime("report", tmp_path / "out", "-o", tmp_path / "report.html")
    opened = open_page(tmp_path / "report.html")
    assert "4 ranks" in opened.text("facts")
    assert "128 operations" in opened.text("facts")  # 8 stages x 8 micro-batches, both ways
    # A transfer goes on while its rank computes: it takes no row from the passes.
    assert opened.evaluate("lowtimeReport.timeline.layout.heights") == [1, 1, 1, 1]
    split = opened.evaluate("lowtimeReport.split")
    assert sum(split.values()) == pytest.approx(opened.evaluate("lowtimeReport.totals.total"))
    with opened.page.expect_download() as waiting:
        opened.page.locator("#downloads").get_by_role("button", name="Zeus").click()
    name = waiting.value.suggested_filename
    waiting.value.save_as(tmp_path / name)
    run_lowtime("plan", tmp_path / "out", "--format", "zeus", "--output", tmp_path / "plans")
    assert (tmp_path / name).read_bytes() == (tmp_path / "plans" / name).read_bytes()


def measured_steps(opened: Opened) -> dict[str, float]:
    """Milliseconds: to the first picture, to the chart, and of slider steps (median, slowest)."""
    timings: dict[str, float] = opened.evaluate(
        """async () => {
            const page = lowtimeReport;
            page.timings.steps = [];
            for (let i = 0; i < 40; i++) {
                page.steps.step(i % 2 ? -97 : 101);
                await new Promise((done) => requestAnimationFrame(done));
            }
            const steps = page.timings.steps.sort((a, b) => a - b);
            return { picture: page.timings.picture, chart: page.timings.chart,
                     step: steps[steps.length >> 1], slowest: steps.at(-1) };
        }"""
    )
    return timings
