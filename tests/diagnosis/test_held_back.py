# SPDX-License-Identifier: GPL-2.0-only
"""A device whose window is two segments and a rest: it acknowledges every second segment, keeps
back the ACK of the rest, and empties its buffer long before. What it shows is found, a simulation
of that goes as fast, and the judge of its packets says what the run's own clock says."""

import pytest
from by_hand import by_hand
from study import diagnose, systems
from study.captures.connection import ACK, SYN
from study.diagnosis.hidden import comparable
from study.diagnosis.route import not_modelled_of_turns

DEVICE = {
    "protocol": "raw",
    "mss": 1460,
    "device_mss": 1460,
    "receive_window": 4096,
    "ack_latency": "100us",
    "interactive_ack_latency": "0s",
    "syn_ack_latency": "100us",
    "ack_frequency": 2,
    "delayed_ack_timeout": "200ms",
    "port_rate": "480kbps",
    "port_chunk": 64,
    "link_rate": "100Mbps",
    "first_write": 4096,
    "write_size": 4096,
    "write_time": "100us",
    "nagle": "true",
    "job_size": 200_000,
}
SHARE, RATE_PCT = 0.02, 5.0


def seen(change, path):
    """The run, what is found in its packets, and both splits of its time."""
    system = systems["hawking-hps1u"].with_host("linux-6").with_(**DEVICE | change)
    result = system.run(pcap=path)
    found = diagnose(path)
    return result, found, comparable(result.limits_s, found.budget.until(result.duration_s))


def test_the_sender_waits_for_the_ack_that_is_kept_back(program, tmp_path):
    result, found, (known, judged) = seen({}, tmp_path / "job.pcap")
    for limits in (result.limits_s, known, judged):
        assert limits["delayed_ack"] > 0.97 * result.duration_s
    assert found.sentence.startswith("100% of the time the receiver keeps back its ACK on purpose")
    assert found.found["receive_window"].value == 4096
    assert found.found["ack_frequency"].value == 2
    timeout = found.found["delayed_ack_timeout"]
    assert timeout.unit == "ms" and timeout.value == pytest.approx(200, rel=0.001)
    port = found.found["port_rate"]
    assert port.basis == "bound" and port.unit == "Mbps"
    assert port.low < 0.48 < port.high
    assert found.found["port_chunk"].value == 64
    line = found.found["link_rate"]
    assert (line.value, line.unit, line.basis) == (100, "Mbps", "bound") and line.low > 10
    assert found.compared.measured.cycle_B == 4096
    assert abs(found.compared.residual_pct) < RATE_PCT
    change, why = found.turn()
    assert change or "port rate" in why  # offered, or refused with its reason


GRID = [
    {"receive_window": window, "ack_frequency": every, "port_rate": port}
    for window, every, port in (
        (2048, 1, "4800kbps"),
        (2920, 2, "480kbps"),
        (3333, 4, "48kbps"),
        (5841, 1, "480kbps"),
        (6787, 2, "48kbps"),
        (8192, 2, "480kbps"),
        (8760, 1, "4800kbps"),
    )
] + [{"delayed_ack_timeout": "40ms"}, {"delayed_ack_timeout": "1us", "receive_window": 5000}]


@pytest.mark.parametrize("change", GRID)
def test_a_device_beside_it_is_found_and_judged_alike(change, program, tmp_path):
    result, found, (known, judged) = seen(change, tmp_path / "job.pcap")
    assert abs(found.compared.residual_pct) < RATE_PCT or found.not_modelled
    assert max(known, key=known.get) == max(judged, key=judged.get)
    apart = {
        limit: (known.get(limit, 0.0), judged.get(limit, 0.0))
        for limit in known | judged
        if abs(known.get(limit, 0.0) - judged.get(limit, 0.0)) > SHARE * result.duration_s
    }
    assert not apart


def test_an_open_window_of_the_syn_counts_where_no_scale_was_agreed(program, tmp_path):
    """The ACKs of a buffer that is never empty again tell of less."""
    _, found, _ = seen({"ack_frequency": 1}, tmp_path / "job.pcap")
    assert found.found["receive_window"].value == 4096
    assert found.found["port_rate"].text == "480 kbps"


def test_what_ends_with_the_job_may_be_kept_back_too(program, tmp_path):
    """One ACK of two hundred, by which the found rule is told, as the rest is never kept back."""
    change = {"receive_window": 5841, "port_rate": "4800kbps", "job_size": 300_000}
    _, found, (known, judged) = seen(change, tmp_path / "job.pcap")
    assert judged["delayed_ack"] == pytest.approx(known["delayed_ack"], abs=0.01 * 0.2)
    assert judged["delayed_ack"] == pytest.approx(0.2, rel=0.01)
    assert found.found["ack_frequency"].value == 2
    assert abs(found.compared.residual_pct) < 1


AWAY = {"link": "path", "rtt": "5ms", "path_rate": "50Mbps", "protocol": "raw"}
AWAY |= {"ack_latency": "1us", "drain_latency": "0ns", "interactive_ack_latency": "0ns"}
AWAY |= {"device_sack": True, "device_timestamps": True, "device_window_scale": "auto"}


def far_away(path, at=None, **changes):
    """What is found in a job over a path, and its run."""
    own = AWAY | {"ack_frequency": 2, "delayed_ack_timeout": "40ms"} | changes
    result = systems["hawking-hps1u"].with_host("linux-6").with_(**own).run(pcap=path)
    return result, diagnose(path, at)


@pytest.mark.parametrize("pause", ["5ms", "2ms"])
def test_small_writes_at_a_steady_pace_are_their_program_s(pause, program, tmp_path):
    """They are no line's, whose segments would be whole; their host is not slow to react."""
    writes = {"first_write": 1000, "write_size": 1000, "write_time": pause, "nagle": False}
    result, found = far_away(
        tmp_path / "job.pcap", **writes, rtt="30ms", job_size=150_000, receive_window=64_000
    )
    limits = found.limits_s
    assert max(limits, key=limits.get) == "application"
    assert limits["application"] == pytest.approx(result.limits_s["application"], rel=0.05)


def turns_of(ahead):
    """Ten requests, of which so many are on their way at once, and their replies, as the client
    saw them."""
    rows = [(0, True, 0, 0, -1, SYN), (4, False, 0, 0, 1, SYN | ACK), (5, True, 1, 0, 1, ACK)]
    asked = replied = 0
    when = 5
    while replied < 10:
        while asked < min(replied + ahead, 10):
            when += 1
            rows.append((when, True, 1 + 100 * asked, 100, 1 + 3000 * replied, ACK))
            asked += 1
        when += 4
        heard = 1 + 100 * (replied + 1)  # of the client, when this reply was written
        rows.append((when, False, 1 + 3000 * replied, 3000, heard, ACK))
        replied += 1
    return by_hand(((*row, 65535, flags) for *row, flags in rows), 1460)


@pytest.mark.parametrize(("ahead", "named"), [(1, []), (2, ["pipelined_requests"])])
def test_requests_ahead_of_their_replies_are_not_modelled(ahead, named):
    assert [each.name for each in not_modelled_of_turns(turns_of(ahead))] == named
