# SPDX-License-Identifier: GPL-2.0-only
"""What holds of the explorer's page as a page of its own server and, some of it, in JupyterLab; the
test files bring the page as `seen`. Every control is moved by keyboard. Pictures of what was seen
are in build/browser/."""

import json
import shlex
import subprocess
import sys
from typing import Any

import pytest
from study import systems
from study.base.linking import linked
from study.base.project import ROOT
from study.front import forms
from study.front.words import FOLDER
from study.kit.scenario import judges

from tests.browser import Visit
from tests.explorer.pages import change, fill, front, settle, take

STUDY = ".venv/bin/study"
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
    """What moves it from where it stands: a slider or a list may stand at its end."""
    if control.get_attribute("type") == "range":
        return "ArrowRight" if control.input_value() == "0" else "ArrowLeft"
    return "ArrowDown" if control.evaluate("each => each.selectedIndex") == 0 else "ArrowUp"


def rate_Bps(seen: Visit) -> float:
    """The number, as exactly as the page knows it."""
    shown = front(seen).locator("#front .number").get_attribute("data-value")
    return float(shown) * 1000


def chosen(seen: Visit) -> tuple[str, str]:
    """Where the chosen point is in the curve's picture."""
    mark = front(seen).locator("#front-curve circle.here")
    return mark.get_attribute("cx"), mark.get_attribute("cy")


def command(seen: Visit) -> str:
    return front(seen).locator(".front-command").text_content()


def test_the_window_s_slider_moves_the_point_and_the_number(seen: Visit) -> None:
    page = front(seen)
    slider = page.locator("[data-slider=receive_window]")
    rate, point = rate_Bps(seen), chosen(seen)
    assert rate == pytest.approx(systems["hawking-hps1u"].run().throughput_Bps, rel=1e-9)
    slider.focus()
    change(seen, lambda: slider.press("End"))
    assert rate_Bps(seen) > 2 * rate
    assert chosen(seen) != point
    stops = page.evaluate("studyFront.controls.byKey.receive_window.stops")
    assert page.locator("#front-receive_window").input_value() == stops[-1]


@pytest.mark.parametrize("system", EXAMPLES)
def test_every_control_can_be_turned_by_keyboard(seen: Visit, system: str) -> None:
    take(seen, system)
    page = front(seen)
    page.evaluate("document.querySelector('.front-more').open = true")
    controls = page.locator(".front-control:visible")
    turned = controls.evaluate_all("all => all.map(each => each.dataset.key)")
    for key in turned:
        slider = page.locator(f"[data-slider={key}]")
        target = slider if slider.count() else page.locator(f"#front-{key}")
        target.focus()
        change(seen, lambda target=target: target.press(key_for(target)))
        assert f"--{key.replace('_', '-')} " in command(seen), (key, command(seen))
        if not slider.count():  # a choice, which may hide others
            change(seen, page.locator("#front-reset").click)
    assert EXAMPLES[system] < set(turned)
    if system == "netware":  # whose workstation has no profiles
        return
    host = page.locator("#front-host")
    assert host.locator("option[value=lwip]").inner_text() == "lwip (unjudged)"
    host.focus()
    change(seen, lambda: host.press("ArrowDown"))
    assert "--host " in command(seen)


def test_a_value_that_cannot_be_is_refused_beside_its_field(seen: Visit) -> None:
    page = front(seen)
    fill(seen, "receive_window", "0")
    message = page.locator("#front-receive_window-wrong")
    message.wait_for(state="visible")
    assert message.inner_text() == "0 is out of range; give 1 to 1073725440 B"
    field = page.locator("#front-receive_window")
    assert field.get_attribute("aria-invalid") == "true" and field.input_value() == "0"
    beside = page.locator(".front-general").inner_text()
    assert beside == "Not for this value: see receive window."
    seen.picture(f"explorer-{seen.name}-refused")
    fill(seen, "receive_window", "5 840 B")
    assert not message.is_visible()
    doubled = systems["hawking-hps1u"].with_(receive_window=5840).run()
    assert rate_Bps(seen) == pytest.approx(doubled.throughput_Bps, rel=1e-9)


def test_the_command_gives_the_same_result(seen: Visit) -> None:
    fill(seen, "receive_window", "5840")
    fill(seen, "ack_latency", "10ms")
    name, *arguments = shlex.split(command(seen))
    assert name == STUDY
    run = [sys.executable, "-m", "study.commands.main", *arguments, "--format", "json"]
    record = json.loads(subprocess.run(run, cwd=ROOT, capture_output=True, check=True).stdout)
    assert record["throughput_Bps"] == pytest.approx(rate_Bps(seen), rel=1e-9)


def test_every_preset_shows_its_own_job(seen: Visit) -> None:
    page = front(seen)
    presets = page.locator("#front-system")
    names = presets.locator("option").evaluate_all("all => all.map(each => each.value)")
    assert names == list(forms.names())
    for name in names[1:]:
        change(seen, lambda name=name: presets.select_option(name))
        # A job that began shortened is drawn once more, and may come between.
        page.locator(".front-command", has_text=f"run {name}").wait_for(state="attached")
        why = page.locator(".front-why")
        if why.is_visible():
            assert "begins shortened" in why.inner_text()
        else:
            assert command(seen) == f"{STUDY} run {name}"


def test_a_system_is_not_lost_to_a_slider_that_still_moves(seen: Visit) -> None:
    page = front(seen)
    page.evaluate(
        """() => {
            const at = (selector) => document.querySelector(selector);
            delete studyFront.data.forms.netware; // so that it has to be asked for
            const turn = () => {
                const slider = at("[data-slider=receive_window]");
                slider.value = Number(slider.value) + 1;
                slider.dispatchEvent(new Event("input"));
            };
            turn();
            at("#front-system").value = "netware";
            at("#front-system").dispatchEvent(new Event("change"));
            turn();
        }"""
    )
    page.locator("#front-read_size").wait_for(state="attached")
    settle(seen)
    assert command(seen).startswith(f"{STUDY} run netware")


