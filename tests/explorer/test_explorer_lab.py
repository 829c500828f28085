# SPDX-License-Identifier: GPL-2.0-only
"""The explorer in JupyterLab: what claims.py says."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser import Visit, chromium
from tests.explorer.claims import *  # noqa: F403
from tests.explorer.pages import begin, lab


@pytest.fixture(scope="module")
def shown(program: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visit]:
    with chromium() as browser, lab(browser, tmp_path_factory.mktemp("lab")) as seen:
        seen.name = "lab"
        yield seen
        assert not seen.errors  # on the console, in all tests


@pytest.fixture
def seen(shown: Visit) -> Visit:
    """Each test begins with the Hawking as it was measured."""
    begin(shown)
    return shown
