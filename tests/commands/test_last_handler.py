# SPDX-License-Identifier: GPL-2.0-only
"""Whatever a user gives the command, its end is one line: a refusal with status 2, or, of an error
of ours, what to report with status 70."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from study.base.project import ROOT, SYSTEMS
from study.captures import source
from study.commands import ask
from study.commands.main import main

from tests.waiting import HANG_S, until

DEVICE = (SYSTEMS / "hp-jetdirect-610n.toml").read_text()
CAPTURE = """\
12:00:00.000000 IP 10.0.0.1.1000 > 10.0.0.2.9100: Flags [S], seq 1, win 4096, options [mss 1460,TS val 5 ecr 0,wscale 3], length 0
12:00:00.001000 IP 10.0.0.2.9100 > 10.0.0.1.1000: Flags [S.], seq 1, ack 2, win 4096, length 0
12:00:00.002000 IP 10.0.0.1.1000 > 10.0.0.2.9100: Flags [P.], seq 2:1462, ack 2, win 4096, length 1460
12:00:00.003000 IP 10.0.0.2.9100 > 10.0.0.1.1000: Flags [.], ack 1462, win 4096, length 0
"""  # noqa: E501


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """`study describe` with an error of ours in it."""

    def fail(*_: object) -> str:
        raise ZeroDivisionError("a number\nof 0")

    monkeypatch.setattr(ask, "declaration", fail)


def test_an_error_of_ours_is_one_line_that_says_what_to_report(program, broken, capsys):
    assert main(["run", "hawking-hps1u", "--describe"]) == 70
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "ZeroDivisionError (a number of 0) at test_last_handler.py:" in err
    assert "report this line" in err and "STUDY_DEBUG=1" in err


def test_its_trace_is_printed_where_one_asks_for_it(program, broken, capsys, monkeypatch):
    monkeypatch.setenv("STUDY_DEBUG", "1")
    assert main(["run", "hawking-hps1u", "--describe"]) == 70
    err = capsys.readouterr().err
    assert err.startswith("Traceback") and err.splitlines()[-1].startswith("study: error")


@pytest.mark.parametrize("digits", [20, 400, 5000])
def test_a_whole_number_beyond_64_bits_is_refused_where_it_stands(
    program, tmp_path: Path, digits: int, refused
):
    """Python takes any, until it becomes a float, or has more than 4,300 digits."""
    own = tmp_path / "own.toml"
    own.write_text(
        re.sub(r"job_size = { value = \d+", f"job_size = {{ value = {'9' * digits}", DEVICE)
    )
    line = next(i for i, text in enumerate(own.read_text().splitlines(), 1) if "job_size" in text)
    said = refused("run", str(own))
    assert f"own.toml:{line}: a whole number is out of range; give -9223372036854775808 to" in said


def test_a_nul_in_a_text_is_refused_where_it_stands(program, tmp_path: Path, refused):
    """No program takes one in a flag."""
    own = tmp_path / "own.toml"
    own.write_text(DEVICE.replace('value = "raw"', 'value = "ra\\u0000w"'))
    line = next(i for i, text in enumerate(own.read_text().splitlines(), 1) if "u0000" in text)
    assert f"own.toml:{line}: a text has a NUL" in refused("run", str(own))


@pytest.mark.parametrize("digits", [30, 5000])
@pytest.mark.parametrize("of", ["win ", "seq ", "ack ", "length ", "mss ", "val ", "wscale "])
def test_a_number_that_no_header_has_is_refused(tmp_path: Path, of: str, digits: int, refused):
    text = tmp_path / "job.txt"
    text.write_text(re.sub(rf"{of}\d+", f"{of}{'9' * digits}", CAPTURE))
    assert f"a number of {digits} digits" in refused("diagnose", str(text))


def test_a_date_that_is_none_is_refused(tmp_path: Path, refused):
    text = tmp_path / "job.txt"
    text.write_text(CAPTURE.replace("12:00:00", "2001-99-03 12:00:00"))
    assert "2001-99-03" in refused("diagnose", str(text))


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("own.toml", ["run", "{}"]),
        ("job.pcap", ["diagnose", "{}"]),
        ("own.zip", ["verify", "{}"]),
        ("own.csv", ["sweep", "hawking-hps1u", "--points", "{}"]),
        ("own.parquet", ["sweep", "hawking-hps1u", "--points", "{}"]),
    ],
)
def test_a_file_without_an_end_is_refused(program, tmp_path: Path, name: str, call, refused):
    """/dev/zero would fill the memory."""
    path = tmp_path / name
    path.symlink_to("/dev/zero")
    said = refused(*(each.format(path) for each in call))
    assert "it is larger than 1,000,000 B" in said or "it is a device; give a file" in said


def test_a_text_larger_than_memory_is_refused(tmp_path: Path, monkeypatch, refused):
    monkeypatch.setattr(source, "MOST_B", len(CAPTURE) - 1)
    text = tmp_path / "job.txt"
    text.write_text(CAPTURE)
    assert "B and is no pcap or pcapng" in refused("diagnose", str(text))


def command(code: str, **environment: str) -> subprocess.Popen[str]:
    """The command `study`, as its script calls it."""
    script = f"import sys, study\n{code}\nsys.exit(study.command())"
    return subprocess.Popen(
        [sys.executable, "-c", script, "systems"],
        env={**os.environ, "PYTHONPATH": str(ROOT / "analysis"), **environment},
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )


def test_an_interrupt_while_it_starts_is_a_word(tmp_path: Path):
    """Before there is a main to hear it: while its modules are imported."""
    begun = tmp_path / "begun"
    (tmp_path / "click.py").write_text(
        f"import pathlib, time\npathlib.Path({str(begun)!r}).touch()\ntime.sleep({HANG_S})\n"
    )
    with command(f"sys.path.insert(0, {str(tmp_path)!r})") as process:
        until(begun.exists, process)
        process.send_signal(signal.SIGINT)
        assert process.wait(HANG_S) == 130
        assert process.stderr.read() == "interrupted\n"


def test_a_module_that_is_missing_is_a_sentence():
    """As after `pip install --no-deps`."""
    with command("sys.modules['click'] = None") as process:
        said = process.stderr.read()
    assert (process.returncode, said.count("\n")) == (2, 1)
    assert "no module click" in said and "./waf build" in said
