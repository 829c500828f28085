# SPDX-License-Identifier: GPL-2.0-only
"""Claims about what stands beside a number that would mislead by itself."""

import re

import pytest
from study import systems
from study.answers import caveats, run_text
from study.publishing import readme
from study.system.system import System

LOST = {"link": "path", "path_rate": "20Mbps", "rtt": "40ms", "path_lost_packets": "30,60,61,90"}


@pytest.fixture(scope="module")
def lossy(program) -> System:
    large = {"receive_window": 4_000_000, "device_window_scale": "auto", "job_size": 300_000}
    return systems["rebbr"].with_(path_loss=0, **LOST | large)


def test_an_unchanged_system_says_nothing_of_changes(program):
    system = systems["hawking-hps1u"].with_(job_size=20_000)
    text = str(system.explain())
    assert "these are the system's own values" not in text
    assert "with job_size = 20000 B" in text
    plain = str(systems["uhttpd-keep-alive"].explain()).splitlines()
    assert not any(line.startswith("  with ") for line in plain)


def test_a_line_whose_rate_nobody_set_is_told_where_it_limits(program):
    """10 Mbit/s is the default of an Ethernet, and no printer of today stands on one."""
    system = systems["bulk"].with_(link="ethernet", job_size=1_000_000)
    told = caveats.of_unchosen(system, system.run())
    assert re.fullmatch(
        r"link \d+ % of the time\. .* nor the system's file gave: link_rate 10Mbps \(the default\)",
        told,
    )
    faster = system.with_(link_rate="1Gbps")
    assert "link_rate" not in caveats.of_unchosen(faster, faster.run())
    assert caveats.of_unchosen(systems["rclone-sftp"], systems["rclone-sftp"].run()) == ""


def test_what_a_rate_stands_for_is_told_wherever_it_is_turned(program):
    system = systems["rclone-sftp"].with_(job_size=20_000_000)
    stands = system.settings["path_rate"].stands_for
    assert stands == "the work of both ends' encryption"
    faster = system.with_(path_rate="8Gbps")
    told = " ".join(str(system.what_if(path_rate="8Gbps")).split())
    assert f"the change is of path_rate, which stands for {stands}, not of a line" in told
    assert "stands for" not in str(system.what_if(initial_window=20))
    assert caveats.in_words(system, faster, "a path ten times as fast") == (
        f"another path_rate, which stands for {stands}"
    )
    explained = system.explain()
    assert not any("path rate" in trial.words for trial in explained.trials)
    assert any(stands in trial.words for trial in explained.helps)
    assert f"path_rate, which stands for {stands}" in str(explained)


def test_the_limit_of_such_a_line_is_what_it_stands_for():
    assert caveats.limit(systems["rclone-sftp"], "link").startswith("link: the work of")
    assert caveats.limit(systems["rclone-sftp"], "receive_window") == "receive window"
    assert caveats.limit(systems["hawking-hps1u"], "link") == "link"
    assert readme.caveats is caveats


def test_losses_by_number_are_a_caveat_where_they_weigh(lossy: System):
    changed = lossy.with_(path_rate="200Mbps")
    (told,) = caveats.of_change(lossy, changed, lossy.run(), changed.run())
    assert told.startswith("losses by packet number (path_lost_packets): after the change other")
    told = " ".join(str(lossy.what_if(path_rate="200Mbps")).split())
    assert "losses by packet number (path_lost_packets)" in told
    rows = [trial for trial in lossy.explain().trials if abs(trial.effect) >= 1]
    kept = [trial for trial in rows if "--path-lost-packets" not in trial.flag]
    assert kept and all("by packet number" in trial.caveat for trial in kept)


def test_without_a_list_or_without_weight_there_is_no_caveat(lossy: System):
    whole = lossy.with_(path_lost_packets="")
    assert caveats.of_change(lossy, whole, lossy.run(), whole.run()) == []
    slow = lossy.with_(receive_window=2920, path_lost_packets="30", minimum_rto="1ms")
    faster = slow.with_(receive_window=2900)
    slow_run = slow.run()
    light = {**slow_run.limits_s, "loss_recovery": 0.0, "congestion_window": 0.0}
    from dataclasses import replace

    light_run = replace(slow_run, limits_s=light)
    assert caveats.of_change(slow, faster, light_run, light_run) == []


def test_a_port_of_a_slow_rate_says_that_its_chunk_decides(program):
    """The same port by its rate alone and in small parts: the note tells them apart."""
    port = {"receive_window": 4096, "ack_frequency": 2, "port_rate": "480kbps", "job_size": 100_000}
    slow = systems["hawking-hps1u"].with_(**port, ack_latency="1ms")
    whole, little = slow.run(), slow.with_(port_chunk=64).run()
    assert abs(little.throughput_Bps / whole.throughput_Bps - 1) > 0.05
    assert "--port-chunk 64" in caveats.of_default(slow, whole)
    assert caveats.of_default(slow.with_(port_chunk=64), little) == ""
    jetdirect = systems["hp-jetdirect-610n"]
    assert caveats.of_default(jetdirect, jetdirect.run()) == ""
    hawking = systems["hawking-hps1u"].with_(job_size=20_000)
    assert caveats.of_default(hawking, hawking.run()) == ""
    text = run_text.as_changed(systems["hawking-hps1u"], slow, whole)
    assert caveats.of_default(slow, whole) in text
