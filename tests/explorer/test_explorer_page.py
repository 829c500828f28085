# SPDX-License-Identifier: GPL-2.0-only
"""The explorer's page with a kernel that says what a test lets it say, and when."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from study import explorer
from study.explorer.view import Asked

from tests.browser import chromium, visit
from tests.waiting import HANG_S

PAGE = (Path(explorer.__file__).parent / "page.js").read_text()
BEGIN = """async ([code, start]) => {
    const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
    const { default: widget } = await import(url);
    window.sent = [];
    const on = (_, hear) => { window.hear = hear; };
    const send = (question) => { window.sent.push(question); };
    widget.render({ model: { get: () => start, on, off() {}, send }, el: document.body });
}"""
LONG_MS = 30_000  # no answer takes so long


@pytest.fixture
def page(program: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The page has asked its first question; `window.sent` are the questions."""
    monkeypatch.setattr(explorer.runner, "LONGEST_S", HANG_S)
    asked = explorer.session()
    start = {"presets": asked.presets(), "form": asked.form("hawking-hps1u")}
    with chromium() as browser, visit(browser, "about:blank") as seen:
        seen.page.clock.install(time=0)
        seen.page.clock.pause_at(1000)  # from here on a test says how long something takes
        seen.page.evaluate(BEGIN, [PAGE, start])
        yield seen.page
        assert not seen.errors
    asked.close()


def sent(page: Any) -> list[dict]:
    return page.evaluate("window.sent")


def answer(page: Any, question: dict, more: bool = False) -> None:
    """As the kernel would; `more` points of the curve may be asked for."""
    opened = explorer.session()
    view = opened.answer(Asked(question["system"], values=question["values"]))
    opened.close()
    names = {name: question[name] for name in ("view", "serial")}
    page.evaluate("answer => window.hear(answer)", {**view, **names, "more": more})


def set_window(page: Any, size_B: int) -> None:
    page.locator("[data-key=receive_window]").fill(str(size_B))
    page.clock.run_for(300)


def test_what_was_turned_before_a_silence_is_not_asked_after_it(page: Any):
    set_window(page, 5840)  # waits for the first question's answer
    page.clock.run_for(LONG_MS)
    assert "no answer" in page.locator(".general").inner_text()
    set_window(page, 8760)
    _, last = sent(page)
    assert last["values"] == {"receive_window": "8760"}
    answer(page, last)
    page.clock.run_for(LONG_MS)
    assert len(sent(page)) == 2
    assert page.locator("[data-key=receive_window]").input_value() == "8760"
    assert "--receive-window 8760" in page.locator("code").inner_text()


def test_an_answer_that_is_only_late_is_shown(page: Any):
    page.clock.run_for(LONG_MS)
    assert page.locator(".headline").inner_text() == ""
    answer(page, sent(page)[0])
    assert page.locator(".headline").inner_text().endswith("B/s")
    assert not page.locator(".general").is_visible()


def test_each_step_is_one_question_and_none_waits_for_the_curve(page: Any):
    """The curve's other points are asked for when the slider rests."""
    answer(page, sent(page)[0], more=True)
    for number in range(2, 6):
        page.locator("[data-slider=receive_window]").press("ArrowRight")
        assert len(sent(page)) == number
        answer(page, sent(page)[-1], more=True)
        assert page.locator(".explorer").get_attribute("data-drawn") == str(number)
    assert {each["kind"] for each in sent(page)} == {"view"}
    assert page.locator(".explorer").get_attribute("data-settled") == "false"
    page.clock.run_for(LONG_MS)
    assert [each["kind"] for each in sent(page)[5:]] == ["marks"]
    answer(page, sent(page)[-1])
    assert page.locator(".explorer").get_attribute("data-settled") == "true"


def test_of_questions_that_come_while_one_is_out_the_newest_is_asked(page: Any):
    for size_B in (1460, 5840, 8760):
        set_window(page, size_B)
    assert len(sent(page)) == 1
    answer(page, sent(page)[0])
    assert [each["values"] for each in sent(page)[1:]] == [{"receive_window": "8760"}]


def test_a_switch_stays_as_it_was_turned(page: Any):
    """Also while it has the focus, when the answer comes."""
    nagle = page.locator("[data-key=nagle]")
    answer(page, sent(page)[0])
    for turned in (True, False):
        nagle.press("Space")
        answer(page, sent(page)[-1])
        assert sent(page)[-1]["values"] == {"nagle": str(turned).lower()}
        assert nagle.is_checked() == turned
