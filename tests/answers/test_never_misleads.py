# SPDX-License-Identifier: GPL-2.0-only
"""Claims about advice: what has no effect is named, a job stays the same, what helps is named by
the parameter that does it, and a gain beyond proportion says what it rests on."""

import json
import subprocess

import pytest
from study import systems
from study.answers.run_text import in_part
from study.answers.without_effect import without_effect
from study.base.project import ROOT, scenario_program
from study.commands.main import main
from study.programs.declaration import declaration
from study.runs.batch import try_batch
from study.system.system import System
from study.trials import job_sizes, jobs, numbers, search
from study.trials.jobs import told_of

ELSEWHERE = ["--loss-to-branch", "0.01"]  # no branch on an Ethernet


def test_a_setting_of_another_link_is_named_as_without_effect(program, capsys):
    note = "loss_to_branch: no effect in this run, because it belongs to --link frame-relay"
    for command in ("run", "what-if", "explain"):
        assert main([command, "hawking-hps1u", "--job-size", "20000", *ELSEWHERE]) == 0
        assert note in " ".join(capsys.readouterr().out.split()), command


def test_what_never_comes_into_play_is_named_too(program):
    """A buffer that never fills; a loss of none is the same as before; a window is something."""
    system = systems["hawking-hps1u"].with_(job_size=20_000)
    idle = without_effect(system, system.with_(send_buffer=32768, receive_window=1460))
    assert idle == {"send_buffer": "no effect in this run"}


def test_a_seed_where_nothing_is_drawn_is_named(program):
    system = systems["bulk"].with_(job_size=500_000)
    idle = without_effect(system, system.with_(seed=7))
    assert idle == {"seed": "no effect in this run"}
    lossy = system.with_(path_loss="0.01")
    assert not without_effect(lossy, lossy.with_(seed=7))


def test_two_settings_that_say_the_same_have_an_effect(program):
    """The round trip is twice the delay of one way: without either the run is as before."""
    system = systems["bulk"].with_(job_size=500_000)
    same = system.with_(rtt="20ms", path_delay="10ms")
    assert not without_effect(system, same)
    idle = without_effect(system, same.with_(first_persist_timeout="1s"))
    assert idle == {"first_persist_timeout": "no effect in this run"}


def test_what_a_file_gives_of_another_link_is_named(program, tmp_path, capsys):
    """As on a command line: the round trip of a path, in a file of a printer on an Ethernet."""
    file = tmp_path / "my.toml"
    text = (ROOT / "scenarios" / "systems" / "netgear-ps101.toml").read_text()
    given = 'rtt = { value = 40, unit = "ms", basis = "assumed", source = "a guess" }'
    file.write_text(text.replace("[parameters]", f"[parameters]\n{given}", 1))
    for command in ("run", "explain"):
        assert main([command, str(file)]) == 0
        told = " ".join(capsys.readouterr().out.split())
        belongs = "rtt: no effect, because it belongs to --link path and this system uses ethernet"
        assert belongs in told
    assert main(["explain", "netgear-ps101"]) == 0
    assert "no effect" not in capsys.readouterr().out


def test_no_job_of_the_unchanged_size_is_run_to_see_what_a_short_one_changes(program, monkeypatch):
    """With segments of 27 B, 10 MB take half a minute."""
    sizes: set[str] = set()

    def noted(scenario: str, jobs: list[list[str]], doing: str) -> list:
        sizes.update(flag for flags in jobs for flag in flags if flag.startswith("--job-size"))
        return try_batch(scenario, jobs, doing)

    monkeypatch.setattr("study.answers.without_effect.try_batch", noted)
    bulk = systems["bulk"]
    assert without_effect(bulk, bulk.with_(mss=27, job_size=1000)) == {}
    assert sizes == {"--job-size=1000"}


def test_the_system_s_own_value_is_a_change_where_a_profile_has_another(program):
    own = systems["bulk"].with_(job_size=2_000_000, rtt="40ms")
    old = own.with_host("linux-2.2").with_device("linux-6").with_(rtt="40ms")
    scaled = old.with_(host_window_scale="auto")  # as bulk's own host has it
    assert scaled.run().throughput_Bps != old.run().throughput_Bps
    assert without_effect(own, scaled) == {}
    plain = systems["bulk"]
    other_link = {"link": "ethernet", "rtt": plain.parameters()["rtt"]}
    assert "--link path" in without_effect(plain, plain.with_(**other_link))["rtt"]


