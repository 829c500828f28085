# SPDX-License-Identifier: GPL-2.0-only
"""Claims about what a cluster's workers make for the client: the table and the store are those that
this machine makes, whatever comes back whole, in pieces, from the store or wrong."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from study import systems
from study.programs.identity import Identity
from study.runs import batch
from study.runs.made import with_columns
from study.runs.parquet_file import ParquetFile
from study.runs.rows import Table
from study.runs.store import Store
from study.runs.sweep import Sweep, prepare
from study.runs.workers import Chunk, Programs

LOSSY = {"job_size": 20_000, "loss_to_host": 0.02}  # nothing of it is fast-forwarded


class Workers:
    """As a cluster's, in this process."""

    chunk_s, lost = 0.05, ()

    def __init__(self, program: Identity, change: Callable[[Chunk], Chunk] = lambda c: c) -> None:
        self._program, self._change = program, change
        self._programs, self._pool = Programs(), ThreadPoolExecutor(2)

    def count(self) -> int:
        return 2

    def submit(self, lines: Sequence[str], _: object) -> Future[Chunk]:
        return self._pool.submit(self._run, lines)

    def _run(self, lines: Sequence[str]) -> Chunk:
        chunk = self._programs.run(self._program, lines)
        made = with_columns(self._program, lines, chunk.answers)
        return self._change(replace(chunk, made=made))

    def close(self) -> None:
        self._programs.close()
        self._pool.shutdown()


class Watched(Table):
    """Counts the points that came as columns."""

    came = 0

    def take(self, start, made) -> None:
        super().take(start, made)
        self.came += len(made.outcome)

    def add(self, start, answers) -> None:
        super().add(start, answers)
        self.came -= len(answers)


def fill(sweep: Sweep, rows, store: Path, change=lambda chunk: chunk, **settings):
    with Store(store) as opened:
        tally = batch.feed(
            sweep.system.scenario,
            sweep.lines(),
            rows.add,
            store=opened,
            doing="test",
            workers=lambda program: Workers(program, change),
            take=rows.take,
            **settings,
        )
        assert opened.damaged == 0
    return tally


def table(sweep: Sweep, store: Path, *given, **settings):
    rows = Watched(sweep.declared, sweep.varied, len(sweep.lines()))
    tally = fill(sweep, rows, store, *given, **settings)
    return rows.frame(), rows.came, tally


@pytest.fixture
def sweep(program: Path) -> Sweep:
    windows = [1024 + n % 180 for n in range(200)]  # some of them twice
    return prepare(systems["linksys-ppsx1"].with_(**LOSSY), receive_window=windows)


@pytest.fixture
def true(sweep: Sweep, tmp_path: Path):
    """As columns that are made of the store's records, one by one."""
    sweep.run(tmp_path / "true", progress=False)
    made, tally = sweep.run(tmp_path / "true", progress=False)
    assert tally.stored == 200
    made.attrs.clear()
    return made


def equal(made, true) -> None:
    made.attrs.clear()
    assert made.equals(true) and list(made) == list(true)


def test_columns_and_checksums_of_workers_are_ours(sweep: Sweep, true, tmp_path: Path):
    made, came, tally = table(sweep, tmp_path / "kept")
    equal(made, true)
    assert came > 100 and (tally.ran, tally.stored) == (200, 0)
    again, came, tally = table(sweep, tmp_path / "kept")
    equal(again, true)
    assert (came, tally.ran, tally.stored) == (0, 0, 200)


def test_among_points_of_the_store(sweep: Sweep, true, tmp_path: Path):
    some = replace(sweep, varied={key: column[37:160:7] for key, column in sweep.varied.items()})
    table(some, tmp_path / "kept")
    made, _, tally = table(sweep, tmp_path / "kept")
    equal(made, true)
    assert tally.stored >= 18 and tally.ran + tally.stored == 200


def other_numbers(chunk: Chunk) -> Chunk:
    parts = chunk.made.columns.results["duration_s"]
    parts.update({part: np.asarray(numbers) + 1.0 for part, numbers in parts.items()})
    return chunk


def other_sums(chunk: Chunk) -> Chunk:
    return replace(chunk, made=replace(chunk.made, sums=[b"x" * 8] * len(chunk.answers)))


def without_a_column(chunk: Chunk) -> Chunk:
    del chunk.made.columns.results["segments"]
    return chunk


@pytest.mark.parametrize("change", [other_numbers, other_sums, without_a_column])
def test_a_worker_of_another_version_gives_records_alone(sweep, true, tmp_path: Path, change):
    made, came, _ = table(sweep, tmp_path / "kept", change)
    equal(made, true)
    assert came == 0
    equal(table(sweep, tmp_path / "kept")[0], true)


def test_what_was_run_in_full_or_is_checked_so_is_kept_under_its_own_point(program, tmp_path: Path):
    sweep = prepare(systems["hawking-hps1u"].with_(job_size=300_000), receive_window="2048:2087:1")
    true, _ = sweep.run(tmp_path / "true", progress=False)
    true.attrs.clear()
    made, _, tally = table(sweep, tmp_path / "kept")
    equal(made, true)
    assert tally.fast_forwarded and tally.checked
    made, _, _ = table(sweep, tmp_path / "full", fast_forward=False)
    assert set(made.method) == {"full"} and made.duration_s.equals(true.duration_s)
    assert table(sweep, tmp_path / "full", fast_forward=False)[2].stored == 40


def test_a_file_of_several_blocks_to_a_row_group(sweep: Sweep, true, tmp_path: Path):
    from pyarrow import parquet

    file = tmp_path / "x.parquet"
    rows = ParquetFile(file, sweep.declared, sweep.varied, 200)
    fill(sweep, rows, tmp_path / "kept")
    rows.finish({})
    rows.close()
    assert parquet.ParquetFile(file).num_row_groups == 1
    import pandas as pd

    equal(pd.read_parquet(file), true.astype(pd.read_parquet(file).dtypes.to_dict()))
