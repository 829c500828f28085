# SPDX-License-Identifier: GPL-2.0-only
"""The same transfer over ns-3's own TcpSocketBase: what is set, what is refused, what it tells."""

import json
import subprocess
from pathlib import Path

import pytest
from study.programs import segments

# And what makes a job of each short.
SCENARIOS = {
    "print-job": "--job-size=20000",
    "request-reply": "--commands=2",
    "file-send": "--job-size=20000",
}
ENDS = ("device", "host", "client", "server")
RAW = ("--protocol=raw", "--job-size=100000")


def asked(program: Path, scenario: str, *flags: str) -> subprocess.CompletedProcess:
    command = [program.parent / scenario, *flags]
    return subprocess.run(command, capture_output=True, text=True)


def stock(program: Path, *flags: str, scenario: str = "print-job") -> dict:
    done = asked(program, scenario, "--tcp=stock", *flags)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_stock_ns3_runs_the_job_and_does_not_tell_what_it_waited_for(program, scenario, tmp_path):
    files = [f"--pcap={tmp_path / 'a.pcap'}", f"--segments={tmp_path / 'a.csv'}"]
    record = stock(program, *files, scenario=scenario)
    assert record["outcome"] == "finished" and record["parameters"]["tcp"] == "stock"
    assert set(record["limits_s"]) == {"handshake", "not_told"}
    assert sum(record["limits_s"].values()) == pytest.approx(record["duration_s"])
    assert 0 < record["limits_s"]["handshake"] < 0.001
    found = segments.read((tmp_path / "a.csv").read_text())
    assert "S" in found[0].flags and not any(each.stopped_by for each in found)
    assert (tmp_path / "a.pcap").stat().st_size > 1000


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_each_parameter_of_an_end_s_tcp_is_taken_or_refused_by_name(program, scenario):
    """A parameter of TCP for which stock ns-3 has nothing is refused in one line that begins with
    its name, so that none is ignored; those of the applications are taken."""
    described = json.loads(asked(program, scenario, "--describe").stdout)
    refused, taken, small = set(), set(), SCENARIOS[scenario]
    for each in described["parameters"]:
        if each["group"] not in ENDS:
            continue
        text = each["choices"][-1] if each["choices"] else each["default"]
        text = {"true": "false", "false": "true"}.get(text, text)
        done = asked(program, scenario, "--tcp=stock", f"--{each['flag']}={text}", small)
        if done.returncode:
            assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
            assert done.stderr.startswith(f"{each['flag']}: "), done.stderr
            refused.add(each["key"])
        else:
            taken.add(each["key"])
    kinds = [{each.removeprefix("client_") for each in some} for some in (refused, taken)]
    assert {"reply_time", "timer_tick", "loss_detection"} <= kinds[0]
    assert {"mss", "initial_window", "nagle", "congestion_control"} <= kinds[1]


def test_all_that_stock_ns3_has_not_is_named_in_one_line(program):
    done = asked(program, "print-job", "--tcp=stock", "--ack-latency=1ms", "--rto-rule=linux")
    assert done.returncode == 2 and not done.stdout
    assert done.stderr == (
        "ack-latency: stock ns-3 has no such parameter; remove it, and rto-rule, from the options, "
        "the system file and the host profile, or give --tcp=study\n"
    )
    done = asked(program, "print-job", "--tcp=stock", "--segment-bound=half-window")
    assert done.stderr == (
        "segment-bound: stock ns-3 has no 'half-window', only mss; remove it from the options, the "
        "system file and the host profile, or give --tcp=study\n"
    )


def test_who_waited_when_is_refused(program, tmp_path):
    waits = tmp_path / "waits.csv"
    done = asked(program, "print-job", "--tcp=stock", f"--waits={waits}")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("waits: stock ns-3 does not tell") and not waits.exists()