IDLE = [
    ("print-job", {"send_buffer_grows": "true"}, {"send_buffer_rule": "linux"}),
    ("print-job", {"send_buffer_overhead": "2000"}, {"send_buffer_rule": "linux"}),
    ("print-job", {"nagle": "false", "nagle_rule": "minshall"}, {"nagle": "true"}),
    ("print-job", {"host_first_window": "40000"}, {"host_window": "65535"}),
    ("print-job", {"interactive_bytes": "100"}, {"interactive_ack_latency": "2ms"}),
    (
        "print-job",
        {"host_sack": "true", "loss_detection": "rack-tlp"},
        {"device_sack": "true"},
    ),
    (
        "request-reply",
        {"client_sack": "true", "client_loss_detection": "rack-tlp"},
        {"server_sack": "true"},
    ),
    ("request-reply", {"server_send_buffer_grows": "true"}, {"server_send_buffer_rule": "linux"}),
]


@pytest.mark.parametrize(("scenario", "given", "then"), IDLE)
def test_the_record_names_what_can_do_nothing(scenario: str, given: dict, then: dict, program):
    """And no more where the other setting lets it; what is named does nothing indeed."""

    def record(settings: dict) -> dict:
        flags = [f"--{key.replace('_', '-')}={text}" for key, text in settings.items()]
        run = subprocess.run(
            [scenario_program(scenario), *flags], capture_output=True, check=True, text=True
        )
        return json.loads(run.stdout)

    key = list(given)[-1]
    idle = record(given)
    assert idle["without_effect"] == [key]
    assert record({**given, **then})["without_effect"] == []
    without = record({name: text for name, text in given.items() if name != key})
    for each in (idle, without):
        del each["parameters"], each["without_effect"]
    assert idle == without


def test_a_formula_is_not_held_back_by_what_has_no_effect(program):
    both = systems["hawking-hps1u"].what_if(loss_to_branch=0.01, receive_window=5840)
    assert both.closed_forms_Bps is not None
    assert both.record()["without_effect"][0].startswith("loss_to_branch")


def test_a_sweep_names_what_changes_nothing_at_any_of_its_points(program, capsys):
    vary = ["--vary", "receive-window=1460,2920", "--vary", "loss-to-branch=0,0.1"]
    fixed = ["--job-size", "20000", "--committed-rate", "64kbps"]
    assert main(["sweep", "hawking-hps1u", *vary, *fixed]) == 0
    err = capsys.readouterr().err
    assert "study: loss_to_branch: no effect at these points\n" in err
    assert "study: committed_rate: no effect at these points\n" in err
    assert "receive_window" not in err and "job_size" not in err


SMALL = {
    "hawking-hps1u": {"job_size": 50_000},
    "tcp-frame-relay": {"job_size": 50_000},
    "netware": {"file_size": 50_000},
    "telnet-xp": {"commands": 5},
    "relook-400s": {"job_size": 200_000},
}


@pytest.mark.parametrize("name", SMALL)
def test_every_candidate_leaves_the_job_the_same(name: str, program):
    """Half the reply is no advice."""
    system = systems[name].with_(**SMALL[name])
    answer = system.explain()
    declared = declaration(system.scenario)
    by_flag = {each.flag: each.key for each in declared.parameters.values()}
    for trial in answer.helps[:4]:
        words = trial.flag.replace("--", "").split()
        if words[0] == "host":
            continue
        changed = system.with_(
            **{by_flag[flag]: text for flag, text in zip(words[::2], words[1::2], strict=True)}
        )
        assert changed.run().bytes == answer.result.bytes, trial.flag


def test_a_reply_in_one_write_is_the_whole_reply(program):
    trials = systems["telnet-xp"].with_(commands=5).explain().trials
    assert "--reply-writes 1 --reply-write 80" in [trial.flag for trial in trials]
    assert not any(trial.flag.startswith("--echo") for trial in trials)


