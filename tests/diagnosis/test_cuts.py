# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the congestion control: it is told by what is left of the flights behind a loss, and
is not seen where too little shows."""

import pytest
from study import diagnose, systems
from study.base.project import ROOT

PATH = {"link": "path", "rtt": "60ms", "path_rate": "20Mbps", "path_queue": "400p"}
PATH |= {"protocol": "raw", "ack_latency": "100us", "job_size": 900_000}
PATH |= dict.fromkeys(("first_write", "write_size"), 900_000)
PATH |= {"receive_window": 500_000, "device_window_scale": "auto", "host_window_scale": "auto"}
PATH |= {"device_sack": True, "device_timestamps": True}
LOST = ",".join(map(str, range(100, 620, 80)))


def found(path, **changes):
    systems["hawking-hps1u"].with_host("linux-6").with_(**PATH | changes).run(pcap=path)
    return diagnose(path)


@pytest.mark.parametrize("control", ["reno", "cubic"])
def test_what_is_left_of_the_flights_tells_the_congestion_control(control, program, tmp_path):
    seen = found(tmp_path / "a.pcap", congestion_control=control, path_lost_packets=LOST)
    named = seen.found["congestion_control"]
    assert (named.value, named.basis) == (control, "derived")
    assert named.packets and "is left" in named.source
    assert abs(seen.compared.residual_pct) < 5


def test_no_cut_and_no_congestion_control_without_a_loss(program, tmp_path):
    seen = found(tmp_path / "b.pcap", congestion_control="reno")
    assert seen.found.get("congestion_control") is None
    assert "congestion_control" in seen.found.unseen


def test_without_sack_the_flights_do_not_tell(program, tmp_path):
    plain = {"device_sack": False, "path_lost_packets": LOST}
    seen = found(tmp_path / "d.pcap", congestion_control="cubic", **plain)
    assert seen.found.get("congestion_control") is None


def test_a_timers_recovery_shows_no_cut(program, tmp_path):
    """The last segments lost: a timer begins with one of them, whatever the window was."""
    size = 146_000
    lost = ",".join(map(str, range(99, 103)))
    writes = dict.fromkeys(("job_size", "first_write", "write_size"), size)
    seen = found(tmp_path / "c.pcap", path_lost_packets=lost, **writes)
    assert len(seen.packets) and seen.found.get("congestion_control") is None


def test_a_kernels_cubic_is_found_in_its_capture():
    seen = diagnose(ROOT / "results" / "captures" / "losses.before.client.pcap.gz")
    assert seen.found["congestion_control"].value == "cubic"
