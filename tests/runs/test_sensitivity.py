# SPDX-License-Identifier: GPL-2.0-only
"""Which parameters matter: what the source's own story says of each system has to come out."""

import json

import pytest
from study import StudyError, systems
from study.commands.main import main
from study.runs import sensitivity
from study.runs.sensitivity import Sensitivity


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
