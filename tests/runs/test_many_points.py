# SPDX-License-Identifier: GPL-2.0-only
"""Claims about sweeps of very many points: what is in memory does not grow with their records, a
table that is written while they run is the one that is made at the end, and what has no effect is
found without asking every group of them."""

import itertools
import json
import random
import tracemalloc
from concurrent.futures import Future
from pathlib import Path
from threading import Timer

import numpy as np
import orjson
import pandas as pd
import pytest
from conftest import FINISHED, Project
from study import System, to_xarray
from study.commands.main import main
from study.programs.declaration import declaration
from study.runs import feed
from study.runs.batch import feed as run_feed
from study.runs.effects import idle
from study.runs.outcomes import Failure
from study.runs.parquet_file import ParquetFile
from study.runs.points import table
from study.runs.rows import Table
from study.runs.store import NoStore, Store
from study.runs.sweep import prepare
from study.runs.workers import Chunk, Handed

PADDING = "x" * 4000


class Instant:
    """Workers that know the answer: of every point a large one, or as it is given by its seed."""

    chunk_s, lost = 0.5, ()
    by_seed: dict[int, dict | None] | None = None

    def __init__(self, _: object) -> None:
        self._waiting: list[tuple[Future[Chunk], list[str]]] = []

    def count(self) -> int:
        return 2

    def close(self) -> None:
        pass

    def submit(self, lines: list[str], _: Handed) -> Future[Chunk]:
        """Of two chunks the second one first, so that blocks end out of order."""
        future: Future[Chunk] = Future()
        self._waiting.append((future, lines))
        if self.by_seed is None or len(self._waiting) == 2:
            self._answer_all()
        else:  # there may be no second one
            Timer(0.05, self._answer_all).start()
        return future

    def _answer_all(self) -> None:
        waiting, self._waiting = self._waiting, []
        for future, lines in reversed(waiting):
            answers = [self._answer(line) for line in lines]
            future.set_result(Chunk(answers, 0.001 * len(lines)))

    def _answer(self, line: str) -> bytes | Failure:
        if self.by_seed is None:
            return b'{"outcome":"finished","reason":"","bytes":1,"x":"%b"}' % PADDING.encode()
        record = self.by_seed[int(line.partition("--seed=")[2] or 1)]
        return Failure("it was so") if record is None else orjson.dumps(FINISHED | record)


def test_what_is_in_memory_does_not_grow_with_the_records(program: Path, hawking: System):
    peaks = []
    for count in (40_000, 80_000):
        sweep = prepare(hawking, seeds=count)
        rows = Table(sweep.declared, sweep.varied, count)
        lines = sweep.lines()
        tracemalloc.start()
        run_feed("print-job", lines, rows.add, store=NoStore(), doing="x", workers=Instant)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert len(rows.frame()) == count
    assert (peaks[1] - peaks[0]) / 40_000 < 1000  # of a record of more than 4000


@pytest.mark.parametrize(
    "seeds",
    [
        {seed: {"bytes": seed} for seed in range(1, 41)},
        # Later a count is not whole, a part appears, and points fail; or the first ones do.
        {seed: {"segments": seed if seed < 30 else seed + 0.5} for seed in range(1, 41)},
        {seed: None if seed < 9 else {"limits_s": {"link": seed, "a": 1}} for seed in range(1, 41)},
        {seed: {"limits_s": {"link": 1.0}} if seed < 12 else None for seed in range(1, 41)},
    ],
)
def test_a_file_that_grows_is_the_table_that_is_made_at_the_end(
    hawking: System, tmp_path: Path, monkeypatch, seeds: dict
):
    monkeypatch.setattr(feed, "BLOCK", 7)
    monkeypatch.setattr(Instant, "by_seed", seeds)
    sweep = prepare(hawking, seeds=len(seeds))
    given = (sweep.declared, sweep.varied, len(seeds))
    whole, growing = Table(*given), ParquetFile(tmp_path / "x.parquet", *given)
    for rows in (whole, growing):
        run_feed("print-job", sweep.lines(), rows.add, store=NoStore(), doing="x", workers=Instant)
    growing.finish({"system": "x"})
    growing.close()
    made = whole.frame()
    read = pd.read_parquet(tmp_path / "x.parquet")
    pd.testing.assert_frame_equal(read[list(made.columns)], made, check_dtype=True)
    assert read.seed.tolist() == list(range(1, 41))
    assert read.attrs == made.attrs | {"system": "x"}
    assert [file.name for file in tmp_path.iterdir()] == ["x.parquet"]
    failed = [seed for seed, each in seeds.items() if each is None]
    found = growing.first_failure
    assert found == ((failed[0] - 1, "it was so") if failed else None) == whole.first_failure


