# SPDX-License-Identifier: GPL-2.0-only
"""Claims about `study explain`: what it says is read off runs and formulas, never guessed."""

import json
import re
from functools import cache

import pytest
from study import Result, systems
from study.answers import explain
from study.answers.explain import Explanation
from study.commands.main import main
from study.kit import exchange
from study.programs.declaration import declaration
from study.scenarios.file_read import formulas as file_read
from study.scenarios.file_read.formulas import FileRead
from study.scenarios.file_send import formulas as file_send
from study.scenarios.file_send.formulas import FileSend
from study.scenarios.print_job import cycles
from study.scenarios.print_job.messages import PrintJob
from study.scenarios.request_reply import formulas as request_reply
from study.trials.reliefs import relief

# A device whose window holds two segments and a part of one, which waits for the delayed ACK.
LONE_SEGMENT = """\
title = "A label printer"
scenario = "print-job"
host = "linux-6"
[parameters]
receive_window = { value = 4096, unit = "B", basis = "assumed", source = "a test" }
link_rate = { value = 100, unit = "Mbps", basis = "assumed", source = "a test" }
ack_frequency = { value = 2, basis = "assumed", source = "a test" }
delayed_ack_timeout = { value = 200, unit = "ms", basis = "assumed", source = "a test" }
port_rate = { value = 480, unit = "kbps", basis = "assumed", source = "a test" }
port_chunk = { value = 64, unit = "B", basis = "assumed", source = "a test" }
protocol = { value = "raw", basis = "assumed", source = "a test" }
job_size = { value = 50000, unit = "B", basis = "assumed", source = "a test" }
"""


@pytest.fixture(scope="module")
def explained(program) -> Explanation:
    return systems["hawking-hps1u"].explain()


def test_every_change_has_the_rate_that_its_flag_gives(explained: Explanation, capsys):
    """Typed as it is printed, around the same job: of a long one to a few percent, as the trial
    runs its beginning."""
    for trial in explained.helps[:4]:
        assert main(["run", "hawking-hps1u", *trial.flag.split(), "--format", "json"]) == 0
        record = json.loads(capsys.readouterr().out)
        assert record["throughput_Bps"] == pytest.approx(trial.throughput_Bps, rel=0.03), trial.flag


def test_what_the_window_limits_is_helped_by_window_and_ack_and_not_by_the_line(
    explained: Explanation,
):
    helps = {trial.flag.split()[0]: trial.gain_pct for trial in explained.helps}
    assert list(helps) == ["--receive-window", "--ack-latency"]
    assert helps["--ack-latency"] == pytest.approx(100, abs=3)  # half the time a cycle
    assert helps["--receive-window"] > 1000  # sixteen times the data
    nothing = {trial.flag.split()[0] for trial in explained.does_nothing}
    assert {"--link-rate", "--send-buffer", "--nagle", "--initial-window"} <= nothing


def test_an_answer_in_two_acks_has_a_line_for_each_as_the_segment_table_has_it(program, tmp_path):
    """The last segment of a window is not full: it waits for the delayed ACK, and the host for
    that."""
    file = tmp_path / "label.toml"
    file.write_text(LONE_SEGMENT)
    explained = systems[str(file)].explain()
    shown = explained.exchange
    assert len(shown.answered) == 2
    acks = [each.ack for each in shown.answered]
    sent_B, last_s = sum(each.length for each in shown.sent), shown.sent[-1].time_s
    assert acks[1] - acks[0] < sent_B == shown.acked_B
    first, second = (each for each in shown.lines() if each.startswith("device"))
    for line, each, acked_B in zip(
        (first, second),
        shown.answered,
        (sent_B - acks[1] + acks[0], acks[1] - acks[0]),
        strict=True,
    ):
        after = f"{(each.time_s - last_s) * 1000:,.3f} ms"
        assert f"acknowledges {acked_B:,} B after {after}, window {each.window:,} B" in line
    assert shown.wait_s == shown.answered[1].time_s - last_s > 0.15
    told = f"its last {shown.sent[-1].length:,} B are less than a segment and wait for the delayed"
    assert told in " ".join(str(explained).split())
    whole = systems[str(file)].with_(receive_window=4380).explain()
    assert "less than a segment" not in str(whole)
    assert shown.lone_segment(0.1) == ""


def test_each_change_is_of_parameters_of_the_scenario_or_the_host(explained: Explanation):
    """Several together, where one needs another; each list of flags once."""
    flags = {f"--{each.flag}" for each in declaration("print-job").parameters.values()}
    assert all(trial.flag.split()[0] in {*flags, "--host"} for trial in explained.trials)
    assert len({trial.flag for trial in explained.trials}) == len(explained.trials)


