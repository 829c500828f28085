# SPDX-License-Identifier: GPL-2.0-only
"""The explorer in a real browser, in JupyterLab and as a page of Voila: every control is moved by
keyboard. Pictures of what was seen are in build/browser/."""

import json
import shlex
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from study import systems
from study.base.project import ROOT
from study.explorer import session
from study.explorer.view import STUDY
from study.notebooks.pages import FOLDER, make_working_copies

from tests.browser import PICTURES, Visit, chromium, server, visit

# A slider's picture has to follow the hand; the tests of two cores' other users may be slow.
REDRAW_MS = 300
NOTEBOOK = "6-what-if-explorer.md"
SERIOUS = ("serious", "critical")
# One of each scenario, with some of the controls that it must have.
EXAMPLES = {
    "hawking-hps1u": {
        "receive_window", "ack_latency", "ack_threshold", "delayed_ack_timeout", "drain_latency",
        "mss", "nagle", "send_buffer", "link_rate",
    },
    "netware": {"protocol", "read_size", "branch_access_rate", "cloud_delay"},
    "telnet-xp": {"client_nagle", "server_nagle", "client_delayed_ack", "client_mss"},
    "relook-400s": {"cpu_clock", "interface_transfer", "bus_width", "disk_rate"},
}  # fmt: skip


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="module")
def voila(browser: Any, program: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visit]:
    """The notebook as a page without code."""
    folder = tmp_path_factory.mktemp("voila")
    command = ["study.explorer.serve", "--no-browser", "--port={port}"]
    with server(folder, *command) as address, visit(browser, address) as seen:
        seen.page.wait_for_selector(".explorer svg")
        seen.page.set_default_timeout(20_000)
        yield seen
        assert not seen.errors  # on the console, in all tests


@pytest.fixture(scope="module")
def lab(browser: Any, program: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visit]:
    """The notebook in JupyterLab, all cells run; a copy, because JupyterLab saves it."""
    folder = tmp_path_factory.mktemp("lab")
    notebooks = folder / "notebooks"
    notebooks.mkdir()
    shutil.copy(FOLDER / NOTEBOOK, notebooks)
    (notebook,) = make_working_copies(notebooks)
    command = [
        "jupyterlab",
        "--no-browser",
        "--port={port}",
        "--IdentityProvider.token=",
        "--allow-root",
    ]
    command += [f"--ServerApp.root_dir={notebooks}"]
    with server(folder, *command) as address:
        place = f"{address}/lab/tree/{notebook.name}"
        with visit(browser, place) as seen:
            seen.page.wait_for_selector(".jp-Notebook .jp-CodeCell")
            # Before the kernel is there JupyterLab would ask which one to take.
            seen.page.get_by_text("| Idle").wait_for()
            seen.page.get_by_role("menuitem", name="Run", exact=True).click()
            seen.page.get_by_text("Run All Cells", exact=True).click()
            seen.page.wait_for_selector(".explorer svg")
            seen.page.set_default_timeout(20_000)
            yield seen
            assert not seen.errors


@pytest.fixture(params=["lab", "voila"])
def seen(request: pytest.FixtureRequest) -> Visit:
    """Both, one after the other; each test begins with the Hawking as it was measured."""
    visited = request.getfixturevalue(request.param)
    visited.name = request.param
    settle(visited)
    take(visited, "hawking-hps1u")
    change(visited, lambda: visited.page.locator("[data-key=reset]").click())
    return visited


def take(visited: Visit, system: str) -> None:
    """Choose a preset and wait until it is drawn."""
    preset = visited.page.locator("[data-key=preset]")
    if preset.input_value() != system:
        change(visited, lambda: preset.select_option(system))
        settle(visited)


def settle(visited: Visit) -> None:
    """Until everything that was asked is drawn, the curve's simulated points as well."""
    visited.page.wait_for_function(
        """() => {
            const now = document.querySelector(".explorer").innerHTML;
            const same = window.lastSeen === now;
            window.lastSeen = now;
            return same;
        }""",
        polling=500,
    )


def change(visited: Visit, act: Any) -> None:
    """Do it and wait until a new view is drawn."""
    element = visited.page.locator(".explorer")
    before = element.get_attribute("data-drawn")
    act()
    visited.page.wait_for_function(
        "before => document.querySelector('.explorer').dataset.drawn !== before", arg=before
    )


def key_for(control: Any) -> str:
    """What moves it from where it stands: a slider may stand at its end."""
    kind = control.get_attribute("type")
    if kind == "range":
        return "ArrowRight" if control.input_value() == "0" else "ArrowLeft"
    return "Space" if kind == "checkbox" else "ArrowDown"


