# SPDX-License-Identifier: GPL-2.0-only
"""What a student could misread of the page is said there: a guess that was for another setting, a
stop without a place on its axis, the luck of one seed, a film that slows or leaves out."""

from pathlib import Path
from typing import Any

import pytest
from study.classroom.page_units import read

from tests.browser import Visit, visit
from tests.classroom.test_classroom_browser import UNITS, controls, stand, tell, unit

ENDS = "(each) => { const { y, height } = each.getBBox(); return [y, y + height]; }"
PLAYER = "document.querySelector('#{} div.player').player"


def test_a_drawn_curve_says_for_what_it_was_once_other_sliders_move(page: Any):
    section = page.locator("section#print-server")
    tell(section)
    section.locator(".predict .guess").fill("42")
    section.locator(".pad [tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    section.locator(".predict button[type=submit]").click()
    said, points = section.locator(".curve .guess-text"), section.locator(".curve .guess-point")
    assert (said.text_content(), points.count()) == ("your guess", 2)
    assert section.locator(".curve .stale").count() == 0
    window, latency, line = controls(section)
    stand(page, window, 0)
    assert said.text_content() == "your guess"  # the curve's own slider moves along it
    stand(page, latency, 0)
    stand(page, line, 0)
    assert said.text_content() == "your guess before the change"
    assert section.locator(".curve .guess-point.stale").count() == 2
    section.locator(".reset").click()
    assert said.text_content() == "your guess"


def test_a_guess_s_words_stay_inside_a_phone_s_picture(browser: Any, classroom_page: Path):
    """575 px wide they were, in a picture of 296."""
    with visit(browser, f"{classroom_page.as_uri()}#lang=de", (360, 740)) as seen:
        section = unit(seen.page, "long-pipe")
        for control in controls(section)[1:3]:
            stand(seen.page, control, 0)
        words = section.locator(".curve .guess-text")
        box, picture = words.bounding_box(), section.locator(".curve svg").bounding_box()
        assert box["x"] >= picture["x"]
        assert box["x"] + box["width"] <= picture["x"] + picture["width"]
        section.locator(".sources summary").click()
        assert seen.page.evaluate("document.documentElement.scrollWidth") == 360


def test_no_loss_stands_apart_from_an_axis_that_has_no_nought(phone: Visit):
    section = unit(phone.page, "losses")
    section.locator(".whole").click()
    gap = section.locator(".curve .break").bounding_box()
    dots = [each.bounding_box()["x"] for each in section.locator(".curve .dot").all()]
    assert dots[0] < gap["x"] < dots[1]
    assert unit(phone.page, "print-server").locator(".curve .break").count() == 0
    phone.picture("classroom-losses", section.locator(".curve"))


def test_one_draw_of_the_losses_stands_between_several(page: Any, program: Any):
    (losses,) = (each for each in read() if each.id == "losses")
    section = unit(page, "losses")
    section.locator(".whole").click()
    bars = section.locator(".curve .range")
    rtt = controls(section)[1]
    assert bars.count() == len(losses.controls[0].steps)
    dots = section.locator(".curve .dot").all()
    for dot, bar in zip(dots, bars.all(), strict=True):
        middle = float(dot.get_attribute("cy"))
        top, bottom = bar.evaluate(ENDS)
        assert top - 0.01 <= middle <= bottom + 0.01
    assert "8 samples" in section.locator(".answer").inner_text()
    stand(page, rtt, 0)
    assert bars.count() == 0  # they are those of the first setting


@pytest.mark.parametrize("name", UNITS)
def test_a_film_says_that_it_slows_and_where(page: Any, name: str):
    """Where its clock is slower than it says of itself, the stage says how much; never else."""
    section = unit(page, name)
    player = PLAYER.format(name)
    told = page.evaluate(
        f"(() => {{ const {{ state }} = {player}; const {{ clock }} = state;"
        " const all = Array.from({ length: 80 }, (_, n) => (clock.total * (n + 0.5)) / 80);"
        " return { slowed: clock.isSlowed, usual: clock.usual, all: all.map((second) => {"
        f"   state.exact = undefined; {player}.at(clock.instant(second));"
        "   const step = 1e-4; state.second = second;"
        "   const pace = (clock.instant(second + step) - clock.instant(second)) / step;"
        "   const lane = state.lanes[0];"
        "   return [pace, lane.pace.textContent, lane.stage.querySelectorAll("
        "     '.packet[visibility=visible]').length]; }) }; })()"
    )
    assert told["all"]
    note = section.locator(".packet-player .pace").text_content()
    assert note.startswith("One second here is ")
    assert ("slowed" in note) == told["slowed"]
    for pace, said, moving in told["all"]:
        slower = told["usual"] / pace if pace else 0
        if moving and slower > 1.2:
            times = float(said.removeprefix("slowed ").split()[0].replace(",", ""))
            assert times == pytest.approx(slower, rel=0.06)
        elif slower < 1:
            assert "slowed" not in said


def test_a_film_says_how_many_of_its_packets_it_draws(page: Any):
    section = unit(page, "print-server")
    player = PLAYER.format("print-server")
    drawn = page.evaluate(
        "(() => { const packets = Array.from({ length: 400 }, (_, n) =>"
        " [n, 10000 + n, 1, 1 + n * 1460, 1460, -1, 0]);"
        f"{player}.show([{{ packets, begin: [[1, 1, 1e6], [0, 0, 0]], ends: ['a', 'b'],"
        f" title: 'many' }}]); {player}.at(5000);"
        f"const [lane] = {player}.state.lanes;"
        "return [lane.stage.querySelectorAll('.packet[visibility=visible]').length,"
        " lane.pace.textContent]; })()"
    )
    assert drawn[0] < 50
    assert f"1 in {round(400 / drawn[0], 1):g} is drawn" in drawn[1]
    assert section.locator(".packet-player").is_visible()
