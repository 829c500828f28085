# SPDX-License-Identifier: GPL-2.0-only
"""Which controls stand first is looked for beside the page: it is there at once in the plan's
order, says what is awaited, and changes nothing under a hand."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from study import systems
from study.explorer.backend import Backend
from study.front import forms, leading
from study.front.front_page import page as page_of

from tests.browser import chromium, visit
from tests.explorer.test_explorer_page import LISTEN, answer, sent
from tests.waiting import HANG_S, until

HAWKING = "hawking-hps1u"
RANKED = ["mss", "send_buffer", "nagle"]


@pytest.fixture
def fresh(program: Path, tmp_path: Path) -> Iterator[None]:
    """Nothing is known of any system, and nothing is found out."""
    with (
        mock.patch.object(leading, "FOLDER", tmp_path),
        mock.patch.object(leading, "find", lambda _: pytest.fail("nobody may wait for this")),
    ):
        yield


def test_a_form_is_there_without_a_run(fresh: None):
    opened = Backend()
    for name in ("relook-400s", "telnet-xp", HAWKING):
        form = opened.answer({"kind": "form", "system": name})["form"]
        plan = forms.plan_of(systems[name])
        assert not form["isRanked"] and form["leading"] == leading.planned(systems[name], plan)
        assert form["axis"] == plan.axis == form["leading"][0]
    opened.close()


@pytest.mark.parametrize("name", [HAWKING, "relook-400s", "telnet-xp", "netware"])
def test_the_curve_is_over_one_of_the_first_sliders(program: Path, name: str):
    """Also where what moves the job most is nothing that the plan's curve is over."""
    plan = forms.plan_of(systems[name])
    switches = ["nagle", "sendfile", "disk_reading", "client_nagle", "server_nagle", "protocol"]
    for keys in (plan.keys[:4], plan.keys[-4:], [key for key in switches if key in plan.keys]):
        with mock.patch.object(leading, "leading", lambda *_, keys=keys: list(keys)):
            told = forms.ranking(name)
        form = {each["key"]: each for each in controls(name)}
        assert told["axis"] in told["leading"] and form[told["axis"]]["kind"] == "number"
        assert told["axis"] == plan.axis or plan.axis not in keys


def controls(name: str) -> list[dict[str, Any]]:
    form = forms.form(name, is_patient=False)
    return [each for section in form["sections"] for each in section["controls"]]


def test_what_explain_ranks_first_stands_first(program: Path, tmp_path: Path):
    """What helps, best first: not what a value beyond the slider's end harms most."""
    helps, harms = (
        [mock.Mock(change=mock.Mock(values={key: text})) for key, text in some.items()]
        for some in (
            {"disk_reading": "read-ahead", "bus_width": "4"},
            {"send_buffer": "2048", "disk_reading": "waited"},
        )
    )
    said = mock.Mock(helps=helps, makes_worse=harms)
    with (
        mock.patch.object(leading, "FOLDER", tmp_path),
        mock.patch.object(leading, "find", lambda _: said),
    ):
        told = forms.ranking("relook-400s")
    assert told["leading"] == ["disk_reading", "bus_width", "send_buffer"]


def test_one_page_asks_and_another_waits_for_the_same_answer(program: Path):
    opened, inside, most = Backend(), [], []

    def slow(name: str) -> dict:
        inside.append(name)
        most.append(len(inside))
        threading.Event().wait(0.05)  # for the others to come in, if they may
        inside.remove(name)
        return {"leading": RANKED, "axis": "mss"}

    question = {"kind": "leading", "system": HAWKING}
    with mock.patch.object(forms, "ranking", slow):
        asking = [threading.Thread(target=opened.answer, args=[question]) for _ in range(4)]
        for each in asking:
            each.start()
        for each in asking:
            each.join(HANG_S)
    assert most == [1, 1, 1, 1]
    opened.close()


@pytest.fixture
def page(fresh: None) -> Iterator[Any]:
    html = page_of("message", HAWKING).replace("<main>", f"{LISTEN}<main>")
    with chromium() as browser, visit(browser, "about:blank", (1366, 768)) as seen:
        seen.page.set_content(html)
        until(lambda: sent(seen.page))
        yield seen.page
        assert not seen.errors


def first(page: Any) -> list[str]:
    shown = page.locator(".front-leading .front-control")
    return shown.evaluate_all("all => all.map(each => each.dataset.key)")


def told(page: Any) -> str:
    return page.locator(".front-ranking").inner_text()


def test_the_page_is_used_before_the_answer_comes(page: Any):
    (asked,) = sent(page, "leading")
    plan = forms.plan_of(systems[HAWKING])
    assert first(page) == leading.planned(systems[HAWKING], plan)
    assert "Finding out" in told(page)
    record = {"outcome": "finished", "throughput_Bps": 1e4, "duration_s": 1.0, "parameters": {}}
    record = json.dumps(record | {"reason": "", "limits_s": {"link": 1.0}})
    answer(page, sent(page)[0], {"status": 0, "printed": record, "said": "", "files": {}})
    page.locator("#front .number", has_text="10").wait_for()
    answer(page, asked, {"status": 0, "leading": RANKED, "axis": "mss"})
    until(lambda: first(page) == RANKED)
    assert told(page) == ""
    assert page.locator("#front-axis").input_value() == "mss"
    behind = page.locator(".front-sections [data-slider=receive_window]")
    assert behind.count() == 1 and not behind.is_visible()


def test_nothing_moves_under_a_hand(page: Any):
    (asked,) = sent(page, "leading")
    slider = page.locator("[data-slider=receive_window]")
    slider.press("ArrowRight")
    before = first(page)
    answer(page, asked, {"status": 0, "leading": RANKED, "axis": "mss"})
    page.locator(".front-ranking", has_text="as soon as no control is in use").wait_for()
    slider.press("ArrowRight")
    assert first(page) == before
    moved = page.locator("#front-receive_window").input_value()
    page.locator("#front-pin").focus()
    until(lambda: first(page) == RANKED)
    assert page.locator("#front-receive_window").input_value() == moved
    assert told(page) == ""


def test_what_is_not_found_out_is_said_and_the_page_stays(page: Any):
    (asked,) = sent(page, "leading")
    before = first(page)
    answer(page, asked, {"status": 2, "said": "no such luck"})
    page.locator(".front-ranking", has_text="(no such luck)").wait_for()
    assert first(page) == before