def headline(visited: Visit) -> str:
    return visited.page.locator(".explorer .headline").inner_text()


def chosen(visited: Visit) -> tuple[str, str]:
    """Where the chosen point is in the curve's picture."""
    mark = visited.page.locator(".explorer circle.chosen")
    return mark.get_attribute("cx"), mark.get_attribute("cy")


def test_the_window_s_slider_moves_the_point_and_the_number(seen: Visit) -> None:
    slider = seen.page.locator("[data-slider=receive_window]")
    number, point = headline(seen), chosen(seen)
    assert number == f"{systems['hawking-hps1u'].run().throughput_Bps:,.1f} B/s"
    slider.focus()
    change(seen, lambda: slider.press("End"))
    assert headline(seen) != number
    assert chosen(seen) != point
    assert seen.page.locator("[data-key=receive_window]").input_value() == "65535"


def test_the_readme_shows_it(seen: Visit, request: pytest.FixtureRequest) -> None:
    """The picture is written with --screenshots only: no two browsers draw the same letters."""
    change(seen, lambda: seen.page.locator("[data-key=receive_window]").fill("8760"))
    settle(seen)
    seen.page.locator(".explorer").evaluate("explorer => explorer.scrollIntoView()")
    name = f"explorer-{seen.name}"
    seen.picture(name)
    shown = f"docs/{name}.png"
    assert f"]({shown})" in (ROOT / "README.md").read_text()
    if request.config.getoption("--screenshots"):
        shutil.copy(PICTURES / f"{name}.png", ROOT / shown)


@pytest.mark.parametrize("system", EXAMPLES)
def test_every_control_can_be_turned_by_keyboard(seen: Visit, system: str) -> None:
    page = seen.page
    take(seen, system)
    controls = page.locator(".explorer .control [data-key]:visible")
    turned = controls.evaluate_all("all => all.map(each => each.dataset.key)")
    for key in turned:
        control = page.locator(f".control [data-key={key}]")
        slider = page.locator(f"[data-slider={key}]")
        target = slider if slider.count() else control
        target.focus()
        change(seen, lambda target=target: target.press(key_for(target)))
        command = page.locator(".explorer code").inner_text()
        assert f"--{key.replace('_', '-')} " in command, (key, command)
        if control.evaluate("each => each.localName") == "select":  # which may hide others
            change(seen, page.locator("[data-key=reset]").click)
    assert EXAMPLES[system] < set(turned)
    if system == "netware":  # whose workstation has no profiles
        return
    host = page.locator("[data-key=host]")
    host.focus()
    change(seen, lambda: host.press("ArrowDown"))
    assert "--host " in page.locator(".explorer code").inner_text()


def test_the_number_is_in_sight_of_every_slider(seen: Visit) -> None:
    page = seen.page
    size = page.viewport_size
    page.set_viewport_size({"width": 1000, "height": 600})
    try:
        page.locator("[data-slider=job_size]").focus()
        for place in (page.locator(".explorer .headline"), page.locator(".explorer .help")):
            place.wait_for(state="visible")
            in_sight = "e => [e.getBoundingClientRect().top, e.getBoundingClientRect().bottom]"
            top, bottom = place.evaluate(in_sight)
            assert 0 <= top < bottom <= 600
        assert page.locator(".explorer .help").inner_text().startswith("job size: Size of")
    finally:
        page.set_viewport_size(size)


def test_a_value_that_cannot_be_is_refused_beside_its_field(seen: Visit) -> None:
    field = seen.page.locator("[data-key=receive_window]")
    field.fill("0")
    message = seen.page.locator(".control:has([data-key=receive_window]) .error")
    message.wait_for(state="visible")
    assert message.inner_text() == "0 is out of range; give 1 to 65535 B"
    assert field.get_attribute("aria-invalid") == "true"
    beside = seen.page.locator(".explorer .general").inner_text()
    assert beside == "Not for these values: see receive window."
    seen.picture(f"explorer-{seen.name}-refused")
    change(seen, lambda: field.fill("5840"))
    assert not message.is_visible()
    doubled = systems["hawking-hps1u"].with_(receive_window=5840).run()
    assert headline(seen) == f"{doubled.throughput_Bps:,.1f} B/s"


