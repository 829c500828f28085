# SPDX-License-Identifier: GPL-2.0-only
"""Claims about sweeps: which points there are, a table that needs no cleaning, and a mistake that
is one line before anything runs."""

import io
import os
import pty
import re
import subprocess
import sys
import termios
from pathlib import Path

import pandas as pd
import pytest
from conftest import FINISHED, Project
from study import StudyError, System, systems, to_xarray
from study.commands.main import main
from study.programs.declaration import declaration
from study.programs.run import run_point
from study.programs.values import read
from study.runs.points import Limits, grid, latin_hypercube, read_list, table, zipped

SMALL = ["sweep", "hawking-hps1u", "--job-size", "20000"]


@pytest.fixture
def small(hawking: System) -> System:
    return hawking.with_(job_size=20_000)


def texts(key: str, given: object) -> list[str]:
    return [v.text for v in read_list(declaration("print-job").parameter(key), given, Limits())]


# Which points


@pytest.mark.parametrize(
    ("key", "given", "wanted"),
    [
        ("receive_window", "1024,2048, 512", ["1024", "2048", "512"]),
        ("receive_window", "1024:4096:x2", ["1024", "2048", "4096"]),
        ("receive_window", "1000:5000:x2", ["1000", "2000", "4000"]),
        ("receive_window", "1000:2000:400", ["1000", "1400", "1800"]),
        ("receive_window", "100:300:+100,5", ["100", "200", "300", "5"]),
        ("receive_window", "1:4:10lin", ["1", "2", "3", "4"]),  # each whole number once
        ("ack_latency", "1ms:100ms:3log", ["1ms", "10ms", "100ms"]),
        ("ack_latency", "0.1s:0.3s:+100ms", ["100ms", "200ms", "300ms"]),
        ("loss_to_host", "0:0.3:0.1", ["0", "0.1", "0.2", "0.30000000000000004"]),
        ("link_rate", "1Mbps:4Mbps:x2", ["1Mbps", "2Mbps", "4Mbps"]),
        ("receive_window", range(1, 4), ["1", "2", "3"]),
        ("receive_window", 1024.0, ["1024"]),
        ("nagle", [True, False], ["true", "false"]),
        ("protocol", "raw,lpr", ["raw", "lpr"]),
    ],
)
def test_a_list_or_a_range_is_these_values(program: Path, key, given, wanted):
    assert texts(key, given) == wanted


def test_a_range_ends_where_the_parameter_does_and_says_so(program: Path):
    limits = Limits()
    window = declaration("print-job").parameter("receive_window")
    assert read_list(window, "268435456:2147483648:x2", limits)[-1].number == 2**29
    assert limits.notes == [
        "receive-window: 268435456:2147483648:x2 ends at 536870912, for the largest value is "
        "1073725440 B"
    ]


def columns(points) -> dict[str, list]:
    read = points.columns(declaration("print-job"), Limits())
    return {key: [value.number for value in column] for key, column in read.items()}


def test_a_grid_has_every_combination_and_zipped_lists_move_together(program: Path):
    both = zipped(receive_window=[1, 2], send_buffer=[3, 4]) * grid(seed="1,2")
    assert columns(both) == {
        "receive_window": [1, 1, 2, 2],
        "send_buffer": [3, 3, 4, 4],
        "seed": [1, 2, 1, 2],
    }


def test_a_latin_hypercube_covers_each_range_evenly(program: Path):
    points = columns(latin_hypercube(100, ack_latency="1ms:100ms:log", loss_to_host=(0, 1)))
    loss = sorted(points["loss_to_host"])
    assert [int(value * 100) for value in loss] == list(range(100))  # one in each hundredth
    below = sum(latency_s < 0.01 for latency_s in points["ack_latency"])
    assert below == 50  # half of the points in the first of two decades
    assert points == columns(latin_hypercube(100, ack_latency="1ms:100ms:log", loss_to_host=(0, 1)))


def test_a_table_is_points_also_with_units_in_its_columns(program: Path):
    frame = pd.DataFrame({"ack_latency_s": [0.001, 0.117], "receive_window": [1024, 2048.0]})
    assert columns(table(frame)) == {"ack_latency": [0.001, 0.117], "receive_window": [1024, 2048]}
    with pytest.raises(StudyError, match="ack_latency has no value in row 2 of the table, below"):
        columns(table(pd.DataFrame({"ack_latency": ["1ms", None]}, index=[10, 11])))
    with pytest.raises(StudyError, match="no parameter 'ack_latency_ms'; did you mean ack_latency"):
        columns(table(pd.DataFrame({"ack_latency_ms": [1]})))


