# SPDX-License-Identifier: GPL-2.0-only
"""The page in German: a whole class is walked through, each unit with its guess, its questions
right and wrong, its film, the class's guesses; nothing in it is said in English but what is marked
as English (titles of sources, a licence)."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup
from study.catalogue import systems
from study.classroom import lesson

from tests.browser import PHONE, Visit, visit
from tests.classroom.test_classroom_browser import UNITS, controls, stand, submit, unit

# Words that every few English sentences have, and no German one.
ENGLISH = re.compile(
    r"\b(the|and|of|is|are|which|that|with|what|to|it|by|from|but|not|this|your|how|than|where"
    r"|when|or|no|one|each|nothing|moves|sends|arrives|lost|slowed|packets?|seconds?|waits?)\b",
    re.IGNORECASE,
)
CODE = re.compile(r"\b[A-Z0-9]+(/[A-Z0-9]+)+\b")  # of a pupil's answers, in any letters
# An explorer's command is in English, and so are its values' names; an address is no sentence.
# tests/explorer/test_explorer_look.py looks at the rest of the explorer.
SAID = """() => {
  const own = document.documentElement;
  const isOwn = (each) => each && each.closest("[lang]") === own &&
    !each.closest("script, style, noscript, #front");
  const found = [document.title];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    if (isOwn(walk.currentNode.parentElement)) found.push(walk.currentNode.data);
  }
  for (const name of ["aria-label", "aria-valuetext", "title", "placeholder", "alt"]) {
    const named = [...document.querySelectorAll(`[${name}]`)].filter(isOwn);
    found.push(...named.map((each) => each.getAttribute(name)));
  }
  return found.map((each) => each.replace(location.href, "").trim()).filter(Boolean);
}"""


def english(page: Any) -> list[str]:
    said = page.evaluate(SAID)
    assert len(said) > 100
    return sorted({each for each in said if ENGLISH.search(CODE.sub("", each))})


@pytest.fixture
def german(browser: Any, classroom_page: Path) -> Iterator[Visit]:
    with visit(browser, f"{classroom_page.as_uri()}#lang=de", PHONE) as visited:
        visited.page.wait_for_selector("main:not([inert])")
        yield visited
    assert visited.said == []


def test_the_detector_finds_english(phone: Visit):
    assert len(english(phone.page)) > 100


@pytest.mark.parametrize("name", UNITS)
def test_a_unit_is_german_from_its_guess_to_its_last_answer(german: Visit, name: str):
    page = german.page
    section = page.locator(f"section#{name}")
    section.locator(".predict button[type=submit]").click()  # without a guess
    assert english(page) == []
    german.picture(f"classroom-german-{name}-before", section)
    unit(page, name)
    page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))")
    assert english(page) == []
    for form in section.locator(".ask").all():
        check, choices = form.locator("button[type=submit]"), form.locator("input[type=radio]")
        for choice in choices.all():
            choice.check()
            check.click()
            assert english(page) == []
        if not choices.count():
            field = form.locator("input")
            for typed in ("", "1,5", "1,5") if field.count() else ("",) * 2:
                if field.count():
                    field.fill(typed)
                check.click()
            show = form.locator(".show")
            if show.is_visible():
                show.click()
    for control in controls(section):
        stand(page, control, 0)
    section.locator(".whole").click()
    player = section.locator(".packet-player input[type=range]")
    player.focus()
    for _ in range(12):
        player.press("ArrowRight")
        assert english(page) == []
    german.picture(f"classroom-german-{name}", section)


def test_the_class_s_guesses_and_the_links_are_german(german: Visit):
    page = german.page
    unit(page, "print-server")
    page.evaluate("location.hash = '#lang=de&at=class'")
    box = page.locator("#class")
    box.locator("textarea").fill("hallo")
    assert "ist kein Code dieser Seite" in box.locator(".problems").inner_text()
    for button in box.locator("button").all():
        button.click()
    page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))")
    assert english(page) == []
    german.picture("classroom-german-class", box)


def test_numbers_are_german_and_a_comma_is_decimal(german: Visit):
    section = german.page.locator("section#print-server")
    section.locator(".predict .guess").fill("5.840")
    section.locator(".predict button[type=submit]").click()
    assert "5.840 kann 5840 oder 5,840 sein" in section.locator(".wrong").inner_text()
    section.locator(".predict .guess").fill("24,8")
    submit(section)
    assert section.locator(".number").inner_text() == "24,8"
    assert "24,8\u00a0kB/s" in section.locator(".verdict").inner_text()
    stops = section.locator("#print-server-window")
    stops.press("End")
    assert stops.get_attribute("aria-valuetext") == "65\u202f535 B"


def test_what_a_source_is_called_is_not_translated(german: Visit):
    title = systems["hawking-hps1u"].title
    found = german.page.locator(".sources [lang=en]", has_text=title)
    assert found.count() == 1


@pytest.mark.parametrize("kind", ["worksheet", "answers"])
def test_a_german_worksheet_has_no_english(program: object, kind: str):
    page = BeautifulSoup(lesson.document(kind, language="de"), "html.parser")
    for each in page.find_all(["code", "pre", "script", "style"]):
        each.decompose()
    said = page.get_text(" ")
    for exercise in lesson.exercises():
        said = said.replace(exercise.data["id"], "")
    assert "Druckserver" in said and not ENGLISH.search(said), ENGLISH.search(said)
    rates = re.findall(
        r"\d+\.\d+ kB/s", " ".join(each.answer_text() for each in lesson.exercises())
    )
    assert rates and (kind == "worksheet" or all(each.replace(".", ",") in said for each in rates))
