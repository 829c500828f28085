# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the thread that puts records into a store: nothing is lost, who waits has all of it,
and what goes wrong there is heard here."""

import threading
from contextlib import nullcontext
from pathlib import Path

import pytest
from study.base.errors import StudyError
from study.programs.identity import Identity, identity
from study.runs import writer as module
from study.runs.records import Row, key_of, row_of
from study.runs.store import Store
from study.runs.writer import Writer


@pytest.fixture
def print_job(program: Path) -> Identity:
    return identity("print-job")


def rows_of(first: int, count: int) -> list[Row]:
    points = [f"--seed={number}" for number in range(first, first + count)]
    return [row_of(key_of("d", point), point, b'{"x": 1}') for point in points]


class Slow:
    """A store that takes as long as one lets it."""

    def __init__(self, fails: Exception | None = None) -> None:
        self.goes_on, self.has_begun = threading.Event(), threading.Event()
        self.parts: list[int] = []
        self._fails = fails

    def put(self, program, ns3, declaration, rows) -> None:
        self.has_begun.set()
        assert self.goes_on.wait(60)
        if self._fails:
            raise self._fails
        self.parts.append(len(rows))


def test_all_is_there_when_one_has_waited_for_it(tmp_path: Path, print_job: Identity):
    with Store(tmp_path) as store:
        writer, keys = store.writer(print_job), []
        for first in range(0, 5000, 333):
            rows = rows_of(first, 333)
            writer.put(rows)
            keys += [key for key, *_ in rows]
        writer.flush()
        assert store.get(keys) == dict.fromkeys(keys, b'{"x": 1}') and store.damaged == 0
        writer.put(rows_of(9000, 1))
        writer.close()
        assert store.get([key_of("d", "--seed=9000")])


def test_who_brings_more_than_may_wait_waits(print_job: Identity, monkeypatch):
    monkeypatch.setattr(module, "MOST_WAITING", 3)
    store = Slow()
    writer = Writer(lambda: nullcontext(store), print_job)
    writer.put(rows_of(0, 1))
    assert store.has_begun.wait(60)
    writer.put(rows_of(1, 3))
    other = threading.Thread(target=writer.put, args=[rows_of(4, 1)])
    other.start()
    other.join(0.2)
    assert other.is_alive()
    store.goes_on.set()
    other.join(60)
    writer.flush()
    assert not other.is_alive() and sum(store.parts) == 5
    writer.close()


def test_what_goes_wrong_is_heard_by_who_waits_and_by_who_brings_more(print_job: Identity):
    store = Slow(StudyError("the disk is full"))
    store.goes_on.set()
    writer = Writer(lambda: nullcontext(store), print_job)
    writer.put(rows_of(0, 1))
    with pytest.raises(StudyError, match="full"):
        writer.flush()
    with pytest.raises(StudyError, match="full"):
        writer.put(rows_of(1, 1))
    writer.close()