def test_a_value_reads_to_the_text_that_the_program_echoes(program: Path):
    given = {
        "ack_latency": "0.1164074s", "reply_time": "1e3us", "link_rate": "2.5Mbps",
        "port_rate": "1000kbps", "loss_to_host": "1e-4", "loss_to_device": ".25",
        "drain_pause": "0.5h", "job_size": "0100", "time_limit": "1000h", "think_time": "1.4ns",
    }  # fmt: skip
    declared = declaration("print-job")
    echo = run_point("print-job", [f"--{declared.parameter(k).flag}={v}" for k, v in given.items()])
    own = {key: read(declared.parameter(key), text).text for key, text in given.items()}
    assert own == {key: echo["parameters"][key] for key in given}


# Host profiles


def test_a_profile_is_varied_like_a_parameter(hawking: System):
    """Each row is the system behind that host; what is varied or set beside it wins."""
    small = hawking.with_(job_size=20_000, initial_window=3)
    made = small.sweep(host="bsd-4.2,linux-2.2", nagle=[True, False])
    assert list(made.host) == ["bsd-4.2", "bsd-4.2", "linux-2.2", "linux-2.2"]
    for row in made.itertuples():
        behind = hawking.with_host(row.host).with_(nagle=row.nagle)
        alone = behind.with_(job_size=20_000, initial_window=3).run()
        assert (row.duration_s, row.segments) == (alone.duration_s, alone.record["segments"])
    assert made.segments.nunique() > 1  # the hosts differ in how they cut the job
    assert "host" not in made.attrs["without_effect"]


def test_a_profile_may_stand_in_a_table_of_points(hawking: System):
    small = hawking.with_(job_size=20_000)
    frame = pd.DataFrame({"host": ["linux-2.2", "bsd-4.2"], "seed": [1, 2]})
    assert small.sweep(frame).duration_s.tolist() == [
        small.with_host(host).run().duration_s for host in frame.host
    ]


# The table


def test_the_table_has_units_in_its_names_and_types_that_need_no_cleaning(hawking: System):
    made = hawking.with_(job_size=5000).sweep(
        receive_window=[1024, 2048], ack_latency=["1ms", "10ms"], nagle="true", protocol="raw",
        link_rate="10Mbps", seeds=2,
    )  # fmt: skip
    types = {name: str(dtype) for name, dtype in made.dtypes.items()}
    assert types["receive_window_B"] == types["seed"] == types["link_rate_bps"] == "int64"
    assert types["ack_latency_s"] == types["throughput_Bps"] == types["duration_s"] == "float64"
    assert types["protocol"] == types["outcome"] == types["method"] == "category"
    assert types["nagle"] == "bool"
    assert types["bytes"] == types["segments"] == "Int64"
    assert list(made.protocol.cat.categories) == ["lpr", "raw"]
    assert set(made.method) == {"full"}  # too short to repeat itself
    assert len(made) == 8
    assert made.ack_latency_s.tolist() == [0.001, 0.001, 0.01, 0.01] * 2
    limits = made[[name for name in made if name.startswith("limits_")]]
    assert limits.sum(axis=1).to_numpy() == pytest.approx(made.duration_s, abs=1e-6)
    assert made.attrs["parameters"]["job_size"] == "5000"


def test_a_row_is_what_the_system_gives_alone(small: System):
    made = small.sweep(receive_window=[512, 5840], ack_latency=["3ms", "117ms"])
    for row in made.itertuples():
        alone = small.with_(
            receive_window=row.receive_window_B, ack_latency=f"{row.ack_latency_s}s"
        ).run()
        assert (row.duration_s, row.bytes) == (alone.duration_s, alone.bytes)


def test_types_are_the_same_when_a_point_failed(project: Project):
    project.answer_with('case "$point" in *--seed=2*) kill -KILL $$;; esac')
    assert (
        project.study("sweep", "hawking-hps1u", "--seeds", "2", "-o", "x.parquet").returncode == 1
    )
    made = pd.read_parquet(project.root / "x.parquet")
    assert made.outcome.tolist() == ["finished", "failed"]
    assert str(made.bytes.dtype) == "Int64" and str(made.duration_s.dtype) == "float64"
    assert made.bytes.isna().tolist() == made.duration_s.isna().tolist() == [False, True]


