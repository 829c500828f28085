# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the line of a path behind a window of few segments: the gaps between flights are
round trips, and no line's."""

import pytest
from study import diagnose, systems

PATH = {"link": "path", "rtt": "30ms", "path_rate": "20Mbps", "protocol": "raw"}
PATH |= {"ack_latency": "100us", "ack_frequency": 2, "delayed_ack_timeout": "700us"}
SEGMENT_B = 1460


@pytest.mark.parametrize("segments", [4, 5, 7])
def test_the_gaps_between_flights_are_no_slow_line(segments, program, tmp_path):
    path = tmp_path / "job.pcap"
    own = PATH | {"receive_window": segments * SEGMENT_B, "job_size": 150_000}
    own |= dict.fromkeys(("first_write", "write_size"), 150_000)
    systems["hawking-hps1u"].with_(**own).run(pcap=path)
    seen = diagnose(path)
    rate = seen.found["path_rate"]
    assert (rate.basis, rate.unit) == ("derived", "Mbps")
    assert rate.value == pytest.approx(20, rel=0.02)
    simulated = seen.compared.simulated.limits_s
    assert max(simulated, key=simulated.get) == "receive_window"


def test_a_receiver_that_acknowledges_singly_at_first_has_the_rule_that_it_keeps(program, tmp_path):
    """Forty segments one by one, then every other one: more of the ACKs are of one than of two."""
    path = tmp_path / "job.pcap"
    own = PATH | {"receive_window": 65_000, "device_quick_acks": 40, "job_size": 100_000}
    own |= dict.fromkeys(("first_write", "write_size"), 100_000)
    own |= {"delayed_ack_timeout": "40ms"}
    systems["hawking-hps1u"].with_(**own).run(pcap=path)
    found = diagnose(path).found
    assert found["ack_frequency"].value == 2
    assert found["device_quick_acks"].value == pytest.approx(40, abs=3)
