# SPDX-License-Identifier: GPL-2.0-only
"""Claims about what a store may not do: return what is not what was put in, end in a traceback, or
lose a finished point because another one takes long."""

import random
import shutil
import signal
import sqlite3
from pathlib import Path

import pytest
from conftest import Project
from study import StudyError
from study.commands.main import main
from study.programs.identity import identity
from study.runs.records import key_of, row_of
from study.runs.store import Store
from study.runs.store_file import SCHEMA

from tests.waiting import HANG_S, until
from tests.waiting import kept as kept_in

POINTS = 60
COPIES = 60  # that are damaged
SWEEP = ["sweep", "hawking-hps1u", "--vary", "job-size=5000"]  # too short to repeat itself
SWEEP += ["--vary", f"receive-window=1024:{1024 + 10 * (POINTS - 1)}:10"]


@pytest.fixture
def kept(tmp_path: Path, program: Path, capsys) -> Path:
    """A store and, beside it, the table that was made with it."""
    folder = tmp_path / "kept"
    assert call(folder, tmp_path / "true.csv") == 0
    capsys.readouterr()
    return folder


def call(store: Path, table: Path, *more: str) -> int:
    return main([*SWEEP, "--store", str(store), "-o", str(table), *more])


def execute(store: Path, *statements: str) -> None:
    db = sqlite3.connect(store / "results.sqlite", isolation_level=None)
    for statement in statements:
        db.execute(statement)
    db.close()


CHANGE_THE_RATES = (
    "UPDATE results SET record = CAST(replace(CAST(record AS TEXT),"
    " '\"throughput_Bps\":', '\"throughput_Bps\":9') AS BLOB) WHERE rowid % 5 = 0"
)


def test_a_changed_digit_is_run_again_and_reported(kept: Path, capsys):
    execute(kept, CHANGE_THE_RATES)
    for times, wanted in ((1, "12 ran, 48 from the store"), (2, "0 ran, 60 from the store")):
        table = kept.parent / f"{times}.csv"
        assert call(kept, table) == 0
        out, err = capsys.readouterr()
        assert wanted in out
        assert ("12 records of " in err) == (times == 1)
        assert err == "" or err.endswith("did not match the checksum: run again\n")
        assert table.read_bytes() == (kept.parent / "true.csv").read_bytes()


def test_a_call_that_ends_in_an_error_says_what_it_found_before_in_the_same_line(
    kept: Path, monkeypatch, capsys
):
    """A store can be read for the points, and no more for what comes after them."""
    execute(kept, CHANGE_THE_RATES)

    def fail(*_: object, **settings: object) -> None:
        raise StudyError("no more")

    monkeypatch.setattr("study.runs.sweep.collect", fail)
    assert call(kept, kept.parent / "x.csv") == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("study: no more; before that, 12 records of ")
    assert not (kept.parent / "x.csv").exists()


@pytest.mark.parametrize("what", ["key", "point", "record", "checksum"])
def test_every_part_of_a_record_counts(kept: Path, what: str):
    """Two records that change places are no records either."""
    keys = [key_of(identity("print-job").digest, point) for point in points(kept)]
    other = f"(SELECT {what} FROM results WHERE rowid = 1)"
    execute(kept, "CREATE TABLE x AS SELECT * FROM results", "DELETE FROM results")
    other = f"(SELECT {what} FROM x WHERE rowid = 1)"
    execute(
        kept,
        f"UPDATE x SET {what} = {other} WHERE rowid = 2",
        "INSERT OR REPLACE INTO results SELECT * FROM x",
        "DROP TABLE x",
    )
    with Store(kept) as store:
        assert len(store.get(keys)) < POINTS
        assert store.damaged == 1


@pytest.mark.parametrize("what", ["key", "point", "record", "checksum"])
def test_a_record_that_has_lost_a_part_is_none(kept: Path, what: str):
    keys = [key_of(identity("print-job").digest, point) for point in points(kept)]
    schema = "UPDATE sqlite_master SET sql = replace(sql, {}, {}) WHERE name = 'results'"
    (kind,) = (each for each in ("TEXT NOT NULL", "BLOB NOT NULL") if f"{what} {each}" in SCHEMA)
    whole, without = f"'{what} {kind}'", f"'{what} {kind.split()[0]}'"
    for statement in (schema.format(whole, without), None, schema.format(without, whole)):
        lose = statement or f"UPDATE results SET {what} = NULL WHERE rowid = 1"
        execute(kept, "PRAGMA writable_schema = ON", lose)
    with Store(kept) as store:
        found = store.get(keys)
        assert len(found) == POINTS - 1
        assert sum(map(len, store.batches())) == POINTS - 1


def points(store: Path) -> list[str]:
    with sqlite3.connect(store / "results.sqlite") as db:
        return [point for (point,) in db.execute("SELECT point FROM results")]


def spoil(data: bytearray, random_: random.Random) -> None:
    """Flips of one to thirty bits, half of them in copies where something is written; some in the
    first page, which has the header and the schema; some files end early."""
    written = [place for place, byte in enumerate(data) if byte]
    kind = random_.choice(["anywhere", "written", "written", "first page", "shorter"])
    if kind == "shorter":
        del data[random_.randrange(len(data)) :]
        return
    for _ in range(random_.choice([1, 3, 30])):
        place = random_.choice(written) if kind == "written" else random_.randrange(len(data))
        if kind == "first page":
            place = random_.choice([*range(100), *(each for each in written if each < 16384)])
        data[place] ^= 1 << random_.randrange(8)


