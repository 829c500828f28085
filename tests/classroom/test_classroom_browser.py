# SPDX-License-Identifier: GPL-2.0-only
"""The classroom page in a real browser, opened as a file, on a phone's screen, a laptop's and a
desktop's."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser import SCREENS, Visit, visit

MEASURED = ("print-server", "send-buffer", "netware", "telnet", "long-pipe")
UNITS = (*MEASURED, "losses")
ONE_SIZE = pytest.mark.parametrize("screen", ["phone"], indirect=True)


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
    section.locator(".predict .guess").fill("42")
    submit(section)
    return section


def submit(section: Any) -> None:
    """The guess, and where what decides is told only then, the guess again."""
    button = section.locator(".predict button[type=submit]")
    button.click()
    if button.is_visible():
        button.click()


def tell(section: Any) -> None:
    """Make a unit tell what it tells after a first guess, and open what draws a whole curve; then
    there is no guess again."""
    section.locator(".predict .guess").fill("1")
    section.locator(".predict button[type=submit]").click()
    section.locator(".predict .guess").fill("")
    section.locator(".pad summary").click()


def shown(section: Any) -> tuple[str, str]:
    """The number, and what the curve looks like."""
    curve = section.locator(".curve svg").inner_html()
    return section.locator(".number").inner_text(), curve


def controls(section: Any) -> list[Any]:
    """Sliders, switches and choices, as they stand."""
    return section.locator("[data-control]").all()


def places(control: Any) -> int:
    """How many places a control has."""
    if control.get_attribute("role") == "switch":
        return 2
    radios = control.locator("input").count()
    return radios or int(control.get_attribute("max")) + 1


def stand(page: Any, control: Any, place: int) -> None:
    """Move a control there, with keys."""
    if control.get_attribute("role") == "switch":
        if control.get_attribute("aria-checked") != ("true" if place else "false"):
            control.focus()
            page.keyboard.press("Space")
    elif control.get_attribute("role") == "radiogroup":
        control.locator("input").nth(place).focus()
        page.keyboard.press("Space")
    else:
        control.focus()
        page.keyboard.press("Home")
        for _ in range(place):
            page.keyboard.press("ArrowRight")


@ONE_SIZE
@pytest.mark.parametrize("name", UNITS)
def test_every_control_moves_number_and_curve_by_keyboard(seen: Visit, screen: str, name: str):
    page = seen.page
    seen.picture(f"classroom-{screen}-{name}-before", page.locator(f"section#{name}"))
    section = unit(page, name)
    section.locator(".whole").click()
    for control in controls(section):
        views, labels = set(), []
        about = control.get_attribute("data-control")
        for place in range(places(control)):
            stand(page, control, place)
            views.add(shown(section))
            labels.append(section.locator(f"[data-output={about}]").text_content())
            if control.get_attribute("type") == "range":
                assert control.get_attribute("aria-valuetext") == labels[-1]
        assert len({number for number, _ in views}) > 1, about
        assert len({curve for _, curve in views}) > 1, about
        assert len(set(labels)) == len(labels), about
        section.locator(".reset").click()
    seen.picture(f"classroom-{screen}-{name}", section)


@ONE_SIZE
@pytest.mark.parametrize("name", UNITS)
def test_the_number_is_the_one_of_the_controls_places(page: Any, class_runs: dict, name: str):
    """Looked up here in the page's own data, counted out another way than the page does."""
    data = class_runs[name]
    section = unit(page, name)
    moved = controls(section)
    # All at their ends but the last: then the place is the last but its steps.
    for control in moved[:-1]:
        stand(page, control, places(control) - 1)
    stand(page, moved[-1], 0)
    value = data["values"][-len(data["controls"][-1]["steps"])]
    number = float(section.locator(".number").inner_text().replace(",", ""))
    assert number == pytest.approx(value, rel=0.005)


@ONE_SIZE
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


@ONE_SIZE
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


@ONE_SIZE
def test_half_of_the_time_is_not_called_most_of_it(page: Any):
    section = unit(page, "print-server")
    page.locator("#print-server-window").focus()
    page.keyboard.press("End")
    share = re.search(r"^(.*), (\d+) %", section.locator(".limit").inner_text())
    assert share[1] == "The largest part of the time" and int(share[2]) < 50


def test_each_star_has_a_name_inside_the_picture(page: Any, screen: str):
    for name in MEASURED:
        section = unit(page, name)
        section.locator(".whole").click()
        names = section.locator(".star-text")
        assert names.count() == section.locator(".star").count() > 0
        for box in (each.bounding_box() for each in names.all()):
            assert box["x"] >= 0 and box["x"] + box["width"] <= SCREENS[screen][0], name


@ONE_SIZE
def test_a_lost_packet_ends_on_the_way_and_the_way_slants(page: Any):
    section = unit(page, "losses")
    cross, arrows = section.locator(".ladder .lost"), section.locator(".ladder line.from").all()
    assert cross.count() > 0
    words = section.locator(".in-words")
    words.locator("summary").click()  # they are written when they are asked for
    words.locator("li").first.wait_for()
    assert words.inner_text().count(" is lost") == cross.count()
    assert section.locator(".ladder .from-head").count() == len(arrows) - cross.count()
    for arrow in arrows:
        assert float(arrow.get_attribute("y2")) > float(arrow.get_attribute("y1")) + 3


def test_it_fits_the_screens_width(seen: Visit, screen: str):
    for name in UNITS:
        unit(seen.page, name)
    seen.picture(f"classroom-{screen}-page", full_page=True)
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= SCREENS[screen][0]
