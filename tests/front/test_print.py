# SPDX-License-Identifier: GPL-2.0-only
"""In print the explorer's page has its setting, light, and nothing that only a screen uses."""

from typing import Any

import pytest

from tests.explorer.pages import served

SHOWN = (".front-rate", ".front-bar", "#front-curve svg", ".front-command", "#front-system")
GONE = ("#front-pin", ".front-tabs", ".front-controls", "#front-pcap", ".link-more")


@pytest.mark.parametrize("size", [(1366, 768), (390, 844)])
def test_the_page_prints_its_setting_without_what_only_a_screen_uses(
    program: object, browser: Any, size: tuple[int, int]
):
    with served(browser, size) as seen:
        page = seen.page
        page.emulate_media(media="print", color_scheme="dark")
        assert [each for each in SHOWN if not page.locator(each).first.is_visible()] == []
        assert [each for each in GONE if page.locator(each).first.is_visible()] == []
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") in (
            "rgb(255, 255, 255)",
            "rgba(0, 0, 0, 0)",
        )
        cut = "(panel) => panel.scrollHeight - panel.clientHeight"  # the axis numbers stand last
        assert page.locator("#front-curve").evaluate(cut) <= 1
        assert "study run" in page.inner_text(".front-command")
        seen.picture(f"print-{size[0]}", full_page=True)
        assert seen.said == []
