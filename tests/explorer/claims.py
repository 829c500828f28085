# SPDX-License-Identifier: GPL-2.0-only
"""What holds of the explorer's page in JupyterLab and as a page of Voila, whose test files bring
the page as `seen`: every control is moved by keyboard. Pictures of what was seen are in
build/browser/."""

import json
import shlex
import shutil
import subprocess
import sys
from typing import Any

import pytest
from study import systems
from study.base.project import ROOT
from study.explorer import session
from study.explorer.view import STUDY

from tests.browser import PICTURES, Visit
from tests.explorer.pages import change, settle, take

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
        page.wait_for_function(
            """() => ["headline", "help"].every((name) => {
                const { top, bottom } =
                    document.querySelector(`.explorer .${name}`).getBoundingClientRect();
                return innerHeight === 600 && 0 <= top && top < bottom && bottom <= 600;
            })"""
        )
        assert page.locator(".explorer .help").inner_text().startswith("job size: Size of")
    finally:
        page.set_viewport_size(size)


def test_a_value_that_cannot_be_is_refused_beside_its_field(seen: Visit) -> None:
    field = seen.page.locator("[data-key=receive_window]")
    field.fill("0")
    message = seen.page.locator(".control:has([data-key=receive_window]) .error")
    message.wait_for(state="visible")
    assert message.inner_text() == "0 is out of range; give 1 to 1073725440 B"
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


def test_nothing_serious_stands_in_the_way_of_a_screen_reader(seen: Visit) -> None:
    from axe_playwright_python.sync_playwright import Axe

    results = Axe().run(seen.page, context=".explorer")
    found = [
        (rule["id"], [node["html"][:200] for node in rule["nodes"]])
        for rule in results.response["violations"]
        if rule["impact"] in SERIOUS
    ]
    assert not found
