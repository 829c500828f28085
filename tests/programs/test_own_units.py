# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the units of people's own data sheets: what is unambiguous is taken, on the command
line and in a table, and is the same job."""

from pathlib import Path

import pytest
from study import StudyError, systems
from study.commands.main import main
from study.kit.systems import load
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
        ("port_rate", "60000B/s", "480000bps"),
        ("port_rate", "480kbps", "480kbps"),
        ("path_loss", "0.1%", "0.001"),
        ("job_size", "300kB", "300000"),
        ("job_size", "0.3 MB", "300000"),
        ("receive_window", "4096B", "4096"),
        ("path_queue", "64kB", "64kB"),
        ("ack_latency", "5ms", "5ms"),
        ("ack_latency", "5%", "5%"),
        ("receive_window", "5kB/s", "5kB/s"),
        ("receive_window", "1.00005kB", "1000.05"),
        ("job_size", "1e999999999kB", "1e999999999kB"),
    ],
)
def test_a_value_in_another_unit_is_the_same(program, key, given, plain):
    assert declaration("print-job").parameter(key).text(given) == plain


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
    assert (setting.value, setting.unit, setting.range) == ("480", "kbps", (400, 600))


def test_a_sweep_s_range_takes_them_too(program):
    table = systems[HAWKING].with_(job_size=3000).sweep(receive_window="1kB:3kB:+1kB")
    assert list(table.receive_window_B) == [1000, 2000, 3000]


@pytest.mark.parametrize(
    ("key", "given", "told"),
    [
        ("path_loss", 'value = 1, unit = "ms"', "a bare number, with no unit or 1, or %"),
        ("initial_window", 'value = 1, unit = "%"', "a bare number, with no unit or 1$"),
        ("port_rate", 'value = 1, unit = "kb/s"', "or Gbps or B/s or kB/s or MB/s"),
        ("job_size", 'value = 1, unit = "ms"', "it has to be B or kB or MB or GB"),
    ],
)
def test_a_refusal_says_what_to_write(
    program: Path, tmp_path: Path, key: str, given: str, told: str
):
    with pytest.raises(StudyError, match=told):
        load(written(tmp_path, key, given))


@pytest.mark.parametrize("command", ["run", "what-if"])
def test_a_job_that_is_too_large_is_told_that_a_shorter_one_has_its_rate(program, capsys, command):
    assert main([command, HAWKING, "--job-size", "50GB"]) == 2
    said = capsys.readouterr().err
    assert "50000000000 is out of range; give 1 to 2000000000 B (a longer job only" in said
    assert main([command, HAWKING, "--job-size", "0"]) == 2
    assert capsys.readouterr().err.endswith("give 1 to 2000000000 B\n")


@pytest.mark.parametrize("given", ["64KiB", "64KB", "64k", "64,000"])
def test_a_size_that_is_none_is_told_the_units_that_there_are(program, capsys, given):
    for command in (["run"], ["sweep"]):
        assert main([*command, HAWKING, "--send-buffer", given]) == 2
        said = capsys.readouterr().err
        assert "B, or a number and kB, MB or GB (1 kB is 1000 B)\n" in said


def test_a_rate_that_is_none_is_told_that_bytes_do(program, capsys):
    for command in ("run", "sweep"):
        assert main([command, HAWKING, "--path-rate", "100"]) == 2
        assert "or Gbps, or of bytes B/s, kB/s or MB/s; give" in capsys.readouterr().err
    assert main(["run", HAWKING, "--initial-window", "2.5"]) == 2
    assert "kB" not in capsys.readouterr().err
