# SPDX-License-Identifier: GPL-2.0-only
"""The units in Firefox, by keys and mouse: a guess, a slider, an answer; the film, what is
kept. On a phone's width."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from study.classroom.page_units import read

from tests.firefox import FIREFOX, Firefox, firefox

pytestmark = pytest.mark.skipif(not FIREFOX, reason="Firefox is not installed")
PHONE = (450, 900)  # Firefox has no narrower window
ENTER, RIGHT, HOME = "\ue007", "\ue014", "\ue011"
UNITS = [unit.id for unit in read()]
READY = """
for (let n = 0; n < 600 && page.document.querySelector("main[inert]"); n++) {
  await new Promise((done) => setTimeout(done, 100));
}
page.said = [];
page.addEventListener("error", (event) => page.said.push(String(event.message)));
"""


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory, classroom_page: Path) -> Iterator[Firefox]:
    with firefox(tmp_path_factory.mktemp("firefox")) as window:
        window.size(*PHONE)
        window.open(f"{classroom_page.as_uri()}#lang=en")
        window.run(READY)
        yield window
        assert window.run("return page.said") == []


def words(opened: Firefox, selector: str) -> str:
    said = opened.run("return page.document.querySelector(given[0]).textContent.trim()", selector)
    return said.replace("\u00a0", " ")


def guess(opened: Firefox, section: str) -> None:
    """And, where what decides is told only then, the guess again."""
    opened.type(f"{section} .predict .guess", f"1,5{ENTER}")
    if not words(opened, f"{section} .verdict"):
        opened.type(f"{section} .predict .guess", ENTER)


@pytest.mark.parametrize("name", UNITS)
def test_a_guess_a_slider_and_an_answer(opened: Firefox, class_runs: dict, name: str):
    section, data = f"section#{name}", class_runs[name]
    guess(opened, section)
    assert words(opened, f"{section} .verdict").startswith("You said 1.5 ")
    first = words(opened, f"{section} .number")
    slider = f"#{name}-{data['controls'][0]['id']}"
    opened.type(slider, HOME)
    steps, start = data["controls"][0]["steps"], data["controls"][0]["start"]
    if start:
        assert words(opened, f"{section} .number") != first
    opened.type(slider, RIGHT * start)
    assert words(opened, f"{section} .number") == first
    assert words(opened, f"{section} [data-output]") == steps[start][0]
    opened.type(slider, RIGHT)
    opened.click(f"{section} .reset")
    assert words(opened, f"{section} .number") == first
    ask = next(each for each in data["asks"] if each["kind"] == "choice")
    opened.click(f"#{ask['id']} .choice:nth-of-type({ask['right'] + 1})")
    opened.click(f"#{ask['id']} button[type=submit]")
    why = ask["choices"][ask["right"]][1]
    assert words(opened, f"#{ask['id']} .said") == f"Right. {why}"
    assert words(opened, f"nav a[href='#{name}'] .found").startswith(f"1 of {len(data['asks'])}")
    wide = "return page.document.documentElement.scrollWidth - page.innerWidth"
    assert opened.run(wide) <= 0


def test_the_film_goes_in_steps_and_draws_packets(opened: Firefox):
    place = "section#print-server .packet-player input[type=range]"
    opened.run(f"page.document.querySelector({place!r}).focus()")
    said = []
    for _ in range(6):
        opened.type(place, RIGHT)
        said.append(words(opened, "section#print-server .packet-player .step"))
    assert len(set(said)) == 6 and all(said)
    drawn = "section#print-server .packet-player .packet[visibility=visible]"
    assert opened.run("return page.document.querySelectorAll(given[0]).length", drawn) > 0


def test_what_was_said_is_there_after_a_reload_and_the_language_changes(
    opened: Firefox, classroom_page: Path
):
    if not words(opened, "section#print-server .verdict"):  # no other test has guessed here
        guess(opened, "section#print-server")
    verdict = words(opened, "section#print-server .verdict")
    opened.open("about:blank")
    opened.open(f"{classroom_page.as_uri()}#lang=de")
    opened.run(READY)
    german = words(opened, "section#print-server .verdict")
    assert verdict.startswith("You said 1.5 ") and german.startswith("Sie sagten 1,5 ")
    opened.picture("firefox-classroom")
