# SPDX-License-Identifier: GPL-2.0-only
"""The explorer in JupyterLab, where a kernel answers: of claims.py one claim for each kind of
question. The others are of the page alone, which test_explorer_served.py visits."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser import Visit, chromium
from tests.explorer.claims import (  # noqa: F401
    test_a_read_s_packets_lean_by_the_time_on_the_lines,
    test_a_value_that_cannot_be_is_refused_beside_its_field,
    test_the_window_s_slider_moves_the_point_and_the_number,
    test_what_would_change_it_is_simulated_and_can_be_chosen,
)
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
