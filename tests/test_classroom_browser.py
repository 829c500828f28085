# SPDX-License-Identifier: GPL-2.0-only
"""The classroom page in a real browser, opened as a file, on a phone's screen and a desktop's."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from analysis.classroom.page import page as make_page
from analysis.project import BUILD

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
if CHROMIUM is None:
    pytest.skip("no Chromium: the classroom page is not opened", allow_module_level=True)
sync_api = pytest.importorskip("playwright.sync_api")

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
FLAGS += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
SCREENS = {"phone": (390, 844), "desktop": (1280, 900)}
PICTURES = BUILD / "browser"
UNITS = ("print-server", "send-buffer", "netware", "telnet")
SERIOUS = ("serious", "critical")


@pytest.fixture(scope="module")
def file(program: Path, tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("stick") / "classroom.html"
    path.write_text(make_page(lambda _: None))
    return path


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture(params=SCREENS)
def screen(request) -> str:
    return request.param


@pytest.fixture
def page(browser: Any, file: Path, screen: str) -> Iterator[Any]:
    """The page; in the end nothing was written to the console and nothing asked of a network."""
    width, height = SCREENS[screen]
    context = browser.new_context(viewport={"width": width, "height": height})
    opened, said, asked = context.new_page(), [], []
    opened.on("console", lambda line: said.append(line.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    opened.on("request", lambda request: asked.append(request.url))
    opened.goto(file.as_uri())
    yield opened
    context.close()
    assert said == []
    assert asked == [file.as_uri()]


def unit(page: Any, name: str) -> Any:
    """A unit with its results shown."""
    section = page.locator(f"section#{name}")
    section.locator(".guess").fill("42")
    section.locator("button[type=submit]").click()
    return section


def shown(section: Any) -> tuple[str, str]:
    """The number, and what the curve looks like."""
    curve = section.locator(".curve .line").get_attribute("d")
    here = section.locator(".curve .here")
    return section.locator(".number").inner_text(), f"{curve} {here.get_attribute('cx')}"


@pytest.mark.parametrize("name", UNITS)
def test_every_slider_moves_number_and_curve_by_keyboard(page: Any, screen: str, name: str):
    section = unit(page, name)
    section.screenshot(path=_picture(f"{screen}-{name}"))
    for slider in section.locator("input[type=range]").all():
        slider.focus()
        page.keyboard.press("Home")
        seen, labels = {shown(section)}, [slider.get_attribute("aria-valuetext")]
        for _ in range(int(slider.get_attribute("max"))):
            page.keyboard.press("ArrowRight")
            seen.add(shown(section))
            labels.append(slider.get_attribute("aria-valuetext"))
            output = section.locator(f"output[for='{slider.get_attribute('id')}']")
            assert output.inner_text() == labels[-1]
        about = slider.get_attribute("id")
        assert len({number for number, _ in seen}) > 1, about
        assert len({curve for _, curve in seen}) > 1, about
        assert len(set(labels)) == len(labels), about
        section.locator(".reset").click()


@pytest.mark.parametrize("name", UNITS)
def test_the_number_is_the_one_of_the_sliders_positions(page: Any, file: Path, name: str):
    """Looked up here in the page's own data, counted out another way than the page does."""
    text = re.search(r'id="runs">(.*?)</script>', file.read_text(), re.DOTALL)[1]
    data = next(each for each in json.loads(text)["units"] if each["id"] == name)
    section = unit(page, name)
    sliders = section.locator("input[type=range]").all()
    for slider in sliders:
        slider.focus()
        page.keyboard.press("Home")
    # All at their ends but the last: then the position is the last but its steps.
    for slider in sliders[:-1]:
        slider.focus()
        page.keyboard.press("End")
    value = data["values"][-len(data["controls"][-1]["steps"])]
    number = float(section.locator(".number").inner_text().replace(",", ""))
    assert number == pytest.approx(value, rel=0.005)


def test_nothing_is_given_away_before_a_guess(page: Any):
    section = page.locator("section#print-server")
    assert not section.locator(".results").is_visible()
    section.locator("button[type=submit]").click()
    assert "number" in section.locator("[role=alert]").inner_text()
    assert not section.locator(".results").is_visible()
    section.locator(".guess").fill("1000")
    page.keyboard.press("Enter")
    assert section.locator(".results").is_visible()
    assert "too high" in section.locator(".verdict").inner_text()


def test_the_guess_can_be_skipped(page: Any):
    section = page.locator("section#telnet")
    section.locator(".skip").click()
    assert section.locator(".results").is_visible()
    assert section.locator(".guess-line").count() == 0


def test_what_limits_it_is_said_to_a_screen_reader(page: Any):
    section = unit(page, "print-server")
    limit = section.locator("[aria-live=polite]")
    assert "window" in limit.inner_text()
    page.locator("#print-server-latency").focus()
    page.keyboard.press("Home")
    page.locator("#print-server-window").focus()
    page.keyboard.press("End")
    assert "line" in limit.inner_text()


def test_it_fits_the_screens_width(page: Any, screen: str):
    for name in UNITS:
        unit(page, name)
    page.screenshot(path=_picture(f"{screen}-page"), full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= SCREENS[screen][0]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_serious_stands_in_a_readers_way(page: Any, scheme: str):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page.emulate_media(color_scheme=scheme)
    before = axe.Axe().run(page).response["violations"]
    for name in UNITS:
        unit(page, name)
    after = axe.Axe().run(page).response["violations"]
    serious = [
        (rule["id"], [node["html"][:120] for node in rule["nodes"]])
        for rule in before + after
        if rule["impact"] in SERIOUS
    ]
    assert serious == []


def _picture(name: str) -> Path:
    PICTURES.mkdir(parents=True, exist_ok=True)
    return PICTURES / f"classroom-{name}.png"