def test_the_command_gives_the_same_result(seen: Visit) -> None:
    change(seen, lambda: seen.page.locator("[data-key=receive_window]").fill("5840"))
    change(seen, lambda: seen.page.locator("[data-key=ack_latency]").fill("10ms"))
    seen.page.locator("[data-key=copy]").click()
    command = seen.page.evaluate("navigator.clipboard.readText()")
    name, *arguments = shlex.split(command)
    assert name == STUDY
    run = [sys.executable, "-m", "study.commands.main", *arguments, "--format", "json"]
    record = json.loads(subprocess.run(run, cwd=ROOT, capture_output=True, check=True).stdout)
    assert f"{record['throughput_Bps']:,.1f} B/s" == headline(seen)


def test_every_preset_shows_its_own_job(seen: Visit) -> None:
    presets = seen.page.locator("[data-key=preset]")
    names = presets.locator("option").evaluate_all("all => all.map(each => each.value)")
    assert names == list(session().presets())
    for name in names[1:]:
        change(seen, lambda name=name: presets.select_option(name))
        command = seen.page.locator(".explorer code").inner_text()
        why = seen.page.locator(".explorer .why")
        if why.is_visible():
            assert "begins shortened" in why.inner_text()
        else:
            assert command == f"{STUDY} run {name}"
        assert command.startswith(f"{STUDY} run {name}")


def test_a_system_is_not_lost_to_a_slider_that_still_moves(seen: Visit) -> None:
    seen.page.evaluate(
        """() => {
            const at = (selector) => document.querySelector(`.explorer ${selector}`);
            const turn = () => at("[data-slider=mss]").dispatchEvent(new Event("input"));
            turn();
            at("[data-key=preset]").value = "netware";
            at("[data-key=preset]").dispatchEvent(new Event("change"));
            turn();
        }"""
    )
    seen.page.locator(".explorer [data-key=read_size]").wait_for()
    settle(seen)
    assert f"{STUDY} run netware" in seen.page.locator(".explorer code").inner_text()


def test_a_kernel_that_is_gone_is_told_at_once(voila: Visit, browser: Any) -> None:
    """In a page of its own: nothing else can be done with it."""
    with visit(browser, voila.page.url) as seen:
        seen.page.wait_for_selector(".explorer svg")
        settle(seen)
        seen.page.evaluate(
            "() => { WebSocket.prototype.send = () => { throw new Error('closed'); } }"
        )
        seen.page.locator("[data-slider=mss]").press("ArrowLeft")
        told = seen.page.locator(".explorer .general")
        told.wait_for(state="visible", timeout=5000)
        assert "run the cell again" in told.inner_text()


def test_what_the_job_takes_no_notice_of_is_not_there(seen: Visit) -> None:
    shown = seen.page.locator("[data-key=cloud_delay]")
    link = seen.page.locator("[data-key=link]")
    assert not shown.is_visible()
    change(seen, lambda: seen.page.locator("[data-key=job_size]").fill("200000"))
    axis = seen.page.locator("[data-key=axis]")
    change(seen, lambda: axis.select_option("link_rate"))
    change(seen, lambda: link.select_option("frame-relay"))
    assert axis.input_value() == "receive_window"
    assert shown.is_visible()
    assert not seen.page.locator("[data-key=link_rate]").is_visible()
    assert "on paper" not in seen.page.locator(".explorer svg:has(circle.chosen)").inner_html()


@pytest.mark.parametrize("system", [*EXAMPLES, "linksys-ppsx1", "tcp-frame-relay"])
def test_a_slider_redraws_while_one_looks(seen: Visit, system: str) -> None:
    take(seen, system)
    axis = seen.page.locator("[data-key=axis]").input_value()
    slider = seen.page.locator(f"[data-slider={axis}]")
    slider.focus()
    times_ms = []
    for key in ["ArrowLeft"] * 4 + ["ArrowRight"] * 8:
        change(seen, lambda key=key: slider.press(key))
        times_ms.append(float(seen.page.locator(".explorer").get_attribute("data-redraw-ms")))
    print(f"{seen.name}, {system}: median {statistics.median(times_ms):.0f} ms of {times_ms}")
    assert statistics.median(times_ms) < REDRAW_MS


@pytest.mark.parametrize("width", [390, 1500])
def test_it_fits_a_phone_and_a_desk(voila: Visit, width: int) -> None:
    page = voila.page
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


def test_nothing_serious_stands_in_the_way_of_a_screen_reader(seen: Visit) -> None:
    from axe_playwright_python.sync_playwright import Axe

    results = Axe().run(seen.page, context=".explorer")
    found = [
        (rule["id"], [node["html"][:200] for node in rule["nodes"]])
        for rule in results.response["violations"]
        if rule["impact"] in SERIOUS
    ]
    assert not found
