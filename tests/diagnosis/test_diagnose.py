# SPDX-License-Identifier: GPL-2.0-only
"""Claims about `study diagnose` and `study compare`: a capture becomes a sentence, a budget and a
system that runs like the capture; what rests on no model is refused; mistakes are one line."""

import json

import pytest
from study import StudyError, diagnose, systems
from study.base.project import ROOT
from study.commands.main import main

TRACES = ROOT / "tests" / "print-job" / "timelines"
WITHIN_PCT = 2.0


@pytest.fixture(scope="module")
def hawking_pcap(program, tmp_path_factory):
    """A simulated job as a capture file."""
    path = tmp_path_factory.mktemp("capture") / "job.pcap"
    systems["hawking-hps1u"].with_(job_size=300_000).run(pcap=path)
    return path


@pytest.fixture(scope="module")
def hawking(hawking_pcap):
    return diagnose(hawking_pcap)


def test_the_budget_adds_up_to_all_of_the_connections_life(hawking):
    assert sum(hawking.limits_s.values()) == pytest.approx(hawking.connection.duration_s, rel=1e-3)


def test_one_sentence_names_the_wait_and_its_numbers(hawking):
    assert "window" in hawking.sentence and "2920 B" in hawking.sentence
    assert hawking.sentence.count(".") <= 4 and "\n" not in hawking.sentence


def test_the_system_that_is_found_runs_like_the_capture(hawking):
    compared = hawking.compared
    assert abs(compared.residual_pct) < WITHIN_PCT
    assert compared.parting == f"packet by packet alike, all {len(hawking.connection.packets)}"
    assert max(compared.simulated.limits_s, key=compared.simulated.limits_s.get) == (
        "receive_window"
    )


def test_the_second_half_is_judged_by_what_the_first_one_shows(hawking):
    half = hawking.compared.half
    assert abs(half.residual_pct) < 5
    assert "found in the first half alone" in str(hawking)


def test_a_change_of_the_found_system_is_the_change_of_the_captured_one(hawking, program):
    """What the capture's own device would do with twice its window."""
    own = systems["hawking-hps1u"].with_(job_size=300_000)
    changed = own.with_(receive_window=5840).run().throughput_Bps / own.run().throughput_Bps
    found = hawking.system().what_if(receive_window=5840)
    assert 1 + found.gain_pct / 100 == pytest.approx(changed, rel=0.05)


@pytest.mark.parametrize("name", ["netgear-ps101", "tcp-frame-relay", "troy-pocketpro-100s"])
def test_other_jobs_run_like_their_captures_too(name, program, tmp_path):
    path = tmp_path / "job.pcap"
    systems[name].with_(job_size=200_000).run(pcap=path)
    assert abs(diagnose(path).compared.residual_pct) < 5


def test_packets_are_a_segment_table_with_the_numbers_of_the_file(hawking):
    table = hawking.packets
    assert list(table.columns[:3]) == ["number", "time_s", "sender"]
    assert len(table) == len(hawking.connection.packets) and set(table.sender) == {"host", "device"}


def test_the_command_writes_a_system_that_the_others_take(hawking_pcap, tmp_path, capsys):
    file = tmp_path / "mine.toml"
    assert main(["diagnose", str(hawking_pcap), "-o", str(file)]) == 0
    out = capsys.readouterr().out
    assert f"study explain {file}" in out
    for command in (["run"], ["describe"]):
        assert main([*command, str(file)]) == 0
    text = capsys.readouterr().out
    assert "rate of the whole job" in text and "residual" in text
    assert main(["compare", str(file), str(hawking_pcap)]) == 0
    assert "packet by packet alike" in capsys.readouterr().out.replace("\n", " ")
    assert main(["compare", "netgear-ps101", str(hawking_pcap)]) == 0
    assert "first part at packet" in capsys.readouterr().out.replace("\n", " ")