def test_the_exchange_is_the_runs_own_cycle(explained: Explanation):
    """Two segments, the ACK of both after the device's latency, and the host's reply."""
    shown = explained.exchange
    assert [each.length for each in shown.sent] == [1460, 1460]
    assert shown.acked_B == 2920
    assert shown.time_s == pytest.approx(117.691e-3, abs=1e-9)
    packets = systems["hawking-hps1u"].with_(job_size=explain.EXCHANGE_B).run().packets
    index = packets.index(shown.sent[0])
    assert packets[index : index + 3] == [*shown.sent, *shown.answered]
    assert len(shown.lines()) == 4


def test_an_exchange_with_a_closed_window_shows_the_update(program):
    result = systems["netgear-ps101"].with_(job_size=200_000).run(segments=True)
    lines = exchange.typical(result.packets, ("host", "device")).lines()
    assert lines[2] == "device acknowledges 1,024 B, window 0 B; 1.742 ms later window 1,024 B"


def test_an_answer_that_only_opens_the_window_ends_no_cycle(program):
    """The port opens the window by a segment each time; an ACK covers two of them."""
    result = systems["hp-jetdirect-610n"].with_(job_size=500_000).run(segments=True)
    shown = exchange.typical(result.packets, ("host", "device"))
    assert sum(each.length for each in shown.sent) == shown.acked_B == 2920


def test_a_job_without_a_whole_cycle_has_no_exchange(program):
    result = (
        systems["netgear-ps101"].with_(job_size=1, silly_window_avoidance="none").run(segments=True)
    )
    assert exchange.typical(result.packets[:4], ("host", "device")) is None


def test_over_a_long_path_a_cycle_is_a_flight_and_its_wait_for_the_round_trip(program):
    """Not one of the segments that its ACKs let go, a line's time apart."""
    system = systems["http2-go"].with_(job_size=1_000_000)
    shown = exchange.typical(system.run(segments=True).packets, ("host", "device"))
    window_B = int(system.parameters()["receive_window"])
    assert window_B - 1460 < shown.acked_B <= window_B
    assert shown.time_s == pytest.approx(0.055, rel=0.01)
    assert shown.alike * 2 > shown.cycles


def test_the_formula_is_the_closed_forms_own_terms(explained: Explanation, hawking_run: Result):
    job = PrintJob.of(hawking_run.parameters)
    assert explained.cycle.time_s == cycles.window_cycle_s(job)
    assert explained.cycle.rate_Bps == cycles.steady_rate_Bps(job)
    numbers = re.search(r"2,920 B / \((.*)\) ms = 24,811 B/s", str(explained))[1]
    total_ms = sum(map(float, numbers.split(" + ")))
    assert total_ms == pytest.approx(117.691, abs=0.0005 * 5)


def test_a_formula_that_does_not_know_what_changed_is_not_shown(program, capsys):
    changed = ["explain", "hawking-hps1u", "--job-size", "50000", "--loss-to-host", "0.3"]
    assert main(changed) == 0
    out = capsys.readouterr().out
    assert "closed form: not in this formula: loss_to_host" in out
    assert "the closed form of a cycle" not in out
    assert main([*changed, "--format", "json"]) == 0
    form = json.loads(capsys.readouterr().out)["closed_form"]
    assert form == {"missing": "closed form: not in this formula: loss_to_host"}


SHORT = {
    "imagen-v2": {"job_size": 200_000},
    "netgear-ps101": {"job_size": 200_000},
    "tcp-frame-relay": {"job_size": 200_000},
    "netware": {"file_size": 100_000},
    "telnet-xp": {"commands": 10},
    "relook-400s": {"job_size": 655_360},
}


@cache
def in_short(name: str) -> Explanation:
    return systems[name].with_(**SHORT[name]).explain()


@pytest.mark.parametrize("name", SHORT)
def test_the_text_is_one_screen_of_80_columns(name: str, program):
    lines = str(in_short(name)).splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 60


def test_a_change_that_stalls_the_job_is_named_with_the_reason(program):
    answer = systems["netgear-ps101"].with_(job_size=100_000).explain()
    worst = answer.makes_worse[0]
    assert (worst.flag, worst.outcome) == ("--silly-window-avoidance whole-segment", "stalled")
    assert worst.throughput_Bps is None and worst.gain_pct is None
    assert "does not use a window that small" in " ".join(str(answer).split())


def test_a_stalled_job_says_so_and_what_would_free_it(program):
    system = systems["netgear-ps101"].with_(
        job_size=100_000, silly_window_avoidance="whole-segment"
    )
    answer = system.explain()
    assert "\nstalled with 0 B in " in str(answer)
    assert "B / " not in str(answer)  # no formula for a job that goes no round
    assert "--receive-window 16384" in [trial.flag for trial in answer.helps]
    assert all(trial.outcome == "stalled" for trial in answer.does_nothing)