def test_of_damaged_copies_each_gives_the_true_table_or_says_why_not(kept: Path, capsys):
    """`./waf robustness` tries many more; these are enough for each way to end."""
    whole, true = (kept / "results.sqlite").read_bytes(), (kept.parent / "true.csv").read_bytes()
    copy, table = kept.parent / "copy", kept.parent / "x.csv"
    healed, refused, reported = 0, 0, 0
    for seed in range(COPIES):
        copy.mkdir()
        data = bytearray(whole)
        spoil(data, random.Random(seed))
        (copy / "results.sqlite").write_bytes(data)
        status = call(copy, table)
        out, err = capsys.readouterr()
        if status == 0:
            assert table.read_bytes() == true, seed
            assert out.count("\n") == 1 and f"{POINTS} points in " in out
            assert err.count("\n") <= 1, (seed, err)
            reported += "did not match the checksum" in err
            healed += "0 ran" not in out
            table.unlink()
        else:
            assert (status, out, err.count("\n")) == (2, "", 1), (seed, err)
            assert err.startswith("study: ") and "results.sqlite" in err
            assert not table.exists()
            refused += 1
        shutil.rmtree(copy)
    assert min(healed, refused, reported) > COPIES / 10, (healed, refused, reported)


@pytest.mark.parametrize("option", [[], ["--prune"], ["--clear"]])
def test_a_damaged_store_is_shown_or_one_line(kept: Path, capsys, option: list[str]):
    whole = (kept / "results.sqlite").read_bytes()
    for seed in range(COPIES // 4):
        data = bytearray(whole)
        spoil(data, random.Random(seed))
        (kept / "results.sqlite").write_bytes(data)
        status = main(["store", "--store", str(kept), *option])
        _, err = capsys.readouterr()
        assert (status, err.count("\n")) in ((0, 0), (2, 1)), (seed, err)
        for file in kept.iterdir():
            file.unlink()


# Stores of others


def test_what_is_whole_of_a_damaged_store_is_taken_over(kept: Path, capsys):
    execute(kept, CHANGE_THE_RATES)
    new = ["--store", str(kept.parent / "new")]
    assert main(["store", "merge", str(kept / "results.sqlite"), *new]) == 0
    out = capsys.readouterr().out
    assert "48 results taken over, 0 were here already, 12 did not match" in out
    assert main(["store", "merge", str(kept), *new]) == 0
    assert "0 results taken over, 48 were here already, 12 did" in capsys.readouterr().out
    assert call(kept.parent / "new", kept.parent / "x.csv") == 0
    assert "12 ran, 48 from the store" in capsys.readouterr().out
    assert (kept.parent / "x.csv").read_bytes() == (kept.parent / "true.csv").read_bytes()


def test_pages_that_cannot_be_read_cost_their_records_alone(kept: Path):
    from study.runs.merge import merge

    data = bytearray((kept / "results.sqlite").read_bytes())
    middle = data.index(b'"bytes":', len(data) // 2) // 16384 * 16384
    data[middle : middle + 8] = b"\xff" * 8
    (kept / "results.sqlite").write_bytes(data)
    with Store(kept.parent / "new") as new:
        merged = merge(new, [kept])
    assert merged.gaps == 1 and 20 <= merged.taken < POINTS, merged


def test_two_machines_that_differ_are_told(kept: Path, program):
    from study.runs.merge import merge

    with Store(kept) as store, Store(kept.parent / "other") as other:
        (batch,) = store.batches()
        key, point, record, of = batch[0]
        changed = record.replace(b'"bytes":5', b'"bytes":6')
        assert changed != record
        other.put(identity("print-job"), of.ns3, of.declaration, [row_of(key, point, changed)])
        with pytest.raises(StudyError, match="two stores differ: bytes is 5125 and 6125 for"):
            merge(store, [kept.parent / "other"])
        assert store.get([key]) == {key: record}


def test_a_result_that_another_program_made_is_not_taken_for_this_ones(kept: Path, program):
    from study.runs.merge import merge

    execute(kept, "UPDATE programs SET digest = 'another'")
    with Store(kept.parent / "new") as new:
        merged = merge(new, [kept])
        assert (merged.taken, merged.damaged) == (0, POINTS)


@pytest.mark.parametrize(
    ("folders", "said"),
    [
        (["none"], "there is no result store in none"),
        (["kept"], "kept is the store to merge into: name another --store"),
        ([], "see --help"),
    ],
)
def test_a_mistake_with_merge_is_one_line(kept: Path, monkeypatch, refused, folders, said):
    monkeypatch.chdir(kept.parent)
    assert said in refused("store", "merge", *folders, "--store", "kept")


# What is done is kept


def test_a_finished_point_is_kept_while_another_of_its_chunk_takes_long(project: Project):
    project.answer_with('case "$point" in *--seed=4*) exec sleep 1000;; esac')
    with project.start("sweep", "hawking-hps1u", "--seeds", "4", "--store", "kept") as process:
        until(lambda: kept_in(project.root / "kept") == 3, process)
        process.send_signal(signal.SIGTERM)
        assert process.wait(HANG_S) == 143
        said = process.stderr.read().strip()
    assert said == ("terminated: 3 of 4 points are in the store; the same call goes on from there")
