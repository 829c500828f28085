# SPDX-License-Identifier: GPL-2.0-only
"""A published notebook in a real browser, on a phone's screen."""

from pathlib import Path

from study.notebooks import pages

from tests.browser import chromium, visit

WIDEST = "4-nagle-and-delayed-ack"  # of the notebooks' tables


def test_a_page_fits_a_phone_and_its_figures_keep_their_size(program: Path, tmp_path: Path):
    page = tmp_path / "page.html"
    notebook = pages.executed(pages.FOLDER / f"{WIDEST}.md")
    page.write_text(pages.as_page(notebook, WIDEST))
    with chromium() as browser, visit(browser, page.as_uri()) as phone:
        phone.page.set_viewport_size({"width": 390, "height": 900})
        assert phone.page.evaluate("document.documentElement.scrollWidth") <= 390
        assert phone.page.locator("figure img").first.bounding_box()["width"] > 600
        assert phone.errors == []
