# SPDX-License-Identifier: GPL-2.0-only
"""Claims about rules that captures of a kernel taught: each mechanism is put into a simulated job
and has to be found in its packets, or refused with its reason."""

from dataclasses import replace

import numpy as np
import pytest
from study import StudyError, diagnose, systems
from study.base.project import ROOT
from study.base.units import bound_text
from study.captures.connection import Note
from study.diagnosis.judge import budget
from study.diagnosis.of_run import connection_of_run
from study.diagnosis.parameters_window import drain_rate
from study.diagnosis.transfer import Transfer

FAR = {"link": "path", "rtt": "30ms", "path_rate": "20Mbps", "protocol": "raw"}
LINUX = {"device_sack": True, "device_timestamps": True, "device_window_scale": "auto"}
AT_ONCE = {"ack_latency": "1us", "drain_latency": "0ns", "interactive_ack_latency": "0ns"}
ODD = 5 * 1448  # a window of five segments with timestamps


def job(**changes):
    own = FAR | LINUX | AT_ONCE | {"ack_frequency": 2, "delayed_ack_timeout": "40ms"}
    own |= {"window_updates": "from-zero"}
    own |= {"job_size": 150_000, "first_write": 150_000, "write_size": 150_000}
    return systems["hawking-hps1u"].with_host("linux-6").with_(**(own | changes))


def captured(system, path):
    system.run(pcap=path)
    return diagnose(path)


def test_what_ends_a_burst_is_acknowledged_at_once_and_the_rest_waits(program, tmp_path):
    """A flight of five: its last segment has PSH, one that left alone has not."""
    system = job(receive_window=ODD, ack_pushed=True)
    found = captured(system, tmp_path / "job.pcap")
    assert found.found["ack_pushed"].value is True
    assert found.found["delayed_ack_timeout"].text == "40 ms"
    assert abs(found.compared.residual_pct) < 1
    # The rule matters: without it the flight waits for the timer.
    assert system.with_(ack_pushed=False).run().duration_s > 1.05 * system.run().duration_s


def test_a_window_that_only_grows_is_no_slow_reader(program):
    """By less than half, and never back: what it begins with is not what a reader left."""
    seen = connection_of_run(job(receive_window=60_000).run(segments=True))
    told = ~seen.packets["from_client"] & (seen.packets["length"] == 0)
    seen.packets["window"][told] = np.linspace(65_536, 95_232, told.sum()).astype(int)
    assert drain_rate(Transfer(seen)) is None


def test_a_reader_that_takes_much_at_a_time_has_a_rate(program):
    """Its window is whole in most packets, at the beginning, and never again: as few tell of it
    later, where ACKs are joined."""
    slow = {"port_rate": "4Mbps", "port_chunk": 65_000, "receive_window": 130_000}
    slow["window_updates"] = (
        "every-opening"  # or the sender waits for a window, and not for the reader
    )
    result = job(**slow, job_size=600_000).run(segments=True)
    assert max(result.limits_s, key=result.limits_s.get) == "drain"
    seen = connection_of_run(result)
    packets = seen.packets
    device = np.flatnonzero(~packets["from_client"] & (packets["window"] > 0))
    begin, rest = device[:30], device[30:]
    packets["window"][begin] = 130_000
    few = replace(seen, packets=np.delete(packets, rest[np.arange(len(rest)) % 12 != 0]))
    whole = few.packets["window"][~few.packets["from_client"]] > 128_000
    assert whole.mean() > 0.5
    bits, *_ = drain_rate(Transfer(few))
    assert bits == pytest.approx(4e6, rel=0.15)


def test_no_what_if_rests_on_a_pace_of_whole_segments(program, tmp_path):
    """Two whole segments every 5 ms, whatever the ACKs do: a program would write round numbers."""
    pace = {"first_write": 2896, "write_size": 2896, "write_time": "5ms"}
    found = captured(job(receive_window=60_000, **pace), tmp_path / "paced.pcap")
    assert [each.name for each in found.not_modelled] == ["pacing"]
    with pytest.raises(StudyError, match="the sender spaces what it sends"):
        found.system().what_if(rtt="10ms")
    round_ones = pace | {"first_write": 4096, "write_size": 4096}
    other = captured(job(receive_window=60_000, **round_ones), tmp_path / "written.pcap")
    assert "pacing" not in [each.name for each in other.not_modelled]


def test_replies_of_many_segments_show_the_line_and_no_time_of_their_reader(program, tmp_path):
    """The end of a reply on its line is no time of the client's."""
    own = {"link": "path", "rtt": "60ms", "path_rate": "20Mbps", "commands": 10, "echo": False}
    own |= {"command_text": 100, "command_end": 0, "reply_writes": 1, "reply_write": 60_000}
    own |= {"server_time": "1ms", "client_time": "1ms", "write_returns": "all-fits"}
    for end in ("client", "server"):
        own |= {f"{end}_window": 300_000, f"{end}_window_scale": "auto", f"{end}_sack": True}
        own |= {f"{end}_timestamps": True, f"{end}_initial_window": 10, f"{end}_mss": 1460}
    found = captured(systems["telnet-ubuntu"].with_(**own), tmp_path / "asked.pcap")
    rate = found.found["path_rate"]
    assert rate.basis == "derived" and rate.unit == "Mbps"
    assert rate.value == pytest.approx(20, rel=0.01)
    client = found.found["client_time"]
    assert client.value * {"us": 1e-3, "ms": 1}[client.unit] == pytest.approx(1, abs=0.5)
    assert found.found["server_initial_window"].value == 10  # of the Linux that its SYN looks like


def test_acks_at_once_are_a_rule_of_the_end_that_sends_them(program, tmp_path):
    """Without it the next small segment would wait for a timer in the simulation."""
    found = captured(systems["telnet-xp-ack-frequency-1"], tmp_path / "telnet.pcap")
    assert found.found["client_ack_frequency"].value == 1
    assert abs(found.compared.residual_pct) < 3


def test_an_ack_that_comes_when_the_program_reads_is_a_drain(program):
    """The window had been taken back while data lay unread, and opens whole."""
    pauses = {"drain_pause": "50ms", "drain_pause_every": 65_160, "window_updates": "from-zero"}
    pauses |= {"receive_window": 33_304, "rtt": "4ms", "ack_pushed": True}
    run = job(**pauses, job_size=600_000).run(segments=True)
    judged = budget(connection_of_run(run)).limits_s
    assert judged["delayed_ack"] < 0.02 and judged["drain"] > 0.25


def test_no_what_if_rests_on_fragments_or_on_what_is_in_a_tunnel(program):
    kept = diagnose(ROOT / "results" / "captures" / "slow-line.before.client.pcap.gz")
    assert kept.not_modelled == kept.found.not_modelled
    notes = (
        Note("fragments", "2 packets went in IP fragments"),
        Note("tunnel", "1 packet is in one"),
    )
    odd = replace(kept, notes=notes)
    assert {each.name for each in odd.not_modelled} >= {"fragments", "tunnel"}
    with pytest.raises(StudyError, match="went in IP fragments; the model's packets are whole"):
        odd.system().what_if(mss=536)
    with pytest.raises(StudyError, match="they share the line"):
        odd.system().what_if(path_rate="4Mbps")


def test_each_end_of_a_bound_stands_in_its_own_unit():
    assert bound_text("us", 0.1, 4093.02) == "at least 0.1 us and at most 4.093 ms"
    assert bound_text("B", 1024, None) == "at least 1024 B"
    assert bound_text("1", 10, None) == "at least 10"
