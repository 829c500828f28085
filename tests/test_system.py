# SPDX-License-Identifier: GPL-2.0-only
"""Claims about system files: each value says where it comes from, and a file that can't be meant
is refused in one line that names the place."""

from pathlib import Path

import pytest

from analysis import StudyError, System, systems
from analysis.system import load

GOOD = """\
title = "A device"
scenario = "print-job"
[parameters]
receive_window = { value = 1460, unit = "B", basis = "assumed", source = "a test" }
[[measured]]
quantity = "rate"
kind = "whole_job_rate"
value = 24
unit = "kB/s"
basis = "published"
source = "a test"
used_as = "prediction"
"""

BAD = {
    "not TOML": ("title = ", "title == ", r":1: not TOML: "),
    "no value": ("value = 1460, ", "", r":4: receive_window has no value"),
    "value of no type": ("1460", "[1]", r":4: value = \[1\] has to be"),
    "not a table": (
        'receive_window = { value = 1460, unit = "B", basis = "assumed", source = "a test" }',
        "receive_window = 1460",
        r":4: receive_window = 1460 has to be a table",
    ),
    "unknown parameter": (
        "receive_window",
        "recieve_window",
        r":4: there is no parameter 'recieve_window'; did you mean receive_window",
    ),
    "no basis": (
        'basis = "assumed", ',
        "",
        r":4: receive_window has no basis; it has to be measured,",
    ),
    "invalid basis": (
        "assumed",
        "guessed",
        r":4: receive_window has basis 'guessed'; it has to be measured,",
    ),
    "no source": (', source = "a test" }', " }", r":4: receive_window has no source; say where"),
    "unknown entry": (
        'unit = "B"',
        'units = "B"',
        r":4: receive_window: .*'units'; did you mean unit",
    ),
    "unknown table": (
        "[parameters]",
        "[params]",
        r":3: there is no entry 'params'; did you mean parameters",
    ),
    "no scenario": ('scenario = "print-job"\n', "", r": has no scenario; give one"),
    "scenario elsewhere": (
        '"print-job"',
        '"../waf"',
        r":2: scenario '../waf' is not the name of a program",
    ),
    "unknown unit": ('"kB/s"', '"kb/s"', r":6: rate: unit 'kb/s' has to be one of"),
    "unknown use": (
        '"prediction"',
        '"hope"',
        r":6: rate: used_as 'hope' has to be one of input, prediction",
    ),
}


@pytest.fixture
def write(tmp_path: Path):
    def write(text: str) -> Path:
        path = tmp_path / "device.toml"
        path.write_text(text)
        return path

    return write


def test_a_good_file_is_read_and_runs(program: Path, write):
    system = load(write(GOOD))
    assert system.name == "device"
    assert system.with_(job_size=100_000).run().outcome == "finished"


@pytest.mark.parametrize("case", BAD.values(), ids=BAD.keys())
def test_a_file_that_cannot_be_meant_is_refused_at_its_line(program: Path, write, case: tuple):
    old, new, message = case
    assert old in GOOD
    with pytest.raises(StudyError, match=rf"^\S*device\.toml{message}") as error:
        load(write(GOOD.replace(old, new, 1)))
    assert "\n" not in str(error.value)


def test_a_value_in_the_wrong_unit_is_refused(program: Path, write):
    with pytest.raises(StudyError, match="receive_window is in B, not in ms"):
        load(write(GOOD.replace('unit = "B"', 'unit = "ms"'))).run()


def test_bytes_that_are_no_text_and_files_that_are_not_there_are_refused(
    tmp_path: Path, program: Path
):
    (tmp_path / "x.toml").write_bytes(b'title = "\xff"')
    for name in ("x.toml", "none.toml", ""):
        with pytest.raises(StudyError, match=r"^cannot read "):
            load(tmp_path / name)


def test_an_unknown_system_names_the_near_ones():
    with pytest.raises(StudyError, match="did you mean hawking-hps1u"):
        systems["hawking"]
    with pytest.raises(StudyError, match=r"there is no system 'zzz'; there are: .*hawking-hps1u"):
        systems["zzz"]


def test_every_system_runs_and_every_measured_figure_can_be_read_off_it(program: Path):
    from analysis.quantities import QUANTITIES

    for system in systems.values():
        assert system.flags()
        assert {row.kind for row in system.measured} <= QUANTITIES.keys()
        assert system.trace is None or system.trace.is_file()


def test_a_changed_parameter_takes_numbers_texts_and_booleans(hawking: System):
    changed = hawking.with_(receive_window=5840, ack_latency="10ms", nagle=True)
    assert {"--receive-window=5840", "--ack-latency=10ms", "--nagle=true"} <= set(changed.flags())
    assert hawking.changes == {}


def test_an_unknown_parameter_names_the_near_ones(hawking: System):
    with pytest.raises(StudyError, match="no parameter 'ack_latancy'; did you mean ack_latency"):
        hawking.with_(ack_latancy="10ms")
