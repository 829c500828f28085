# SPDX-License-Identifier: GPL-2.0-only
"""Claims about larger windows as advice: a long path is helped by a window together with what that
needs, and a sender that waits for loss recovery by selective ACKs."""

import pytest
from study import systems
from study.kit import candidates
from study.kit.scenario import guide
from study.programs.declaration import declaration

SATELLITE = {"link": "path", "rtt": "600ms", "path_rate": "10Mbps", "receive_window": 65535}
SATELLITE |= {"job_size": 3_000_000, "ack_latency": "1ms"}
SCALED = {"receive_window": 1_000_000, "device_window_scale": "auto"}


@pytest.fixture(scope="module")
def satellite(program):
    return systems["hawking-hps1u"].with_host("linux-6").with_(**SATELLITE)


def tried(system) -> list[str]:
    """What `explain` runs."""
    declared, result = declaration(system.scenario), system.run()
    changes = candidates.of(system, declared, result, guide(system.scenario).candidates)
    return [change.flag for change in changes]


def test_a_satellite_is_helped_by_a_window_with_scaling_and_sack_together(satellite):
    """RFC 7323, 2.2: without a scale in both SYNs no window is larger than 65,535 B. A queue that
    overflows behind slow start loses hundreds of packets, which without SACK are made good one a
    round trip."""
    together = "--receive-window 1500000 --device-window-scale auto --device-sack true"
    assert together in tried(satellite)
    whole = satellite.with_(receive_window=1_500_000, device_window_scale="auto", device_sack=True)
    assert satellite.what_if(**whole.changes).gain_pct > 100
    assert satellite.what_if(**SCALED).gain_pct < 0  # the window alone is no advice


def test_a_window_at_its_largest_without_a_scale_is_twice_as_large_with_one(satellite):
    assert "--receive-window 131070 --device-window-scale auto" in tried(satellite)


def test_a_host_that_offers_neither_scale_nor_sack_nor_room_is_given_all_three(satellite):
    flags = tried(satellite.with_host("linux-2.2").with_(job_size=1_500_000))
    assert "--receive-window 131070 --device-window-scale auto --host-window-scale auto" in flags
    whole = next(flag for flag in flags if flag.startswith("--receive-window 1500000 "))
    for both in ("window-scale auto", "sack true"):
        assert f"--device-{both}" in whole and f"--host-{both}" in whole
    assert "--send-buffer 1500000" in whole


def test_a_sender_that_waits_for_loss_recovery_is_helped_by_sack(satellite):
    lossy = satellite.with_(**SCALED)
    assert "--device-sack true" in tried(lossy)
    assert lossy.what_if(device_sack=True).gain_pct > 100


def test_sack_is_not_tried_where_nothing_is_lost(satellite):
    assert not any(flag.startswith("--device-sack") for flag in tried(satellite))


def test_the_reply_s_way_is_helped_by_the_client_s_window(program):
    """A download: what holds it is the window of the end that asks."""
    download = systems["telnet-xp"].with_(
        link="path", rtt="100ms", path_rate="10Mbps", commands=1, echo=False, server_nagle=False,
        reply_writes=1, reply_write=1_000_000, client_window=16_384, server_time="1ms",
    )  # fmt: skip
    assert any(flag.startswith("--client-window 250000 ") for flag in tried(download))
