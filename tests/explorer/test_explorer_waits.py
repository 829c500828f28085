# SPDX-License-Identifier: GPL-2.0-only
"""What the explorer's page waits for: as few runs as can be, and none for ever."""

from pathlib import Path

import pytest
from study import StudyError, System, systems
from study.base import read_once, toml_file
from study.explorer import runner, serve, session
from study.explorer.view import Asked
from study.programs import values
from study.programs.declaration import declaration

from benchmarks.redraw import SYSTEMS
from tests.waiting import HANG_S

HAWKING = "hawking-hps1u"


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Fills with the jobs that are simulated, as their flags."""
    seen = []

    def note(self: runner.Runner, system: System, line: str, *rest: object) -> dict:
        seen.append(line)
        return true(self, system, line, *rest)

    true = runner.Runner._record
    monkeypatch.setattr(runner.Runner, "_record", note)
    monkeypatch.setattr(runner, "LONGEST_S", HANG_S)
    return seen


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_step_of_the_slider_waits_for_its_job_and_the_packets_and_nothing_else(
    program: Path, system: str, ran: list[str]
) -> None:
    """Not for the curve's other points; and one step not for what another asked. How long that
    takes says the benchmark."""
    opened = session()  # which knows no point of a curve
    form = opened.form(system)
    axis = declaration(systems[system].scenario).parameter(form["axis"])
    own = form["opening"]["values"]
    opened.answer(Asked(system, values=own))
    controls = [each for section in form["sections"] for each in section["controls"]]
    slider = next(each for each in controls if each["key"] == axis.key)
    for number in slider["numbers"][-4:-1]:
        step = values.from_smallest(axis, number + 1).text  # no point of the curve's
        ran.clear()
        view = opened.answer(Asked(system, values={**own, axis.key: step}))
        assert view["errors"] == {} and view["more"]
        job, packets = ran
        assert f"={step}" in job and "--segments=" not in job
        assert f"={step}" in packets and "--segments=" in packets
    opened.close()


@pytest.mark.parametrize("system", (HAWKING, "relook-400s"))
def test_a_step_reads_no_file_again_that_is_as_it_was(
    program: Path, monkeypatch: pytest.MonkeyPatch, system: str
) -> None:
    monkeypatch.setattr(read_once, "SETTLED_S", 0.0)
    opened, read = session(), []
    opened.answer(Asked(system, values=opened.form(system)["opening"]["values"]))
    true = toml_file.TomlFile.__init__
    monkeypatch.setattr(
        toml_file.TomlFile, "__init__", lambda self, path: (read.append(path), true(self, path))[1]
    )
    step = {**opened.form(system)["opening"]["values"], "link_delay": "7us"}
    assert opened.answer(Asked(system, values=step))["errors"] == {}
    assert read == []
    opened.close()


def test_what_takes_too_long_says_so_and_the_next_question_is_answered(
    program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Losses, which nothing can fast-forward, and more segments than any machine sends in that time.
    slow = systems[HAWKING].with_(loss_to_host=0.01, job_size=2_000_000_000)
    opened = runner.Runner()
    with monkeypatch.context() as patch, pytest.raises(StudyError, match=r"more than 0\.05 s"):
        patch.setattr(runner, "LONGEST_S", 0.05)
        opened.run(slow)
    assert opened.run(systems[HAWKING]).outcome == "finished"
    opened.close()


def test_without_voila_the_page_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "find_spec", lambda name: None)
    with pytest.raises(SystemExit, match=r"\./waf explore"):
        serve.main([])