def test_a_job_with_losses_is_offered_none(program):
    """Only what is in play is tried: losses where there are any, a threshold where it is not 0."""
    lossy = systems["hawking-hps1u"].with_(job_size=50_000, loss_to_host=0.01)
    flags = [trial.flag for trial in lossy.explain().trials]
    assert "--loss-to-host 0" in flags
    assert not any(flag.startswith(("--ack-threshold", "--loss-to-device")) for flag in flags)


def test_a_time_is_turned_to_none_with_its_unit(program):
    """A bare 0 is no time, and the program refuses it."""
    answer = systems["netware"].with_(file_size=50_000, burst_gap="1ms", protocol="packet-burst")
    assert relief(answer, "burst_gap=0") == {"burst_gap": "0ns"}


def test_the_json_has_all_that_the_text_leaves_out(program, capsys):
    arguments = ["explain", "hawking-hps1u", "--job-size", "50000", "--ack-latency", "20ms"]
    assert main([*arguments, "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["changes"] == {"job_size": "50000", "ack_latency": "20ms"}
    assert len(record["exchange"]["lines"]) == 4
    terms_s = sum(term["time_s"] for term in record["closed_form"]["terms"])
    assert terms_s == pytest.approx(record["closed_form"]["cycle_s"])
    trials = [*record["helps"], *record["does_nothing"], *record["makes_worse"]]
    assert "--ack-latency 10ms" in [trial["flag"] for trial in trials]  # half of the changed one


def flags_of(trials) -> list[str]:
    return [trial.flag for trial in trials]


@pytest.fixture(scope="module")
def netware(program) -> Explanation:
    return in_short("netware")


@pytest.fixture(scope="module")
def telnet(program) -> Explanation:
    return in_short("telnet-xp")


@pytest.fixture(scope="module")
def relook(program) -> Explanation:
    return in_short("relook-400s")


def test_a_packet_a_request_is_helped_by_bursts_and_the_delay_and_not_by_the_promise(
    netware: Explanation,
):
    assert netware.helps[0].flag == "--protocol packet-burst"
    assert "--cloud-delay 28.7675ms" in flags_of(netware.helps)
    assert "--committed-rate 512kbps" in flags_of(netware.does_nothing)


def test_a_request_and_what_it_brings_are_the_exchange(netware: Explanation):
    lines = netware.exchange.lines()
    assert lines[0] == "workstation sends a request for 1,436 B"
    assert lines[1] == "workstation waits 180.000 ms"
    assert lines[2] == "server sends 1436 B"


@pytest.mark.parametrize("protocol", ["request-reply", "packet-burst"])
def test_the_terms_of_a_file_read_add_up_to_its_cycle(protocol: str, program):
    changed = systems["netware"].with_(protocol=protocol, file_size=100_000)
    read = FileRead.of(changed.run().parameters)
    cycle = explain.guide("file-read").cycle(read)
    assert cycle.time_s == pytest.approx(file_read.cycle_s(read), rel=1e-12)
    assert cycle.rate_Bps == pytest.approx(file_read.read_rate_Bps(read), rel=1e-12)
    behind = [term for term in cycle.parts() if term.name == "the packets behind it"]
    assert bool(behind) == (protocol == "packet-burst")


def test_a_session_is_told_by_the_command(telnet: Explanation):
    """Its time for each, the delayed ACK in it, and who waits."""
    text = str(telnet)
    of_each = re.search(r"\n(.*) ms a command: 10 commands", text)[1]
    assert float(of_each) == pytest.approx(205, abs=0.1)
    assert "the other's delayed ACK: 10\n" in text
    lines = telnet.exchange.lines()
    assert lines[2].startswith("client acknowledges 200.015 ms later")
    assert telnet.exchange.time_s == pytest.approx(0.205, abs=1e-5)
    assert telnet.cycle.parts()[0].name == "the client's delayed ACK"


def test_what_keeps_a_command_waiting_is_what_helps(telnet: Explanation):
    """Either half of the deadlock at its end: the server's Nagle or the client's delayed ACK; the
    client's Nagle alone hardly."""
    helps = {trial.flag: trial.gain_pct for trial in telnet.helps}
    for flag in ("--server-nagle false", "--client-ack-frequency 1"):
        assert helps[flag] == pytest.approx(3900, rel=0.05), flag
    assert helps["--client-delayed-ack 50ms"] == pytest.approx(205 / 55 * 100 - 100, rel=0.01)
    assert helps["--client-nagle false"] < 3
    assert "--link-rate 1Gbps" in flags_of(telnet.does_nothing)


def test_from_where_a_capture_does_not_show_the_limit_is_told(relook: Explanation, explained):
    assert relook.found.named.limit.key == "cpu"
    assert "\na capture cannot show this limit: any program at work makes the same pause\n" in str(
        relook
    )
    assert "a capture" not in str(explained)  # a full window is on the wire


def test_a_reply_with_fewer_bytes_is_judged_by_the_time_of_its_command(telnet: Explanation):
    one_write = next(
        trial for trial in telnet.trials if trial.flag == "--reply-writes 1 --reply-write 80"
    )
    assert one_write.gain_pct == pytest.approx((0.205 / one_write.command_s - 1) * 100, rel=1e-3)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"client_nagle": False},
        {"echo": False},
        {"client_ack_frequency": 1},
        {"client_ack_timer": "heartbeat"},
        {"server_nagle": False, "reply_writes": 4},
    ],
)
def test_the_terms_of_a_command_add_up_to_its_time(changes: dict, program):
    result = systems["telnet-xp"].with_(commands=10, **changes).run()
    x = request_reply.Exchange.of(result.parameters)
    cycle = request_reply.command_cycle(x)
    assert cycle.time_s == pytest.approx(request_reply.command_s(x), rel=1e-12)
    assert cycle.time_s == pytest.approx(result.record["command_s"], rel=0.01)
    assert all(term.time_s >= -1e-12 for term in cycle.terms)