def test_a_sweep_without_parameters_is_the_system_itself(small: System):
    assert small.sweep().duration_s.tolist() == [small.run().duration_s]


def test_csv_and_parquet_hold_the_same_and_the_same_call_writes_the_same_bytes(
    program: Path, tmp_path: Path
):
    files = [tmp_path / name for name in ("a.parquet", "b.parquet", "a.csv")]
    for file in files:
        assert main([*SMALL, "--vary", "ack-latency=1ms:100ms:5log", "-o", str(file)]) == 0
    assert files[0].read_bytes() == files[1].read_bytes()
    parquet, csv = pd.read_parquet(files[0]), pd.read_csv(files[2], keep_default_na=False)
    assert parquet.attrs["units"]["ack_latency_s"] == "s"
    assert csv.astype(str).equals(parquet.astype(str))


def test_a_grid_becomes_an_xarray_with_dimensions_and_units_and_others_become_points(
    small: System,
):
    cube = to_xarray(small.sweep(receive_window=[1024, 2048], ack_latency=["1ms", "10ms", "20ms"]))
    assert dict(cube.sizes) == {"receive_window_B": 2, "ack_latency_s": 3}
    assert cube.throughput_Bps.attrs["units"] == "B/s"
    one = cube.sel(receive_window_B=2048, ack_latency_s=0.01)
    assert one.bytes == small.with_(receive_window=2048, ack_latency="10ms").run().bytes
    pairs = to_xarray(small.sweep(zipped(receive_window=[1024, 2048], ack_latency="1ms,2ms")))
    assert dict(pairs.sizes) == {"point": 2} and "ack_latency_s" in pairs.coords


# The command


def test_points_come_from_a_file_and_from_standard_options_together(
    program: Path, tmp_path: Path, capsys
):
    (tmp_path / "p.csv").write_text("receive_window_B,ack_latency\n1024,1ms\n2048,2ms\n")
    command = [*SMALL, "--points", str(tmp_path / "p.csv"), "--zip", "nagle=true,false"]
    assert main([*command, "--zip", "send-buffer=2000,3000", "--seeds", "2"]) == 0
    made = pd.read_csv(io.StringIO(capsys.readouterr().out))
    assert len(made) == 8
    assert made.columns[:5].tolist() == [
        "receive_window_B", "ack_latency_s", "nagle", "send_buffer_B", "seed",
    ]  # fmt: skip


def test_a_stalled_job_is_a_result(project: Project):
    stalled = str(FINISHED | {"outcome": "stalled", "throughput_Bps": None, "reason": "nothing"})
    record = stalled.replace("'", '"').replace("None", "null")
    project.replace_program(f"while read -r point; do echo '{record}'; done")
    done = project.study("sweep", "hawking-hps1u", "--seeds", "3", "-o", "x.csv")
    assert (done.returncode, done.stderr) == (0, "")
    assert "3 ran, 0 from the store, 3 stalled" in done.stdout
    assert "stalled,nothing" in (project.root / "x.csv").read_text()


def test_a_pipe_gets_data_and_nothing_else_and_a_terminal_a_bar_and_a_clean_last_line(
    program: Path, tmp_path: Path
):
    command = [sys.executable, "-m", "study.commands.main", *SMALL, "--fresh", "--seeds", "300"]
    piped = subprocess.run(command, capture_output=True, text=True)
    assert piped.stderr == "" and piped.stdout.count("\n") == 301

    reader, writer = pty.openpty()
    termios.tcsetwinsize(writer, (24, 100))
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=writer)
    os.close(writer)
    seen = b""
    while True:
        try:
            read = os.read(reader, 1000)
        except OSError:  # the terminal's other end is closed
            break
        seen += read
    assert process.wait() == 0
    screen = seen.decode().replace("\r\n", "\n")
    assert re.search(r"hawking-hps1u: +\d+%.*\d+/300 \[.*point/s\]", screen)
    last = screen.rpartition("\r")[2]  # what is left after the bar has been wiped out
    assert re.fullmatch(r"300 points in \d+\.\d s: 300 ran, 0 from the store\n", last)


