# SPDX-License-Identifier: GPL-2.0-only
"""What the explorer's page waits for: as few runs as can be, and none for ever."""

import resource
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from study import StudyError, System, systems
from study.base import read_once, toml_file
from study.explorer import runner
from study.explorer.backend import Backend
from study.front import forms, leading
from study.programs.identity import identity
from study.runs import workers
from study.runs.batch import try_batch
from study.runs.feed import is_wanted

from tests.waiting import HANG_S, until

HAWKING = "hawking-hps1u"
EXAMPLES = (HAWKING, "netware", "relook-400s", "telnet-xp")  # of each scenario


def run(opened: Backend, system: str, *flags: str, files: tuple[str, ...] = ()) -> dict:
    flags = (f"--system={system}", *flags)
    program = systems[system].scenario
    return opened.answer({"kind": "run", "program": program, "flags": flags, "files": files})


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Fills with the jobs that are simulated, as their flags."""
    seen = []

    def note(self: runner.Runner, system: object, line: str, *rest: object) -> str:
        seen.append(line)
        return true(self, system, line, *rest)

    true = runner.Runner._record
    monkeypatch.setattr(runner.Runner, "_record", note)
    monkeypatch.setattr(runner, "LONGEST_S", HANG_S)
    return seen


def test_the_same_job_runs_once_however_it_is_said(program: Path, ran: list[str]) -> None:
    opened = Backend()
    first = run(opened, HAWKING, "--ack-latency=10ms")
    assert run(opened, HAWKING, "--ack-latency=10000us", "--nagle=false") == first
    assert len(ran) == 1
    run(opened, HAWKING, "--ack-latency=10ms", files=("segments",))
    assert len(ran) == 2 and "--segments=" in ran[1]
    opened.close()


@pytest.mark.parametrize("system", (HAWKING, "relook-400s"))
def test_a_step_reads_no_file_again_that_is_as_it_was(
    program: Path, monkeypatch: pytest.MonkeyPatch, system: str
) -> None:
    monkeypatch.setattr(read_once, "SETTLED_S", 0.0)
    monkeypatch.setattr(runner, "LONGEST_S", HANG_S)
    opened, read = Backend(), []
    small = f"--{plan_size(system)}=200000"
    run(opened, system, small)
    true = toml_file.TomlFile.__init__
    monkeypatch.setattr(
        toml_file.TomlFile, "__init__", lambda self, path: (read.append(path), true(self, path))[1]
    )
    assert run(opened, system, small, "--link-delay=7us")["status"] == 0
    assert read == []
    opened.close()


def plan_size(system: str) -> str:
    return forms.plan_of(systems[system]).size.replace("_", "-")


def test_what_takes_too_long_says_so_and_the_next_question_is_answered(
    program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Losses, which nothing can fast-forward, and more segments than any machine sends in that time.
    slow = ("--loss-to-host=0.01", "--job-size=2000000000")
    opened = Backend()
    with monkeypatch.context() as patch:
        patch.setattr(runner, "LONGEST_S", 0.05)
        assert run(opened, HAWKING, *slow) == {
            "late": "the run took longer than 0.05 s and was ended"
        }
    assert run(opened, HAWKING)["status"] == 0
    opened.close()


def test_a_program_that_dies_is_told_from_a_refusal(
    program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the next run begins with another."""
    opened = Backend()
    refused = run(opened, HAWKING, "--receive-window=100000")
    assert refused["status"] == 2
    assert refused["said"].startswith("receive-window: 100000 B needs window scaling")
    assert "to reproduce" not in refused["said"]
    true = workers.BatchProgram.answers

    def killed(self: workers.BatchProgram, *rest: object):
        self._process.send_signal(signal.SIGABRT)
        until(lambda: self._process.poll() is not None)
        yield from true(self, *rest)

    with monkeypatch.context() as patch:
        patch.setattr(workers.BatchProgram, "answers", killed)
        lost = run(opened, HAWKING, "--mss=536")["lost"]
    assert lost.startswith("build/print-job was killed by signal 6")
    assert run(opened, HAWKING, "--mss=536")["status"] == 0
    opened.close()


def test_a_search_for_what_stands_first_ends_with_its_page_and_the_next_begins(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is kept of one that was ended: it would be a wrong order."""
    endless = systems[HAWKING].with_(loss_to_host=0.01, job_size=2_000_000_000)
    searched, is_open, opened = [], [True], Backend()

    def search(system: System) -> None:
        searched.append(system.name)
        if system.name == HAWKING:
            try_batch(endless.scenario, [endless.flags()], "a search")
        raise StudyError("nothing is found")

    def page(name: str) -> dict:
        if name == HAWKING:
            is_wanted.set(lambda: is_open[0])
        return opened.answer({"kind": "leading", "system": name})

    monkeypatch.setattr(leading, "FOLDER", tmp_path)
    monkeypatch.setattr(leading, "find", search)
    with ThreadPoolExecutor(3) as pages:
        closed = [pages.submit(page, HAWKING)]
        until(lambda: searched)
        closed.append(pages.submit(page, HAWKING))
        still_open = pages.submit(page, "imagen-v2")
        is_open[0] = False
        assert [each.result(HANG_S)["status"] for each in closed] == [2, 2]
        assert still_open.result(HANG_S)["status"] == 0
    assert sorted(searched) == [HAWKING, "imagen-v2"]
    assert len(list(tmp_path.iterdir())) == 1
    opened.close()


def test_what_stands_first_is_tried_once(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leading, "FOLDER", tmp_path)
    system, plan = systems[HAWKING], forms.plan_of(systems[HAWKING])
    first = leading.leading(system, plan)
    assert first[:2] == ["receive_window", "ack_latency"]  # twice as fast, each of them
    monkeypatch.setattr(leading, "find", lambda _: pytest.fail("it was tried before"))
    assert leading.leading(system, plan) == first
    assert identity(system.scenario).digest  # what is kept is of one program
    with pytest.raises(pytest.fail.Exception):
        leading.leading(system.with_(mss=536), plan)


FIRST_S = 0.5  # of a processor's own time


@pytest.fixture(scope="module")
def begun(program: Path) -> None:
    """A page was open: what a server loads once, of each scenario, is loaded."""
    opened = Backend()
    for system in ("imagen-v2", "lettre-smtp", "netware", "telnet-ubuntu"):
        opened.answer({"kind": "form", "system": system})
    opened.close()


@pytest.mark.parametrize("name", systems)
def test_the_first_number_of_any_system_costs_half_a_second_at_most(begun: None, name: str):
    """The form of a system that nobody has looked at, and its opening job, by a server that has
    just begun: all that the page waits for when another system is chosen."""
    before_s, opened = processor_s(), Backend()
    form = opened.answer({"kind": "form", "system": name})
    given = form["form"]["opening"]["values"].items()
    answer = run(opened, name, *(f"--{key.replace('_', '-')}={text}" for key, text in given))
    opened.close()  # which waits for the program, whose time counts, too
    assert answer["status"] == 0 and "throughput_Bps" in answer["printed"]
    assert processor_s() - before_s < FIRST_S


def processor_s() -> float:
    """Of this process, and of the programs that it has waited for."""
    return sum(
        sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