def test_a_window_below_one_mss_sends_nothing_and_the_job_is_stalled(program):
    """RFC 1122, 4.2.3.4, has the sender use half the largest window; stock ns-3 waits for ever."""
    record = stock(program, "--receive-window=1024", *RAW)
    assert (record["outcome"], record["bytes"]) == ("stalled", 0)
    assert record["reason"].startswith("stock ns-3 does not tell what it waits for: it has ")
    assert "before a window of 1024 B" in record["reason"]
    # A reader's window update is missing there, too.
    record = stock(program, "--receive-window=4096", "--port-rate=92160bps", *RAW)
    assert (record["outcome"], record["bytes"]) == ("stalled", 4380)


def test_a_probe_with_nothing_to_send_does_not_end_the_process(program):
    """ns-3's PersistTimeout() reads a null pointer there: the process ended with a signal."""
    flags = ("--receive-window=2920", "--protocol=raw", "--job-size=2920", "--drain-latency=20s")
    assert stock(program, *flags)["outcome"] == "finished"


def test_what_a_parameter_corresponds_to_is_set_at_each_end(program, tmp_path):
    """The segments show each: size, first flight, window, ACKs, options, write buffer."""

    def table(*flags: str) -> list:
        path = tmp_path / "table.csv"
        stock(program, f"--segments={path}", "--link=path", "--rtt=100ms", *RAW, *flags)
        return segments.read(path.read_text())

    def flight(found: list) -> int:
        """Data before the first ACK of data, which is the peer's second segment."""
        second = [n for n, each in enumerate(found) if each.sender == "device"][1]
        return sum(each.length > 0 for each in found[:second])

    assert max(each.length for each in table("--mss=700")) == 700
    assert flight(table("--initial-window=4")) == 4
    assert flight(table("--initial-window=9", "--send-buffer=4380")) == 3
    windows = {each.window for each in table("--receive-window=8760") if each.sender == "device"}
    assert max(windows) == 8760
    scaled = ("--receive-window=200000", "--device-window-scale=auto", "--host-window-scale=auto")
    windows = {each.window for each in table(*scaled) if each.sender == "device"}
    assert max(windows) > 190000
    stamps = table("--host-timestamps=true", "--device-timestamps=true")
    assert max(each.length for each in stamps) == 1448

    def acks(every: int) -> int:
        counted = (f"--ack-frequency={every}", "--delayed-ack-timeout=50ms")
        return sum(each.sender == "device" for each in table(*counted))

    assert acks(1) > acks(2) > acks(4)


def test_the_timer_of_a_lost_syn_is_the_one_that_was_given(program):
    lost = ("--link=path", "--path-lost-packets=1", *RAW)
    one, three = (stock(program, *lost, f"--initial-rto={s}s")["duration_s"] for s in (1, 3))
    assert three - one == pytest.approx(2, abs=1e-6)


def test_controls_are_ns3_s_own(program):
    lost = ("--link=path", "--rtt=50ms", "--path-loss=0.02", "--protocol=raw")
    controls = ("newreno", "reno", "cubic", "bbr")
    durations = {
        stock(program, *lost, f"--congestion-control={each}")["duration_s"] for each in controls
    }
    assert len(durations) == len(controls)


def test_nagle_holds_a_small_segment_only_where_it_is_on(program):
    """Of five commands in two writes, the second write of four waits a round trip for an ACK."""

    def took_s(nagle: str) -> float:
        flags = ("--command-text=10", "--command-end=2", "--commands=5", f"--client-nagle={nagle}")
        path = ("--link=path", "--rtt=10ms")
        return stock(program, *flags, *path, scenario="request-reply")["duration_s"]

    assert took_s("true") > took_s("false") + 0.04


def test_a_loss_of_every_packet_is_given_up_or_stalled(program):
    record = stock(program, "--link=path", "--path-loss=1", *RAW)
    assert record["outcome"] == "stalled" and "no SYN-ACK came back for" in record["reason"]
