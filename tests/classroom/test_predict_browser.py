# SPDX-License-Identifier: GPL-2.0-only
"""The classroom page teaches by predicting: what a student guesses, draws, meets, answers and
keeps; and what the teacher gathers of it. With keys, a finger or a mouse, on a phone's screen."""

from pathlib import Path
from typing import Any

import pytest
from study.base.linking import linked
from study.classroom.page import ROOM

from tests.browser import PHONE, Visit, visit
from tests.classroom.test_classroom_browser import UNITS, controls, stand, tell, unit
from tests.waiting import until

# Where parts of a unit are, all at one instant, when what was drawn last stands.
BOXES = """async (section, parts) => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const boxes = parts.map((part) => section.querySelector(part).getBoundingClientRect());
  return boxes.map(({ y, height }) => ({ y, height }));
}"""
FORBIDDEN = """
const get = () => { throw new DOMException("no", "SecurityError"); };
Object.defineProperty(window, "localStorage", { get });
"""
KEPT = "localStorage.getItem('why-is-this-transfer-slow')"


def reload(page: Any) -> None:
    """Until what the page kept is there: the browser hands it from one process to another, and a
    reload on a busy machine can be quicker."""
    kept = page.evaluate(KEPT)
    assert kept

    def is_there() -> bool:
        page.reload()
        page.wait_for_selector("main:not([inert])")
        return page.evaluate(KEPT) == kept

    until(is_there)


def test_nothing_is_given_away_before_a_guess(page: Any):
    section = page.locator("section#print-server")
    assert not section.locator(".results").is_visible()
    assert section.locator(".predict button[type=submit]").inner_text() == "Guess"
    section.locator(".predict button[type=submit]").click()
    assert "number" in section.locator(".predict [role=alert]").inner_text()
    told, hint = section.locator(".told"), section.locator(".clue summary")
    assert not told.is_visible() and not hint.is_visible()
    section.locator(".predict .guess").fill("2000")
    page.keyboard.press("Enter")
    assert told.is_visible() and not section.locator(".results").is_visible()
    assert "Your first guess: 2000 kB/s." in section.locator(".again").inner_text()
    reload(page)
    assert told.is_visible() and section.locator(".predict .guess").input_value() == "2000"
    assert not section.locator(".clue p").is_visible()
    hint.click()
    assert section.locator(".clue p").is_visible()
    section.locator(".predict .guess").fill("1000")
    section.locator(".predict .guess").press("Enter")
    assert section.locator(".results").is_visible()
    assert "too high" in section.locator(".verdict").inner_text()


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("24,8", "You said 24.8 kB/s"),
        ("1,5", "You said 1.5 kB/s"),
        (" 2000 ", "You said 2,000 kB/s"),
        ("1500.5", "You said 1,500.5 kB/s"),
        ("1,000", "1,000 could be 1000 or 1.000"),
        ("a lot", "Write a number"),
        ("-3", "Write a number"),
        ("0", "Write a number"),
    ],
)
def test_a_decimal_comma_is_as_good_as_a_point(page: Any, typed: str, said: str):
    section = page.locator("section#print-server")
    section.locator(".predict .guess").fill(typed)
    section.locator(".predict .guess").press("Enter")
    if section.locator(".predict .guess").is_visible():
        section.locator(".predict .guess").press("Enter")
    words = section.locator(".verdict, .predict .wrong").all_inner_texts()
    assert any(said in each.replace("\u00a0", " ") for each in words), words


def test_the_guess_can_be_skipped(page: Any):
    section = page.locator("section#telnet")
    section.locator(".skip").click()
    assert section.locator(".results").is_visible()
    assert section.locator(".curve .guess-line, .curve .guess-point").count() == 0


def test_a_curve_is_drawn_with_keys_before_it_is_shown(page: Any):
    section = page.locator("section#print-server")
    tell(section)
    handles = section.locator(".pad [role=slider]")
    assert handles.count() == 12
    assert {each.get_attribute("aria-valuetext") for each in handles.all()} == {"no guess yet"}
    section.locator(".pad [tabindex='0']").focus()
    page.keyboard.press("ArrowUp")
    # The measured system's own stop, which the number is a guess for.
    first = section.locator(".predict .guess").input_value()
    assert float(first) > 0
    page.keyboard.press("PageUp")
    assert float(section.locator(".predict .guess").input_value()) > float(first)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    set_now = section.locator(".pad .handle:not(.open)")
    assert [each.get_attribute("data-place") for each in set_now.all()] == ["4", "5"]
    assert "kB/s" in set_now.last.get_attribute("aria-valuetext")
    page.keyboard.press("Delete")
    assert set_now.count() == 1
    page.keyboard.press("ArrowUp")
    section.locator(".predict button[type=submit]").click()
    assert section.locator(".curve .guess-point").count() == 2
    assert "Of the 2 stops that you drew" in section.locator(".verdict").inner_text()