@pytest.mark.parametrize(
    ("name", "given", "flag"),
    [
        ("tcp-frame-relay", {"loss_to_branch": 0.02, "job_size": 100_000}, "--loss-to-branch 0"),
        ("tcp-frame-relay", {"loss_to_headquarters": 0.02}, "--loss-to-headquarters 0"),
        ("hawking-hps1u", {"link": "path", "path_loss": 0.02}, "--path-loss 0"),
        ("hawking-hps1u", {"link": "path", "path_loss_back": 0.02}, "--path-loss-back 0"),
        ("hawking-hps1u", {"link": "path", "path_lost_packets": "9"}, "--path-lost-packets ''"),
    ],
)
def test_losses_of_every_link_are_candidates(program, name: str, given: dict, flag: str):
    system = systems[name].with_(**{"job_size": 30_000} | given)
    assert flag in [trial.flag for trial in system.explain().trials]


def test_the_server_s_ack_rule_is_a_candidate(program):
    """A block of three segments waits for the server's delayed ACK."""
    blocks = {"command_text": 2000, "command_end": 0, "echo": False, "reply_writes": 1}
    answer = systems["telnet-xp"].with_(**blocks, commands=10).explain()
    assert "--server-ack-frequency 1" in [trial.flag for trial in answer.helps]


def test_no_change_is_of_the_job_itself(program):
    for name in SMALL:
        found = search.find(systems[name].with_(**SMALL[name]))
        tried = {key for each in found.trials for key in each.change.values}
        assert not tried & {"job_size", "file_size", "commands", "command_text", "echo"}


def test_a_window_is_proposed_beyond_what_one_can_be_alone_with_the_scale_it_needs(program):
    """HTTP/2's 65,535 B over 55 ms: twice of them is the advice, and a fifth more is tried."""
    http2 = systems["http2-go"].with_(job_size=1_000_000)
    tried = {trial.flag: trial.gain_pct for trial in http2.explain().helps}
    assert next(gain for flag, gain in tried.items() if "receive-window" in flag) > 50
    assert numbers.moved(http2, "receive_window", 1.2).changes["receive_window"] == "78642"
    unscaled = http2.with_(device_window_scale="none")
    helps = [each.flag for each in unscaled.explain().helps]
    assert helps[0].startswith("--receive-window 262140 --device-window-scale auto")


def test_a_beginning_with_few_losses_says_that_the_whole_job_may_be_slower(program):
    """The rate of a beginning that loses two packets is that of slow start."""
    lossy = systems["bulk"].with_(path_loss="1e-5", job_size="200MB")
    assert "about 1, is too small for an average" in in_part(lossy, 146_000_000)
    assert "too small" not in in_part(lossy.with_(path_loss="0.01"), 4_000_000)
    assert "too small" not in in_part(lossy.with_(path_loss=0), 12_000_000)
    assert "too small" not in in_part(systems["hawking-hps1u"].with_(path_loss="1e-5"), 2_000_000)


def test_where_losses_are_rare_a_change_is_told_as_runs_say(program):
    """A megabyte of this job loses nothing, and there BBR is slower."""
    lossy = systems["bulk"].with_(path_rate="100Mbps", rtt="80ms", path_loss="0.0005")
    lossy = lossy.with_(job_size=4_000_000)
    told = {each.flag: each for each in search.find(lossy).trials}
    own = lossy.run().throughput_Bps
    for key, value in {"congestion_control": "bbr", "rtt": "40ms"}.items():
        each = told[f"--{key.replace('_', '-')} {value}"]
        run_pct = (lossy.with_(**{key: value}).run().throughput_Bps / own - 1) * 100
        low, high = each.of_seeds
        assert 0 < low <= run_pct <= high
        assert each.throughput_Bps == pytest.approx(own * (1 + run_pct / 100))


@pytest.mark.parametrize("seed", [1, 2])
def test_the_rate_told_of_a_beginning_is_not_slow_start_s(seed: int, program, monkeypatch):
    """Of 4 MB it was told three times as fast: half of them came before the first loss."""
    monkeypatch.setattr(jobs, "WHOLE_B", 4_000_000)
    monkeypatch.setattr(jobs, "UNSTEADY_WHOLE_B", 4_000_000)
    lossy = systems["bulk"].with_(path_rate="100Mbps", rtt="80ms", path_loss="0.0068", seed=seed)
    lossy = lossy.with_(job_size=30_000_000)
    ((told, of_B),) = told_of([lossy])
    assert 0 < of_B < 30_000_000
    assert told.throughput_Bps == pytest.approx(lossy.run().throughput_Bps, rel=0.15)


