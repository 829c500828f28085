# SPDX-License-Identifier: GPL-2.0-only
"""Claims about `study run`: what it prints adds up and repeats to the byte, and a mistake is one
line, status 2, and nothing written."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from conftest import Project
from study import Result, System
from study.commands.main import main
from study.programs.declaration import declaration

from tests.small_study import small_study
from tests.waiting import HANG_S, until

SMALL = ["run", "hawking-hps1u", "--job-size", "100000"]

MISTAKES = {
    "unknown system": (["run", "hawkin"], "hawking-hps1u"),
    "no system": (["run"], "run needs a system; there are: hawking-hps1u"),
    "no such file": (["run", "none.toml"], "none.toml"),
    "unknown parameter": ([*SMALL, "--recieve-window", "1"], "--receive-window"),
    "unknown command": (["rnu"], "run"),
    "unknown format": ([*SMALL, "--format", "xml"], "give text or json"),
    "unknown host": ([*SMALL, "--host", "linux-22"], "did you mean linux-2.2"),
    "no host": ([*SMALL, "--host"], "--host needs a value; give one of: bsd-4.2, freebsd-14"),
    "wrong unit": ([*SMALL, "--ack-latency", "10kg"], "ack-latency"),
    "no unit": ([*SMALL, "--ack-latency", "10"], "ack-latency"),
    "a time as a size": ([*SMALL, "--receive-window", "10ms"], "receive-window"),
    "out of range": ([*SMALL, "--receive-window", "65536"], "65535"),
    "window 0": ([*SMALL, "--receive-window", "0"], "receive-window"),
    "zero time": ([*SMALL, "--time-limit", "0s"], "time-limit"),
    "negative time": ([*SMALL, "--ack-latency", "-1ms"], "ack-latency"),
    "rate 0": ([*SMALL, "--link-rate", "0bps"], "link-rate"),
    "10 EB job": (["run", "hawking-hps1u", "--job-size", "10000000000000000000"], "job-size"),
    "negative rate": ([*SMALL, "--link-rate", "-1Mbps"], "link-rate"),
    "not a choice": ([*SMALL, "--protocol", "ipp"], "lpr"),
    "value missing": ([*SMALL, "--receive-window"], "--receive-window needs a value; give 1 to"),
    "two values": ([*SMALL, "--receive-window", "1460", "--receive-window", "2920"], "given twice"),
    "two values under two names": (
        ["run", "bulk", "--rate", "10Mbps", "--path-rate", "5Mbps"],
        "given twice, as 10Mbps and as 5Mbps",
    ),
    "file missing": ([*SMALL, "--pcap"], "--pcap needs a value; give the name of a file"),
    "a value that --describe ignores": (
        [*SMALL[:2], "--describe", "--receive-window", "0"],
        "--describe runs nothing",
    ),
    "two outputs in one file": ([*SMALL, "--pcap", "a", "--segments", "./a"], "both name a;"),
    "no number": (["diagnose", "x.pcap", "--connection", "y"], "give a whole number"),
    "a figure of no width": (["figure", "limits", "--size", "0mm", "-o", "x.png"], "give 51 to"),
    "no such folder": ([*SMALL, "--segments", "none/x.csv"], "none"),
    "no such folder for pcap": ([*SMALL, "--pcap", "none/x.pcap"], "none"),
    "a folder": ([*SMALL, "--segments", "."], "folder"),
}


@pytest.mark.parametrize(("arguments", "said"), MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_is_one_line_and_nothing_is_written(
    arguments, said, program, tmp_path, monkeypatch, refused
):
    monkeypatch.chdir(tmp_path)
    assert said in refused(*arguments)
    assert list(tmp_path.iterdir()) == []


def test_a_refused_run_writes_neither_capture_nor_segments(program, tmp_path, refused):
    files = ["--pcap", str(tmp_path / "x.pcap"), "--segments", str(tmp_path / "x.csv")]
    refused(*SMALL, *files, "--receive-window", "0")
    assert list(tmp_path.iterdir()) == []


def test_the_json_record_holds_what_a_script_needs(program, capsys):
    assert main([*SMALL, "--format", "json"]) == 0
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    record = json.loads(out)
    assert record["system"] == "hawking-hps1u"
    assert record["outcome"] == "finished"
    # 5 + 32 + 1 + 28 + 61 bytes of dialogue around the file: its size has six digits
    assert record["bytes"] == 100_127
    assert record["throughput_Bps"] == pytest.approx(record["bytes"] / record["duration_s"])
    assert record["parameters"].keys() == declaration("print-job").parameters.keys()


@pytest.mark.parametrize("window_B", [512, 2920, 65535])
def test_the_limits_add_up_to_the_duration(hawking: System, window_B: int):
    result = hawking.with_(receive_window=window_B, job_size=1_000_000).run()
    assert sum(result.limits_s.values()) == pytest.approx(result.duration_s, abs=1e-6)
    assert min(result.limits_s.values()) >= 0


def test_the_receive_window_is_what_limits_the_measured_job(hawking_run: Result):
    assert max(hawking_run.limits_s, key=hawking_run.limits_s.get) == "receive_window"
    assert hawking_run.limits_s["receive_window"] > 0.95 * hawking_run.duration_s


def test_the_same_input_gives_the_same_bytes(program, tmp_path, capsys):
    outputs = []
    for name in ("a", "b"):
        pcap, segments = tmp_path / f"{name}.pcap", tmp_path / f"{name}.csv"
        files = ["--pcap", str(pcap), "--segments", str(segments)]
        assert main([*SMALL, "--format", "json", *files]) == 0
        outputs.append((capsys.readouterr().out, pcap.read_bytes(), segments.read_bytes()))
    assert outputs[0] == outputs[1]
    assert outputs[0][1][:4] in (b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1")  # a little-endian pcap


def test_the_report_shows_the_measured_figures_with_residuals(program, capsys):
    assert main(["run", "hawking-hps1u"]) == 0
    out = capsys.readouterr().out
    assert "residual %" in out
    for text in ("throughput", "receive window", "steady cycle", "117695", "prediction"):
        assert text in out


def test_a_value_that_is_the_system_s_own_is_no_change(program, capsys):
    same = ["--receive-window", "2920", "--ack-latency", "116407.4us"]
    assert main(["run", "hawking-hps1u", *same, "--job-size", "20000"]) == 0
    named = re.findall(r"^changed +(\w+) ", capsys.readouterr().out, re.MULTILINE)
    assert named == ["job_size"]
    assert main(["run", "hawking-hps1u", *same]) == 0
    assert "changed       nothing: these are the system's own values" in capsys.readouterr().out


def test_a_change_is_named_and_leaves_the_measured_figures_out(program, capsys):
    changes = ["--job-size", "20000", "--window-probe-latency", "1s"]
    assert main(["run", "hawking-hps1u", *changes]) == 0
    out = capsys.readouterr().out
    assert "job_size = 20000 B (the system has 22226432 B)" in out
    assert "window_probe_latency = 1s (the system has the default, 100µs)" in out
    assert re.search(r"^duration +0\.\d+ s$", out, re.MULTILINE)
    assert "study what-if hawking-hps1u" in out
    assert "not sent" not in out and "closed form" not in out and "117695" not in out


def test_the_segment_table_is_a_dataframe_with_every_byte_of_the_job(hawking: System):
    result = hawking.with_(job_size=100_000).run(segments=True)
    sent = result.segments.query("sender == 'host' and length > 0")
    assert sent.length.sum() == result.bytes


def test_a_program_that_dies_is_one_line_with_the_command_that_reproduces_it(project: Project):
    project.replace_program("echo 'assert failed: x' >&2; kill -ABRT $$")
    done = project.study("run", "hawking-hps1u", "--receive-window", "5840")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "signal 6 (assert failed: x); to reproduce: build/print-job --receive" in done.stderr
    assert "--receive-window=5840" in done.stderr


def test_a_missing_program_says_what_to_run(program: Path, tmp_path: Path):
    project = small_study(tmp_path / "project", program)
    (project.root / "build" / "print-job").unlink()
    for arguments in (["run", "hawking-hps1u"], ["reproduce"]):
        done = project.study(*arguments)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert "run ./waf build" in done.stderr


def test_a_stalled_job_has_a_reason_and_no_rate(project: Project):
    record = {
        "format": 1, "scenario": "print-job", "outcome": "stalled", "bytes": 5840,
        "reason": "nothing moved for 1 h", "duration_s": 3601.5, "throughput_Bps": None,
        "limits_s": {"receive_window": 3601.5}, "parameters": {},
    }  # fmt: skip
    for_segments = 'for f; do case $f in --segments=*) : > "${f#*=}";; esac; done'
    project.replace_program(f"{for_segments}\necho '{json.dumps(record)}'")
    done = project.study("run", "hawking-hps1u")
    assert done.returncode == 0, done.stderr
    assert "stalled after 3,601.500 s: nothing moved for 1 h" in done.stdout
    assert "B/s" not in done.stdout


def test_a_reader_that_leaves_and_an_interrupt_are_no_traceback(project: Project):
    started = project.root / "started"
    project.replace_program(f"touch '{started}'\nexec sleep {2 * HANG_S}")
    with project.start("run", "hawking-hps1u") as process:
        until(started.exists, process)
        process.send_signal(signal.SIGINT)
        assert process.wait(HANG_S) == 130
        assert process.stderr.read().strip() == "interrupted"

    project.replace_program("exit 3")  # else each system would wait for its minute
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "study.commands.main", "systems"],
        cwd=project.root,
        env={**os.environ, "PYTHONPATH": str(project.root / "analysis")},
        stdout=writer,
        stderr=subprocess.PIPE,
    )
    os.close(writer)
    assert done.stderr == b""
    assert done.returncode not in (0, 2)


def test_a_segment_table_is_what_its_name_says(program, tmp_path, capsys):
    tables = []
    for name, read in (("s.csv", pd.read_csv), ("s.parquet", pd.read_parquet)):
        assert main([*SMALL, "--segments", str(tmp_path / name)]) == 0
        tables.append(read(tmp_path / name))
    assert list(tables[0].columns) == list(tables[1].columns)
    assert tables[0].seq.tolist() == tables[1].seq.tolist()


def test_output_into_a_pipe_or_device_goes_through_it_and_leaves_it_there(
    program, tmp_path, capsys
):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDWR | os.O_NONBLOCK)
    tiny = ["run", "hawking-hps1u", "--job-size", "1000", "--format", "json"]
    assert main([*tiny, "--segments", str(fifo)]) == 0
    assert os.read(reader, 6) == b"time_s"
    assert main([*tiny, "--pcap", str(fifo)]) == 0
    os.close(reader)
    assert fifo.is_fifo()


def test_a_range_is_refused_with_the_sweep_that_takes_it(program, refused):
    said = refused("run", "bulk", "--receive-window", "1000:9000:x2")
    assert said.endswith("sweep bulk --vary receive_window=1000:9000:x2\n")
