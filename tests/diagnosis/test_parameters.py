# SPDX-License-Identifier: GPL-2.0-only
"""What a capture shows is found in it: the sources' traces give the parameters of the files made
by hand, and the packets of simulated jobs those they were simulated with."""

import contextlib

import pytest
from study import StudyError, diagnose, systems
from study.base.project import ROOT
from study.base.units import bits_per_second, seconds
from study.captures.connection import Offer
from study.diagnosis.judge import budget
from study.diagnosis.of_run import connection_of_segments
from study.diagnosis.parameters import parameters
from study.diagnosis.segments import as_segments

TRACES = ROOT / "tests" / "print-job" / "timelines"
# By hand each is one sample, the median or the least of what the trace shows; found is the median,
# or the least where they differ by more than a twentieth. So they differ within that spread.
WITHIN_THE_SPREAD = {
    "hawking-hps1u": {
        "ack_latency": 0.01,  # by hand from the triplet that the article computes with
        "interactive_ack_latency": 0.15,  # by hand the FIN's answer is one of the five
        "reply_time": 0.15,  # by hand with the three of the other extract
        "think_time": 2.0,  # by hand the answers to a reply, found the first write's
    },
    "netgear-ps101": {"drain_latency": 0.001},
    "linksys-ppsx1": {
        "drain_latency": 0.005,  # by hand the least, 978, with a spread of 6 us
        "first_persist_timeout": 0.03,  # by hand 200 ms on a clock of 10 ms
        "reply_time": 0.1,  # by hand with the first packet's, whose ACK is not printed
    },
}
# Not told by the trace: by hand from the same host's other trace, or assumed.
NOT_SHOWN = {
    "netgear-ps101": {"job_size", "first_write", "write_size", "write_time", "first_persist"},
    "linksys-ppsx1": {"job_size", "first_write", "write_size", "write_time", "drain_pause_every"},
}
MUST = {
    "hawking-hps1u": {
        "receive_window", "ack_latency", "syn_ack_latency", "interactive_ack_latency", "close_time",
        "job_command_time", "reset_on_fin_ack",
        "mss", "host_window", "nagle", "segment_time", "first_write",
        "write_size", "write_time", "job_size", "protocol", "link_rate",
    },
    "netgear-ps101": {"receive_window", "ack_latency", "drain_latency", "mss", "reply_time"},
    "linksys-ppsx1": {
        "receive_window", "ack_latency", "ack_latency_spread", "drain_latency", "drain_pause",
        "window_probe_latency", "first_persist_timeout", "protocol",
    },
}  # fmt: skip


def number(text: str) -> float | str:
    """A value of a flag as a number where it is one."""
    for read in (seconds, bits_per_second):
        with contextlib.suppress(StudyError):
            return read(text)
    try:
        return float(text)
    except ValueError:
        return text


def text_of(finding) -> str:
    shown = str(finding.value).lower() if isinstance(finding.value, bool) else str(finding.value)
    return shown + (finding.unit if finding.unit not in ("B", "1") else "")


@pytest.mark.parametrize("name", MUST)
def test_a_sources_trace_gives_the_parameters_of_the_file_made_by_hand(name, program):
    by_hand = systems[name]
    found = diagnose(TRACES / f"{name}.txt").found
    assert found.scenario == by_hand.scenario
    assert {each.key for each in found.findings} >= MUST[name]
    for each in found.findings:
        if each.key not in by_hand.settings or each.key in NOT_SHOWN.get(name, ()):
            continue
        wanted, got = number(by_hand.settings[each.key].text), number(text_of(each))
        if each.basis == "bound":
            low, high = each.low or 0, each.high or float("inf")
            size = wanted / 1e6 if each.key == "link_rate" else wanted
            assert isinstance(size, str) or low <= size <= high, each
            continue
        if isinstance(wanted, str):
            assert got == wanted, each
            continue
        spread = WITHIN_THE_SPREAD[name].get(each.key, 1e-6)
        assert got == pytest.approx(wanted, rel=spread), each


def test_holes_of_a_printed_trace_are_no_waits_and_no_bytes(program):
    found = diagnose(TRACES / "hawking-hps1u.txt")
    line = found.connections[0]
    assert line.bytes == 22_226_561 and line.shown_B < 20_000
    assert line.rate_Bps == pytest.approx(24_000, rel=0.05)
    assert max(found.limits_s, key=found.limits_s.get) == "receive_window"


