# SPDX-License-Identifier: GPL-2.0-only
"""How much a port takes at a time, where each step is told: it decides what a larger window gives.
Where a step is of whole segments, nothing tells it from one that takes all, and no gain is told."""

import pytest
from study import StudyError, diagnose, systems

FAST = """
title = "A device with a small window, late ACKs and a quick port"
scenario = "print-job"
host = "linux-6"
[parameters]
"""
NUMBERS = {
    "receive_window": '2048, unit = "B"',
    "ack_latency": '10, unit = "ms"',
    "interactive_ack_latency": '10, unit = "ms"',
    "port_rate": '100, unit = "Mbps"',
    "link_rate": '100, unit = "Mbps"',
    "job_size": '200000, unit = "B"',
    "protocol": '"raw"',
}
CLOSE = 0.05


@pytest.fixture
def fast(tmp_path):
    path = tmp_path / "fast.toml"
    told = ', basis = "assumed", source = "a test" }'
    path.write_text(FAST + "".join(f"{k} = {{ value = {v}{told}\n" for k, v in NUMBERS.items()))
    return systems[str(path)]


def found(system, tmp_path):
    path = tmp_path / "fast.pcap"
    system.run(pcap=path)
    return diagnose(path)


@pytest.mark.parametrize(
    ("chunk", "other"),
    [
        (64, {}),
        (256, {}),
        (512, {}),
        (64, {"port_rate": "10Mbps"}),
        (256, {"port_rate": "3Mbps"}),
        (64, {"receive_window": 8192}),
        (64, {"link_rate": "10Mbps"}),
    ],
)
def test_a_larger_window_gives_what_it_gives_with_that_port(chunk, other, fast, program, tmp_path):
    true = fast.with_(port_chunk=chunk, **other)
    seen = found(true, tmp_path)
    shown = seen.found["port_chunk"]
    assert (shown.value, shown.unit, shown.basis) == (chunk, "B", "derived")
    assert abs(seen.compared.residual_pct) < 100 * CLOSE
    window = 2 * int(true.parameters()["receive_window"])
    gain = true.what_if(receive_window=window).gain_pct
    told = seen.system().what_if(receive_window=window).gain_pct
    assert (100 + told) / (100 + gain) == pytest.approx(1, rel=CLOSE)


@pytest.mark.parametrize("chunk", [1024, 65535])
def test_a_step_of_whole_segments_is_a_bound_that_a_larger_window_rests_on(
    chunk, fast, program, tmp_path
):
    seen = found(fast.with_(port_chunk=chunk), tmp_path)
    shown = seen.found["port_chunk"]
    assert (shown.basis, shown.low, shown.high) == ("bound", 1024, 65535)
    with pytest.raises(StudyError, match="rest on port chunk, of which the capture shows only"):
        seen.system().what_if(receive_window=4096)


def test_a_pace_that_the_line_could_hide_is_no_more_than_a_bound(fast, program, tmp_path):
    seen = found(fast.with_(port_chunk=64), tmp_path)
    assert seen.found["port_rate"].basis == "bound"
    slower = found(fast.with_(port_chunk=64, port_rate="10Mbps"), tmp_path)
    assert slower.found["port_rate"].basis == "derived"
    # The updates of an Ethernet came at its rate, so it is no slower one.
    assert seen.found["link_rate"].low > 10 and seen.found["link_rate"].value == 100


def test_the_late_ack_of_a_fin_is_no_delayed_ack_of_the_data_before_it(fast, program, tmp_path):
    """The FIN leaves a round trip behind the last data, whose ACK had come by then."""
    true = fast.with_(port_chunk=64)
    seen = found(true, tmp_path)
    assert true.run().limits_s["delayed_ack"] == 0
    assert seen.limits_s["delayed_ack"] == 0
    # Of the data, and of the FIN.
    assert seen.limits_s["last_ack"] == pytest.approx(0.019, rel=0.05)
