# SPDX-License-Identifier: GPL-2.0-only
"""Claims about what `study diagnose` tells to go on with: numbers of the capture alone, commands
that run as they stand, no percentage of things that are not alike, and what cannot act is named."""

import json
import shlex
from dataclasses import replace

import pytest
from study import StudyError, diagnose, systems
from study.base.called import OF_THE_README, called
from study.base.project import ROOT
from study.commands.main import main
from study.diagnosis.compare import Compared, Half, Side

KEPT = ROOT / "results" / "captures"
HEADER, RECORD = 24, 16
TURNED = {
    "losses.before.client": "--path-lost-packets ''",
    "slow-line.before.client": "--path-rate",
    "slow-reader.before.client": "--port-rate",
    "slow-writer.before.client": "--write-time",
    "small-receive-window.before.client": "--receive-window",
    "small-send-buffer.before.client": "--rtt",  # of the buffer, what-if is refused
    "server-that-thinks.before.server": "--server-time",
}


def capture(name):
    return KEPT / f"{name}.pcap.gz"


def told(name, file, capsys):
    """The text, and the commands that it prints."""
    assert main(["diagnose", str(capture(name)), "-o", str(file)]) == 0
    out = capsys.readouterr().out
    lines = [line.strip() for line in out.splitlines() if line.strip().startswith(OF_THE_README)]
    return " ".join(out.split()), [shlex.split(line)[1:] for line in lines]