MISTAKES = {
    "no system": (["sweep"], "sweep needs a system; there are: hawking-hps1u"),
    "unknown system": (["sweep", "hawkin"], "did you mean hawking-hps1u"),
    "unknown parameter": ([*SMALL, "--vary", "recieve-window=1"], "did you mean receive_window"),
    "no values": ([*SMALL, "--vary", "receive-window="], "give NAME=VALUES"),
    "no list": ([*SMALL, "--vary"], "--vary needs a value; give NAME=VALUES"),
    "value out of range": (
        [*SMALL, "--vary", "receive-window=1,2000000000"],
        "2000000000 is out of range",
    ),
    "no unit": ([*SMALL, "--vary", "ack-latency=1:10:x2"], "'1' is not a time"),
    "range backwards": ([*SMALL, "--vary", "ack-latency=9ms:1ms:x2"], "9ms is not below 1ms"),
    "range of one": ([*SMALL, "--vary", "receive-window=1:9:1lin"], "takes 2 values or more"),
    "range of names": ([*SMALL, "--vary", "protocol=lpr:raw:x2"], "is no range; write LOW:HIGH"),
    "range of two": ([*SMALL, "--vary", "receive-window=1:9"], "is no range; write LOW:HIGH:x2"),
    "factor 1": ([*SMALL, "--vary", "receive-window=1:9:x1"], "a factor above 1"),
    "no factor": ([*SMALL, "--vary", "receive-window=1:9:xx"], "a factor above 1"),
    "times from 0": ([*SMALL, "--vary", "loss-to-host=0:1:x2"], "a start above 0"),
    "log from 0": ([*SMALL, "--vary", "loss-to-host=0:1:5log"], "log a start above 0"),
    "step 0": ([*SMALL, "--vary", "receive-window=1:9:0"], "its step has to be above 0"),
    "start out of range": ([*SMALL, "--vary", "receive-window=0:9:1"], "0 is out of range"),
    "endless range": ([*SMALL, "--vary", "ack-latency=1ns:1h:1ns"], "points are more than 100,000"),
    "too many": ([*SMALL, "--vary", "seed=1:1000000:1"], "1,000,000 points are more than 100,000"),
    "varied and set": ([*SMALL, "--vary", "job-size=1,2"], "both varied and set to 20000"),
    "varied twice": (
        [*SMALL, "--vary", "seed=1", "--vary", "seed=2"],
        "seed is given twice",
    ),
    "seeds and seed": ([*SMALL, "--vary", "seed=1", "--seeds", "2"], "seed is varied twice"),
    "no seeds": ([*SMALL, "--seeds", "0"], "--seeds: 0 is not in the range x>=1; give how many"),
    "unequal lists": (
        [*SMALL, "--zip", "seed=1,2", "--zip", "receive-window=1"],
        "equally long: seed has 2, receive_window has 1",
    ),
    "a cube of nothing": ([*SMALL, "--latin-hypercube", "5"], "a number of points above 0 and"),
    "a cube of names": (
        [*SMALL, "--latin-hypercube", "5", "--vary", "protocol=lpr:raw"],
        "no range of a Latin hypercube",
    ),
    "no table": ([*SMALL, "--points", "none.csv"], "none.csv cannot be read: no such file"),
    "no such kind of table": ([*SMALL, "--points", "p.xls"], "end in .csv or .parquet"),
    "no such kind of output": ([*SMALL, "-o", "x.xls"], "end in .csv or .parquet"),
    "no such host": (
        [*SMALL, "--vary", "host=linux-22"],
        "there is no host 'linux-22'; did you mean linux-2.2",
    ),
    "host varied and set": (
        [*SMALL, "--host", "bsd-4.2", "--vary", "host=linux-2.2"],
        "host is both varied and set to bsd-4.2",
    ),
    "no such folder": ([*SMALL, "-o", "none/x.csv"], "there is no folder none"),
}


@pytest.mark.parametrize(("arguments", "said"), MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_is_one_line_and_nothing_is_written(
    arguments, said, program, tmp_path, monkeypatch, refused
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("study.runs.sweep.collect", lambda *_: pytest.fail("it ran"))
    assert said in refused(arguments[0], "--store", "kept", *arguments[1:])
    assert list(tmp_path.iterdir()) == []


def test_a_bad_value_of_a_system_file_is_refused_at_its_line(hawking: System, tmp_path: Path):
    text = Path("scenarios/systems/hawking-hps1u.toml").read_text()
    (tmp_path / "x.toml").write_text(text.replace("value = 2920", "value = 2920000000", 1))
    with pytest.raises(
        StudyError, match=r"x\.toml:\d+: receive_window: 2920000000B is out of range"
    ):
        systems[str(tmp_path / "x.toml")].sweep()
