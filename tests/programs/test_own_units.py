# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the units of people's own data sheets: what is unambiguous is taken, on the command
line and in a table, and is the same job."""

from pathlib import Path

import pytest
from study import StudyError, systems
from study.base.errors import Refused
from study.kit.systems import load
from study.programs import values
from study.programs.declaration import declaration

HAWKING = "hawking-hps1u"
FILE = """\
title = "A device"
scenario = "print-job"
[parameters]
{key} = {{ {given}, basis = "assumed", source = "a test" }}
"""


def written(folder: Path, key: str, given: str) -> Path:
    """A file of a device of one parameter."""
    file = folder / "own.toml"
    file.write_text(FILE.format(key=key, given=given))
    return file


@pytest.mark.parametrize(
    ("key", "given", "plain"),
    [
        ("port_rate", "60kB/s", "480kbps"),
        ("port_rate", "1.5MB/s", "12Mbps"),
        ("port_rate", "8 Mbit/s", "8Mbps"),
        ("port_rate", "none", "none"),
        ("path_loss", "0.1%", "0.001"),
        ("path_loss", "0.7 %", "0.007"),  # 0.7 / 100 is 0.006999999999999999
        ("job_size", "300kB", "300000"),
        ("job_size", "0.3 MB", "300000"),
        ("receive_window", "4096B", "4096"),
        ("receive_window", "1e3", "1000"),
        ("path_queue", "64 kB", "64000B"),
        ("ack_latency", "45 ms", "45ms"),
        ("ack_latency", " 5\u00b5s ", "5us"),
        ("ack_latency", "5\u03bcs", "5us"),
        ("ack_latency", "1.5min", "90s"),
        ("device_clock", "8 MHz", "8"),
    ],
)
def test_a_value_in_another_unit_is_the_same(program, key, given, plain):
    assert values.read(declaration("print-job").parameter(key), given).text == plain


@pytest.mark.parametrize(
    ("key", "given"),
    [
        ("ack_latency", "5%"),
        ("ack_latency", "5"),
        ("ack_latency", "4 5ms"),
        ("ack_latency", "ms"),
        ("ack_latency", "nanms"),
        ("ack_latency", "5ms 6ms"),
        ("ack_latency", "5MB"),
        ("ack_latency", "\udcff"),
        ("ack_latency", "5ms\n--job-size=1"),
        ("ack_latency", "5ms\t--job-size=1"),
        ("ack_latency", "5\0ms"),
        ("ack_latency", "9" * 100_000 + "ms"),
        ("receive_window", "5kB/s"),
        ("receive_window", "1.00005kB"),
        ("receive_window", "0x10"),
        ("receive_window", ""),
        ("job_size", "1e999999999kB"),
        ("job_size", "-1kB"),
        ("port_rate", "None"),
        ("nagle", "yes"),
        ("initial_window", "1%"),
        ("path_lost_packets", "0"),
        ("seed", "1e30"),
    ],
)
def test_what_is_no_such_value_is_refused_in_one_line_that_names_the_parameter(program, key, given):
    with pytest.raises(Refused, match=rf"^{key}: ") as refused:
        values.read(declaration("print-job").parameter(key), given)
    assert "\n" not in str(refused.value) and "; give " in str(refused.value)


@pytest.mark.parametrize(
    ("key", "given", "text"),
    [
        ("port_rate", 'value = 60, unit = "kB/s"', "480kbps"),
        ("path_loss", 'value = 0.1, unit = "%"', "0.001"),
        ("job_size", 'value = 50, unit = "MB"', "50000000"),
        ("receive_window", 'value = 4, unit = "kB"', "4000"),
    ],
)
def test_so_is_one_of_a_table(program: Path, tmp_path: Path, key: str, given: str, text: str):
    (setting,) = load(written(tmp_path, key, given)).settings.values()
    assert setting.text == text


def test_its_range_is_in_the_same_unit(program: Path, tmp_path: Path):
    given = 'value = 60, low = 50, high = 75, unit = "kB/s"'
    (setting,) = load(written(tmp_path, "port_rate", given)).settings.values()
    assert (setting.value, setting.unit, setting.range) == ("60", "kB/s", (50, 75))


def test_a_sweep_s_range_takes_them_too(program):
    table = systems[HAWKING].with_(job_size=3000).sweep(receive_window="1kB:3kB:+1kB")
    assert list(table.receive_window_B) == [1000, 2000, 3000]


@pytest.mark.parametrize(
    ("key", "given", "told"),
    [
        (
            "path_loss",
            'value = 1, unit = "ms"',
            r":4: path_loss: '1ms' is not a number; give 0 to 1",
        ),
        ("initial_window", 'value = 1, unit = "%"', "'1%' is not a whole number; give 1 to 1000$"),
        ("port_rate", 'value = 1, unit = "kb/s"', "or of bytes B/s, kB/s or MB/s; give 1bps"),
        ("job_size", 'value = 1, unit = "ms"', "B, or a number and kB, MB or GB"),
    ],
)
def test_a_refusal_says_what_to_write(
    program: Path, tmp_path: Path, key: str, given: str, told: str
):
    with pytest.raises(StudyError, match=told):
        load(written(tmp_path, key, given))


@pytest.mark.parametrize("command", ["run", "what-if"])
def test_a_job_that_is_too_large_is_told_that_a_shorter_one_has_its_rate(program, refused, command):
    said = refused(command, HAWKING, "--job-size", "50GB")
    assert "50GB is out of range; give 1 to 2000000000 B (a longer job only" in said
    assert refused(command, HAWKING, "--job-size", "0").endswith("give 1 to 2000000000 B\n")


@pytest.mark.parametrize("given", ["64KiB", "64KB", "64k", "64,000"])
def test_a_size_that_is_none_is_told_the_units_that_there_are(program, refused, given):
    for command in ("run", "sweep"):
        said = refused(command, HAWKING, "--send-buffer", given)
        assert "B, or a number and kB, MB or GB (1 kB is 1000 B)\n" in said


def test_a_rate_that_is_none_is_told_that_bytes_do(program, refused):
    for command in ("run", "sweep"):
        said = refused(command, HAWKING, "--path-rate", "100")
        assert "or of bytes B/s, kB/s or MB/s; give" in said
    assert "kB" not in refused("run", HAWKING, "--initial-window", "2.5")