@pytest.mark.parametrize("name", TURNED)
def test_the_what_if_that_is_printed_turns_what_the_sentence_names_and_is_answered(
    name, program, tmp_path, capsys
):
    text, commands = told(name, tmp_path / "my job.toml", capsys)
    assert f"my job.toml' {TURNED[name]}" in text
    what_if, explain = commands
    assert main([*what_if, "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["gain_pct"] >= 1 and record["without_effect"] == []
    assert main(explain) == 0


def test_a_window_beyond_a_header_is_asked_for_with_its_scale(program, tmp_path):
    path = tmp_path / "job.pcap"
    own = {"link": "path", "rtt": "100ms", "path_rate": "50Mbps", "receive_window": 40_000}
    own |= {"protocol": "raw", "ack_latency": "100us", "job_size": 2_000_000}
    own |= dict.fromkeys(("first_write", "write_size"), 2_000_000)
    systems["hawking-hps1u"].with_host("linux-6").with_(**own).run(pcap=path)
    found = diagnose(path)
    assert found.turn()[0].startswith("--receive-window 160000 --device-window-scale auto")
    assert "round trip 100" in found.sentence and "ACK latency" not in found.sentence


def test_the_sentence_counts_what_was_lost():
    found = diagnose(capture("losses.before.client"))
    sent = len(found.connection.packets)
    lost = found.found["path_lost_packets"].value.count(",") + 1
    assert f"({lost} of " in found.sentence and "packets lost" in found.sentence
    assert int(found.sentence.split(" of ")[2].split()[0]) < sent


def test_no_loss_by_chance_where_the_losses_are_listed_is_named(program, tmp_path, capsys):
    file = tmp_path / "mine.toml"
    told("losses.before.client", file, capsys)
    assert main(["what-if", str(file), "--path-loss", "0"]) == 0
    out = capsys.readouterr().out
    assert "its losses are in path_lost_packets, which --path-lost-packets '' ends" in (
        " ".join(out.split())
    )
    assert f"study run {file}" in out
    # Nor do two columns run together.
    assert all("device13" not in line for line in out.splitlines())
    assert main(["what-if", "hawking-hps1u", "--receive-window", "2920"]) == 0
    assert "receive_window: no change, it is the system's own value" in capsys.readouterr().out


def test_commands_are_printed_as_this_one_was_called(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", [str(tmp_path / "bin" / "study")])
    assert called() == "bin/study"
    monkeypatch.setattr("sys.argv", ["/elsewhere/study"])
    assert called() == "/elsewhere/study"
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "study").touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr("sys.argv", [str(tmp_path / "bin" / "study")])
    assert called() == "study"
    monkeypatch.setattr("sys.argv", ["pytest"])
    assert called() == OF_THE_README


def test_the_command_repeats_where_the_capture_was_taken(program, tmp_path, capsys):
    name = str(capture("slow-line.before.client"))
    assert main(["diagnose", name, "--at", "receiver"]) == 0
    assert f"diagnose {name} --at receiver -o" in capsys.readouterr().out


def test_explain_tells_no_change_that_what_if_refuses(program):
    """A sender of 1983 rests on how far this capture's bounds reach; what is told does not."""
    system = diagnose(capture("slow-reader.before.client")).system()
    with pytest.raises(StudyError, match="the answer would rest on"):
        system.what_if(host="bsd-4.2")
    explained = system.explain()
    flags = [trial.flag for trial in explained.trials]
    assert "--host bsd-4.2" not in flags and "--nagle false" in flags
    told = [*explained.helps, *explained.found.path[:1]]
    for trial in told:
        system.what_if(**trial.change.values)  # answered


def test_a_capture_without_its_beginning_has_that_as_the_reason(program, tmp_path):
    """Of a path that is long for its windows: they had grown before the first packet."""
    path, cut = tmp_path / "job.pcap", tmp_path / "cut.pcap"
    far = {"link": "path", "rtt": "100ms", "path_rate": "10Mbps", "ack_latency": "1us"}
    large = {"receive_window": 65535, "send_buffer": 65535, "ack_frequency": 2}
    systems["hawking-hps1u"].with_(**far, **large, job_size=300_000, initial_window=2).run(
        pcap=path
    )
    content = path.read_bytes()
    place = HEADER
    for _ in range(60):
        place += RECORD + int.from_bytes(content[place + 8 : place + 12], "little")
    cut.write_bytes(content[:HEADER] + content[place:])
    found = diagnose(cut)
    assert abs(found.compared.residual_pct) > 10
    text = " ".join(str(found).split())
    assert "which has not its beginning (no SYN was captured" in text
    assert "for no known reason" not in text


def test_a_print_job_is_not_compared_with_commands(program, capsys):
    name = str(capture("server-that-thinks.before.server"))
    assert main(["compare", "hawking-hps1u", name]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1
    assert "hawking-hps1u is a print-job, and the connection of" in err


def test_cycles_of_other_bytes_have_no_residual_and_the_rates_are_defined():
    sides = [Side(1.0, 1000, {"link": 1.5}, ms, B) for ms, B in ((0.004, 2), (0.052, 12))]
    text = "\n".join(Compared(systems["hawking-hps1u"], *sides, "finished", "").lines())
    assert "+1,200" not in text and "1200" not in text
    assert "not comparable: a measured cycle carries 2 B, a simulated 12 B" in text
    assert "has 0.500 s more" in " ".join(text.split())
    alike = Compared(systems["hawking-hps1u"], sides[0], sides[0], "finished", "")
    assert "not comparable" not in "\n".join(alike.lines())


def test_a_half_that_misses_says_what_the_first_half_does_not_show():
    told = "receive_window 90112 B, of the whole 657408 B"
    assert str(Half((1, 9), 100.0, 20.0, told)).endswith(f"held the second: {told}")
    assert told not in str(Half((1, 9), 100.0, 101.0, told))


def test_a_second_half_that_goes_otherwise_for_no_known_reason_blocks_what_ifs(program):
    found = diagnose(capture("slow-line.before.client"))
    system = found.system()
    assert not system.with_(path_rate="3Mbps").rests_on_no_model(system)
    beside = found.compared
    for half, why in (
        (Half((1, 9), 100.0, 85.0), "the second half goes otherwise"),
        (Half((1, 9), 100.0, 85.0, "path_queue 13p, of the whole not seen"), ""),
        (Half((1, 9), 100.0, 91.0), ""),
    ):
        found.__dict__["compared"] = replace(beside, half=half)
        system = found.system()
        said = system.with_(path_rate="3Mbps").rests_on_no_model(system)
        assert why in said if why else not said
        assert ("-15 % off" in " ".join(str(found).split())) == bool(why)
        assert ("for no reason that was found" in str(half)) == bool(why)


def test_a_program_that_pauses_does_so_too_when_it_is_asked_to_pause_less(program, tmp_path):
    """A write that waited for room in the buffer is followed by a pause like any other."""
    own = {"link": "path", "rtt": "20ms", "path_rate": "20Mbps", "protocol": "raw"}
    own |= {"job_size": 800_000, "write_time": "15ms", "write_returns": "all-fits"}
    own |= {"ack_latency": "100us", "ack_frequency": 2, "delayed_ack_timeout": "40ms"}
    own |= dict.fromkeys(("first_write", "write_size"), 16_413)
    own |= {"receive_window": 500_000, "device_window_scale": "auto", "host_window_scale": "auto"}
    made = systems["hawking-hps1u"].with_host("linux-6").with_(**own)
    path = tmp_path / "job.pcap"
    made.run(pcap=path)
    found = diagnose(path)
    assert found.found["write_time"].value == pytest.approx(15, rel=0.05)
    asked = found.system().with_(write_time="8ms").run().throughput_Bps
    assert asked == pytest.approx(made.with_(write_time="8ms").run().throughput_Bps, rel=0.05)


def test_jobs_of_two_sizes_are_judged_by_their_rates(program):
    """Their durations say nothing of each other."""
    own, other = (Side(took_s, size, {}, None) for took_s, size in ((1.0, 120_000), (4.0, 300_000)))
    told = list(Compared(systems["hawking-hps1u"], own, other, "finished", "").lines())
    (rate,) = (line.split() for line in told if line.startswith("rate"))
    assert rate[-2:] == ["-37.50", "%"]
    (duration,) = (line for line in told if line.startswith("duration"))
    (carried,) = (line.split() for line in told if line.startswith("carried"))
    assert "%" not in duration and carried == ["carried,", "B", "120,000", "300,000"]
    alike = "\n".join(Compared(systems["hawking-hps1u"], own, own, "finished", "").lines())
    assert "carried" not in alike and "+0.00 %" in alike
