# SPDX-License-Identifier: GPL-2.0-only
"""A published notebook in a real browser, on a phone's screen."""

from pathlib import Path

import pytest
from study.notebooks import pages

from tests.browser import chromium, visit

WIDEST = "4-nagle-and-delayed-ack"  # of the notebooks' tables


def test_a_page_fits_a_phone_and_nothing_stands_in_a_readers_way(program: Path, tmp_path: Path):
    page = tmp_path / "page.html"
    page.write_text(pages.as_page(pages.with_outputs(WIDEST), WIDEST))
    with chromium() as browser, visit(browser, page.as_uri()) as phone:
        phone.page.set_viewport_size({"width": 390, "height": 900})
        assert phone.page.evaluate("document.documentElement.scrollWidth") <= 390
        assert phone.page.locator("figure img").first.bounding_box()["width"] > 600
        assert phone.errors == []
        axe = pytest.importorskip("axe_playwright_python.sync_playwright")
        assert [rule["id"] for rule in axe.Axe().run(phone.page).response["violations"]] == []