def test_a_sweep_that_fails_leaves_no_part_of_its_file(project: Project):
    project.replace_program("while read -r point; do kill -KILL $$; done")
    (project.root / "x.parquet").write_text("as it was")
    before = project.files()
    done = project.study("sweep", "hawking-hps1u", "--seeds", "5", "-o", "none.parquet", "--host=x")
    assert done.returncode == 2
    lying = json.dumps(FINISHED | {"format": 99})
    project.replace_program(f"while read -r point; do echo '{lying}'; done")
    done = project.study("sweep", "hawking-hps1u", "--seeds", "5", "-o", "x.parquet")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert project.files().keys() - before.keys() <= {"declared.json"}
    assert (project.root / "x.parquet").read_text() == "as it was"


@pytest.mark.parametrize("fresh", [False, True])
def test_equal_points_have_equal_rows_also_in_another_block(
    hawking: System, tmp_path: Path, monkeypatch, fresh: bool
):
    monkeypatch.setattr(feed, "BLOCK", 3)
    seeds = [1, 2, 1, 3, 1, 2, 4, 4, 4, 1]
    points = pd.DataFrame({"seed": seeds})
    monkeypatch.setattr(Instant, "by_seed", {seed: {"bytes": 100 + seed} for seed in range(1, 5)})
    sweep = prepare(hawking, table(points))
    rows = Table(sweep.declared, sweep.varied, len(seeds))
    with Store(tmp_path) as store:
        tally = run_feed(
            "print-job", sweep.lines(), rows.add, store=store, doing="x", workers=Instant,
            fresh=fresh,
        )  # fmt: skip
    assert rows.frame()["bytes"].tolist() == [100 + seed for seed in seeds]
    assert tally.stored + tally.ran == len(seeds)


def test_lines_made_when_wanted_are_those_of_the_points(hawking: System):
    sweep = prepare(hawking, receive_window=[2920, 1024], ack_latency="1ms,2ms,3ms", seeds=2)
    lines = sweep.lines()
    assert len(lines) == 12 == len(set(lines))
    assert lines[3:9] == [lines[place] for place in range(3, 9)] == list(lines)[3:9]
    assert lines[1::5] == list(lines)[1::5] and lines[-1] == list(lines)[-1]
    declared = declaration("print-job")
    order = [f"--{each.flag}=" for each in declared.parameters.values()]
    for line in lines:
        places = [next(n for n, o in enumerate(order) if f.startswith(o)) for f in line.split()]
        assert places == sorted(places)


def test_what_has_no_effect_is_what_comparing_every_pair_finds():
    random_ = random.Random(1)
    seen = set()
    for _ in range(300):
        rows = [
            tuple(random_.randrange(2 + n) for n in range(3))
            for _ in range(random_.choice([2, 6, 30]))
        ]
        decides = random_.choice([(), (0,), (1, 2), (0, 1, 2)])
        came = [hash(tuple(row[n] for n in decides)) & 0xFFFF for row in rows]
        found = idle(
            {str(n): np.array([row[n] for row in rows]) for n in range(3)},
            np.array(came, "uint64"),
        )
        wanted = []
        for chosen in range(3):
            pairs = [
                came[a] == came[b]
                for a, b in itertools.combinations(range(len(rows)), 2)
                if rows[a][chosen] != rows[b][chosen]
                and all(rows[a][n] == rows[b][n] for n in range(3) if n != chosen)
            ]
            wanted += [str(chosen)] if pairs and all(pairs) else []
        assert found == wanted
        seen.add(tuple(found))
    assert len(seen) > 4


def test_a_grid_in_any_order_becomes_the_same_cube(hawking: System):
    made = hawking.with_(job_size=20_000).sweep(receive_window=[2048, 1024], protocol="raw,lpr")
    attrs = made.attrs
    cube = to_xarray(made)
    shuffled = made.sample(frac=1, random_state=3).reset_index(drop=True)
    shuffled.attrs = attrs
    assert to_xarray(shuffled).equals(cube)
    for row in made.itertuples():
        one = cube.sel(receive_window_B=row.receive_window_B, protocol=row.protocol)
        assert (float(one.duration_s), str(one.outcome.item())) == (row.duration_s, "finished")


def test_a_sweep_of_more_than_a_block_goes_on_where_it_was(program: Path, tmp_path, capsys):
    """Written as it comes, and read back, in parts of which some are in the store."""
    command = ["sweep", "hawking-hps1u", "--vary", "job-size=1:4:1", "--store", str(tmp_path / "s")]
    some, every = tmp_path / "some.parquet", tmp_path / "all.parquet"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(feed, "BLOCK", 13)
        assert main([*command, "--vary", "receive-window=1000:1009:1", "-o", str(some)]) == 0
        command += ["--vary", "receive-window=1000:1019:1"]
        assert main([*command, "-o", str(every)]) == 0
    assert "80 points in " in (out := capsys.readouterr().out) and "40 ran, 40 from the" in out
    assert main([*command, "-o", str(tmp_path / "x.csv")]) == 0
    assert "0 ran, 80 from the store" in capsys.readouterr().out
    csv = pd.read_csv(tmp_path / "x.csv", keep_default_na=False)
    assert csv.astype(str).equals(pd.read_parquet(every).astype(str))
