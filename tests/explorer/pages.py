# SPDX-License-Identifier: GPL-2.0-only
"""The explorer's page in a browser, as tests and the benchmark of its redraw visit it."""

import contextlib
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from study.explorer.serve import Server
from study.notebooks.pages import FOLDER, make_answers

from tests.browser import Visit, server, visit

NOTEBOOK = "6-what-if-explorer.md"


@contextlib.contextmanager
def serving() -> Iterator[Server]:
    """The page's own server, on a port of its own."""
    with Server(port=0) as opened:
        thread = threading.Thread(target=opened.serve_forever, daemon=True)
        thread.start()
        try:
            yield opened
        finally:
            opened.shutdown()
            thread.join()


@contextlib.contextmanager
def served(browser: Any, size: tuple[int, int] = (1366, 768)) -> Iterator[Visit]:
    """The page as `./waf explore` opens it, drawn."""
    with serving() as opened, visit(browser, opened.address, size) as seen:
        settle(seen)
        yield seen


@contextlib.contextmanager
def lab(browser: Any, folder: Path) -> Iterator[Visit]:
    """The notebook in JupyterLab, all cells run; a copy, because JupyterLab saves it."""
    notebooks = folder / "notebooks"
    notebooks.mkdir()
    shutil.copy(FOLDER / NOTEBOOK, notebooks)
    (notebook,) = make_answers(notebooks)  # without outputs
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
        seen.page.wait_for_selector("iframe.explorer")
        settle(seen)
        yield seen


def front(seen: Visit) -> Any:
    """The page itself, or the frame that it has in a notebook."""
    frame = seen.page.query_selector("iframe.explorer")
    return frame.content_frame() if frame else seen.page.main_frame


def begin(seen: Visit) -> None:
    """With the Hawking as it was measured."""
    settle(seen)
    take(seen, "hawking-hps1u")
    reset = front(seen).locator("#front-reset")
    if "--" in front(seen).locator(".front-command").inner_text():
        change(seen, reset.click)


def settle(seen: Visit) -> None:
    """Until the job and the curve's simulated points are drawn."""
    front(seen).wait_for_selector("#front[data-settled=true]")


def change(seen: Visit, act: Callable[[], object]) -> None:
    """Do it and wait until a new job is drawn, or refused."""
    drawn = front(seen).locator("#front").get_attribute("data-drawn")
    act()
    front(seen).wait_for_selector(f"#front:not([data-drawn='{drawn}'])")


def fill(seen: Visit, key: str, text: str) -> None:
    """Type into a field, as somebody who then goes on; what stands behind "more" is opened."""
    page = front(seen)
    field = page.locator(f"#front-{key}")
    if not field.is_visible():
        page.locator(".front-more > summary").click()

    def type_it() -> None:
        field.fill(text)
        field.press("Enter")

    change(seen, type_it)


def take(seen: Visit, system: str) -> None:
    """Choose a preset and wait until it is drawn."""
    preset = front(seen).locator("#front-system")
    if preset.input_value() != system:
        change(seen, lambda: preset.select_option(system))
        settle(seen)