def test_what_the_job_takes_no_notice_of_is_not_there(seen: Visit) -> None:
    page = front(seen)
    page.evaluate("document.querySelector('.front-more').open = true")
    shown = page.locator("#front-cloud_delay")
    assert not shown.is_visible()
    fill(seen, "job_size", "200000")
    axis = page.locator("#front-axis")
    change(seen, lambda: axis.select_option("link_rate"))
    change(seen, lambda: page.locator("#front-link").select_option("frame-relay"))
    assert axis.input_value() == "receive_window"
    assert shown.is_visible()
    assert not page.locator("#front-link_rate").is_visible()
    settle(seen)
    assert "closed form" not in page.locator(".front-key").inner_text()


def test_a_pinned_setting_stands_beside_and_a_move_is_undone(seen: Visit) -> None:
    page = front(seen)
    settle(seen)
    page.locator("#front-pin").click()
    fill(seen, "receive_window", "5840")
    assert page.locator(".front-pinned").inner_text() == "2.0 times as fast as pinned (24.8 kB/s)"
    assert page.locator("#front-curve circle.pin").count() == 1
    change(seen, page.locator("#front-undo").click)
    assert page.locator("#front-receive_window").input_value() == "2920"
    assert command(seen) == f"{STUDY} run hawking-hps1u"
    page.locator("#front-pin").click()
    assert not page.locator(".front-pinned").inner_text()


def test_a_duration_that_gets_shorter_is_said_to_be_faster(seen: Visit) -> None:
    """Beside the number, the pinned one and in the table: one comparison, one direction."""
    page = front(seen)
    take(seen, "telnet-xp")
    page.locator("#front-pin").click()
    before = float(page.locator("#front .number").get_attribute("data-value"))
    change(seen, lambda: page.locator("#front-server_nagle").select_option("false"))
    settle(seen)
    after = float(page.locator("#front .number").get_attribute("data-value"))
    assert after < before / 10
    times = f"{before / after:.0f} times as fast as"
    assert page.locator(".front-pinned").inner_text().startswith(f"{times} pinned (")
    assert page.locator(".front-beside").inner_text().startswith(f"{times} the unchanged job (")
    page.locator("#front-pin").click()
    change(seen, page.locator("#front-undo").click)
    settle(seen)
    page.locator("#front-tab-changes").click()
    row = page.locator("#front-changes tr", has_text="server Nagle")
    row.wait_for()
    assert row.locator("td").last.inner_text() == f"{before / after:.0f}"
    assert page.locator("#front-changes thead").inner_text().split()[-3:] == ["times", "as", "fast"]


def test_what_would_change_it_is_simulated_and_can_be_chosen(seen: Visit) -> None:
    page = front(seen)
    tab = page.locator("#front-tab-changes")
    tab.click()
    row = page.locator("#front-changes tr", has_text="receive window: 11,680 B")
    if tab.get_attribute("aria-selected") != "true":
        tab.click()  # JupyterLab had moved the frame between press and release
    row.wait_for()
    assert row.locator("td").last.inner_text() == "4.0"
    change(seen, row.locator("button").click)
    assert page.locator("#front-receive_window").input_value() == "11680"


@pytest.mark.parametrize("system", EXAMPLES)
def test_every_system_s_packets_are_drawn_played_and_said(seen: Visit, system: str) -> None:
    """In words, too: each step, of both ends, by whom it is sent and where it arrives."""
    page = front(seen)
    take(seen, system)
    page.locator("#front-tab-packets").click()
    ends = judges(systems[system].scenario).ends
    page.locator(".front-ladder svg").wait_for()
    assert not page.locator(".front-none").is_visible()
    named = page.locator(".front-ladder svg").get_attribute("aria-label")
    assert all(end in named for end in ends)
    heads = page.locator(".front-ladder .from-head, .front-ladder .to-head")
    assert heads.count() > 4
    names = page.locator(".front-player .stage .name").all_text_contents()
    assert names == list(ends)
    words = page.locator(".front-ladder .in-words")
    words.locator("summary").click()
    words.locator("li").first.wait_for()
    steps = words.locator("li").all_inner_texts()
    assert f"in {len(steps)} steps" in named
    for end, other in (ends, ends[::-1]):
        assert any(f"{end} sends" in step for step in steps), steps
        assert any(f"arrives at {other}" in step for step in steps), steps
    words.locator("summary").click()
    take(seen, "hawking-hps1u")
    page.locator(".front-player .stage .name", has_text="device").wait_for()


def test_a_read_s_packets_lean_by_the_time_on_the_lines(seen: Visit) -> None:
    """Of NetWare's request: as long as the table says that it was in flight."""
    page = front(seen)
    take(seen, "netware")
    page.locator("#front-tab-packets").click()
    page.locator(".front-ladder svg").wait_for()
    row = page.evaluate(
        f"{linked(FOLDER / 'exchange.js')}.packetsOf(studyFront.packets.table)"
        ".filter(({ sender }) => sender === 'workstation')[3]"
    )
    result = systems["netware"].with_(file_size=400_000).run(segments=True)
    expected = [p for p in result.packets if p.sender == "workstation"][3]
    assert (row["time"], row["far"]) == (expected.time_s, expected.far_s)
    assert expected.far_s - expected.time_s > 0.06


def test_nothing_serious_stands_in_the_way_of_a_screen_reader(seen: Visit) -> None:
    assert not seen.hindrances(context="#front")
