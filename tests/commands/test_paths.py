# SPDX-License-Identifier: GPL-2.0-only
"""Paths as a user gives them: an empty one is refused everywhere, a file is no folder, and a name
with dots keeps them."""

from pathlib import Path

import click
import pytest
from study import StudyError
from study.commands.main import main, study
from study.commands.usage import PATH
from study.runs.store import Store

SMALL = ["hawking-hps1u", "--job-size", "20000"]
EMPTY = {
    "--store of a sweep": ["sweep", *SMALL, "--store", ""],
    "--store of the store": ["store", "--store", ""],
    "--pcap": ["run", *SMALL, "--pcap", ""],
    "-o of a figure": ["figure", "limits", *SMALL, "-o", ""],
    "-o of a report": ["report", "-o", ""],
    "-o of an export": ["export", "-o", ""],
    "an archive": ["verify", ""],
    "a table": ["plot", "", "--x", "a", "--y", "b"],
    "a store": ["store", "merge", ""],
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("arguments", EMPTY.values(), ids=EMPTY.keys())
def test_an_empty_path_is_refused_and_nothing_is_written(program, here: Path, arguments, refused):
    """pathlib takes it for the current folder."""
    assert "an empty path" in refused(*arguments)
    assert list(here.iterdir()) == []


def test_every_path_of_every_command_refuses_an_empty_one():
    commands, found = [study], []
    for command in commands:
        commands += getattr(command, "commands", {}).values()
        found += [each for each in command.params if each.type is PATH]
        others = [
            each for each in command.params if isinstance(each.type, click.types.FuncParamType)
        ]
        assert [each.name for each in others] == [], command.name
    assert len(found) > 10


def test_an_empty_path_of_a_store_is_refused_in_python(here: Path):
    with pytest.raises(StudyError, match="an empty path"):
        Store("")
    assert list(here.iterdir()) == []


def test_a_file_in_the_place_of_figure_s_folder_is_that_file(program, here: Path, capsys):
    """Its ending says the format, as it does of `.save` in Python."""
    assert main(["figure", "limits", *SMALL, "-o", "port.png"]) == 0
    assert capsys.readouterr().out == "port.png\n"
    assert [each.name for each in here.iterdir()] == ["port.png"]
    assert (here / "port.png").read_bytes().startswith(b"\x89PNG")


MISTAKEN = {
    "two formats": (
        ["figure", "limits", *SMALL, "--as", "svg", "-o", "a.png"],
        "different formats",
    ),
    "all figures": (["figure", "all", "-o", "all.png"], "all.png is the name of a file"),
    "no format": (["figure", "limits", *SMALL, "-o", "a.jpg"], "a.jpg is the name of a file"),
    "a report": (["report", *SMALL[:1], "--as", "html", "-o", "a.html"], "a.html is the name of a"),
}


@pytest.mark.parametrize(("arguments", "said"), MISTAKEN.values(), ids=MISTAKEN.keys())
def test_a_file_where_several_are_written_is_refused(program, here: Path, arguments, said, refused):
    assert said in refused(*arguments)
    assert list(here.iterdir()) == []


@pytest.mark.parametrize(
    ("capture", "name"),
    [
        ("10.1.2.3-job.pcap", "10-1-2-3-job"),
        ("a/b.c/job.pcapng.gz", "job"),
        ("job.2026-01-02.txt", "job-2026-01-02"),
        ("-", "capture"),
        (".pcap", "capture"),
    ],
)
def test_a_capture_s_name_loses_its_ending_and_nothing_else(capture: str, name: str):
    from study.diagnosis.diagnosis import Diagnosis

    made = Diagnosis.__new__(Diagnosis)
    vars(made).update(file=None, capture=capture)
    assert made.name == name
