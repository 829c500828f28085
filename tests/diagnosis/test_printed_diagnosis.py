# SPDX-License-Identifier: GPL-2.0-only
"""What `study diagnose` and `study compare` print: one screen, the facts first, and a system that
the other commands take."""

import json
import re

import pytest
from by_hand import by_hand
from study import StudyError, diagnose, systems
from study.base.project import ROOT
from study.captures.connection import ACK
from study.commands.main import main
from study.diagnosis.listing import Lines, listing
from study.diagnosis.strip import WIDTH, strip
from study.programs.waits import Wait

# As they are meant: one that is moved is red here.
MOST = 12

ONE_SCREEN = 45  # lines


@pytest.fixture(scope="module")
def hawking_pcap(program, tmp_path_factory):
    """A simulated job as a capture file."""
    path = tmp_path_factory.mktemp("capture") / "job.pcap"
    systems["hawking-hps1u"].with_(job_size=100_000).run(pcap=path)
    return path


def test_the_answer_is_one_screen_and_in_full_it_is_more(hawking_pcap, capsys):
    assert main(["diagnose", str(hawking_pcap)]) == 0
    short = capsys.readouterr().out
    assert short.count("\n") < ONE_SCREEN and max(map(len, short.splitlines()[:-1])) <= 80
    for told in ("window 2,920 B", "least round trip", "what limited it", "to go on:"):
        assert told in short
    assert short.index("window 2,920 B") < short.index("what limited it")
    assert main(["diagnose", str(hawking_pcap), "--full"]) == 0
    full = capsys.readouterr().out
    assert "candidate" in full and full.count("\n") > short.count("\n")


def test_the_command_writes_a_system_that_the_others_take(hawking_pcap, tmp_path, capsys):
    file = tmp_path / "mine.toml"
    assert main(["diagnose", str(hawking_pcap), "-o", str(file)]) == 0
    assert f"study explain {file}" in capsys.readouterr().out
    assert main(["run", str(file)]) == 0
    assert "rate of the whole job" in capsys.readouterr().out
    assert main(["compare", str(file), str(hawking_pcap)]) == 0
    assert "distance of the curves" in capsys.readouterr().out
    assert main(["compare", "netgear-ps101", str(hawking_pcap)]) == 0
    assert "may be another system" in capsys.readouterr().out.replace("\n ", " ")


