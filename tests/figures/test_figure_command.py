# SPDX-License-Identifier: GPL-2.0-only
"""Claims about `study figure`: it lists, draws and tells the runs behind a figure, and a mistake is
one line."""

import json
import shlex
from pathlib import Path

import pytest
from study import drawing, figures
from study.commands.main import main
from study.figures import silly_windows
from study.programs.declaration import declaration

SUFFIXES = {".svg", ".pdf", ".png", ".csv"}


def told(capsys, *arguments: str) -> list[list[str]]:
    """The commands that --provenance prints, and what each says it gave."""
    assert main(["figure", *arguments, "--provenance"]) == 0
    lines = capsys.readouterr().out.splitlines()
    return [line.strip().split("  # ") for line in lines if "  # " in line]


def test_a_printed_command_gives_the_printed_number(program: Path, capsys):
    runs = told(capsys, "silly-windows")
    assert len(runs) == len(silly_windows.RULES) * len(silly_windows.CHUNKS_B)
    for command, number in (runs[0], runs[-1]):
        assert command.startswith("study run ")
        assert main([*shlex.split(command)[1:], "--format", "json"]) == 0
        record = json.loads(capsys.readouterr().out)
        assert f"{record['throughput_Bps']:,.1f} B/s" == number


def test_a_run_behind_another_host_is_repeated_by_the_program(program: Path, capsys):
    """No system comes to those parameters: the command says them all."""
    own = ["limits", "hawking-hps1u", "--host", "linux-6"]
    commands = [command for command, _ in told(capsys, *own)]
    assert commands[-1].startswith("build/print-job --")


def test_the_file_beside_a_figure_has_the_complete_parameters(program: Path, tmp_path: Path):
    arguments = ["figure", "time-sequence", "netgear-ps101", "--job-size", "50000"]
    assert main([*arguments, "--size", "slide", "-o", str(tmp_path / "mine")]) == 0
    stem = tmp_path / "mine" / "time-sequence-netgear-ps101-slide"
    assert {path.suffix for path in stem.parent.iterdir()} == SUFFIXES | {".json"}
    entries = json.loads(Path(f"{stem}.json").read_text())
    (run,) = entries["runs"]
    assert run["parameters"].keys() == declaration("print-job").parameters.keys()
    assert run["parameters"]["job_size"] == "50000"
    assert run["command"] == "study run netgear-ps101 --job-size=50000"
    assert len(entries["programs"]["print-job"]["sha256"]) == 64


def test_without_a_name_every_figure_and_kind_has_a_line(program: Path, capsys):
    assert main(["figure"]) == 0
    out = capsys.readouterr().out
    for name in [*figures.FIGURES, *drawing.KINDS]:
        assert any(line.startswith(f"  {name} ") for line in out.splitlines()), name


def test_what_is_said_to_be_written_is_there_from_where_one_is(
    program, tmp_path, monkeypatch, capsys
):
    """Figures go into the project, wherever the command is called."""
    monkeypatch.chdir(tmp_path)
    own = ["figure", "limits", "hawking-hps1u", "--job-size", "50kB", "--as", "csv"]
    for more in ([], ["-o", "mine"]):
        assert main([*own, *more]) == 0
        stem, _, _ = capsys.readouterr().out.strip().partition(".{")
        assert Path(f"{stem}.csv").is_file() and Path(stem).is_absolute() != bool(more)


MISTAKES = {
    "unknown figure": (["leder"], "did you mean ladder"),
    "a kind without a system": (["time-sequence", "--receive-window", "1"], "need a system"),
    "a figure with a system": (["residuals", "hawking-hps1u"], "give it without a system"),
    "unknown kind": (["rectangle", "hawking-hps1u"], "there are: curve, ladder, limits"),
    "unknown system": (["ladder", "hawkin"], "hawking-hps1u"),
    "unknown size": (["ladder", "--size", "broad"], "poster"),
    "a bad value": (["ladder", "hawking-hps1u", "--receive-window", "0"], "receive-window"),
    "a time without unit": (["ladder", "hawking-hps1u", "--to", "3"], "'3' is not a time"),
    "the end first": (["ladder", "hawking-hps1u", "--from", "2s", "--to", "1s"], "later than"),
    "after the job": (["ladder", "hawking-hps1u", "--from", "1h"], "after the job's last packet"),
    "a file as folder": (["method", "-o", __file__], "is a file, not a folder"),
    "a list for a ladder": (["ladder", "hawking-hps1u", "--vary", "mss=500,1000"], "curve"),
    "a list without a system": (["curve", "--vary", "mss=500"], "needs a system"),
    "two lists": (
        ["curve", "hawking-hps1u", "--vary", "mss=500", "--vary", "seed=1"],
        "over one parameter; 2 were given",
    ),
    "varied and set": (
        ["curve", "hawking-hps1u", "--vary", "mss=500,1000", "--mss", "600"],
        "both varied and set",
    ),
    "no such number": (["curve", "hawking-hps1u", "--y", "rate"], "no number 'rate'"),
    "no such size": (["curve", "hawking-hps1u", "--size", "big"], "size 'big'"),
    "no such font": (["curve", "hawking-hps1u", "--font", "Nope"], "no font 'Nope'"),
    "no such format": (["curve", "hawking-hps1u", "--as", "svg,doc"], "no format 'doc'"),
}


@pytest.mark.parametrize("case", MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_is_one_line_and_nothing_is_written(case, program, tmp_path, monkeypatch, capsys):
    arguments, mentioned = case
    monkeypatch.chdir(tmp_path)
    if "-o" not in arguments:
        arguments = [*arguments, "-o", "mine"]
    assert main(["figure", *arguments]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert mentioned in err
    assert list(tmp_path.iterdir()) == []
