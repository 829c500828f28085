# SPDX-License-Identifier: GPL-2.0-only
"""An accessibility checker on ten pages of the site, light and dark, and its switch."""

from pathlib import Path
from typing import Any

import pytest

from tests.browser import visit

axe = pytest.importorskip("axe_playwright_python.sync_playwright")
PAGES = (
    "index",
    "gallery",
    "captures",
    "how-to/diagnose",
    "how-to/report",
    "results/residuals",
    "notebooks/0-start-here",
    "notebooks/9-losing-packets",
    "reference/commands",
    "explanation/fast-forward",
)
SCHEMES = {"light": {}, "dark": {"runOnly": ["color-contrast"]}}
GROUND = "getComputedStyle(document.body).backgroundColor"


def test_the_checker_finds_nothing_on_ten_pages(browser: Any, site: Path):
    """In the dark a page has other colours and nothing else."""
    found = {}
    for name in PAGES:
        with visit(browser, (site / f"{name}.html").as_uri(), (1366, 768)) as seen:
            for scheme, options in SCHEMES.items():
                seen.page.emulate_media(color_scheme=scheme)
                seen.page.evaluate("localStorage.clear()")  # a reader's first visit
                seen.page.reload()
                seen.picture(f"site-{name.replace('/', '-')}-{scheme}")
                rules = axe.Axe().run(seen.page, options=options).response["violations"]
                found[name, scheme] = [
                    (rule["id"], [n["html"][:160] for n in rule["nodes"]]) for rule in rules
                ]
    assert {page: rules for page, rules in found.items() if rules} == {}


def test_a_switch_makes_the_site_dark_and_light(browser: Any, site: Path):
    with visit(browser, (site / "index.html").as_uri(), (1366, 768)) as seen:
        seen.page.emulate_media(color_scheme="light")
        seen.page.reload()
        light = seen.page.evaluate(GROUND)
        seen.page.locator("label[for=__palette_1]").click()
        assert seen.page.evaluate(GROUND) != light
