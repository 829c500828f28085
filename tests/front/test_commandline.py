# SPDX-License-Identifier: GPL-2.0-only
"""The text that a link carries is `study run`'s command line: what the page writes the command
takes, and what a terminal would take the page reads."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from study.commands.main import main

from tests.front.scripts import NODE, in_node

FILES = ["words.js", "commandline.js"]
SYSTEMS = ["hawking-hps1u", "relook", "mine"]
SETTINGS: list[dict[str, Any]] = [
    {"system": "hawking-hps1u", "host": "linux-2.2", "values": {}},
    {
        "system": "hawking-hps1u",
        "host": "linux-6",
        "values": {"ack_latency": "47ms", "job_size": "300000", "nagle": "true"},
    },
    {"system": "hawking-hps1u", "values": {"receive_window": "2920"}},
]

pytestmark = pytest.mark.skipif(not NODE, reason="there is no node")


def written(setting: dict[str, Any]) -> str:
    return in_node(FILES, "const answer = argumentsOf(data, 'linux-2.2')", setting)


def read(line: str) -> dict[str, Any]:
    script = "let answer; try { answer = settingOf(data.line, data.systems); }"
    script += " catch (error) { answer = error.message; }"
    return in_node(FILES, script, {"line": line, "systems": SYSTEMS})


@pytest.mark.parametrize("setting", SETTINGS)
def test_what_is_written_is_read_and_study_run_takes_it(
    program: Path, setting: dict[str, Any], capsys: pytest.CaptureFixture[str]
):
    line = written(setting)
    back = read(line)
    assert back["system"] == setting["system"] and back["values"] == setting["values"]
    assert back.get("host", "linux-2.2") == setting.get("host", "linux-2.2")
    arguments = ["run", *shlex.split(line), "--format", "json"]
    assert main(arguments) == 0
    parameters = json.loads(capsys.readouterr().out)["parameters"]
    for key, text in setting["values"].items():
        assert str(parameters[key]).lower() == text


@pytest.mark.parametrize(
    "line",
    [
        "hawking-hps1u --ack-latency 47ms",
        "study run hawking-hps1u --ack-latency=47ms",
        "$ .venv/bin/study run hawking-hps1u --ack-latency '47ms' --format json",
        'study run --ack-latency "47ms" hawking-hps1u --pcap out.pcap --no-fast-forward',
        "  study run  scenarios/systems/hawking-hps1u.toml --ack-latency 47\\ms",
    ],
)
def test_a_line_as_a_terminal_takes_it(line: str):
    assert read(line) == {"system": "hawking-hps1u", "values": {"ack_latency": "47ms"}}


def test_a_word_with_blanks_or_quotes_comes_back():
    setting = {"system": "mine", "values": {"note": 'it\'s a "b" $c'}}
    line = written(setting)
    assert shlex.split(line) == ["mine", "--note", setting["values"]["note"]]
    assert read(line)["values"] == setting["values"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("study run hps1u", "hps1u is no system that this page knows"),
        ("hawking-hps1u relook", "relook is a second system"),
        ("hawking-hps1u --ack-latency", "--ack-latency lacks its value"),
        ("--ack-latency 47ms", "no system is named"),
        ("hawking-hps1u --ack-latency '47ms", "a quotation mark is not closed"),
    ],
)
def test_what_is_no_setting_is_one_sentence(line: str, said: str):
    assert said in read(line) and "\n" not in read(line)
