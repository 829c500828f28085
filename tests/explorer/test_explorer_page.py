# SPDX-License-Identifier: GPL-2.0-only
"""The front end with an engine that says what a test lets it say, and when: no move is lost, the
newest setting is the one that is simulated, and each fault has its sentence."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from study.explorer.backend import Backend
from study.front.front_page import page as page_of

from tests.browser import visit
from tests.waiting import until

HELD = 18  # repeats of a key that is held
# The page asks the window around it, which here is the test.
LISTEN = """<script>
    window.sent = [];
    addEventListener("message", ({ data }) => { if (data.study) window.sent.push(data.study); });
</script>"""
TURN = """() => new Promise((go) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => go();
    channel.port2.postMessage(0);
})"""
MOVES = "[data-slider=receive_window]"


@pytest.fixture(scope="module")
def html(program: Path) -> str:
    return page_of("message", "hawking-hps1u").replace("<main>", f"{LISTEN}<main>")


@pytest.fixture(scope="module")
def record(program: Path) -> dict:
    opened = Backend()
    run = {"kind": "run", "program": "print-job", "flags": ["--system=hawking-hps1u"]}
    answer = opened.answer(run)
    opened.close()
    return answer


@pytest.fixture
def page(html: str, browser: Any) -> Iterator[Any]:
    """The page has asked its first question; `window.sent` are the questions."""
    with visit(browser, "about:blank", (1366, 768)) as seen:
        seen.page.clock.install(time=0)
        seen.page.clock.pause_at(1000)  # from here on a test says how long something takes
        seen.page.set_content(html)
        until(lambda: len(sent(seen.page)) == 1)
        yield seen.page
        assert not seen.errors


def sent(page: Any, kind: str = "run") -> list[dict]:
    """What was asked of that kind, once all that is said by now is heard."""
    for _ in range(3):
        page.evaluate(TURN)
    return [each for each in page.evaluate("window.sent") if each["kind"] == kind]


def answer(page: Any, question: dict, said: dict) -> None:
    page.evaluate("answer => window.postMessage(answer)", {**said, "serial": question["serial"]})
    sent(page)


def value(page: Any) -> int:
    return int(page.locator(MOVES).input_value())


def typed(page: Any) -> tuple[str, str]:
    """What the field has, and what the slider's place is."""
    stops = page.evaluate("studyFront.controls.byKey.receive_window.stops")
    return page.locator("#front-receive_window").input_value(), stops[value(page)]


def test_a_key_that_is_held_loses_no_press(page: Any, record: dict):
    """Whatever is answered meanwhile, and when: an answer of an older place as well."""
    page.locator(MOVES).focus()
    page.keyboard.press("Home")
    for press in range(HELD):
        page.keyboard.down("ArrowRight")
        if press % 3 == 1:
            answer(page, sent(page)[-1], record)
    page.keyboard.up("ArrowRight")
    answer(page, sent(page)[-1], record)
    assert value(page) == HELD
    field, place = typed(page)
    assert field == place
    assert f"--receive-window={place}" in sent(page)[-1]["flags"]


def test_a_dragged_slider_stays_under_the_pointer(page: Any, record: dict):
    box = page.locator(MOVES).bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 4, y)
    page.mouse.down()
    for step in range(12):
        page.mouse.move(box["x"] + box["width"] * (0.25 + step / 24), y)
        answer(page, sent(page)[-1], record)
    under = value(page)
    page.mouse.up()
    answer(page, sent(page)[-1], record)
    assert value(page) == under
    most = int(page.locator(MOVES).get_attribute("max"))
    assert under == pytest.approx(most * (0.25 + 11 / 24), abs=2)
    field, place = typed(page)
    assert field == place and f"--receive-window={place}" in sent(page)[-1]["flags"]


def test_a_wheel_moves_a_slider_that_has_the_focus_and_no_other(page: Any, record: dict):
    slider = page.locator(MOVES)
    before = value(page)
    slider.hover()
    page.mouse.wheel(0, -100)
    assert value(page) == before
    slider.focus()
    for turn in range(5):
        page.mouse.wheel(0, -100)
        until(lambda at=before + turn + 1: value(page) == at)
    assert typed(page)[0] == typed(page)[1]


def test_of_settings_that_pass_by_the_newest_is_asked(page: Any, record: dict):
    slider = page.locator(MOVES)
    for _ in range(4):
        slider.press("ArrowRight")
    assert len(sent(page)) == 1  # the first is still out
    answer(page, sent(page)[0], record)
    place = typed(page)[1]
    flags = [each["flags"] for each in sent(page)[1:]]
    assert [f"--receive-window={place}"] == [each for each in flags[0] if "window" in each]


def test_nothing_else_is_asked_while_a_slider_moves(page: Any, record: dict):
    """The job and its packets; the curve's other points when it rests."""
    slider = page.locator(MOVES)
    for _ in range(3):
        slider.press("ArrowRight")
        answer(page, sent(page)[-1], record)
        answer(page, sent(page)[-1], record)  # of its packets
    jobs = sent(page)
    answer(page, jobs[-1], record)
    page.clock.run_for(200)
    assert len(sent(page)) == len(jobs)
    page.clock.run_for(10_000)
    assert len(sent(page)) == len(jobs) + 1


def test_what_is_not_answered_says_so_and_the_setting_stays(page: Any, record: dict):
    page.locator(MOVES).press("ArrowRight")
    place = typed(page)[1]
    page.clock.run_for(30_000)
    page.locator(".front-general", has_text="no answer").wait_for()
    assert typed(page)[0] == place
    page.clock.run_for(30_000)
    page.locator(MOVES).press("ArrowRight")
    answer(page, sent(page)[-1], record)
    page.locator("#front .number:not(:empty)").wait_for()
    assert page.locator(".front-general").inner_text() == ""


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            {"late": "the run took longer than 5 s and was ended"},
            "the run took longer than 5 s and was ended."
            " A smaller value of “job size” would shorten it.",
        ),
        (
            {"lost": "build/print-job was killed by signal 6"},
            "build/print-job was killed by signal 6."
            " The simulation was begun anew; the settings are as they were.",
        ),
        (
            {"status": 2, "said": "no parameter's sentence"},
            "no parameter's sentence",
        ),
    ],
)
def test_a_fault_has_its_sentence_and_keeps_the_setting(
    page: Any, record: dict, said: dict, told: str
):
    page.locator(MOVES).press("ArrowRight")
    place = typed(page)[1]
    answer(page, sent(page)[0], record)
    answer(page, sent(page)[-1], said)
    assert page.locator(".front-general").inner_text() == told
    assert typed(page) == (place, place)
    assert f"--receive-window {place}" in page.locator(".front-command").text_content()


def test_a_refusal_stands_at_its_control(page: Any, record: dict):
    said = {"status": 2, "said": "mss: 1 is out of range; give 88 to 1460 B"}
    answer(page, sent(page)[0], said)
    error = page.locator("#front-mss-wrong")
    assert error.is_visible()  # also where it stood behind "more"
    assert error.inner_text() == "1 is out of range; give 88 to 1460 B"


def test_undo_takes_a_whole_move_back(page: Any):
    slider, before = page.locator(MOVES), value(page)
    for _ in range(5):
        slider.press("ArrowRight")
    page.clock.run_for(2000)
    page.locator("[data-slider=ack_latency]").press("ArrowLeft")
    page.locator("#front-undo").click()
    assert value(page) == before + 5
    page.locator("#front-undo").click()
    assert value(page) == before
    assert page.locator("#front-undo").is_disabled()