TWO_FRAMES = "new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(then)))"


def test_a_curve_is_drawn_with_one_stroke(page: Any):
    section = page.locator("section#print-server")
    page.emulate_media(reduced_motion="reduce")  # a smooth scroll would move the pad meanwhile
    tell(section)
    area = section.locator(".pad-area")
    page.evaluate(TWO_FRAMES)  # the pad is drawn anew in the size that it has got
    area.evaluate("it => it.scrollIntoView({ block: 'center' })")
    page.evaluate(TWO_FRAMES)
    box = area.bounding_box()
    page.mouse.move(box["x"] + 1, box["y"] + box["height"] * 0.9)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 1, box["y"] + box["height"] * 0.1)
    page.mouse.up()
    handles = section.locator(".pad [role=slider]").all()
    values = [float(each.get_attribute("aria-valuenow")) for each in handles]
    assert section.locator(".pad .open").count() == 0
    assert values == sorted(values) and values[-1] > 100 * values[0]
    section.locator(".predict button[type=submit]").click()
    assert section.locator(".curve .guess-point").count() == len(handles)


def test_dots_appear_as_they_are_met_and_the_rest_on_request(page: Any, class_runs: dict):
    section = unit(page, "print-server")
    dots, rows = section.locator(".curve .dot"), section.locator(".numbers tbody tr")
    steps = class_runs["print-server"]["controls"][0]["steps"]
    assert (dots.count(), rows.count()) == (1, len(steps))
    unmet = section.locator(".numbers td", has_text="not visited yet")
    assert unmet.count() == len(steps) - 1
    section.locator("#print-server-window").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert (dots.count(), unmet.count()) == (3, len(steps) - 3)
    label = section.locator(".curve svg").get_attribute("aria-label")
    assert "5,840 B" in label and "65,535 B" not in label
    section.locator("#print-server-latency").focus()
    page.keyboard.press("ArrowLeft")
    assert (dots.count(), section.locator(".curve .been").count()) == (1, 3)
    section.locator(".whole").click()
    assert (dots.count(), unmet.count()) == (len(steps), 0)
    assert not section.locator(".whole").is_visible()


def test_steps_are_steps(page: Any):
    """From 1,460 to 2,920 B the curve is level, and then goes straight up."""
    section = unit(page, "print-server")
    section.locator(".whole").click()
    paths = [each.get_attribute("d") for each in section.locator(".curve path.line").all()]
    level = next(path for path in paths if path.count("H") == 1 and path.count("V") == 1)
    assert "L" not in level
    dots = unit(page, "send-buffer")
    dots.locator(".whole").click()
    assert dots.locator(".curve path.line").count() == 0
    assert dots.locator(".curve .line-fine").count() > 10


@pytest.mark.parametrize("name", UNITS)
def test_each_question_is_checked_at_once_and_told_why(page: Any, class_runs: dict, name: str):
    section = unit(page, name)
    data = class_runs[name]
    for ask in data["asks"]:
        form = section.locator(f"#{ask['id']}")
        said, check = form.locator(".said"), form.locator("button[type=submit]")
        check.click()
        if ask["kind"] == "number":
            assert said.inner_text() == "Write a number."
            least, most = ask["right"]
            for wrong in (least / 1.5, most * 1.5):
                form.locator("input").fill(str(wrong))
                check.click()
                assert said.inner_text() == "Not yet. " + ask["hint"]
            for found in (least, most):
                form.locator("input").fill(f"{found:.3g}".replace(".", ","))
                check.click()
                assert said.inner_text().startswith("Right. ")
            why = ask["why"]
        elif ask["kind"] == "choice":
            assert said.inner_text() == "Choose one of them."
            for place, (_, why) in enumerate(ask["choices"]):
                if place != ask["right"]:
                    form.locator("input").nth(place).check()
                    check.click()
                    assert said.inner_text().split() == ("Not yet. " + why).split()
            form.locator("input").nth(ask["right"]).check()
            why = ask["choices"][ask["right"]][1]
        else:
            assert said.inner_text().startswith("Not yet")
            for control, place in zip(controls(section), ask["right"], strict=True):
                stand(page, control, place)
            why = ask["why"]
        check.click()
        assert said.inner_text().split() == ("Right. " + why).split()
        section.locator(".reset").click()
    all_of_them = f"{len(data['asks'])} of {len(data['asks'])}"
    assert page.locator(f"nav a[href='#{name}'] .all").inner_text().startswith(all_of_them)


