# SPDX-License-Identifier: GPL-2.0-only
"""Claims about workers that serve several feeds: they begin once, end once, and end at once when
they are stopped in the middle."""

from concurrent.futures import Future
from pathlib import Path

import pytest
from study import systems
from study.base import machine
from study.runs import workers
from study.runs.lasting import lasting


class Noted:
    """Workers that note what is asked of them."""

    chunk_s, lost = 0.5, ()

    def __init__(self, program: object) -> None:
        self.program, self.futures, self.closed = program, [], 0

    def count(self) -> int:
        return 1

    def submit(self, lines, hand_over) -> Future:
        self.futures.append(Future())
        return self.futures[-1]

    def close(self) -> None:
        self.closed += 1


def test_they_begin_with_the_first_feed_and_end_with_the_last():
    made = []
    with lasting(lambda program: made.append(Noted(program)) or made[-1]) as lend:
        assert made == []
        for _ in range(2):
            lent = lend("program")
            lent.submit([""], None)
            made[0].futures[-1].set_result("chunk")
            lent.close()
            assert made[0].closed == 0
    assert len(made) == made[0].closed == 1


def test_stopped_in_the_middle_they_end_at_once():
    made = []
    with lasting(lambda program: made.append(Noted(program)) or made[-1]) as lend:
        lent = lend("program")
        lent.submit([""], None)
        lent.close()
        assert made[0].closed == 1
        lend("program").submit([""], None)
    assert [each.closed for each in made] == [1, 1]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The programs that are started, one entry each."""
    found: list[object] = []

    class Counted(workers.BatchProgram):
        def __init__(self, program) -> None:
            found.append(program)
            super().__init__(program)

    monkeypatch.setattr(workers, "BatchProgram", Counted)
    return found


def test_an_answer_of_many_batches_starts_each_program_once(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, started: list[object]
):
    monkeypatch.setenv("STUDY_STORE", str(tmp_path))
    systems["telnet-xp"].with_(commands=10).explain()
    assert 1 <= len(started) <= machine.cores()


def test_looking_for_what_has_no_effect_starts_no_program_more(
    program: Path, tmp_path: Path, started: list[object]
):
    job = systems["hawking-hps1u"].with_(job_size=20_000, path_mtu=1400)
    table = job.sweep(receive_window="2000:2049:1", store=tmp_path, progress=False)
    assert len(table) == 50 and "path_mtu" not in table.attrs["varied"]
    assert 1 <= len(started) <= machine.cores()