def test_a_slow_processor_is_helped_by_what_it_does_for_a_byte(relook: Explanation):
    helps = flags_of(relook.helps)
    assert helps[0] == "--disk-reading read-ahead"
    assert {"--interface-transfer dma", "--wait-states 0.25", "--cpu-clock 1000"} <= set(helps)
    assert "--send-buffer 32768" in flags_of(relook.does_nothing)


def test_a_buffer_shows_packets_processor_and_the_disks_pause(relook: Explanation):
    shown = relook.exchange
    assert sum(shown.processor_s.values()) == pytest.approx(shown.time_s, rel=0.02)
    assert shown.wait_s == pytest.approx(65536 / 5e6, rel=0.1)  # the disk holds the processor
    assert "what the processor did" in str(relook)


def test_the_terms_of_a_buffer_are_the_closed_forms_own(relook: Explanation):
    file = FileSend.of(relook.result.parameters)
    assert relook.cycle.time_s == file_send.buffer_s(file)
    assert relook.cycle.rate_Bps == file_send.rate_Bps(file)


def test_a_path_without_a_formula_says_so_and_shows_no_number(program, capsys):
    """A print job's formulas know one Ethernet."""
    short = systems["tcp-frame-relay"].with_(job_size=100_000)
    answer = short.explain()
    assert "no closed form for this path" in str(answer)
    assert "the closed form of a cycle" not in str(answer)
    assert set(answer.record()["closed_form"]) == {"missing"}
    assert "--branch-access-rate 2.56Mbps" in flags_of(answer.helps)
    assert not any(trial.flag.startswith("--link-rate") for trial in answer.trials)
    assert short.what_if(cloud_delay="1ms").closed_forms_Bps is None


def test_only_a_path_over_a_wan_is_offered_another_cloud(explained: Explanation):
    assert not any(trial.flag.startswith("--cloud-delay") for trial in explained.trials)
    assert not any(trial.flag.startswith("--device-clock") for trial in explained.trials)


def test_a_device_with_a_slow_processor_has_the_formula_of_one(program):
    slow = systems["hp-jetdirect-610n"].with_(
        job_size=300_000, device_clock=20, device_byte_cycles=10, device_drain_cycles=100
    )
    answer = slow.explain()
    job = PrintJob.of(answer.result.parameters)
    assert answer.cycle == cycles.processor_cycle(job)
    assert answer.cycle.rate_Bps == pytest.approx(answer.result.throughput_Bps, rel=0.05)
    assert answer.helps[0].flag == "--device-clock 80"


@pytest.mark.parametrize("change", [{"interface_transfer": "dma"}, {"disk_reading": "waited"}])
def test_an_estimate_is_not_shown_as_the_job_on_paper(program, change: dict):
    """No grid holds these two to the simulation."""
    relook = systems["relook-400s"].with_(job_size=1_000_000)
    assert "steady, by formula" in str(relook.what_if())
    changed = relook.what_if(**change)
    assert changed.closed_forms_Bps is None and "by formula" not in str(changed)
    assert "no closed form" in str(relook.with_(**change).explain())


def test_a_long_list_is_shown_by_its_beginning(program):
    turns = ",".join(["c1000:100,s20000:500"] * 100)
    text = str(systems["request"].with_(turns=turns).explain())
    assert "turns c1000:100,s5000:500 and 198 more (--turns ...)" in text
    assert len(text) < 5000
