# SPDX-License-Identifier: GPL-2.0-only
"""What the explorer's page looks like in each language and window: nothing reaches out of its
place, or stands over something else, and one language speaks."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from study.explorer import runner
from study.front import words

from tests.browser import Visit, visit
from tests.classroom.test_german_browser import ENGLISH
from tests.explorer.pages import change, serving, settle, take
from tests.waiting import HANG_S

SIZES = {"phone": (360, 800), "laptop": (1366, 768), "desk": (1920, 1080)}
EXAMPLES = ("hawking-hps1u", "netware", "relook-400s", "telnet-xp")  # of each scenario
SVG = "{http://www.w3.org/2000/svg}"
SAME = {"MTU", "BBR"}  # in both languages
ENGLISH_WORDS = words.read()[words.ENGLISH]
# How far the letters of a part reach, and how far they may: up to the panel's own edge.
REACH = """(panel) => {
  const walk = document.createTreeWalker(panel, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  let right = 0;
  while (walk.nextNode()) {
    range.selectNodeContents(walk.currentNode);
    right = Math.max(right, range.getBoundingClientRect().right);
  }
  return [right, panel.getBoundingClientRect().left + panel.clientWidth];
}"""
# The lowest letter of the curve's picture, and where the list under it begins.
UNDER = """() => {
  const bottoms = [...document.querySelectorAll("#front-curve svg text")].map(
    (each) => each.getBoundingClientRect().bottom);
  return [Math.max(...bottoms), document.querySelector(".front-key").getBoundingClientRect().top];
}"""

WHOLE = Path(__file__).with_name("whole.js").read_text()

# The curve is drawn anew, as with each job that comes in, while the pointer rests.
DRAWN_ANEW = """() => new Promise((go) => {
  const plot = document.querySelector("#front-curve .plot");
  new MutationObserver(() => go()).observe(plot, {childList: true});
  plot.style.width = `${plot.clientWidth - 1}px`;
})"""


@pytest.fixture(scope="module")
def address(program: object) -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch, serving() as opened:
        patch.setattr(runner, "LONGEST_S", HANG_S)
        yield opened.address


@pytest.fixture(params=[(size, name) for size in SIZES for name in words.read()], ids="-".join)
def seen(request: pytest.FixtureRequest, browser: Any, address: str) -> Iterator[Visit]:
    """In a window of each size, in each language."""
    size, name = request.param
    with visit(browser, f"{address}#lang={name}", SIZES[size]) as opened:
        opened.name = f"{size}-{name}"
        settle(opened)
        yield opened
        assert not opened.errors


def helps(seen: Visit) -> Any:
    """What helps, with the row of what does nothing, which comes with the last trials."""
    seen.page.locator("#front-tab-changes").click()
    seen.page.wait_for_selector("#front-changes .still")
    seen.page.wait_for_selector("#front-changes .worse")
    return seen.page.locator("#front-changes")


def test_nothing_reaches_out_of_its_place(seen: Visit):
    """Neither of the window, nor what helps of its panel, nor the curve's letters over its key: one
    visit for all three."""
    inside_the_window(seen)
    letters_stand_over_the_key(seen)
    factors_are_seen(seen)  # in another tab, which hides the key


def test_every_number_is_whole_after_each_action(seen: Visit):
    """On opening, pinned, reset, in the dark, in each tab, and of a system of each scenario."""
    page = seen.page
    found = {"opened": page.evaluate(WHOLE)}
    slider = page.locator("[data-slider=ack_latency]")
    change(seen, lambda: slider.press("Home"))
    settle(seen)
    page.locator("#front-pin").click()
    found["pinned"] = page.evaluate(WHOLE)
    change(seen, page.locator("#front-reset").click)
    settle(seen)
    found["reset"] = page.evaluate(WHOLE)
    page.emulate_media(color_scheme="dark")
    found["dark"] = page.evaluate(WHOLE)
    for tab in ("packets", "changes", "take"):
        page.locator(f"#front-tab-{tab}").click()
        found[tab] = page.evaluate(WHOLE)
    for name in EXAMPLES[1:]:
        take(seen, name)
        found[name] = page.evaluate(WHOLE)
    assert {action: faults for action, faults in found.items() if faults} == {}


def inside_the_window(seen: Visit) -> None:
    wide = seen.page.viewport_size["width"]
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= wide
    for each in seen.page.locator(
        ".front-head :is(.front-buttons > button, select, summary)"
    ).all():
        box = each.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= wide


def factors_are_seen(seen: Visit) -> None:
    """The one cell of the last row is as wide as the table, and would be one line."""
    right, edge = helps(seen).evaluate(REACH)
    assert right <= edge
    seen.picture(f"explorer-helps-{seen.name}")


def letters_stand_over_the_key(seen: Visit) -> None:
    """After a reset: the key is one line longer when the closed form has come, and all points of
    the curve are known, so that nothing else draws it."""
    slider = seen.page.locator("[data-slider=ack_latency]")
    change(seen, lambda: slider.press("Home"))
    settle(seen)
    change(seen, seen.page.locator("#front-reset").click)
    settle(seen)
    seen.page.wait_for_selector(".front-key .of-paper")
    lowest, key = seen.page.evaluate(UNDER)
    assert lowest <= key
    seen.picture(f"explorer-reset-{seen.name}")
    seen.page.locator("#front-curve summary").click()  # which takes the curve some of its room
    seen.page.evaluate("() => new Promise((go) => requestAnimationFrame(() => setTimeout(go)))")
    lowest, key = seen.page.evaluate(UNDER)
    assert lowest <= key


@pytest.mark.parametrize("seen", [("phone", "de"), ("laptop", "en")], indirect=True, ids="-".join)
def test_the_curve_is_saved_read_and_set(seen: Visit):
    """Pointing at it says what the table below it says of that job, in the page's language."""
    saved_with_its_key(seen)
    seen.page.locator("#front").evaluate("(root) => root.querySelector('#front-tab-curve').click()")
    picture = seen.page.locator("#front-curve svg")
    dot = picture.locator(".dot").first
    settle(seen)  # or a job that comes in moves the points
    dot.hover(force=True)  # the line lies over it
    seen.page.evaluate(DRAWN_ANEW)
    said = picture.locator(".reading text").text_content()
    row = seen.page.locator(".front-numbers tbody tr").first.locator("th, td").all_text_contents()
    assert said == f"{row[0]}: {row[1]} kB/s"
    seen.picture(f"explorer-read-{seen.name}")
    change(seen, lambda: dot.click(force=True))
    chosen = f"--receive-window {re.sub(r'[^0-9]', '', row[0])}"
    assert chosen in seen.page.locator(".front-command").text_content()


def saved_with_its_key(seen: Visit) -> None:
    seen.page.locator("#front-tab-take").click()
    command = seen.page.locator(".front-figure-command").text_content()
    assert command.startswith(".venv/bin/study figure curve hawking-hps1u --vary receive_window=")
    saved = {}
    for kind in ("svg", "png"):
        with seen.page.expect_download() as got:
            seen.page.locator(f"#front-{kind}").click()
        assert got.value.suggested_filename == f"hawking-hps1u-receive_window.{kind}"
        saved[kind] = Path(got.value.path()).read_bytes()
    assert saved["png"].startswith(b"\x89PNG")
    drawn = ElementTree.fromstring(saved["svg"])
    assert drawn.find(f"{SVG}desc").text == command
    texts = " ".join(each.text for each in drawn.iter(f"{SVG}text"))
    for key in seen.page.locator(".front-key li").all_text_contents():
        assert key in texts


@pytest.mark.parametrize("system", EXAMPLES)
def test_the_german_page_says_its_answer_in_german(browser: Any, address: str, system: str):
    """The parameters and what they mean, and the systems' titles; a command line is in English."""
    with visit(browser, f"{address}#lang=de", SIZES["desk"]) as seen:
        settle(seen)
        take(seen, system)
        seen.page.wait_for_selector(".front-player button")
        labels = seen.page.locator(".front-leading label").all_inner_texts()
        assert labels and not {f"names.{each}" for each in set(labels) - SAME} & set(ENGLISH_WORDS)
        for part in ("#front-system option", ".front-control .help"):
            told = seen.page.locator(part).all_text_contents()
            assert len(told) > 10
            assert [each for each in told if re.search(r"\b(the|and|of|which|with)\b", each)] == []
        for part in (".front-answer", "#front-packets", ".front-key"):
            said = seen.page.locator(part).inner_text()
            assert said and not ENGLISH.search(said), said
            assert not re.search(r"\d\.\d", said), said
        for factor in helps(seen).locator("tr:not(.still) td:last-child").all_inner_texts():
            assert "." not in factor
