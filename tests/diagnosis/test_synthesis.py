# SPDX-License-Identifier: GPL-2.0-only
"""The cause of a capture is that of the system whose simulation gives its packets: held against
captures of a real kernel whose cause is known, and against simulated ones."""

import numpy as np
import pytest
from by_hand import diagnosis_of
from study import diagnose, systems
from study.base.project import ROOT
from study.base.units import bits_per_second
from study.diagnosis import diagnosis
from study.diagnosis.of_run import connection_of_segments
from study.diagnosis.synthesis import NAMED_TOGETHER, NOTHING_FITS
from study.kernel import KEPT, capture_cases
from study.kernel.cases import cases

BOTH_ENDS = ROOT / "tests" / "diagnosis" / "both_ends"
KEPT_CASES = [each for each in cases() if each.is_kept]
RATE = 0.06  # of a fitted system, off the capture's


@pytest.mark.parametrize("case", KEPT_CASES, ids=lambda each: each.name)
def test_the_cause_that_was_put_there_is_found_and_the_rate_is_met(case, program):
    sender = "client" if case.before.is_from_client else "server"
    found = diagnose(KEPT / capture_cases.name_of(case, "before", sender))
    assert found.main in case.causes, found.answer.fitted[:3]
    assert found.answer.fits and found.answer.best.distance < NOTHING_FITS / 2
    assert abs(found.answer.rate_off) < RATE


@pytest.mark.parametrize(
    ("name", "cause"),
    [
        ("window-of-four-segments.after", "receive_window"),
        ("label-printer-that-reads-slowly.after", "drain"),
        ("reno-before-a-short-queue.after", "link"),
    ],
)
def test_both_ends_of_a_transfer_have_one_cause(name, cause, program):
    for end in ("client", "server"):
        found = diagnose(BOTH_ENDS / f"{name}.{end}.pcap.gz")
        assert found.main == cause, (end, found.answer.fitted[:3])


def test_a_pace_is_the_sender_s_at_its_own_end(program):
    """At the receiver it looks like a line of that rate."""
    found = diagnose(BOTH_ENDS / "paced-sender.after.client.pcap.gz")
    assert found.main == "application", found.answer.fitted[:3]


@pytest.mark.parametrize("name", ["hawking-hps1u", "netgear-ps101"])
def test_a_print_server_is_limited_by_its_window(name, program, tmp_path):
    path = tmp_path / "job.pcap"
    systems[name].with_(job_size=100_000).run(pcap=path)
    found = diagnose(path)
    assert found.main == "receive_window"
    assert abs(found.answer.rate_off) < RATE


def test_a_device_that_answers_a_whole_window_late_is_no_slow_line(program, tmp_path):
    """Twenty segments are in flight, and one ACK comes for all of them, 60 ms after the first."""
    path = tmp_path / "job.pcap"
    late = {"rtt": "5ms", "ack_latency": "60ms", "receive_window": 30_000}
    systems["bulk"].with_(**late, job_size=500_000).run(pcap=path)
    found = diagnose(path)
    assert found.main in ("delayed_ack", "receive_window"), found.answer.fitted[:3]
    assert abs(found.answer.rate_off) < RATE


def test_a_window_is_no_handshake_where_a_list_of_writes_fits_best(program, tmp_path):
    """Without timestamps such a list is the nearest; its run ended with the writes."""
    path = tmp_path / "job.pcap"
    own = {"path_rate": "100Mbps", "rtt": "20ms", "receive_window": 17520, "job_size": 400_000}
    own |= {"ack_frequency": 2, "delayed_ack_timeout": "200ms", "host_timestamps": "false"}
    systems["bulk"].with_(**own).run(pcap=path)
    found = diagnose(path)
    assert found.main == "receive_window", found.answer.fitted[:3]
    rate_Bps = found.system().run().throughput_Bps
    assert rate_Bps == pytest.approx(systems["bulk"].with_(**own).run().throughput_Bps, rel=RATE)


def test_a_last_ack_that_waits_for_its_timer_is_no_slow_line(program, tmp_path):
    """200 ms of a second, at the end: a line of a third of the rate came nearest."""
    path = tmp_path / "job.pcap"
    own = {"rtt": "10ms", "receive_window": 4380, "job_size": 200_000}
    own |= {"ack_frequency": 2, "delayed_ack_timeout": "200ms"}
    system = systems["bulk"].with_(**own)
    whole = system.run(pcap=path)
    found = diagnose(path)
    assert found.main == "receive_window", found.answer.fitted[:3]
    for limit in ("receive_window", "delayed_ack"):
        there = whole.limits_s[limit] / whole.duration_s
        assert found.answer.limits_s[limit] / whole.duration_s == pytest.approx(there, abs=0.03)
    assert found.system().settings["delayed_ack_timeout"].basis == "derived"


