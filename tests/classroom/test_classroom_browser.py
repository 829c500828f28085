# SPDX-License-Identifier: GPL-2.0-only
"""The classroom page in a real browser, opened as a file, on a phone's screen and a desktop's."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser import Visit, chromium, visit
from tests.packed import in_page

SCREENS = {"phone": (390, 844), "desktop": (1280, 900)}
MEASURED = ("print-server", "send-buffer", "netware", "telnet", "long-pipe")
UNITS = (*MEASURED, "losses")
SERIOUS = ("serious", "critical")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as opened:
        yield opened


@pytest.fixture(params=SCREENS)
def screen(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def seen(browser: Any, classroom_page: Path, screen: str) -> Iterator[Visit]:
    """The page; in the end nothing was written to the console and nothing asked of a network."""
    address = classroom_page.as_uri()
    with visit(browser, address, SCREENS[screen]) as visited:
        yield visited
    assert visited.said == []
    # With the simulation inside, its worker's script is a part of the page.
    assert [each for each in visited.asked if not each.startswith("blob:")] == [address]


@pytest.fixture
def page(seen: Visit) -> Any:
    return seen.page


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
def test_every_slider_moves_number_and_curve_by_keyboard(seen: Visit, screen: str, name: str):
    page = seen.page
    section = unit(page, name)
    seen.picture(f"classroom-{screen}-{name}", section)
    for slider in section.locator("input[type=range]").all():
        slider.focus()
        page.keyboard.press("Home")
        views, labels = {shown(section)}, [slider.get_attribute("aria-valuetext")]
        for _ in range(int(slider.get_attribute("max"))):
            page.keyboard.press("ArrowRight")
            views.add(shown(section))
            labels.append(slider.get_attribute("aria-valuetext"))
            output = section.locator(f"output[for='{slider.get_attribute('id')}']")
            assert output.inner_text() == labels[-1]
        about = slider.get_attribute("id")
        assert len({number for number, _ in views}) > 1, about
        assert len({curve for _, curve in views}) > 1, about
        assert len(set(labels)) == len(labels), about
        section.locator(".reset").click()


@pytest.mark.parametrize("name", UNITS)
def test_the_number_is_the_one_of_the_sliders_positions(page: Any, classroom_page: Path, name: str):
    """Looked up here in the page's own data, counted out another way than the page does."""
    units = in_page(classroom_page.read_text(), "runs")["units"]
    data = next(each for each in units if each["id"] == name)
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


def test_rate_and_limit_are_said_to_a_screen_reader(page: Any):
    section = unit(page, "print-server")
    number, limit = section.locator(".rate[aria-live=polite]"), section.locator(".limit[aria-live]")
    assert number.inner_text().startswith("24.8 kB/s")
    assert "window" in limit.inner_text()
    page.locator("#print-server-latency").focus()
    page.keyboard.press("Home")
    page.locator("#print-server-window").focus()
    page.keyboard.press("End")
    assert "line" in limit.inner_text()
    # The slider says its own value; its <output> would say it a second time.
    assert section.locator("output:not([aria-live=off])").count() == 0


def test_it_promises_no_gain_that_no_slider_gives(page: Any):
    """An answer in no time: the sender still waits for the window, but it opens as fast as the
    line is."""
    section = unit(page, "print-server")
    limit = section.locator(".limit")
    assert "would help" in limit.inner_text()
    page.locator("#print-server-latency").focus()
    page.keyboard.press("Home")
    assert "receiver's window" in limit.inner_text()
    assert "would help" not in limit.inner_text()
    assert "gains less than a tenth" in limit.inner_text()


def test_half_of_the_time_is_not_called_most_of_it(page: Any):
    section = unit(page, "print-server")
    page.locator("#print-server-window").focus()
    page.keyboard.press("End")
    share = re.search(r"^(.*), (\d+) %", section.locator(".limit").inner_text())
    assert share[1] == "The largest part of the time" and int(share[2]) < 50


@pytest.mark.parametrize("name", MEASURED)
def test_each_star_has_a_name_inside_the_picture(page: Any, screen: str, name: str):
    section = unit(page, name)
    names = section.locator(".star-text")
    assert names.count() == section.locator(".star").count() > 0
    for box in (each.bounding_box() for each in names.all()):
        assert box["x"] >= 0 and box["x"] + box["width"] <= SCREENS[screen][0]


def test_a_lost_packet_ends_on_the_way_and_the_way_slants(page: Any):
    section = unit(page, "losses")
    cross, arrows = section.locator(".ladder .lost"), section.locator(".ladder line.from").all()
    assert cross.count() > 0 and "lost" in section.locator(".ladder svg").get_attribute(
        "aria-label"
    )
    assert section.locator(".ladder .from-head").count() == len(arrows) - cross.count()
    for arrow in arrows:
        assert float(arrow.get_attribute("y2")) > float(arrow.get_attribute("y1")) + 3


def test_it_fits_the_screens_width(seen: Visit, screen: str):
    for name in UNITS:
        unit(seen.page, name)
    seen.picture(f"classroom-{screen}-page", full_page=True)
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= SCREENS[screen][0]


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
