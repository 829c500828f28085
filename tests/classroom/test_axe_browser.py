# SPDX-License-Identifier: GPL-2.0-only
"""An accessibility checker on what a class gets: the page before a guess, the class's guesses, the
page in German with all of it open, the worksheets."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from study.base.linking import linked
from study.classroom import lesson
from study.classroom.page import ROOM

from tests.browser import PHONE, Visit, visit
from tests.classroom.test_classroom_browser import UNITS, unit

IDS = "['AAAAAA', 'BBBBBB', 'CCCCCC']"
CODES = f"(({{ codeOf }}) => {IDS}.map((id, n) => codeOf(id, {{ P: 20 * (n + 1), X: 300 }})))"
CODES += f"({linked(ROOM / 'guesses.js')})"


@pytest.fixture
def german(browser: Any, classroom_page: Path) -> Iterator[Visit]:
    with visit(browser, f"{classroom_page.as_uri()}#lang=de&at=class", PHONE) as seen:
        seen.page.wait_for_selector("main:not([inert])")
        yield seen
    assert seen.said == []


def test_the_class_s_guesses_and_the_german_page(german: Visit):
    page = german.page
    box = page.locator("#class")
    box.locator("textarea").fill("\n".join([*page.evaluate(CODES), "nobody"]))
    for button in box.locator("button").all():
        button.click()
    assert box.locator(".guess-bar").count() > 2 and box.locator(".answer-line").count() == 2
    for name in UNITS:
        unit(page, name)
    page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))")
    page.emulate_media(color_scheme="light")
    assert german.hindrances() == []
    page.emulate_media(color_scheme="dark")
    assert german.hindrances(options={"runOnly": ["color-contrast"]}) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_before_a_guess(phone: Visit, scheme: str):
    phone.page.emulate_media(color_scheme=scheme)
    assert phone.hindrances() == []


@pytest.mark.parametrize("kind", ["worksheet", "answers"])
def test_the_sheets(browser: Any, program: Path, tmp_path: Path, kind: str):
    page = tmp_path / "worksheet.html"
    page.write_text(lesson.document(kind), encoding="utf-8")
    with visit(browser, page.as_uri()) as seen:
        seen.page.wait_for_selector(".page")
        assert seen.hindrances() == []