def test_json_holds_what_the_text_shows(hawking_pcap, capsys):
    assert main(["diagnose", str(hawking_pcap), "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["scenario"] == "print-job" and record["connection"] == 1
    assert record["parameters"]["receive_window"]["value"] == 2920
    assert record["parameters"]["send_buffer"]["low"] == 2920
    assert record["compared"]["second_half"]["residual_pct"] is not None


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--connection", "3"], "--connection: there is no connection 3; there is one"),
        (["--at", "printer"], "--at:"),
        (["-o", "mine.txt"], "has to end in .toml"),
    ],
)
def test_a_mistake_is_one_line_and_nothing_is_written(
    arguments, said, hawking_pcap, tmp_path, capsys, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    assert main(["diagnose", str(hawking_pcap), *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == "" and said in err and err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_file_that_somebody_wrote_is_not_overwritten_and_a_free_name_proposed(
    hawking_pcap, tmp_path, capsys, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    name = f"{hawking_pcap.name.split('.')[0]}.toml"
    theirs = tmp_path / name
    theirs.write_text('title = "theirs"\n')
    assert main(["diagnose", str(hawking_pcap), "-o", name, "--anonymise", "a.pcap"]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and name in err
    assert theirs.read_text() == 'title = "theirs"\n' and list(tmp_path.iterdir()) == [theirs]
    assert main(["diagnose", str(hawking_pcap)]) == 0
    free = capsys.readouterr().out.split()[-1]
    assert free.endswith(".toml") and not (tmp_path / free).exists()
    for _ in "twice":  # what it made itself it makes again, and proposes again
        assert main(["diagnose", str(hawking_pcap), "-o", free]) == 0
        assert main(["diagnose", str(hawking_pcap)]) == 0
        assert capsys.readouterr().out.split()[-1] == free


SLOWER = """
title = "A slower device"
scenario = "print-job"
[parameters]
protocol = { value = "raw", basis = "assumed", source = "x" }
port_rate = { value = 1, unit = "kB/s", basis = "assumed", source = "x" }
job_size = { value = 100, unit = "kB", basis = "assumed", source = "x" }
"""


def test_a_comparison_says_where_it_may_be_another_system_that_was_captured(
    program, tmp_path, capsys
):
    path, slower = tmp_path / "job.pcap", tmp_path / "slower.toml"
    systems["hawking-hps1u"].with_(job_size=100_000).run(pcap=path)
    slower.write_text(SLOWER)
    assert main(["compare", str(slower), str(path)]) == 0
    told = capsys.readouterr().out.replace("\n ", " ")
    assert "slower may be another system than the one that was captured: the rate is -9" in told
    assert main(["compare", str(slower), str(path), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["may_be_another"].startswith("slower may be")
    assert main(["compare", "hawking-hps1u", str(path)]) == 0
    assert "another system" not in capsys.readouterr().out


@pytest.mark.parametrize("command", ["explain", "what-if", "run", "describe", "compare"])
def test_a_capture_in_a_systems_place_is_told_where_it_is_taken(command, program, capsys):
    more = ["mine.pcap"] if command == "compare" else []
    assert main([command, "my job.pcap", *more]) == 2
    said = capsys.readouterr().err
    assert (
        said.startswith("study: my job.pcap is a capture and no system") and said.count("\n") == 1
    )
    assert "study diagnose 'my job.pcap' takes it" in said


def test_a_system_is_no_capture(program, capsys):
    assert main(["diagnose", str(ROOT / "scenarios" / "systems" / "hawking-hps1u.toml")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_what_rests_on_no_model_is_refused_in_one_sentence(program, tmp_path):
    path = tmp_path / "job.pcap"
    systems["imagen-v2"].with_(job_size=100_000).run(pcap=path)
    found = diagnose(path).system()
    with pytest.raises(StudyError, match=r"send_buffer would rest on no model: the ACKs come"):
        found.what_if(send_buffer=6144)
    assert found.what_if(nagle=False).gain_pct is not None  # rests on nothing of that
    told = " ".join(str(found.explain()).split())
    assert "not tried is what would rest on what the model has not: the ACKs come" in told
    assert "--send-buffer" not in told


@pytest.mark.parametrize("kind", ["ladder", "time-sequence"])
@pytest.mark.parametrize("size", ["page", "column"])
def test_a_figure_shows_the_capture_beside_the_simulation(
    kind, size, hawking_pcap, tmp_path, capsys
):
    arguments = ["figure", kind, "hawking-hps1u", "--capture", str(hawking_pcap)]
    arguments += ["--to", "300ms", "--size", size, "-o", str(tmp_path)]
    assert main(arguments) == 0
    stem = f"{kind}-hawking-hps1u" + ("" if size == "page" else f"-{size}")
    assert {path.name for path in tmp_path.iterdir()} == {
        f"{stem}.{suffix}" for suffix in ("svg", "pdf", "png", "csv", "json")
    }
    rows = (tmp_path / f"{stem}.csv").read_text().splitlines()
    sides = [[row for row in rows if side in row] for side in ("measured", "simulated")]
    # The capture is of the same simulated job, so the two sides are one, but for the last digits.
    assert len(sides[0]) == len(sides[1]) > 10


def test_a_figure_of_one_side_takes_no_capture(hawking_pcap, tmp_path, capsys):
    arguments = ["figure", "limits", "hawking-hps1u", "--capture", str(hawking_pcap)]
    assert main([*arguments, "-o", str(tmp_path)]) == 2
    assert "--capture: limits has one side; ladder and time-sequence have two" in (
        capsys.readouterr().err
    )
    assert main(["figure", "ladder", "--capture", str(hawking_pcap)]) == 2
    assert "--capture needs a system" in capsys.readouterr().err


def test_a_fragment_without_syn_is_drawn_from_its_first_data_on(program, tmp_path):
    trace = TRACES / "netgear-ps101.txt"
    assert (
        main(["figure", "ladder", "netgear-ps101", "--capture", str(trace), "-o", str(tmp_path)])
        == 0
    )
    rows = (tmp_path / "ladder-netgear-ps101.csv").read_text().splitlines()
    firsts = [next(row for row in rows if row.startswith(s)) for s in ("measured", "simulated")]
    assert [row.split(",")[3:5] for row in firsts] == [["1", "1024"], ["1", "1024"]]


def test_an_answer_that_rests_on_a_bound_is_refused_and_one_that_does_not_is_given(
    program, tmp_path
):
    """The Netgear's window holds every flight: what the send buffer would hold, no packet tells."""
    path = tmp_path / "job.pcap"
    systems["netgear-ps101"].with_(job_size=300_000).run(pcap=path)
    found = diagnose(path).system()
    assert found.settings["send_buffer"].basis == "bound"
    wide = {"receive_window": 1_000_000, "ack_latency": "100ms", "link_rate": "1Gbps"}
    wide |= {"device_window_scale": "auto", "host_window_scale": "auto", "initial_window": 100}
    with pytest.raises(
        StudyError, match=r"rest on send buffer, .* only at least 1024 B: .*give --"
    ):
        found.what_if(**wide)
    assert found.what_if(**wide, send_buffer=65535).gain_pct is not None
    assert found.what_if(ack_latency="5ms").gain_pct == pytest.approx(58, abs=8)


def test_a_capture_to_give_away_is_diagnosed_like_the_one_it_was_made_of(
    hawking_pcap, hawking, tmp_path, capsys
):
    out = tmp_path / "away.pcap"
    assert main(["diagnose", str(hawking_pcap), "--anonymise", str(out)]) == 0
    again = diagnose(out)
    assert again.limits_s == hawking.limits_s
    assert again.found["ack_latency"].text == hawking.found["ack_latency"].text


def test_where_the_simulation_does_not_go_like_the_capture_no_what_if_is_answered(
    program, tmp_path
):
    """A sender that reads a file, its receiver opening the connection: by more than what an answer
    may be off no print job goes like that."""
    path = tmp_path / "job.pcap"
    systems["rfc2525-every-second"].run(pcap=path)
    found = diagnose(path)
    assert abs(found.compared.residual_pct) > 5
    with pytest.raises(StudyError, match=r"goes .* % off the capture, for no known reason"):
        found.system().what_if(receive_window=5840)
    assert "any what-if is refused" in " ".join(str(found).split())
