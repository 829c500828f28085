# SPDX-License-Identifier: GPL-2.0-only
"""The explorer as a page of Voila: what claims.py says, and what needs no second place."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser import Visit, chromium, visit
from tests.explorer.claims import *  # noqa: F403
from tests.explorer.pages import begin, settle, voila


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="module")
def shown(browser: Any, program: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visit]:
    with voila(browser, tmp_path_factory.mktemp("voila")) as seen:
        seen.name = "voila"
        yield seen
        assert not seen.errors  # on the console, in all tests


@pytest.fixture
def seen(shown: Visit) -> Visit:
    """Each test begins with the Hawking as it was measured."""
    begin(shown)
    return shown


def test_a_kernel_that_is_gone_is_told_at_once(shown: Visit, browser: Any) -> None:
    """In a page of its own: nothing else can be done with it. A kernel that is only silent is told
    in other words."""
    with visit(browser, shown.page.url) as seen:
        seen.page.wait_for_selector(".explorer svg")
        settle(seen)
        seen.page.evaluate(
            "() => { WebSocket.prototype.send = () => { throw new Error('closed'); } }"
        )
        seen.page.locator("[data-slider=mss]").press("ArrowLeft")
        told = seen.page.locator(".explorer .general")
        told.wait_for(state="visible")
        assert "is not there: run the cell again" in told.inner_text()


@pytest.mark.parametrize("width", [390, 1500])
def test_it_fits_a_phone_and_a_desk(shown: Visit, width: int) -> None:
    page = shown.page
    height = page.viewport_size["height"]
    page.set_viewport_size({"width": width, "height": height})
    try:
        wide = page.locator(".explorer").evaluate(
            "explorer => Math.max(...[...explorer.querySelectorAll('*')]"
            ".map(each => each.getBoundingClientRect().right))"
        )
        assert wide <= width
    finally:
        page.set_viewport_size({"width": 1500, "height": height})
