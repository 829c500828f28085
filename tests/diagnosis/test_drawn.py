# SPDX-License-Identifier: GPL-2.0-only
"""A capture as it is drawn beside a simulation: a path has its slant, what was lost its cross."""

import pytest
from study import diagnose, drawing
from study.base.project import ROOT
from study.diagnosis.capture_segments import as_drawn
from study.drawing.beside_capture import Captured
from study.drawing.flow import Span

KEPT = ROOT / "results" / "captures"


def drawn(name, ends=("host", "device"), near="host"):
    found = diagnose(KEPT / f"{name}.pcap.gz")
    return as_drawn(found.seen, ends, near, found.rtt_s)


def test_each_packet_of_a_path_is_half_its_round_trip_away():
    packets = drawn("small-receive-window.before.client")
    for packet in packets:
        way_s = packet.far_s - packet.time_s
        assert way_s == pytest.approx(0.020 if packet.sender == "host" else -0.020, abs=1e-3)
    # An answer leaves the device when what it answers is there, and not before.
    assert packets[1].far_s >= packets[0].far_s - 1e-4


def test_what_was_lost_never_came():
    lost = [packet for packet in drawn("losses.before.client") if packet.lost]
    assert len(lost) == 13 and all(packet.far_s is None for packet in lost)


def test_a_capture_at_the_server_is_stamped_at_the_client():
    """Its SYN left half a round trip before it came by there."""
    packets = drawn("server-that-thinks.before.server", ("server", "client"), "client")
    assert packets[0].sender == "client" and packets[0].far_s > packets[0].time_s
    reply = next(packet for packet in packets if packet.sender == "server" and packet.length)
    assert reply.far_s < reply.time_s


def test_the_caption_says_what_the_slant_is(program):
    found = diagnose(KEPT / "losses.before.client.pcap.gz")
    captured = Captured("losses", as_drawn(found.seen, ("host", "device"), "host", found.rtt_s))
    caption = drawing.draw("ladder", found.system(), Span(0.08, 0.13), "page", captured).caption
    assert "half the shortest round trip" in caption and "a cross is lost" in caption