def test_what_was_done_is_kept_on_the_device_until_it_is_forgotten(page: Any):
    section = unit(page, "print-server")
    section.locator("#print-server-window").focus()
    page.keyboard.press("ArrowRight")
    form = section.locator("#print-server-3")
    form.locator("input").nth(1).check()
    form.locator("button[type=submit]").click()
    code = section.locator(".guess-code").text_content()
    reload(page)
    assert section.locator(".results").is_visible()
    assert "You said 42\u00a0kB/s" in section.locator(".verdict").inner_text()
    assert section.locator(".curve .dot").count() == 2
    assert form.locator(".said").inner_text().startswith("Right.")
    assert section.locator(".guess-code").text_content() == code
    page.locator(".forget").click()
    page.wait_for_selector("#print-server .predict:visible")
    assert not section.locator(".results").is_visible()
    unit(page, "print-server")
    assert section.locator(".guess-code").text_content() != code  # another student, perhaps


def test_where_nothing_may_be_kept_the_page_works_all_the_same(browser: Any, classroom_page: Path):
    with visit(browser, "about:blank", PHONE) as visited:
        visited.page.add_init_script(FORBIDDEN)
        visited.page.goto(classroom_page.as_uri())
        section = unit(visited.page, "print-server")
        assert "24.8" in section.locator(".verdict").inner_text()
        visited.page.locator(".forget").click()
        visited.page.wait_for_selector("#print-server .predict:visible")
    assert visited.said == []


@pytest.mark.parametrize("name", UNITS)
def test_slider_number_bar_and_curve_are_in_one_screen_of_a_phone(page: Any, name: str):
    section = unit(page, name)
    for control in controls(section):
        stand(page, control, 0)
        control.scroll_into_view_if_needed()  # what is said over it may have got a line more
        about = control.get_attribute("data-control")
        boxes = section.evaluate(
            BOXES, [f"[data-control={about}]", ".number", ".bar", ".curve svg"]
        )
        for box in boxes:
            below = box["y"] + box["height"]
            assert box["y"] >= 0 and round(below) <= PHONE[1], (about, boxes)
        # The picture does not lie over what is moved.
        assert boxes[0]["y"] >= boxes[-1]["y"] + boxes[-1]["height"], about


def test_what_is_on_or_off_is_a_switch_and_names_are_chosen(page: Any):
    section = unit(page, "telnet")
    switch = section.get_by_role("switch", name="Nagle at the device")
    assert switch.get_attribute("aria-checked") == "true"
    before = section.locator(".number").inner_text()
    switch.click()
    assert switch.get_attribute("aria-checked") == "false"
    assert section.locator(".number").inner_text() != before
    losses = unit(page, "losses")
    names = losses.get_by_role("radiogroup", name="Congestion control", exact=True)
    control = names.get_by_role("radio", name="BBR")
    assert not control.is_checked()
    control.check()
    assert control.is_checked()


def test_an_answer_10_ms_earlier_is_a_stop(class_runs: dict):
    for name, control in (("print-server", 1), ("telnet", 0), ("long-pipe", 1)):
        steps = class_runs[name]["controls"][control]["steps"]
        place = class_runs[name]["controls"][control]["start"]
        assert steps[place][1] - steps[place - 1][1] == pytest.approx(10)


def test_a_setting_is_told_and_taken(page: Any):
    section = unit(page, "telnet")
    stand(page, controls(section)[0], 0)
    section.get_by_role("switch", name="Nagle at the client").click()
    state = page.evaluate("units.stateOf()")
    assert state["telnet"] == {"delay": 0, "client-nagle": 0} and state["losses"] == {}
    number = section.locator(".number").inner_text()
    section.locator(".reset").click()
    assert page.evaluate("units.stateOf()")["telnet"] == {}
    page.evaluate("state => units.setState(state)", {**state, "gone": {}, "losses": {"loss": 99}})
    assert section.locator(".number").inner_text() == number