def test_a_stall_in_which_the_sender_asks_is_the_receivers(program):
    found = diagnose(TRACES / "linksys-ppsx1.txt")
    assert found.limits_s["drain"] > 0.95 * found.connection.duration_s
    assert found.found["drain_pause"].text == "2.028333 s"


def of_run(name, **changes):
    """A simulated job as a capture, and what is found in it."""
    system = systems[name].with_(**changes)
    result = system.run(segments=True)
    connection = connection_of_segments(result.packets)
    return system, result, parameters(connection, budget(connection).limits_s)


# What the packets of a simulated job show of what it was simulated with.
SHOWN = {
    "hawking-hps1u": ("receive_window", "ack_latency", "syn_ack_latency", "close_time", "nagle",
                      "first_write", "write_size", "segment_time", "reply_time"),
    "netgear-ps101": ("receive_window", "ack_latency", "drain_latency", "reply_time", "close_time"),
    "imagen-v2": ("receive_window", "send_buffer", "mss", "close_time"),
    "tcp-frame-relay": ("receive_window", "ack_frequency", "initial_window", "segment_time"),
}  # fmt: skip


@pytest.mark.parametrize("name", SHOWN)
def test_what_a_job_was_simulated_with_is_found_in_its_packets(name, program):
    system, _, found = of_run(name, job_size=300_000)
    own = system.parameters()
    for key in SHOWN[name]:
        wanted, got = number(own[key]), number(text_of(found[key]))
        if isinstance(wanted, str):
            assert got == wanted, key
        else:
            assert got == pytest.approx(wanted, rel=2e-3), key


def test_the_delay_of_a_path_is_no_latency_of_the_device(program):
    """Put into the ACK latency, slow start would grow by one segment a round trip."""
    _, _, found = of_run("tcp-frame-relay", job_size=300_000)
    assert found["link"].value == "path"
    assert found["rtt"].value == pytest.approx(120, rel=0.05) and found["rtt"].unit == "ms"
    assert found["path_rate"].value == pytest.approx(250, rel=0.03)  # 256 kbit/s, bits stuffed
    assert number(text_of(found["ack_latency"])) < 1e-3


def test_what_the_window_held_is_a_bound(program):
    """Not an initial window, not a send buffer, not an MSS."""
    _, _, found = of_run("netgear-ps101", job_size=300_000)
    for key, low in (("initial_window", 1), ("send_buffer", 1024), ("mss", 1024)):
        assert (found[key].basis, found[key].low) == ("bound", low), key


def test_a_request_and_its_reply_are_no_print_job(program):
    _, _, found = of_run("telnet-xp")
    assert found.scenario == "request-reply"
    assert found["commands"].value == 50
    assert (found["command_text"].value, found["command_end"].value) == (10, 2)
    assert found["echo"].value is True
    assert (found["reply_writes"].value, found["reply_write"].value) == (2, 40)
    assert number(text_of(found["client_delayed_ack"])) == pytest.approx(0.2, rel=1e-3)
    assert found["server_nagle"].value is True


def test_a_withheld_ack_is_not_taken_for_a_slow_device_in_what_ifs(program):
    """A larger send buffer would end the timer's wait; the capture cannot tell, and says so."""
    _, _, found = of_run("imagen-v2", job_size=100_000)
    (kept,) = found.not_modelled
    assert kept.name == "ack_kept_back" and "send_buffer" in kept.blocks


def test_a_capture_as_segments_is_the_segment_table(program):
    _, result, _ = of_run("hawking-hps1u", job_size=30_000)
    again = as_segments(connection_of_segments(result.packets))
    ours = [(s.sender, s.seq, s.length, s.ack, s.window, s.control) for s in result.packets]
    assert [(s.sender, s.seq, s.length, s.ack, s.window, s.control) for s in again] == ours


def test_each_finding_names_its_packets_or_says_that_it_is_not_seen(program):
    _, _, found = of_run("hawking-hps1u", job_size=300_000)
    for each in found.findings:
        assert each.source, each
        told = each.packets or "packet" in each.source or each.basis == "assumed"
        words = ("SYN", "port", "nothing in the capture", "no dialogue")
        assert told or any(word in each.source for word in words), each


def test_without_a_syn_nothing_is_told_of_what_it_offers(program):
    connection = connection_of_segments(
        systems["netgear-ps101"].with_(job_size=30_000).run(segments=True).packets
    )
    assert connection.client_offer == Offer()
    found = parameters(connection, {})
    assert found.get("host_sack") is None and found["mss"].basis == "bound"
