# SPDX-License-Identifier: GPL-2.0-only
"""The classroom page as a student has it in hand, for the modules that look at it in a browser."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

PHONE = (390, 844)


@pytest.fixture
def seen(browser: Any, classroom_page: Path) -> Iterator[Any]:
    """On a phone, ready; in the end nothing was written to the console."""
    from tests.browser import visit  # skips where there is no browser

    with visit(browser, classroom_page.as_uri(), PHONE) as visited:
        visited.page.wait_for_selector("main:not([inert])")
        yield visited
    assert visited.said == []


@pytest.fixture
def page(seen: Any) -> Any:
    return seen.page
