# SPDX-License-Identifier: GPL-2.0-only
"""What is typed into a field of the front end: the units of a data sheet are what they are on the
command line."""

import pytest
from study.front import forms
from study.programs.declaration import declaration
from study.programs.values import read

from tests.front.scripts import NODE, in_node

pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")

FILES = ["words.js", "small.js", "controls.js"]
SCRIPT = "const answer = data.map(([control, text]) => plainOf(control, text))"
TYPED = [
    ("receive_window", "4kB"),
    ("receive_window", "8760B"),
    ("receive_window", "8760"),
    ("receive_window", "4KB"),
    ("receive_window", "four"),
    ("job_size", "22.2MB"),
    ("job_size", "2e6"),
    ("job_size", "1.5e3kB"),
    ("port_rate", "60kB/s"),
    ("port_rate", "0.3MB/s"),
    ("port_rate", "480kbps"),
    ("path_loss", "0.1%"),
    ("path_loss", "0.07%"),
    ("path_loss", "0.001"),
    ("ack_latency", "5ms"),
    ("ack_latency", "5%"),
]


def test_a_data_sheet_s_unit_means_what_it_does_on_the_command_line(program):
    declared = declaration("print-job")
    sections = forms.form("hawking-hps1u")["sections"]
    controls = {each["key"]: each for section in sections for each in section["controls"]}
    given = [(controls[key], text) for key, text in TYPED]
    for (key, text), plain in zip(TYPED, in_node(FILES, SCRIPT, given), strict=True):
        parameter = declared.parameter(key)
        # What the page does not know it leaves as it is typed: the program reads or refuses it.
        assert plain == text or read(parameter, plain).text == read(parameter, text).text, text


def test_any_other_unit_of_its_own_is_left_out():
    sections = forms.form("relook-400s")["sections"]
    controls = {each["key"]: each for section in sections for each in section["controls"]}
    given = [(controls["cpu_clock"], text) for text in ("250MHz", "250", "2GHz")]
    assert in_node(FILES, SCRIPT, given) == ["250", "250", "2GHz"]
