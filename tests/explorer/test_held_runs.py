# SPDX-License-Identifier: GPL-2.0-only
"""The front end where nothing simulates: runs that the page holds, and says so; also where a school
forbids WebAssembly."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from study import systems
from study.classroom import engine_data
from study.classroom.page import document
from study.front import forms

from tests.browser import Visit, visit

BROKEN = {"wasm": "0 ", "more": "0 "}  # what no browser can make a module of


def page_of(path: Path, engine: dict | None) -> Path:
    inside = engine_data.held() | ({"engine": engine} if engine else {})
    path.write_text(document([], [], inside), encoding="utf-8")
    return path


@pytest.fixture(params=[None, BROKEN], ids=["no module", "forbidden"])
def seen(
    request: pytest.FixtureRequest, browser: Any, program: Path, tmp_path: Path
) -> Iterator[Visit]:
    path = page_of(tmp_path / "page.html", request.param)
    with visit(browser, path.as_uri(), (1366, 768)) as visited:
        visited.page.wait_for_selector("#front[data-settled=true]")
        yield visited
        assert not visited.errors
    assert visited.asked == [path.as_uri()]


def test_it_says_so_and_every_position_is_the_run_s(seen: Visit, request: Any) -> None:
    page = seen.page
    note = page.locator(".front-note").inner_text()
    assert "holds runs and no simulator" in note
    assert ("does not let the page simulate" in note) == ("forbidden" in request.node.name)
    seen.picture("held")
    for name in page.evaluate("Object.keys(studyFront.data.names)"):
        page.select_option("#front-system", name)
        page.wait_for_selector("#front[data-settled=true]")
        opened = systems[name].with_(**forms.form(name)["opening"]["values"])
        slider = page.locator("input[type=range]:visible").first
        key = slider.get_attribute("data-slider")
        for press in ("Home", "ArrowRight", "End"):
            slider.press(press)
            page.wait_for_selector("#front[data-settled=true]")
            text = page.locator(f"#front-{key}").input_value()
            plan = forms.plan_of(opened)
            value = plan.figure.on_axis(plan.figure.of(opened.with_(**{key: text}).run()))
            shown = float(page.locator("#front .number").get_attribute("data-value"))
            assert shown == pytest.approx(value, rel=1e-9), (name, key, text)
    assert page.locator(".front-general").inner_text() == ""


def test_what_it_cannot_give_is_not_offered(seen: Visit) -> None:
    page = seen.page
    page.click("#front-tab-take")
    assert page.locator(".front-command").is_visible()
    for gone in (".front-more", "#front-host", "#front-tab-packets", "#front-pcap"):
        assert not page.locator(gone).is_visible(), gone
    assert page.locator(".typed:visible").evaluate_all("all => all.every(each => each.readOnly)")