def test_a_class_s_guesses_stand_beside_the_answer(phone: Visit):
    page = phone.page
    section = unit(page, "print-server")
    section.locator(".share summary").click()
    assert section.locator(".qr svg").is_visible()
    own = section.locator(".guess-code").text_content()
    made = "[['AAAAAA', { P: 20 }], ['BBBBBB', { P: 40, T: 10 }], ['AAAAAA', { P: 1000 }]]"
    codes = page.evaluate(
        f"(({{ codeOf }}) => {made}.map((each) => codeOf(...each)))({linked(ROOM / 'guesses.js')})"
    )
    page.click("a[href='#class']")
    box = page.locator("#class")
    box.locator("textarea").fill("\n".join([own, codes[0], "hello", codes[1], codes[2]]))
    assert box.locator(".counted").inner_text() == "3 students."
    assert box.locator(".problems li").all_inner_texts() == [
        "Line 3, “hello”, is no code of this page.",
        "Line 5 is the student of line 2 again: counted once, with what was said last.",
    ]
    part = box.locator("[data-unit=print-server]")
    told = "3 guesses: from 40 to 1,000 kB/s, the middle one 42 kB/s."
    assert part.locator(".told").inner_text() == told
    bars = part.locator(".guess-bar").all()
    heights = sorted(round(float(each.get_attribute("height"))) for each in bars)
    assert len(bars) == 2 and heights[1] == 2 * heights[0]  # 40 and 42 are in one
    assert part.locator(".answer-line").count() == 0
    part.locator("button").click()
    told += " It is 24.8 kB/s. 0 of 3 are within a quarter of it."
    assert part.locator(".told").inner_text() == told
    assert part.locator(".answer-line").count() == 1
    assert box.locator("[data-unit=losses] .told").inner_text() == "no guess yet"
    phone.picture("classroom-class", box)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


@pytest.mark.parametrize("part", [".find-out h3", ".packet-player .stage", ".ladder figcaption"])
def test_the_picture_that_stays_in_sight_covers_no_question_and_no_film(page: Any, part: str):
    section = unit(page, "telnet")
    wanted = section.locator(part)
    wanted.evaluate("(each) => each.scrollIntoView({ block: 'start', behavior: 'instant' })")
    box = wanted.bounding_box()
    assert -1 <= box["y"] < PHONE[1] / 2
    middle = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
    on_top = "([x, y, part]) => Boolean(document.elementFromPoint(x, y).closest(part))"
    assert page.evaluate(on_top, [*middle, part])


def test_a_question_of_a_slider_leads_to_it(page: Any, class_runs: dict):
    section = unit(page, "print-server")
    ask = next(each for each in class_runs["print-server"]["asks"] if each["kind"] == "stop")
    page.emulate_media(reduced_motion="reduce")
    section.locator(f"#{ask['id']} .to-slider").click()
    slider = section.locator(f"#print-server-{ask['control']}")
    assert page.evaluate("document.activeElement.id") == slider.get_attribute("id")
    box = slider.bounding_box()
    picture = section.locator(".curve svg").bounding_box()
    assert picture["y"] + picture["height"] <= box["y"] <= PHONE[1] - box["height"]


def test_a_check_before_anything_was_moved_is_no_try(page: Any, class_runs: dict):
    section = unit(page, "print-server")
    ask = next(each for each in class_runs["print-server"]["asks"] if each["kind"] == "stop")
    form = section.locator(f"#{ask['id']}")
    for _ in range(3):
        form.locator("[type=submit]").click()
        assert form.locator(".said").inner_text()
        assert not form.locator(".show").is_visible()


def test_on_paper_a_unit_has_its_questions_and_what_its_picture_means(phone: Visit):
    section = unit(phone.page, "losses")
    phone.page.emulate_media(media="print")
    for each in section.locator(".ask > p:first-child").all():
        assert each.is_visible() and each.inner_text()
    for part in (".curve svg", ".answer .hint", "[data-of='losses.fixed']", ".packet-player svg"):
        assert section.locator(part).first.is_visible(), part
    assert not section.locator(".asks button").first.is_visible()
    unopened = phone.page.locator("section#telnet")
    assert unopened.evaluate("(each) => getComputedStyle(each).breakBefore") == "auto"