@pytest.fixture
def long_cycle(program, monkeypatch) -> System:
    """A bulk transfer in which CUBIC grows for 11 s; jobs above 20 MB begin as estimates."""
    monkeypatch.setattr(jobs, "WHOLE_B", 20_000_000)
    monkeypatch.setattr(job_sizes, "RARE_MOST_B", 20_000_000)
    return systems["bulk"].with_(path_rate="100Mbps", rtt="200ms", path_queue="100p")


def test_a_cubic_cycle_longer_than_the_beginning_is_run_whole(long_cycle: System, monkeypatch):
    job = long_cycle.with_(job_size=60_000_000)
    ((told, of_B),) = told_of([job])
    assert of_B == 0
    assert told.throughput_Bps == job.run().throughput_Bps
    monkeypatch.setattr(jobs, "UNSTEADY_WHOLE_B", 20_000_000)
    ((estimated, of_B),) = told_of([job])
    assert of_B >= 20_000_000
    assert estimated.throughput_Bps != pytest.approx(told.throughput_Bps, rel=0.03)


def test_a_job_a_little_longer_than_a_whole_one_does_not_jump(long_cycle: System):
    sizes_B = (20_000_000, 20_100_000)
    (whole, _), (longer, of_B) = told_of([long_cycle.with_(job_size=each) for each in sizes_B])
    assert of_B >= 20_000_000
    assert longer.throughput_Bps == pytest.approx(whole.throughput_Bps, rel=0.01)


def test_a_pause_behind_the_beginning_is_the_limit(program):
    """It comes twice in this job. Of 12 MB the line was the limit, and a shorter pause changed
    nothing."""
    seldom = {"drain_pause_every": 14_000_000, "drain_pause": "20s", "port_rate": "80Mbps"}
    job = systems["bulk"].with_(rtt="10ms", path_rate="100Mbps", job_size=40_000_000, **seldom)
    found = job.explain()
    assert found.result.throughput_Bps == pytest.approx(job.run().throughput_Bps)
    assert "drain" in found.sentence and not any("no effect" in note for note in found.notes)
    best = found.helps[0]
    assert best.flag == "--drain-pause 5s"
    assert best.throughput_Bps == pytest.approx(job.with_(drain_pause="5s").run().throughput_Bps)


@pytest.mark.parametrize("numbers", ["5000", "3000,5000"])
def test_a_packet_that_is_lost_behind_a_beginning_is_no_error(numbers: str, program):
    job = systems["bulk"].with_(path_lost_packets=numbers)
    found = job.explain()
    assert found.result.record["path_losses"] == len(numbers.split(","))
    best = found.helps[0]
    changed = job.with_(**best.change.values).run()
    assert best.throughput_Bps == pytest.approx(changed.throughput_Bps, rel=1e-3)


def test_every_time_of_a_command_is_one_of_the_whole_job(program):
    """A change without effect is tried on shorter replies, which take less time."""
    given = {"rtt": "80ms", "path_rate": "100Mbps", "path_loss_back": "0.01"}
    found = systems["request"].with_(reply_write=3_000_000, commands=5, **given).explain()
    own_s = found.result.record["command_s"]
    still = [each for each in found.does_nothing if abs(each.gain_pct) < 1e-9]
    assert still and all(each.command_s == pytest.approx(own_s, rel=0.1) for each in still)


def test_what_changes_nothing_in_a_beginning_only_says_of_which(program):
    """Of this job BBR carries the first megabyte as CUBIC does, but not all of it."""
    given = {"path_rate": "50Mbps", "path_rate_back": "256kbps", "rtt": "40ms"}
    job = systems["bulk"].with_(**given)
    found = job.explain()
    assert "--congestion-control bbr" in {each.flag for each in found.does_nothing}
    whole_Bps = job.with_(congestion_control="bbr").run().throughput_Bps
    assert abs(whole_Bps / job.run().throughput_Bps - 1) > 0.01
    assert "what has no effect in the first 1,000 kB (less than 1 %)" in str(found)
    whole = systems["hawking-hps1u"].with_(job_size=100_000).explain()
    assert "what would change nothing (less than 1 %)" in str(whole)
