# SPDX-License-Identifier: GPL-2.0-only
"""Claims about what a system's file says the model has not: whatever answers a change that rests on
it says so in the same sentence."""

import json

import pytest
from study import systems
from study.commands.main import main
from study.drawing import Span, draw

WHAT = "the writer is woken late"
SAID = f"mine: a change of receive_window would rest on no model: {WHAT}"
CHANGE = ["--receive-window", "1024"]


@pytest.fixture
def own(tmp_path):
    """A job whose receive window nobody may ask of."""
    path = tmp_path / "mine.toml"
    path.write_text(
        'title = "Mine"\nscenario = "print-job"\nhost = "linux-6"\n'
        '[parameters]\njob_size = { value = 20, unit = "kB", basis = "assumed", source = "x" }\n'
        f'[not_modelled]\nlate = {{ what = "{WHAT}", blocks = ["receive_window", "nagle"] }}\n'
    )
    return str(path)


def said(capsys, *arguments):
    assert main(list(arguments)) == 0
    out, err = capsys.readouterr()
    return out, err.splitlines()


def test_a_run_has_it_as_a_note_and_in_its_record(program, own, capsys):
    out, _ = said(capsys, "run", own, *CHANGE)
    assert f"note          {SAID}\n" in out
    out, _ = said(capsys, "run", own, *CHANGE, "--format", "json")
    assert json.loads(out)["rests_on_no_model"] == SAID
    for other in ([], ["--mss", "536"]):
        assert WHAT not in said(capsys, "run", own, *other)[0]


def test_it_is_the_sentence_that_a_what_if_is_refused_with(program, own, refused):
    assert SAID in refused("what-if", own, *CHANGE)


def test_a_sweep_ends_with_it(program, own, tmp_path, capsys):
    stored = ["--store", str(tmp_path / "kept"), "-o", str(tmp_path / "t.csv")]
    for vary in ("receive_window=1024,2048", "host=linux-6,windows-xp"):
        _, err = said(capsys, "sweep", own, "--vary", vary, *stored)
        name = "receive_window" if "host" not in vary else "nagle"
        assert err[-1] == f"study: {SAID.replace('receive_window', name)}"
    _, err = said(capsys, "sweep", own, "--vary", "mss=536,1460", *stored)
    assert not any(WHAT in line for line in err)


def test_a_figure_has_it_in_its_caption(program, own):
    system = systems[own]
    window, mss = {"receive_window": "1024,2048"}, {"mss": "536,1460"}
    assert SAID in draw("curve", system, Span(), vary=window).caption
    assert SAID in draw("curve", system, Span(), vary=mss, by=window).caption
    assert SAID in draw("curve", system.with_(receive_window=1024), Span(), vary=mss).caption
    assert SAID in draw("limits", system.with_(receive_window=1024), Span()).caption
    assert WHAT not in draw("curve", system, Span(), vary=mss).caption
    hosts = {"host": "linux-6,windows-xp"}
    assert "nagle would rest" in draw("curve", system, Span(), vary=mss, by=hosts).caption
