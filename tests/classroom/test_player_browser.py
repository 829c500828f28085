# SPDX-License-Identifier: GPL-2.0-only
"""The player in a real browser: by mouse and by keys, with and without motion, light and dark, and
where a reader of the page cannot see it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from study.catalogue import systems
from study.classroom import player_page
from study.classroom.films import films, tables_of

from tests.browser import SERIOUS, Visit, visit
from tests.waiting import HANG_S

SIZES = {"phone": (360, 740), "laptop": (1366, 768), "projector": (1920, 1080)}
BOX = "document.getElementById('hawking-hps1u').player"
PLAYER = "#hawking-hps1u .packet-player"
# Whether the words on a pause lie over one of the boxes that are the ends.
OVER_AN_END = """(player) => [...player.querySelectorAll(".stage")].some((stage) => {
  const words = stage.querySelector(".still");
  const { left, right } = words.getBoundingClientRect();
  const ends = [...stage.querySelectorAll(".end")].map((each) => each.getBoundingClientRect());
  return words.textContent !== "" && ends.some((end) => left < end.right && right > end.left);
})"""


@pytest.fixture(scope="module")
def address(program: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    page = tmp_path_factory.mktemp("player") / "player.html"
    page.write_text(player_page.document(), encoding="utf-8")
    return page.as_uri()


@pytest.fixture
def seen(browser: Any, address: str) -> Iterator[Visit]:
    with visit(browser, address, SIZES["laptop"]) as opened:
        yield opened
        assert not opened.said


def instant(seen: Visit) -> float:
    return seen.page.evaluate(f"{BOX}.state.clock.instant({BOX}.state.second)")


def wait_for(seen: Visit, condition: str) -> None:
    """The page forbids what the browser's own waiting needs."""
    for _ in range(HANG_S * 20):
        if seen.page.evaluate(f"{BOX}.state.{condition}"):
            return
        seen.page.wait_for_timeout(50)
    raise AssertionError(f"never was {condition}")


def test_keys_go_from_step_to_step_and_say_what_happens(seen: Visit):
    slider = seen.page.locator(f"{PLAYER} input[type=range]")
    said = seen.page.locator(f"{PLAYER} .step")
    slider.focus()
    steps = seen.page.evaluate(f"{BOX}.state.steps.map(({{ at }}) => at)")
    for at in steps[1:6]:
        slider.press("ArrowRight")
        assert instant(seen) == pytest.approx(at, abs=0.01)
        assert said.text_content()
        assert slider.get_attribute("aria-valuetext") == said.text_content()
    slider.press("ArrowLeft")
    assert instant(seen) == pytest.approx(steps[4], abs=0.01)
    slider.press("End")
    assert instant(seen) == pytest.approx(seen.page.evaluate(f"{BOX}.state.clock.until"))
    slider.press("Home")
    assert instant(seen) == 0
    assert said.get_attribute("aria-live") == "polite"


def test_space_plays_and_pauses_and_playing_says_nothing_aloud(seen: Visit):
    slider = seen.page.locator(f"{PLAYER} input[type=range]")
    slider.focus()
    slider.press(" ")
    wait_for(seen, "second > 0.2")
    assert seen.page.locator(f"{PLAYER} .step").text_content() == ""
    slider.press(" ")
    stands = seen.page.evaluate(f"{BOX}.state.second")
    seen.page.wait_for_timeout(100)
    assert seen.page.evaluate(f"{BOX}.state.second") == stands
    assert seen.page.locator(f"{PLAYER} .step").text_content()


def test_a_packet_moves_from_one_end_to_the_other(seen: Visit):
    places = []
    for at in (100, 600, 1100):
        seen.page.evaluate(f"{BOX}.at({at})")
        box = seen.page.locator(f"{PLAYER} .packet.data").first.bounding_box()
        places.append(box["x"])
    assert places == sorted(places) and places[-1] - places[0] > 200


def test_measured_and_simulated_stand_by_one_clock(seen: Visit):
    """Both send their first packet at the same instant, and the ACKs come as far apart as the
    table of results says of the cycle: less than one part in a hundred."""
    titles = seen.page.locator(f"{PLAYER} .title").all_text_contents()
    assert titles == ["As measured", "Simulated"]
    acks = seen.page.evaluate(
        f"{BOX}.state.films.map(({{ packets }}) => packets.find((each) => !each.near).came)"
    )
    assert acks[0] == pytest.approx(acks[1], rel=0.01) and acks[0] > 100_000
    seen.page.evaluate(f"{BOX}.at(5000)")
    waits = seen.page.locator(f"{PLAYER} .waits").all_text_contents()
    assert waits[0] == "A trace of packets does not tell who waits for what."
    assert waits[1] == "host: the receiver's window is full"


def test_without_motion_it_goes_in_steps(browser: Any, address: str):
    with visit(browser, address) as seen:
        seen.page.emulate_media(reduced_motion="reduce")
        seen.page.locator(f"{PLAYER} button").nth(1).click()
        found = set()
        wait_for(seen, "exact > 0")
        for _ in range(10):
            found.add(seen.page.evaluate(f"{BOX}.state.exact"))
            seen.page.wait_for_timeout(50)
        steps = set(seen.page.evaluate(f"{BOX}.state.steps.map(({{ at }}) => at)"))
        assert found <= steps


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_it_fits_every_screen(browser: Any, address: str, size: str, colours: str):
    with visit(browser, address, SIZES[size]) as seen:
        seen.page.emulate_media(color_scheme=colours)
        for at in (600, 50_000, 117_800):
            seen.page.evaluate(f"{BOX}.at({at})")
            assert seen.page.locator(PLAYER).evaluate(OVER_AN_END) is False
            seen.picture(f"player-{size}-{colours}-{at}", seen.page.locator(PLAYER))
        over = seen.page.evaluate(
            "[...document.querySelectorAll('.packet-player *')].filter((each) =>"
            " each.getBoundingClientRect().right > innerWidth + 1).length"
        )
        assert over == 0
        assert not seen.said


def test_five_thousand_packets_are_not_all_drawn(browser: Any, address: str, program: Path):
    system = systems["http2-go"].with_(job_size=4_000_000, receive_window=1_000_000)
    result = system.run(segments=True, waits=True)
    ends = ["host", "device"]
    (made,) = films([tables_of(result, ends, (0, len(result.packets)))])
    assert len(made["packets"]) > 4000
    told = json.dumps(made | {"title": "long"})
    with visit(browser, address) as seen:
        seen.page.evaluate(f"{BOX}.show([{told}])")
        until = seen.page.evaluate(f"{BOX}.state.clock.until")
        for part in range(1, 10):
            seen.page.evaluate(f"{BOX}.at({until * part / 10})")
            assert seen.page.locator(f"{PLAYER} .packet").count() <= 2 * 48 + 8
        assert not seen.said


def test_on_paper_it_is_a_picture_of_packets_under_way(seen: Visit):
    seen.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    seen.page.emulate_media(media="print")
    assert seen.page.locator(f"{PLAYER} .packet.data").first.is_visible()
    assert not seen.page.locator(f"{PLAYER} .keys").is_visible()


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_axe_finds_nothing(browser: Any, address: str, colours: str):
    with visit(browser, address) as seen:
        seen.page.emulate_media(color_scheme=colours)
        for at in (600, 50_000):
            seen.page.evaluate(f"{BOX}.at({at})")
            assert seen.hindrances(("minor", "moderate", *SERIOUS)) == []
