# SPDX-License-Identifier: GPL-2.0-only
"""Which parameters matter: what the source's own story says of each system has to come out."""

import json

import pytest
from study import StudyError, systems
from study.commands.main import main
from study.programs.declaration import declaration
from study.trials import numbers, sensitivity
from study.trials.job_sizes import LEAST_B
from study.trials.sensitivity import Sensitivity


def effects(name: str) -> dict[str, sensitivity.Effect]:
    return {effect.key: effect for effect in sensitivity.sensitivity(systems[name]).effects}


def test_the_hawking_waits_for_its_window_and_its_late_ack_and_not_for_the_wire(program):
    found = effects("hawking-hps1u")
    assert {"receive_window", "ack_latency"} <= set(list(found)[:3])
    assert found["receive_window"].direction == "faster"
    # A whole cycle but the wire's 2 % is the latency.
    assert found["ack_latency"].direction == "slower" and found["ack_latency"].size > 0.5
    assert found["link_rate"].size < 0.05
    # The buffer is far larger than the window, so it never binds.
    assert found["send_buffer"].direction == "nothing"


def test_telnet_waits_for_the_delayed_ack_unless_the_client_has_none(program):
    assert next(iter(effects("telnet-xp"))) == "client_delayed_ack"
    assert next(iter(effects("telnet-ubuntu"))) == "client_delayed_ack"
    assert next(iter(effects("telnet-xp-ack-frequency-1"))) == "server_time"


def test_the_relook_waits_for_its_disk_and_its_bus(program):
    first = list(effects("relook-400s"))[:4]
    assert {"disk_rate", "bus_clock", "bus_cycles"} <= set(first)


def test_in_proportion_is_an_effect_of_one(program):
    """The JetDirect is held by its port's rate and by nothing else, so that is the scale."""
    port = effects("hp-jetdirect-610n")["port_rate"]
    assert port.size == pytest.approx(1, abs=0.05)
    assert port.direction == "faster"


def test_a_change_is_what_is_moved_and_choices_zeros_and_small_counts_are_not(program):
    system = systems["hawking-hps1u"].with_(receive_window=65535, seed=7)
    found: Sensitivity = sensitivity.sensitivity(system)
    keys = {effect.key: effect for effect in found.effects}
    assert keys["receive_window"].value == "65535 B" and keys["receive_window"].basis == "given"
    assert not keys.keys() & {"protocol", "nagle", "ack_latency_per_byte", "quick_acks", "seed"}
    assert not keys.keys() & {"job_size"}


def test_a_queue_is_moved_as_a_number_is(program):
    """Its room is packets or bytes, which the value's unit says."""
    for own, more in {"100p": "120p", "64000B": "76800B"}.items():
        system = systems["bulk"].with_(path_queue=own)
        assert numbers.movable(system, ["path_queue"]) == ["path_queue"]
        assert numbers.moved(system, "path_queue", 1.2).changes["path_queue"] == more
    assert numbers.movable(systems["bulk"].with_(path_queue="2p"), ["path_queue"]) == []


def test_what_has_no_rate_has_no_ranking(program):
    dead = systems["hawking-hps1u"].with_(loss_to_device=1)
    with pytest.raises(StudyError, match="has no rate that could change"):
        sensitivity.sensitivity(dead)


