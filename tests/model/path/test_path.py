# SPDX-License-Identifier: GPL-2.0-only
"""A path between the two ends of a transfer: what a job over it takes, what is refused and in which
words, what a capture at its host shows.

The tests of captures are skipped where no tshark is installed (Debian: `apt install tshark`).
"""

import json
import subprocess
from pathlib import Path

import pytest
from study import StudyError, systems
from study.answers.explain import explain
from study.answers.run_text import as_changed, own_job
from study.base.project import scenario_program
from study.kit.scenario import judges
from study.programs import values
from study.programs.declaration import declaration
from study.runs.points import grid

from tests.tshark import GOOD, frames, matching, needs_tshark

TCP_SCENARIOS = ("print-job", "request-reply", "file-send")
PPP_B, HEADERS_B = 2, 40  # on the line besides a segment's payload: RFC 1661; IPv4 and TCP
HOST = "10.0.0.1"


def asked(scenario: str, *flags: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([scenario_program(scenario), *flags], capture_output=True, text=True)


def run(scenario: str, *flags: str) -> dict:
    done = asked(scenario, "--link=path", *flags)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def refusal(*flags: str, scenario: str = "print-job") -> str:
    """The one line on standard error, and nothing else."""
    done = asked(scenario, *flags)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    return done.stderr.rstrip("\n")


# A sender that has one segment outstanding, and a device that answers it at once.
STOP_AND_WAIT = ("--protocol=raw", "--mss=1460", "--receive-window=1460", "--job-size=146000")
PROMPT = ("--ack-latency=1us", "--interactive-ack-latency=1us", "--reply-time=1ns")


@pytest.mark.parametrize(("rate", "back"), [("10Mbps", "10Mbps"), ("2Mbps", "128kbps")])
@pytest.mark.parametrize("rtt", ["0ms", "40ms", "600ms"])
def test_one_segment_a_round_trip_is_window_over_rtt(rate: str, back: str, rtt: str):
    flags = (f"--path-rate={rate}", f"--path-rate-back={back}", f"--rtt={rtt}")
    record = run("print-job", *STOP_AND_WAIT, *PROMPT, *flags)
    parameter = declaration("print-job").parameter
    rate_bps, back_bps = (values.smallest(parameter("path_rate"), each) for each in (rate, back))
    rtt_s = values.smallest(parameter("rtt"), rtt) / 1e9
    segment_s = (1460 + HEADERS_B + PPP_B) * 8 / rate_bps
    ack_s = (HEADERS_B + PPP_B) * 8 / back_bps
    # 100 cycles, and the handshake's round trip before them: 44 octets each way, with the MSS.
    handshake_s = rtt_s + (HEADERS_B + 4 + PPP_B) * 8 * (1 / rate_bps + 1 / back_bps)
    cycle_s = (record["duration_s"] - handshake_s) / 100
    # The device's microsecond; and the host's own line, of 100 Gbit/s.
    assert cycle_s == pytest.approx(segment_s + ack_s + rtt_s, abs=5e-6 + 1e-3 * ack_s)
    if rtt_s > 10 * (segment_s + ack_s):
        rate_Bps = 1460 / rtt_s
        assert record["throughput_Bps"] == pytest.approx(rate_Bps, rel=0.06)
    assert sum(record["limits_s"].values()) == pytest.approx(record["duration_s"], abs=1e-9)


def test_a_full_window_is_window_over_rtt_until_the_line_is_full():
    flags = ("--protocol=raw", *PROMPT, "--path-rate=100Mbps", "--rtt=100ms", "--job-size=4000000")
    for window_B in (8760, 17520, 35040):
        record = run("print-job", *flags, f"--receive-window={window_B}")
        assert record["throughput_Bps"] == pytest.approx(window_B / 0.1, rel=0.05)
        assert record["limits_s"]["receive_window"] > 0.9 * record["duration_s"]
    narrow = run("print-job", *flags, "--receive-window=35040", "--path-rate=1Mbps")
    line_Bps = 1e6 / 8 * 1460 / (1460 + HEADERS_B + PPP_B)
    assert narrow["throughput_Bps"] == pytest.approx(line_Bps, rel=0.03)
    assert narrow["path_queue_drops"] == 0


def test_every_tcp_scenario_takes_every_link():
    flags = {
        "print-job": ("--job-size=20000",),
        "request-reply": ("--commands=3",),
        "file-send": ("--job-size=20000",),
    }
    for scenario in TCP_SCENARIOS:
        for link in ("ethernet", "path", "frame-relay"):
            done = asked(scenario, f"--link={link}", "--rtt=40ms", *flags[scenario])
            record = json.loads(done.stdout)
            assert record["outcome"] == "finished", (scenario, link)
            assert sum(record["limits_s"].values()) == pytest.approx(record["duration_s"])
            assert (record["wan_frames"] > 0) == (link == "frame-relay")
            # What was given of a link that is not there is named.
            assert record["without_effect"] == ([] if link == "path" else ["rtt"])


def test_a_command_and_its_reply_take_the_round_trip_more():
    flags = ("--commands=10", "--client-nagle=false", "--server-nagle=false", "--reply-writes=1")
    near, far = (
        run("request-reply", *flags, f"--rtt={rtt}", "--server-delayed-ack=1ms")["command_s"]
        for rtt in ("0ms", "50ms")
    )
    assert far - near == pytest.approx(0.05, rel=0.02)


def test_a_list_loses_its_packets_each_way_and_no_other():
    flags = ("--protocol=raw", "--job-size=100000", "--rtt=20ms")
    record = run("print-job", *flags, "--path-lost-packets=30,12", "--path-lost-packets-back=9")
    assert (record["path_losses"], record["path_losses_back"]) == (2, 1)
    assert record["retransmissions"] >= 2
    assert record["parameters"]["path_lost_packets"] == "12,30"
    assert record["outcome"] == "finished" and record["bytes"] == 100_000


def test_the_syn_is_packet_one_and_the_first_data_packet_three(tmp_path: Path):
    for number, first in ((1, "S"), (3, ".")):
        table = tmp_path / "packets.csv"
        run("print-job", "--protocol=raw", f"--path-lost-packets={number}", f"--segments={table}")
        sent = [line.split(",") for line in table.read_text().splitlines() if ",host," in line]
        again = [row for row in sent if row[2:4] == sent[number - 1][2:4]]
        assert len(again) == 2 and again[1][6] == first


@pytest.mark.parametrize("kind", ["drop-tail", "codel", "fq-codel", "red"])
def test_a_job_ends_behind_any_queue_and_its_losses_are_told(kind: str):
    flags = ("--protocol=raw", "--job-size=400000", "--rtt=30ms", "--path-rate=1Mbps")
    record = run("print-job", *flags, f"--path-queue-kind={kind}", "--path-queue=12p")
    assert record["outcome"] == "finished" and record["bytes"] == 400_000
    assert 0 < record["path_queue_drops"] <= record["retransmissions"]
    assert record["path_losses"] == record["line_losses"] == record["router_drops"] == 0


def test_random_losses_repeat_with_their_seed():
    flags = ("--protocol=raw", "--job-size=400000", "--path-loss=0.05", "--path-loss-back=0.05")
    first, again, other = (run("print-job", *flags, f"--seed={seed}") for seed in (3, 3, 4))
    assert first == again
    assert first["path_losses"] > 0 and first["path_losses_back"] > 0
    assert first["duration_s"] != other["duration_s"]


def test_a_line_of_ten_bits_a_second_is_slow_and_not_stalled():
    # A SYN-ACK of 46 octets takes 36.8 s; nothing else is waited for that long.
    flags = ("--protocol=raw", "--job-size=1", "--path-rate-back=10bps", "--stall-time=1ns")
    record = run("print-job", *flags)
    assert record["outcome"] == "finished" and record["limits_s"]["handshake"] > 36


def test_refused_in_one_line_before_anything_is_written(tmp_path: Path):
    over = "--link=path"
    capture = tmp_path / "host.pcap"
    assert (
        refusal(over, "--path-mtu=576")
        == "mss: 1460 B and 40 B of headers do not fit the MTU of 576 B; give at most 536 B, or"
        " --link=path --path-mtu=1500"
    )
    assert (
        refusal(over, "--path-mtu=576", scenario="request-reply").partition(":")[0] == "client-mss"
    )
    beyond = ("--protocol=raw", "--job-size=14600", "--path-lost-packets=5,400")
    said = refusal(over, *beyond, f"--pcap={capture}", f"--segments={tmp_path / 'rows.csv'}")
    assert said.startswith(
        "path-lost-packets: packet 400 is beyond the job, which ends with packet"
    )
    assert not list(tmp_path.iterdir())
    assert (
        refusal(over, "--rtt=40ms", "--path-delay=7ms")
        == "rtt: 40ms there and back is not twice a path-delay of 7ms; give one of the two"
    )
    said = refusal(over, "--path-lost-packets=0")
    assert said.endswith("packet numbers from 1 on, as in 5,17, or none")
    assert refusal(over, "--path-queue=100").endswith("as in 100p, or bytes, as in 64000B")
    assert refusal(over, "--path-queue=0p").startswith("path-queue: 0p lets nothing wait")
    assert refusal(over, "--path-loss=0.1", "--path-lost-packets=4").startswith("path-lost-packets")
    assert refusal(over, "--path-rate=200Gbps").endswith("give 1bps to 100Gbps")


def test_a_delay_that_no_ethernet_has_names_the_way():
    way = "give 1ns to 25.6us, or --link=path --rtt=100ms"
    assert refusal("--link-delay=50ms").endswith(way)
    hawking = systems["hawking-hps1u"]
    with pytest.raises(StudyError, match=r"or --link=path --rtt=100ms$"):
        hawking.with_(link_delay="50ms").run()
    with pytest.raises(StudyError, match=r"or --link=path --rtt=100ms$"):
        hawking.sweep(grid(link_delay=["1us", "50ms"]), progress=False)
    assert hawking.with_(link="path", rtt="100ms", job_size=20000).run().outcome == "finished"


def test_rtt_and_delay_are_two_ways_to_say_one_thing():
    far = systems["hawking-hps1u"].with_(link="path", path_delay="20ms", job_size=20000)
    same = systems["hawking-hps1u"].with_(link="path", rtt="40ms", job_size=20000)
    assert far.run().duration_s == same.run().duration_s
    told = as_changed(far, (nearer := far.with_(rtt="10ms")), nearer.run())
    assert "rtt = 10ms (the system has the default, 0ms)" in told
    assert "path_delay = 0ms" in told
    # What is said last holds, whichever way it was said before.
    assert "path_delay" not in far.with_(rtt="80ms").given
    assert far.with_(rtt="80ms").with_(path_delay="20ms").run().duration_s == far.run().duration_s
    with pytest.raises(StudyError, match=r"^rtt: 40ms there and back is not twice"):
        far.with_(rtt="40ms", path_delay="7ms").run()
    with pytest.raises(StudyError, match="rtt is varied and path-delay says the same"):
        far.sweep(rtt=["1ms", "2ms"], progress=False)


def test_a_batch_may_say_over_what_its_base_says_of_the_same():
    program = scenario_program("print-job")
    base = [program, "--batch", "--link=path", "--path-delay=20ms", "--job-size=2000"]
    lines = "--rtt=40ms\n--rtt=80ms\n--rtt=80ms --path-delay=7ms\n"
    done = subprocess.run(base, input=lines, capture_output=True, text=True, check=True)
    same, further, refused = map(json.loads, done.stdout.splitlines())
    assert same["duration_s"] < further["duration_s"]
    assert refused["parameter"] == "rtt"


def test_queues_and_lists_can_be_swept():
    job = systems["hawking-hps1u"].with_(
        link="path", protocol="raw", path_rate="1Mbps", job_size=50000, receive_window=32120
    )
    made = job.sweep(path_queue=["3p", "64kB"], path_lost_packets=["", "4,2"], progress=False)
    assert list(made["path_queue"]) == ["3p", "3p", "64000B", "64000B"]
    assert list(made["path_lost_packets"]) == ["", "2,4"] * 2
    assert list(made["path_losses"]) == [0, 2] * 2
    assert made["path_queue_drops"][0] > 0 == made["path_queue_drops"][2]


@needs_tshark
def test_a_capture_decodes_whole_and_shows_what_is_sent_when_it_is_sent(tmp_path: Path):
    capture = tmp_path / "host.pcap"
    flags = ("--protocol=raw", "--job-size=40000", "--rtt=20ms", "--path-rate=100kbps")
    run("print-job", *flags, "--path-lost-packets=8", f"--pcap={capture}")
    fields = ("frame.time_relative", "frame.protocols", "ip.src", "ip.len", "tcp.len")
    fields += ("ip.checksum.status", "tcp.checksum.status", "_ws.malformed", "frame.len")
    seen = frames(capture, *fields)
    for number, frame in enumerate(seen, start=1):
        assert frame["frame.protocols"].startswith("ppp:ip:tcp"), number
        assert frame["ip.checksum.status"] == frame["tcp.checksum.status"] == GOOD, number
        assert frame["_ws.malformed"] == "", number
        assert int(frame["frame.len"]) == int(frame["ip.len"]) + PPP_B
    # The first flight takes the line 120 ms a segment, and the host none of that.
    data = [float(frame["frame.time_relative"]) for frame in seen if int(frame["tcp.len"])]
    assert data[1] - data[0] < 0.001
    # The lost packet was sent: the host's own capture has it, and its repetition.
    assert len(matching(capture, "tcp.analysis.retransmission")) >= 1
    assert sum(int(frame["tcp.len"]) for frame in seen if frame["ip.src"] == HOST) > 40_000


def test_what_did_not_arrive_is_told_by_run_and_by_explain():
    far = systems["tcp-frame-relay"].with_(job_size=100_000)
    assert "not arrived" not in own_job(far, far.run())
    policed = far.with_(committed_rate="56kbps", committed_burst=20000, excess_burst=1)
    result = policed.run()
    count = result.record["wan_frames_policed"]
    assert count > 0
    words = f"{count:,} policed by the network: above Bc + Be"
    assert f"not arrived   {words}" in as_changed(far, policed, result)
    assert f"not arrived: {words}" in str(explain(policed))
    narrow = systems["hawking-hps1u"].with_(link="path", path_queue="2p", path_lost_packets="9")
    narrow = narrow.with_(path_rate="500kbps", receive_window=32120, job_size=200_000)
    told = own_job(narrow, result := narrow.run())
    drops = result.record["path_queue_drops"]
    assert f"{drops:,} dropped by the path's queue to the device" in told
    assert "1 lost on the path to the device" in told


@pytest.mark.parametrize("name", ["hawking-hps1u", "telnet-xp", "relook-400s"])
def test_no_formula_is_shown_for_a_link_that_it_does_not_know(name: str):
    system = systems[name]
    form = judges(system.scenario).form
    assert form.lacks(system.parameters(), system.parameters()) == ""
    for link in {"path", "frame-relay"} - set(form.LINKS):
        own = system.with_(link=link).parameters()
        # Neither where the link is a change, nor where the system's own file has it.
        assert form.lacks(system.parameters(), own) == "not in this formula: link"
        assert form.lacks(own, own) == "not in this formula: link"


def test_what_is_tried_on_a_path_is_of_the_path():
    far = systems["hawking-hps1u"].with_(link="path", rtt="40ms", job_size=100_000)
    flags = {trial.flag.partition(" ")[0] for trial in explain(far).trials}
    assert {"--rtt", "--path-rate"} <= flags
    assert not flags & {"--link-rate", "--cloud-delay", "--path-delay", "--path-lost-packets"}
    lossy = far.with_(path_lost_packets="5,9", path_queue="20p", path_queue_back="64kB")
    trials = {trial.flag: trial for trial in explain(lossy).trials}
    assert trials["--path-lost-packets ''"].gain_pct > 1
    assert "--path-queue 80p" in trials


def test_an_unset_cir_is_what_the_slower_access_line_carries():
    flags = ("--link=frame-relay", "--protocol=raw", "--job-size=300000", "--receive-window=32120")
    for rates in (("128kbps", "1Mbps"), ("2Mbps", "512kbps")):
        lines = [
            f"--{site}-access-rate={rate}"
            for site, rate in zip(("branch", "headquarters"), rates, strict=True)
        ]
        slower = min(
            rates,
            key=lambda rate: values.smallest(
                declaration("print-job").parameter("branch_access_rate"), rate
            ),
        )
        bursts = ("--committed-burst=20000", "--excess-burst=20000")
        unset, given, half = (
            json.loads(asked("print-job", *flags, *lines, *bursts, *cir).stdout)
            for cir in ((), (f"--committed-rate={slower}",), ("--committed-rate=64kbps",))
        )
        assert unset | {"parameters": 0} == given | {"parameters": 0}
        assert half["wan_frames_marked"] > unset["wan_frames_marked"]


def test_a_sender_that_finds_the_line_busy_is_held_by_the_link():
    flags = ("--protocol=raw", "--job-size=200000", "--path-rate=1Mbps", "--receive-window=32120")
    limits_s = run("print-job", *flags)["limits_s"]
    assert max(limits_s, key=limits_s.get) == "link"
