# SPDX-License-Identifier: GPL-2.0-only
"""Firefox, spoken to by Marionette, the protocol of its own (a port on this machine, JSON with its
length before it): Debian's needs no driver for it."""

import contextlib
import json
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from study.base.project import BUILD

from tests.waiting import HANG_S, stop, until

FIREFOX = next(filter(None, map(shutil.which, ("firefox-esr", "firefox"))), None)
PICTURES = BUILD / "browser"
# Nothing is fetched and nothing asked.
PREFERENCES = {
    "app.normandy.enabled": False,
    "app.update.auto": False,
    "browser.aboutwelcome.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
    "toolkit.telemetry.enabled": False,
}


class Firefox:
    """One window."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), HANG_S)
        self._socket.settimeout(10 * HANG_S)
        self._number = 0
        self._hear()
        self._ask("WebDriver:NewSession")
        self._ask("WebDriver:SetTimeouts", script=10 * HANG_S * 1000)

    def open(self, address: str) -> None:
        self._ask("WebDriver:Navigate", url=address)

    def size(self, width: int, height: int) -> None:
        self._ask("WebDriver:SetWindowRect", width=width, height=height)

    def run(self, script: str, *arguments: object) -> Any:
        """What an async function body returns; `page` is its window."""
        body = f"""
            const [finish] = [...arguments].slice(-1);
            const page = window.wrappedJSObject ?? window;
            (async (given) => {{ {script} }})([...arguments].slice(0, -1)).then(
                (value) => finish({{ value }}), (error) => finish({{ error: String(error) }}));
        """
        said = self._ask("WebDriver:ExecuteAsyncScript", script=body, args=list(arguments))
        assert "error" not in said["value"], said["value"]["error"]
        return said["value"].get("value")

    def click(self, selector: str) -> None:
        """As with a mouse: on what is in sight and not covered."""
        self._ask("WebDriver:ElementClick", id=self._found(selector))

    def type(self, selector: str, text: str) -> None:
        """Key by key, into what is then in focus."""
        self._ask("WebDriver:ElementSendKeys", id=self._found(selector), text=text)

    def _found(self, selector: str) -> str:
        found = self._ask("WebDriver:FindElement", using="css selector", value=selector)
        return next(iter(found["value"].values()))

    def picture(self, name: str) -> None:
        import base64

        PICTURES.mkdir(parents=True, exist_ok=True)
        taken = self._ask("WebDriver:TakeScreenshot", full=False)["value"]
        (PICTURES / f"{name}.png").write_bytes(base64.b64decode(taken))

    def close(self) -> None:
        self._socket.close()

    def _ask(self, command: str, **parameters: object) -> Any:
        self._number += 1
        text = json.dumps([0, self._number, command, parameters])
        self._socket.sendall(f"{len(text.encode())}:{text}".encode())
        _, _, error, result = self._hear()
        assert error is None, error
        return result

    def _hear(self) -> Any:
        length = b""
        while not length.endswith(b":"):
            length += self._some(1)
        return json.loads(self._some(int(length[:-1])))

    def _some(self, count: int) -> bytes:
        found = b""
        while len(found) < count:
            more = self._socket.recv(count - len(found))
            assert more, "Firefox has ended"
            found += more
        return found


@contextlib.contextmanager
def firefox(folder: Path) -> Iterator[Firefox]:
    """The browser, with a profile in that folder."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    profile = folder / "profile"
    profile.mkdir()
    lines = [
        f"user_pref({json.dumps(key)}, {json.dumps(value)});\n"
        for key, value in (PREFERENCES | {"marionette.port": port}).items()
    ]
    (profile / "user.js").write_text("".join(lines))
    assert FIREFOX
    flags = ["--headless", "--marionette", "--no-remote", "--profile", str(profile)]
    environment = os.environ | {"HOME": str(folder), "MOZ_CRASHREPORTER_DISABLE": "1"}
    with (folder / "firefox.log").open("w") as log:
        process = subprocess.Popen([FIREFOX, *flags], env=environment, stdout=log, stderr=log)
    try:
        until(lambda: _listens(port), process)
        opened = Firefox(port)
        try:
            yield opened
        finally:
            opened.close()
    finally:
        stop(process)


def _listens(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False
