# SPDX-License-Identifier: GPL-2.0-only
"""A real browser and the servers it visits, for the tests that need them."""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from study.base.project import BUILD, ROOT

from tests.waiting import HANG_S, PAGE_S, stop, until

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
if CHROMIUM is None:
    # Here and not in a fixture: it skips the modules that import this one, in one line for all.
    pytest.skip(
        "Chromium is not installed: what needs a browser is not tested", allow_module_level=True
    )
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
FLAGS += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
NO_NEWS = '{"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": true}}'
# What a kernel runs first: on a busy machine any job may take longer than a user would wait.
PATIENCE = f"from study.explorer import runner\n\nrunner.LONGEST_S = {HANG_S}\n"
PICTURES = BUILD / "browser"
PHONE = (390, 844)  # a window in CSS pixels
SCREENS = {"phone": PHONE, "laptop": (1366, 768), "desktop": (1920, 1080)}
SERIOUS = ("serious", "critical")  # what stands in a reader's way


@dataclass
class Visit:
    """A page, what it wrote to the console (and of that the errors), and what it asked for."""

    page: Any
    said: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def picture(self, name: str, of: Any = None, **options: Any) -> None:
        """Keep what is to be seen of the page, or of a part of it, for a reader of the test."""
        PICTURES.mkdir(parents=True, exist_ok=True)
        (of or self.page).screenshot(path=PICTURES / f"{name}.png", **options)

    def hindrances(self, impacts: Sequence[str] = SERIOUS, **options: Any) -> list[tuple]:
        """What an accessibility checker finds: rules, and the elements that break them."""
        axe = pytest.importorskip("axe_playwright_python.sync_playwright")
        found = axe.Axe().run(self.page, **options).response["violations"]
        return [
            (rule["id"], [node["html"][:160] for node in rule["nodes"]])
            for rule in found
            if rule["impact"] in impacts
        ]

    def hear(self, line: str, is_error: bool) -> None:
        self.said.append(line)
        if is_error:
            self.errors.append(line)


@contextlib.contextmanager
def chromium() -> Iterator[Any]:
    """The browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        launch = playwright.chromium.launch
        browser = launch(executable_path=CHROMIUM, args=FLAGS, timeout=HANG_S * 1000)
        try:
            yield browser
        finally:
            browser.close()


@contextlib.contextmanager
def visit(browser: Any, address: str, size: tuple[int, int] = (1500, 1250)) -> Iterator[Visit]:
    """A page of that address, in a window of its own; its size is in CSS pixels."""
    viewport = {"width": size[0], "height": size[1]}
    context = browser.new_context(viewport=viewport, has_touch=size == PHONE)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.set_default_timeout(PAGE_S * 1000)
    seen = Visit(page)
    page.on("pageerror", lambda error: seen.hear(str(error), is_error=True))
    page.on("console", lambda line: seen.hear(line.text, is_error=line.type == "error"))
    page.on("request", lambda request: seen.asked.append(request.url))
    try:
        page.goto(address, wait_until="domcontentloaded")
        yield seen
    except Exception:
        seen.picture("failed")
        raise
    finally:
        context.close()


@contextlib.contextmanager
def server(folder: Path, *command: str) -> Iterator[str]:
    """A Jupyter program of .venv on a port of its own, which knows nothing of the user's settings;
    its address. `{port}` in the command is the port."""
    port = _free_port()
    settings = folder / "settings"
    (settings / "labconfig").mkdir(parents=True, exist_ok=True)
    (settings / "labconfig" / "page_config.json").write_text(NO_NEWS)
    startup = settings / "ipythondir" / "profile_default" / "startup"
    startup.mkdir(parents=True, exist_ok=True)
    (startup / "patience.py").write_text(PATIENCE)
    names = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
    own = {name: str(settings / name.lower()) for name in names}
    own["JUPYTER_CONFIG_DIR"] = str(settings)
    filled = [word.format(port=port) for word in command]
    with (folder / "server.log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", *filled],
            env=os.environ | own | {"PYTHONPATH": str(ROOT / "analysis")},
            stdout=log,
            stderr=log,
        )
    try:
        address = f"http://127.0.0.1:{port}"
        try:
            until(lambda: _answers(address), process)
        except AssertionError:
            pytest.fail(f"the server did not start: {(folder / 'server.log').read_text()[-1000:]}")
        yield address
    finally:
        stop(process)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _answers(address: str) -> bool:
    """Not the page itself, which may take long, because it starts a kernel."""
    try:
        urllib.request.urlopen(f"{address}/api", timeout=HANG_S).close()
    except urllib.error.HTTPError:
        pass
    except OSError:
        return False
    return True
