# SPDX-License-Identifier: GPL-2.0-only
"""Claims about what spaces ACKs evenly: a window that a paced sender spreads over the round trip is
no slow line, and a what-if on such a system is no further off than its simulation."""

import struct

import pytest
from study import StudyError, diagnose, systems

JOB_B = 2_000_000
PATH = {"link": "path", "rtt": "60ms", "protocol": "raw", "ack_latency": "100us", "job_size": JOB_B}
PATH |= dict.fromkeys(("first_write", "write_size"), JOB_B)
PATH |= dict.fromkeys(("device_timestamps", "device_sack"), True)
WINDOW_B = 34_752  # 24 segments of 1448 B


def captured(folder, **given):
    path = folder / "job.pcap"
    system = systems["hawking-hps1u"].with_host("linux-6").with_(**PATH, **given)
    system.run(pcap=path)
    return system, diagnose(path)


def test_a_flight_in_each_round_trip_that_does_not_grow_is_at_least_the_line(program, tmp_path):
    """BBR paces 34,752 B over 60 ms: 4.6 Mbit/s, on a line of 100. With twice the window it was
    predicted to gain 3 %; a simulation of the true system gains 72 %."""
    own, found = captured(
        tmp_path, path_rate="100Mbps", receive_window=WINDOW_B, congestion_control="bbr"
    )
    rate = found.found["path_rate"]
    assert rate.basis == "bound" and rate.low > 4.5
    gain_pct = own.what_if(receive_window=65_535).gain_pct
    assert found.system().what_if(receive_window=65_535).gain_pct == pytest.approx(gain_pct, abs=4)


@pytest.mark.parametrize("control", ["bbr", "cubic"])
def test_a_line_before_which_packets_wait_is_measured(control, program, tmp_path):
    _, found = captured(
        tmp_path, path_rate="5Mbps", receive_window=65_535, congestion_control=control
    )
    rate = found.found["path_rate"]
    assert rate.basis == "derived" and rate.unit == "Mbps"
    assert rate.value == pytest.approx(5, rel=0.03)


@pytest.mark.parametrize(("name", "change"), [
    ("troy-pocketpro-100s", {"port_rate": "16Mbps"}),  # really +13 %, of what was found +0.2 %
    ("imagen-v3", {"reply_time": "1us", "segment_time": "1us"}),  # +12 %, and +1 %
])  # fmt: skip
def test_a_simulation_that_has_the_rate_for_another_reason_answers_no_what_if(
    name, change, program, tmp_path
):
    """It goes like the capture within 1 %, and what it waits for is not what the capture did."""
    path = tmp_path / "job.pcap"
    systems[name].with_(job_size=300_000).run(pcap=path)
    found = diagnose(path)
    assert abs(found.compared.residual_pct) < 1
    with pytest.raises(StudyError, match="it has the rate for another reason"):
        found.system().what_if(**change)
    assert "most of the captured time went to" in " ".join(str(found).split())


def test_a_wait_behind_the_job_is_no_other_limit(program, tmp_path):
    """Its last packet comes a minute later: that did not make the job slow."""
    path = tmp_path / "job.pcap"
    systems["hawking-hps1u"].with_(job_size=100_000).run(pcap=path)
    content, place = bytearray(path.read_bytes()), 24
    while place < len(content):
        last, place = place, place + 16 + struct.unpack_from("<I", content, place + 8)[0]
    struct.pack_into("<I", content, last, struct.unpack_from("<I", content, last)[0] + 60)
    path.write_bytes(content)
    found = diagnose(path)
    assert max(found.limits_s, key=found.limits_s.get) != "receive_window"
    assert found.system().what_if(receive_window=5840).gain_pct > 80
