# SPDX-License-Identifier: GPL-2.0-only
"""Claims about `study what-if`: the job before and after a change, side by side, as `study run`
gives each of them alone."""

import json
import re

import pytest
from study import System, systems
from study.commands.main import main

CHANGES = ["--receive-window", "8760", "--ack-latency", "20ms"]


@pytest.fixture(scope="module")
def short(program) -> System:
    return systems["hawking-hps1u"].with_(job_size=100_000)


def test_before_and_after_are_what_each_run_gives_alone(program, capsys):
    records = []
    for command in (["what-if", *CHANGES], ["run"], ["run", *CHANGES]):
        assert main([command[0], "hawking-hps1u", *command[1:], "--format", "json"]) == 0
        records.append(json.loads(capsys.readouterr().out))
    both, before, after = records
    assert both["before"] == {key: before[key] for key in both["before"]}
    assert both["after"] == {key: after[key] for key in both["after"]}
    assert both["changes"] == {"receive_window": "8760", "ack_latency": "20ms"}
    gain = after["throughput_Bps"] / before["throughput_Bps"] - 1
    assert both["gain_pct"] == pytest.approx(100 * gain)


def test_the_text_stands_side_by_side_in_80_columns(program, capsys):
    assert main(["what-if", "hawking-hps1u", "--host", "linux-6", *CHANGES]) == 0
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    assert re.search(r"^host +its own +linux-6$", out, re.MULTILINE)
    assert re.search(r"^receive_window +2920 B +8760 B$", out, re.MULTILINE)
    assert re.search(r"^throughput +24,811\.7 B/s +4\d\d,\d+\.\d B/s$", out, re.MULTILINE)
    assert re.search(r"^ended +finished$", out, re.MULTILINE)
    assert "study run hawking-hps1u" in out  # where the measured figures are


def test_the_limits_of_each_side_add_up(short: System):
    text = str(short.what_if(receive_window=512))
    table = text[text.index("what limited it") :].split("\n\n")[0].splitlines()[1:]
    rows = [re.findall(r"\d+\.\d+", row) for row in table]
    for *parts, total in zip(*([float(cell) for cell in row] for row in rows), strict=True):
        assert sum(parts) == pytest.approx(total, abs=0.006 * len(parts))


def test_a_job_that_stalls_has_a_reason_and_neither_rate_nor_gain(program):
    answer = systems["netgear-ps101"].what_if(silly_window_avoidance="whole-segment")
    assert answer.gain_pct is None
    text = str(answer)
    assert re.search(r"^throughput .* B/s +none$", text, re.MULTILINE)
    assert re.search(r"^ended after +stalled after", text, re.MULTILINE)
    assert max(map(len, text.splitlines())) <= 80


def test_nothing_changed_is_one_line(program, refused):
    assert "nothing is changed" in refused("what-if", "hawking-hps1u")


def test_a_formula_that_does_not_know_what_changed_says_so(short: System):
    """A number that stays the same would look like an answer."""
    text = str(short.what_if(loss_to_host=0.3, receive_window=8760))
    assert re.search(r"^steady, by formula +not in this formula: loss_to_host$", text, re.M)
    assert short.what_if(loss_to_host=0.3).record()["closed_form_Bps"] is None
    behind = str(short.what_if(host="linux-6"))
    assert "not in this formula: " in behind and max(map(len, behind.splitlines())) <= 80


def test_what_is_known_or_cannot_matter_leaves_the_formula_its_number(short: System):
    for change in ({"receive_window": 8760}, {"seed": 2}, {"time_limit": "1h"}, {"nagle": True}):
        assert short.what_if(**change).closed_forms_Bps, change
    same = short.what_if(host_delayed_ack="0.2s", receive_window=8760)  # its own value
    assert same.closed_forms_Bps


def test_a_change_of_a_changed_system_is_held_against_that(short: System):
    text = str(short.with_(ack_latency="20ms").what_if(receive_window=8760))
    assert "ack_latency 20ms" in text[: text.index("\nchanged")]
    assert "ack_latency" not in text[text.index("\nchanged") : text.index("the job")]


def test_where_no_law_holds_it_is_said_of_which_of_the_two(program):
    """And the other has its number."""
    system = systems["rebbr"].with_(congestion_control="reno", path_rate="2Mbps")
    text = " ".join(str(system.what_if(path_rate="100Mbps")).split())
    assert re.search(
        r"steady, by formula before the law of losses does not hold here: the path's line ends at "
        r"\d+ segments in flight; the law gives an average of \d+ and needs room for \d+ "
        r"steady, by formula after [\d,.]+ B/s",
        text,
    )


OWN = ["bulk", "--rtt", "80ms", "--window", "65535", "--size", "3MB"]


def test_a_transfer_of_one_line_is_compared_with_a_change_of_it(program, capsys):
    records = []
    for line in (["what-if", *OWN, "--then", "--window", "1MB"], ["run", *OWN]):
        assert main([*line, "--format", "json"]) == 0
        records.append(json.loads(capsys.readouterr().out))
    both, own = records
    assert both["before"]["throughput_Bps"] == own["throughput_Bps"]
    assert both["changes"] == {"receive_window": "1MB"} and both["gain_pct"] > 40
    assert both["without_effect"] == []
    assert main(["what-if", *OWN, "--format", "json", "--then", "--window", "1MB"]) == 0
    assert json.loads(capsys.readouterr().out)["after"] == both["after"]
    assert main(["what-if", *OWN, "--then", "--window", "1MB"]) == 0
    assert "with host linux-6, receive_window 65535, rtt 80ms" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("then", "said"),
    [
        ([], "nothing is changed"),
        (["--window", "65535"], "nothing is changed"),
        (["--rtt", "1x"], "'1x' is not a time"),
        (["--rtt", "1s", "--then", "--rtt", "2s"], "--then may stand once"),
    ],
)
def test_no_change_behind_then_and_a_bad_one_are_one_line(
    then: list[str], said: str, program, refused
):
    assert said in refused("what-if", *OWN, "--then", *then)
