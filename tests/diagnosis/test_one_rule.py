# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the two budgets of a comparison: one judge gives both, so that packets that are
alike went to the same waits."""

import json

import pytest
from study import diagnose, systems
from study.commands.main import main
from study.diagnosis.compare import compare

# Of the simulation's own clock the first four differ from what their packets show: by 0.9 % of
# waiting for the window up to 12 % of a queue that a capture cannot tell from the last ACK.
OWN = {
    "hawking-hps1u": {"job_size": 300_000},
    "http2-go": {"job_size": 300_000},
    "rclone-sftp": {"job_size": 300_000},
    "relook-400s": {"job_size": 300_000},
    "telnet-xp": {"commands": 10},
}


@pytest.mark.parametrize("name", OWN)
def test_a_capture_of_its_own_run_has_one_budget_on_both_sides(name, program, tmp_path):
    path = tmp_path / "own.pcap"
    system = systems[name].with_(**OWN[name])
    system.run(pcap=path)
    found = diagnose(path)
    beside = compare(system, found.seen, found.limits_s)
    assert beside.parting == f"packet by packet alike, all {len(found.connection.packets):,}"
    assert beside.simulated.limits_s == pytest.approx(beside.measured.limits_s, abs=1e-5)


def test_the_command_prints_the_same_percentages(program, tmp_path, capsys):
    path = tmp_path / "own.pcap"
    systems["hawking-hps1u"].with_(job_size=300_000).run(pcap=path)
    file = tmp_path / "own.toml"
    assert main(["diagnose", str(path), "-o", str(file)]) == 0
    capsys.readouterr()
    assert main(["compare", str(file), str(path), "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    sides = [record[side]["limits_s"] for side in ("measured", "simulated")]
    assert sides[1] == pytest.approx(sides[0], abs=1e-3)


def test_a_system_without_tcp_is_still_put_beside_a_capture(program, tmp_path, capsys):
    """No capture of its own run can be judged: the simulation's budget stands, and no message names
    a temporary file."""
    path = tmp_path / "own.pcap"
    systems["hawking-hps1u"].with_(job_size=30_000).run(pcap=path)
    assert main(["compare", "netware", str(path)]) == 0
    assert "the time went to" in capsys.readouterr().out
