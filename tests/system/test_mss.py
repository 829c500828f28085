# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the MSS of hosts on a path with another MTU than an Ethernet's."""

from pathlib import Path

import pytest
from study import systems
from study.answers.without_effect import without_effect
from study.kit.systems import load
from study.runs.sweep import sweep

ON_A_PATH = """
title = "behind a modem"
scenario = "request-reply"
client = "linux-6"
server = "freebsd-14"
[parameters]
link = "path"
path_mtu = 576
"""


@pytest.mark.parametrize(("mtu_B", "mss"), [(576, "536"), (9000, "8960"), ("9000 B", "8960")])
def test_it_follows_what_is_said_of_the_path(mtu_B: int | str, mss: str, program):
    jumbo = systems["bulk"].with_(path_mtu=mtu_B)
    assert jumbo.parameters()["mss"] == mss
    assert jumbo.run().outcome == "finished"
    assert jumbo.with_(path_mtu=1500).parameters()["mss"] == "1460"


def test_of_a_file_at_both_ends_and_behind_another_host(tmp_path: Path, program):
    (tmp_path / "modem.toml").write_text(ON_A_PATH)
    modem = load(tmp_path / "modem.toml")
    for each in (modem, modem.with_host("windows-11"), modem.with_server("linux-6")):
        ends = each.parameters()
        assert (ends["client_mss"], ends["server_mss"]) == ("536", "536")
    assert modem.settings["client_mss"].basis == "derived"


def test_one_that_is_said_stays_and_a_smaller_one_that_fits(program):
    assert systems["bulk"].with_(path_mtu=576, mss=400).parameters()["mss"] == "400"
    assert systems["bulk"].with_(mss=400).with_(path_mtu=9000).parameters()["mss"] == "400"


def test_on_an_ethernet_nothing_follows(program):
    assert systems["hawking-hps1u"].with_(path_mtu=576).changes == {"path_mtu": "576"}


@pytest.mark.parametrize("mtu_B", [576, 9000])
def test_link_and_mtu_are_said_in_any_order(mtu_B: int, program):
    hawking, path = systems["hawking-hps1u"], {"link": "path", "receive_window": 65535}
    both = hawking.with_(**path, path_mtu=mtu_B).parameters()
    assert both["mss"] == str(mtu_B - 40)
    assert hawking.with_(path_mtu=mtu_B).with_(**path).parameters() == both
    assert hawking.with_(**path).with_(path_mtu=mtu_B).parameters() == both
    back = hawking.with_(**path, path_mtu=mtu_B).with_(link="ethernet")
    assert back.parameters()["mss"] == "1460"


def test_an_mtu_whose_segments_follow_has_an_effect(program):
    bulk = systems["bulk"]
    # nor is the other way to say a changed thing one of its own
    assert not without_effect(bulk, bulk.with_(path_delay="10ms"))
    assert not without_effect(bulk, bulk.with_(path_mtu=576))
    assert list(without_effect(bulk, bulk.with_(path_mtu=576, mss=400))) == ["path_mtu"]


def test_at_every_point_of_a_sweep_over_the_link(tmp_path: Path, program):
    hawking = systems["hawking-hps1u"].with_(job_size=100_000, receive_window=65535, path_mtu=9000)
    made = sweep(hawking, store=tmp_path, link=["ethernet", "path"])
    one_by_one = [hawking.with_(link=link).run().record for link in ("ethernet", "path")]
    assert list(made.segments) == [each["segments"] for each in one_by_one]
    assert made.segments[0] > made.segments[1]


def test_at_every_point_of_a_sweep(tmp_path: Path, program):
    bulk = systems["bulk"].with_(job_size=100_000)
    made = sweep(bulk, store=tmp_path, path_mtu=[576, 9000], host=["lwip", "linux-6"], window=60000)
    assert list(made.segments) == [
        bulk.with_host(host).with_(path_mtu=mtu_B, receive_window=60000).run().record["segments"]
        for mtu_B in (576, 9000)
        for host in ("lwip", "linux-6")
    ]