def test_the_command_prints_the_ranking(program, capsys):
    assert main(["sensitivity", "hawking-hps1u"]) == 0
    text = capsys.readouterr().out
    lines = [line.split()[0] for line in text.splitlines() if line.startswith(("receive", "link"))]
    assert lines == ["receive_window", "link_rate"]
    assert main(["sensitivity", "hawking-hps1u", "--format", "json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["effects"][0]["key"] == "receive_window"


def test_what_crosses_no_segment_within_a_fifth_has_its_step_told(program):
    """Twenty percent more of a window of 1.4 segments is no more segments; half as much more is."""
    system = systems["hawking-hps1u"].with_(receive_window=2100, job_size=500_000)
    assert abs(numbers.effects(system, ["receive_window"])["receive_window"]) < 0.001
    (step,) = numbers.next_steps(system, ["receive_window"])
    assert 2920 <= int(step.value.split()[0]) <= 1.005 * 2920
    assert step.text.endswith("(it is 2100 B)")
    at, before = (
        system.with_(receive_window=size.split()[0]).run() for size in (step.value, step.own)
    )
    change = at.throughput_Bps / before.throughput_Bps - 1
    assert step.change_pct == pytest.approx(100 * change) and abs(change) > 0.2


def test_the_effects_and_steps_are_those_of_the_whole_job(program):
    """The slow start of 600 ms is most of the first 2 MB, and little of 500 MB; a window is full
    long after a beginning."""
    own = {"rtt": "600ms", "path_rate": "10Mbps", "job_size": 500_000_000}
    system = systems["bulk"].with_(**own)
    found = numbers.effects(system, ["rtt", "path_rate"])
    assert abs(found["rtt"]) < 0.01 and abs(found["path_rate"]) == pytest.approx(0.2, abs=0.02)
    (step,) = numbers.next_steps(system, ["receive_window"])
    pipe_B = 10e6 / 8 * 0.6  # a smaller window does not keep the line busy
    assert 0.9 * pipe_B < int(step.value.split()[0]) < pipe_B


def test_a_step_far_away_is_where_it_is_said_to_be(program):
    """The IMAGEN's window matters again where the send buffer passes its threshold."""
    system = systems["imagen-v2"].with_(job_size=200_000)
    step = next(s for s in sensitivity.sensitivity(system).steps if s.key == "receive_window")
    at_B = int(step.value.split()[0])
    before, there, just = (
        system.with_(receive_window=size).run().throughput_Bps
        for size in (6144, at_B, round(at_B * 1.02))
    )
    assert step.change_pct == pytest.approx(100 * (there / before - 1), rel=0.2)
    assert there > 50 * before and just == pytest.approx(before, rel=0.01)


@pytest.mark.parametrize("name", ["hawking-hps1u", "telnet-xp"])
def test_groups_find_the_numbers_that_decide_alone_with_fewer_runs(program, monkeypatch, name: str):
    """Of all numbers, moved together and halved, those are found that change the rate when each is
    moved alone."""
    system = systems[name].with_(**({"job_size": 200_000} if name == "hawking-hps1u" else {}))
    declared = declaration(system.scenario).parameters
    keys = numbers.movable(system, declared)
    alone = [key for key, its in numbers.effects(system, keys).items() if abs(its) >= 0.01]
    assert 0 < len(alone) < len(keys) / 2
    runs: list[int] = []
    rates = numbers.rates
    monkeypatch.setattr(numbers, "rates", lambda each: runs.append(len(each)) or rates(each))
    assert numbers.deciding(system, keys, 0.01) == alone
    assert sum(runs) < 2 * len(keys)


def test_a_default_that_decides_is_ranked(program):
    """Nobody gave the rate of this Ethernet, and it is all that holds the job."""
    from dataclasses import replace

    own = systems["hawking-hps1u"].with_(receive_window=65535, ack_latency="10us", job_size=500_000)
    system = replace(own, settings={k: v for k, v in own.settings.items() if k != "link_rate"})
    effects = {effect.key: effect for effect in sensitivity.sensitivity(system).effects}
    assert effects["link_rate"].basis == "default"
    assert effects["link_rate"].size == pytest.approx(1, abs=0.15)


def test_values_that_do_not_go_together_are_no_slower(program):
    """An MSS above the path's MTU is refused: neither a run to rank nor a step to tell of."""
    of_path = systems["http2-go"].with_(job_size=200_000)
    ranking = sensitivity.sensitivity(of_path)
    assert "path_mtu" not in {each.key for each in ranking.effects}
    assert ranking.without_rate == 0
    assert {each.key for each in ranking.steps}.isdisjoint({"mss", "path_mtu"})


def test_what_jumps_or_does_nothing_alone_is_no_slope_and_says_so(program):
    """A window of two segments halves the rate where it holds one; the wire's rate is a slope,
    however small."""
    system = systems["hawking-hps1u"]
    found = sensitivity.sensitivity(system)
    below = system.with_(receive_window=2628, job_size=LEAST_B).run().throughput_Bps
    own = system.with_(job_size=LEAST_B).run().throughput_Bps
    assert found.no_slope == {
        "receive_window": f"a jump within -10 %, to {below / own:.2g} times the rate"
    }
    rows = str(found).splitlines()
    ends = {row.split()[0]: row for row in rows if row.startswith(("receive_w", "ack_l", "link_r"))}
    assert ends["receive_window"].endswith("no slope, see below")
    assert ends["ack_latency"].endswith("slower") and ends["link_rate"].endswith("faster")
    assert f"No slope, moved alone: receive_window: {found.no_slope['receive_window']}." in rows


def test_a_course_is_told_from_its_rates():
    slope = {0.8: 0.8, 0.9: 0.9, 1.0: 1.0, 1.1: 1.1, 1.2: 1.2}
    assert numbers._course(slope) == ""
    assert numbers._course(dict.fromkeys(slope, 1.0)) == "nothing within 20 %"
    later = dict.fromkeys(slope, 1.0) | {1.2: 3.0}
    assert numbers._course(later) == "a jump within +20 %, to 3 times the rate"
    bend = {0.8: 0.8, 0.9: 0.9, 1.0: 1.0, 1.1: 1.0, 1.2: 1.0}
    assert numbers._course(bend) == ""


def test_a_value_that_is_alone_with_its_rate_is_said_to_be(program):
    """A port that takes 64 B at a time empties a window of 2048 B without a rest; with any other
    size near it a window's last bytes wait for the device's ACK."""
    own = {"receive_window": 2048, "port_rate": "100Mbps", "port_chunk": 64, "protocol": "raw"}
    own |= {"ack_latency": "10ms", "job_size": 50_000}
    system = systems["hawking-hps1u"].with_host("linux-6").with_(**own)
    found = sensitivity.sensitivity(system)
    at, *beside = (
        system.with_(port_chunk=size).run().throughput_Bps for size in (64, 63, 65, 52, 76)
    )
    assert max(beside) < 0.8 * at
    told = found.no_slope["port_chunk"]
    assert told.startswith("64 B alone is fast: 63 B and 65 B are -")
    assert f"{100 * (beside[0] / at - 1):+.0f} %" in told
    assert f"No slope, moved alone: port_chunk: {told}." in str(found).splitlines()


def test_an_edge_and_a_slope_are_no_island(program):
    system = systems["hawking-hps1u"].with_(job_size=100_000)
    assert numbers.islands(system, ["receive_window", "ack_latency", "link_rate"]) == {}
