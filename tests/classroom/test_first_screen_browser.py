# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the page's first minute: a guess on the first screen of a phone, the film at once
under the verdict, what is waited for true to scale, and one unit for a projector."""

from typing import Any

from tests.classroom.test_classroom_browser import unit

MOST_WORDS = 100
FINGER = 44  # CSS pixels that a finger needs
# The part of a strip that its most frequent limit takes.
HIGH = "(each) => each.getBoundingClientRect().height"  # on the screen
WAITED = """(strip) => {
  const parts = (path) => [...path.getAttribute("d").matchAll(/M([\\d.]+) 0H([\\d.]+)/g)];
  const sum = (list) => list.reduce((all, each) => all + each, 0);
  const width = (path) => sum(parts(path).map(([, from, until]) => until - from));
  const widths = [...strip.querySelectorAll("path")].map(width);
  return Math.max(...widths) / sum(widths);
}"""


def test_a_guess_is_on_the_first_screen_within_a_hundred_words(page: Any):
    guess = page.locator("#print-server .predict .guess").bounding_box()
    assert guess["y"] + guess["height"] < page.viewport_size["height"]
    before = "header h1, header .lead, header nav, #print-server > h2, #print-server .question"
    words = " ".join(page.locator(before).all_inner_texts()).split()
    assert len(words) <= MOST_WORDS


def test_a_finger_finds_what_it_may_touch(page: Any):
    section = unit(page, "print-server")
    section.locator(".share summary").click()
    for part in ("button", "summary", ".choice", ".scale"):
        boxes = [each.bounding_box() for each in page.locator(part).all() if each.is_visible()]
        assert boxes and all(box["height"] >= FINGER for box in boxes), part


def test_the_film_plays_under_the_verdict_before_all_else(page: Any):
    section = unit(page, "print-server")
    tops = [
        section.locator(part).bounding_box()["y"]
        for part in (".verdict", ".packet-player", ".lab", ".find-out")
    ]
    assert tops == sorted(tops)
    playing = "document.querySelector('#print-server div.player').player.state.playing"
    assert page.evaluate(playing) is True


def test_one_strip_is_always_true_to_scale(page: Any):
    """A window is waited for in 98.9 % of a cycle; the film, which shortens waiting, shows less."""
    section = unit(page, "print-server")
    real = section.locator(".strips.real .strip").first.evaluate(WAITED)
    film = section.locator(".place .strips .strip").first.evaluate(WAITED)
    assert film < 0.8 < 0.95 < real
    section.locator(".scale input").check()
    assert section.locator(".strips.real .strip").first.evaluate(WAITED) == real
    assert "Nothing is shortened" in section.locator(".pace").inner_text()


def test_a_projector_has_one_unit_half_as_large_again(page: Any):
    page.set_viewport_size({"width": 1920, "height": 1080})
    own = page.locator("#print-server h2").evaluate(HIGH)
    page.locator(".projector-key").click()
    shown = [each for each in page.locator("main > .unit").all() if each.is_visible()]
    assert [each.get_attribute("id") for each in shown] == ["print-server"]
    assert page.locator("#print-server h2").evaluate(HIGH) > 1.4 * own
    page.locator('nav a[href="#telnet"]').click()
    page.locator("#telnet").wait_for()
    assert not page.locator("#print-server").is_visible()
    page.keyboard.press("p")
    page.locator("#print-server").wait_for()
    in_view = page.evaluate("document.getElementById('telnet').getBoundingClientRect().top")
    assert -10 < in_view < 540, "the unit that was projected is the one in view"
    page.keyboard.press("p")
    page.keyboard.press("Escape")
    page.locator("#print-server").wait_for()


def test_the_front_end_keeps_its_curve_while_another_unit_is_projected(page: Any):
    page.set_viewport_size({"width": 1920, "height": 1080})
    front = page.locator("#front")
    front.locator("#front-curve").wait_for()
    before = front.get_attribute("data-tab")
    for _ in range(2):
        page.locator(".projector-key").click()
    assert front.get_attribute("data-tab") == before
    page.locator('nav a[href="#bench"]').click()
    assert front.locator("#front-curve .plot svg").is_visible()