def test_a_program_that_pauses_is_the_cause_and_its_pause_is_in_the_system(program):
    """Several transfers on one connection: half a minute between two of them, all acknowledged."""
    packets = systems["hawking-hps1u"].with_(job_size=300_000).run(segments=True).packets
    whole = connection_of_segments(packets)
    own = whole.packets["from_client"]
    begin = 150 + np.flatnonzero(own[150:] & ~own[149:-1])[0]
    whole.packets["time_ns"][begin:] += 30 * 10**9
    found = diagnosis_of(whole)
    assert found.main == "application"
    assert found.limits_s["client_application"] == pytest.approx(30, rel=0.05)


def test_a_line_back_that_holds_the_acks_is_no_line_ahead(program, tmp_path):
    """Both give the sender's packets to a hair. The receiver's timestamps tell which one it is."""
    made = {}
    for key, rate in {"path_rate_back": "50kbps", "path_rate": "1.39Mbps"}.items():
        path = tmp_path / f"{key}.pcap"
        systems["bulk"].with_(**{key: rate}, job_size=1_000_000).run(pcap=path)
        made[key] = diagnose(path)
    back, ahead = (found.answer.best for found in made.values())
    assert bits_per_second(back.settings["path_rate_back"]) == pytest.approx(50e3, rel=0.05)
    assert any("path_rate_back" in each.change for each in made["path_rate_back"].answer.reliefs)
    assert any("return path" in each.text for each in made["path_rate_back"].facts)
    assert bits_per_second(ahead.settings["path_rate"]) == pytest.approx(1.39e6, rel=0.05)
    assert "path_rate_back" not in ahead.candidate.settings
    bases = [found.system().settings["path_rate"].basis for found in made.values()]
    assert bases == ["assumed", "fitted"]
    assert not any("return path" in each.text for each in made["path_rate"].facts)


def test_at_the_receiver_late_echoes_tell_of_a_line_back(program):
    own = {"path_rate": "20Mbps", "path_rate_back": "80kbps", "rtt": "20ms"}
    packets = systems["bulk"].with_(**own, job_size=1_000_000).run(segments=True).packets
    whole = connection_of_segments(packets, at_device=True)
    p, rows = whole.packets, sorted(packets, key=lambda row: row.far_s)
    sent_s, heard_s = ([], [])  # each packet's, by its sender and by the other end
    for row in rows:
        at = [row.time_s, row.far_s] if row.sender == rows[0].sender else [row.far_s, row.time_s]
        sent_s.append(at[0])
        heard_s.append(at[1])
    p["ts_value"] = [round(1e3 * each) for each in sent_s]
    for place, row in enumerate(rows):  # the latest that came before it left
        heard = [
            i
            for i, each in enumerate(rows)
            if each.sender != row.sender and heard_s[i] <= sent_s[place]
        ]
        p["ts_echo"][place] = p["ts_value"][heard[-1]] if heard else -1
    found = diagnosis_of(whole)
    assert found.vantage.at == "receiver"
    assert bits_per_second(found.answer.best.settings["path_rate_back"]) == pytest.approx(
        80e3, rel=0.05
    )
    assert any(each.name == "late_echo" for each in found.facts)
    assert "no more, on the return path:" in " ".join(found.sentence.split())


def test_without_timestamps_a_line_ahead_is_no_sure_limit(program, tmp_path):
    """A line back that holds the ACKs gives the same packets: a faster one ahead brings nothing."""
    path = tmp_path / "job.pcap"
    own = {"path_rate": "20Mbps", "path_rate_back": "60kbps", "rtt": "30ms"}
    systems["bulk"].with_(**own, job_size=1_000_000, host_timestamps="false").run(pcap=path)
    found = diagnose(path)
    low, high = found.answer.ranges["link"]
    assert low < 0.01 and high > 1 and not found.answer.tells("link")
    assert any("look alike" in each.text for each in found.facts)


def test_a_reply_in_two_writes_waits_for_the_delayed_ack(program, tmp_path):
    path = tmp_path / "telnet.pcap"
    systems["telnet-xp"].run(pcap=path)
    found = diagnose(path)
    assert found.main == "delayed_ack" and found.answer.confidence > NAMED_TOGETHER


def test_the_system_that_is_found_answers_a_change_as_the_captured_one_does(program, tmp_path):
    """Twice the window, of a system whose answer is known."""
    path = tmp_path / "job.pcap"
    own = systems["hawking-hps1u"].with_(job_size=300_000)
    own.run(pcap=path)
    there = own.with_(receive_window=5840).run().throughput_Bps / own.run().throughput_Bps
    found = diagnose(path).system()
    here = found.with_(receive_window=5840).run().throughput_Bps / found.run().throughput_Bps
    assert here == pytest.approx(there, rel=0.05)


def test_a_time_limit_leaves_the_nearest_so_far(program):
    """Or says that none was run; never more than what was asked for."""
    name = capture_cases.name_of(KEPT_CASES[0], "before", "client")
    whole = diagnosis.diagnose(KEPT / name)
    short = diagnosis.diagnose(KEPT / name, seconds=0.3)
    assert short.answer is None or short.answer.nearby.runs < whole.answer.nearby.runs
    assert short.sentence
