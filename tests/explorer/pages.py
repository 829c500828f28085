# SPDX-License-Identifier: GPL-2.0-only
"""The explorer's page in a browser, as tests and the benchmark of its redraw visit it."""

import contextlib
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from study.notebooks import asking
from study.notebooks.pages import FOLDER, make_working_copies

from tests.browser import Visit, server, visit
from tests.waiting import HANG_S

NOTEBOOK = "6-what-if-explorer.md"
# What Voila would not wait for on a busy machine.
PATIENT = [f"--VoilaExecutor.{wait}_timeout={HANG_S}" for wait in ("startup", "iopub")]


@contextlib.contextmanager
def voila(browser: Any, folder: Path) -> Iterator[Visit]:
    """The notebook as a page without code, drawn."""
    command = ["study.explorer.serve", "--no-browser", "--port={port}", *PATIENT]
    with server(folder, *command) as address, visit(browser, address) as seen:
        seen.page.wait_for_selector(".explorer svg")
        yield seen


@contextlib.contextmanager
def lab(browser: Any, folder: Path) -> Iterator[Visit]:
    """The notebook in JupyterLab, all cells run, without a guess where one is asked for; a copy,
    because JupyterLab saves it."""
    notebooks = folder / "notebooks"
    notebooks.mkdir()
    shutil.copy(FOLDER / NOTEBOOK, notebooks)
    (notebook,) = make_working_copies(notebooks)
    command = ["jupyterlab", "--no-browser", "--port={port}", "--allow-root"]
    command += ["--IdentityProvider.token=", f"--ServerApp.root_dir={notebooks}"]
    with (
        server(folder, *command) as address,
        visit(browser, f"{address}/lab/tree/{notebook.name}") as seen,
    ):
        seen.page.wait_for_selector(".jp-Notebook .jp-CodeCell")
        # Before the kernel is there JupyterLab would ask which one to take.
        seen.page.get_by_text("| Idle").wait_for()
        seen.page.get_by_role("menuitem", name="Run", exact=True).click()
        seen.page.get_by_text("Run All Cells", exact=True).click()
        for what in re.findall(r'predict\("([^"]+)"', (FOLDER / NOTEBOOK).read_text()):
            asked = seen.page.locator(".jp-Stdin", has_text=what).locator("input")
            asked.fill(asking.NONE)
            asked.press("Enter")
        seen.page.wait_for_selector(".explorer svg")
        yield seen


def begin(seen: Visit) -> None:
    """With the Hawking as it was measured."""
    settle(seen)
    take(seen, "hawking-hps1u")
    change(seen, lambda: seen.page.locator("[data-key=reset]").click())


def settle(seen: Visit) -> None:
    """Until everything that was asked is drawn, the curve's simulated points as well."""
    seen.page.wait_for_selector(".explorer[data-settled=true]")


def change(seen: Visit, act: Callable[[], object]) -> None:
    """Do it and wait until a new view is drawn."""
    drawn = seen.page.locator(".explorer").get_attribute("data-drawn")
    act()
    seen.page.wait_for_selector(f".explorer:not([data-drawn='{drawn}'])")


def take(seen: Visit, system: str) -> None:
    """Choose a preset and wait until it is drawn."""
    preset = seen.page.locator("[data-key=preset]")
    if preset.input_value() != system:
        change(seen, lambda: preset.select_option(system))
        settle(seen)