def test_json_has_facts_candidates_and_changes(hawking_pcap, capsys):
    assert main(["diagnose", str(hawking_pcap), "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["facts"]["window"]["value"] == {"least": 2920, "largest": 2920}
    assert record["main"] == "receive_window"
    simulated = record["simulated"]
    distances = [each["distance"] for each in simulated["candidates"]]
    assert min(distances) == pytest.approx(distances[0], rel=0.03) and simulated["fits"]
    assert simulated["changes"][0]["limit"] == "receive_window"


def test_facts_name_their_packets_in_wireshark_s_words(program, tmp_path):
    path = tmp_path / "job.pcap"
    systems["netgear-ps101"].with_(job_size=60_000).run(pcap=path)
    found = diagnose(path)
    by_name = {fact.name: fact for fact in found.facts}
    shut = by_name["zero_windows"]
    assert "tcp.analysis.zero_window" in shut.text
    numbers = found.connection.packets["number"].tolist()
    rows = [numbers.index(number) for number in shut.packets]
    assert rows and not found.connection.packets["window"][rows].any()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--connection", "3"], "--connection: there is no connection 3; there is one"),
        (["--at", "printer"], "--at:"),
        (["-o", "mine.txt"], "has to end in .toml"),
        (["--time-limit", "0"], "--time-limit"),
        (["--time-limit", "nan"], "--time-limit"),
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


def test_a_file_that_somebody_wrote_is_not_overwritten(hawking_pcap, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    theirs = tmp_path / "job.toml"
    theirs.write_text('title = "theirs"\n')
    assert main(["diagnose", str(hawking_pcap), "-o", "job.toml"]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and "job-diagnosed.toml" in err
    assert theirs.read_text() == 'title = "theirs"\n'
    for _ in "twice":  # what it made itself it makes again
        assert main(["diagnose", str(hawking_pcap), "-o", "job-diagnosed.toml"]) == 0


def test_a_system_is_no_capture_and_a_capture_no_system(program, capsys):
    assert main(["diagnose", str(ROOT / "scenarios" / "systems" / "hawking-hps1u.toml")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert main(["run", "my job.pcap"]) == 2
    assert "study diagnose 'my job.pcap' takes it" in capsys.readouterr().err


def test_a_long_capture_is_compared_whole_with_the_system_of_all_of_it(program, tmp_path):
    """Its diagnosis looks at a part of it, whose system has a job of that part's size."""
    from study.diagnosis.compare import compare

    system = systems["bulk"].with_(receive_window=65535, rtt="80ms", job_size=3_000_000)
    path = tmp_path / "long.pcap"
    system.run(pcap=path)
    found = compare(system, diagnose(path).seen)
    assert found.measured.carried_B == found.simulated.carried_B == 3_000_000
    assert found.distance < 1e-4 and "alike" in found.parting


def test_commands_are_not_compared_with_a_print_job(program, tmp_path):
    from study.diagnosis.compare import compare

    path = tmp_path / "telnet.pcap"
    systems["telnet-ubuntu"].run(pcap=path)
    with pytest.raises(StudyError, match="give a system of that scenario"):
        compare(systems["hawking-hps1u"], diagnose(path).seen)


def test_a_strip_has_the_letter_of_the_limit_that_holds_longest():
    waits = [Wait(0.0, "link", "", {}), Wait(0.5, "drain", "", {}), Wait(1.0, "", "", {})]
    line, limits = strip(waits)
    assert line == "L" * (WIDTH // 2) + "V" * (WIDTH // 2)
    assert limits == ["link", "drain"]
    assert strip(waits[:1]) == ("", [])


def test_of_many_connections_only_those_that_a_text_shows_are_made():
    """A capture may have a million."""
    rows = [(0, True, 1, 1000, 1, 65535, ACK), (1, False, 1, 0, 1001, 65535, ACK)]

    class Counted(list):
        asked = 0

        def __getitem__(self, index):
            self.asked += 1
            return super().__getitem__(index)

    many = Counted([by_hand(rows, 1000)] * 10 * MOST)
    told = "\n".join(listing(Lines(many, 0, many[0]), 0))
    assert f"{10 * MOST} connections" in told and f"and {9 * MOST} more" in told
    assert told.count("1,000 B") == many.asked == MOST


def test_a_lost_syn_is_told_with_both_rates(program, tmp_path):
    """813 kB/s of 1.4 s, of which 1.1 s brought nothing."""
    capture = tmp_path / "syn.pcap"
    job = systems["bulk"].with_(path_lost_packets="1", job_size=300_000)
    whole_Bps = job.run(pcap=capture).throughput_Bps
    told = str(diagnose(capture))
    assert "; sent 2 times" in told
    found = re.search(r"is being set up: ([\d,]+) B/s, ([\d,]+) B/s\s+once\s+it\s+is set up", told)
    with_it, alone = (float(each.replace(",", "")) for each in found.groups())
    assert with_it == pytest.approx(whole_Bps, rel=0.05) and alone > 3 * whole_Bps


def test_the_sentence_s_rate_stands_with_its_time(program, tmp_path):
    """The connection has another rate: it also opens and closes."""
    capture = tmp_path / "slow-close.pcap"
    systems["bulk"].with_(receive_window=65535, rtt="100ms", job_size=300_000).run(pcap=capture)
    told = " ".join(str(diagnose(capture)).split())
    rate, time_s = re.search(r": ([\d,]+) B/s in the ([\d.]+) s of the data", told).groups()
    assert float(rate.replace(",", "")) * float(time_s) == pytest.approx(300_000, rel=0.01)
