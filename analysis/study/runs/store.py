# SPDX-License-Identifier: GPL-2.0-only
"""Result store: SQLite file of finished runs. A chunk of records appears in it whole or not at
all, whatever happens to the process or the disk.

A result's key is a digest of the program and its ns-3, and of all parameters that differ from that
program's defaults, the seed among them. The store also has what made each record, and a checksum
over key, point and record. A record that does not match its checksum is never returned.
"""

import contextlib
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import chain, islice
from pathlib import Path

from study.base.errors import StudyError
from study.base.project import shown
from study.programs.identity import Identity
from study.runs.records import Program, Record, Row, checksum
from study.runs.store_file import ANOTHER, FILE, file_in, opened, sentences, transaction
from study.runs.writer import Writer

ASK_AT_ONCE = 10_000
SAMPLES = 64  # keys that are tried to find where the others are
READ_AT_ONCE = 1000
STATEMENT_ROWS = 200  # rows in one statement; SQLite releases Python's lock while it runs
LATEST = 1 << 40  # seconds since 1970: a larger value is no time
# As bytes, whatever type a damaged file gives them; empty for a missing value.
CHECKED = ", ".join(
    f"coalesce(CAST({column} AS BLOB), x'')" for column in ("key", "point", "record", "checksum")
)
BETWEEN = "FROM results WHERE rowid BETWEEN ? AND ?"


@dataclass(frozen=True)
class Kept:
    """Summary of a store's results of one program."""

    digest: str
    scenario: str
    ns3: str
    results: int
    newest: int  # seconds since 1970


class Store(contextlib.AbstractContextManager):
    """An open store; as a context manager it closes itself. A `source` is a store to copy from: it
    may be damaged, and is not changed."""

    def __init__(self, folder: Path | str | None = None, source: bool = False) -> None:
        self.path, self._source = file_in(folder), source
        self.gaps = 0  # places of a source that could not be read
        self.damaged = 0  # requested records that did not match their checksums
        with self._sentences():
            self._db, self._is_writable = opened(self.path, source)

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """Return the stored records by key; one that does not match its checksum is missing."""
        found: dict[bytes, bytes] = {}
        with self._sentences():
            for start in range(0, len(keys), ASK_AT_ONCE):
                part = keys[start : start + ASK_AT_ONCE]
                self._get_by_place(part, found)
                if left := [key for key in part if key not in found]:
                    self._get_by_key(left, found)
        return found

    def _get_by_place(self, keys: Sequence[bytes], found: dict[bytes, bytes]) -> None:
        """Add records by position: a sweep's results are neighbours, and reading a range costs a
        third. The index finds the rest."""
        some = keys[:: max(1, len(keys) // SAMPLES)]
        marks = ",".join("?" * len(some))
        asked = f"SELECT count(*), min(rowid), max(rowid) FROM results WHERE key IN ({marks})"
        ((count, low, high),) = self._db.execute(asked, some)
        if count < len(some) / 2 or high - low > 2 * len(keys):
            return
        wanted = set(keys)
        rows = self._db.execute(f"SELECT {CHECKED} {BETWEEN}", (low, high))
        for key, point, record, sum_ in rows:
            if key in wanted and checksum(key, point, record) == sum_:
                found[key] = record

    def _get_by_key(self, keys: Sequence[bytes], found: dict[bytes, bytes]) -> None:
        marks = ",".join("?" * len(keys))
        # Find the rows first: in their order each page is read once.
        places = f"SELECT rowid FROM results WHERE key IN ({marks})"
        rows = self._db.execute(f"SELECT {CHECKED} FROM results WHERE rowid IN ({places})", keys)
        for key, point, record, sum_ in rows:
            if checksum(key, point, record) == sum_:
                found[key] = record
            else:
                self.damaged += 1

    def put(self, program: Identity, ns3: str, declaration: str, rows: Iterable[Row]) -> None:
        """Add records, all or none. A record that another process has added meanwhile is replaced
        by its equal."""
        made = int(time.time())
        with self._sentences(), transaction(self._db) as db:
            db.execute(
                "INSERT OR IGNORE INTO programs (digest, scenario, ns3, declaration)"
                " VALUES (?, ?, ?, ?)",
                (program.digest, program.scenario, ns3, declaration),
            )
            ((number,),) = db.execute("SELECT id FROM programs WHERE digest = ?", [program.digest])
            given = iter(rows)
            while some := list(islice(given, STATEMENT_ROWS)):
                db.execute(_insert(len(some)), (number, made, *chain.from_iterable(some)))

    def batches(self) -> Iterator[list[Record]]:
        """Yield all readable records that match their checksum, several at a time."""
        with self._sentences():
            found = "SELECT id, digest, scenario, ns3, declaration FROM programs"
            programs = {number: Program(*each) for number, *each in self._db.execute(found)}
        last, step, count = 0, 0, READ_AT_ONCE
        while step < LATEST:
            try:
                rows = self._after(last + step, count)
            except (
                sqlite3.DatabaseError,
                UnicodeDecodeError,
            ):  # skip this record, and whatever of the following is damaged
                if count == 1:
                    self.gaps += not step
                    step = step * 2 or 1
                count = 1
                continue
            if not rows:
                return
            if step:
                count = READ_AT_ONCE
            batch = []
            for number, key, point, record, sum_, program in rows:
                if checksum(key, point, record) == sum_ and program in programs:
                    batch.append(Record(key, point.decode(), record, programs[program]))
                else:
                    self.damaged += 1
                last, step = number, 0
            yield batch

    def _after(self, number: int, count: int) -> list[tuple]:
        return self._db.execute(
            f"SELECT rowid, {CHECKED}, program FROM results WHERE rowid > ? ORDER BY rowid LIMIT ?",
            (number, count),
        ).fetchall()

    def remove(self, keys: Iterable[bytes]) -> None:
        """Remove these results."""
        with self._sentences(), transaction(self._db) as db:
            db.executemany("DELETE FROM results WHERE key = ?", ([key] for key in keys))

    def kept(self) -> list[Kept]:
        """Return a summary of each program's results, newest last."""
        with self._sentences():
            rows = self._db.execute(
                "SELECT digest, scenario, ns3, count(results.key), coalesce(max(made), 0)"
                " FROM programs LEFT JOIN results ON program = id GROUP BY id ORDER BY 5, 1"
            )
            kept = [Kept(*row) for row in rows]
            if not all(_is_sound(row) for row in kept):
                raise sqlite3.DatabaseError("its list of programs is damaged")
            return kept

    def prune(self, keep: Iterable[str]) -> int:
        """Remove the results of all programs except those with these digests, and return how
        many."""
        with self._sentences():
            others = {row.digest: row.results for row in self.kept()}
            for digest in keep:
                others.pop(digest, None)
            with transaction(self._db) as db:
                for digest in others:
                    chosen = "(SELECT id FROM programs WHERE digest = ?)"
                    db.execute(f"DELETE FROM results WHERE program = {chosen}", [digest])
                    db.execute("DELETE FROM programs WHERE digest = ?", [digest])
            self._db.execute("VACUUM")
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return sum(others.values())

    def size_B(self) -> int:
        """Return the store's size on disk in bytes."""
        return sum(file.stat().st_size for file in self.path.parent.glob(f"{FILE}*"))

    def check_writable(self) -> None:
        """Raise StudyError if new results could not be stored."""
        if not self._is_writable:
            raise StudyError(
                f"the result store {shown(self.path)} cannot be written, and does not have"
                f" every point; {ANOTHER}"
            )

    def writer(self, program: Identity) -> Writer:
        """Return a thread that stores records of this program."""
        return Writer(partial(Store, self.path.parent), program)

    def close(self) -> None:
        with contextlib.suppress(sqlite3.Error):  # everything is committed already
            self._db.close()

    def __exit__(self, *_: object) -> None:
        self.close()

    def _sentences(self) -> contextlib.AbstractContextManager:
        return sentences(self.path, self._source)


@cache
def _insert(count: int) -> str:
    """Return a statement that inserts `count` rows. Its first two parameters are common to all."""
    places = (range(start, start + 4) for start in range(3, 3 + 4 * count, 4))
    rows = ", ".join("(?{}, ?1, ?{}, ?{}, ?2, ?{})".format(*each) for each in places)
    return f"INSERT OR REPLACE INTO results VALUES {rows}"


def _is_sound(row: Kept) -> bool:
    """Return whether an entry for a program can be valid."""
    texts = (row.digest, row.scenario, row.ns3)
    return all(isinstance(each, str) and each.isprintable() for each in texts) and (
        isinstance(row.newest, int) and 0 <= row.newest < LATEST
    )


class NoStore:
    """Stand-in for a store, for runs whose files are wanted: finds nothing and keeps nothing."""

    path, damaged = Path(), 0

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        return {}

    def writer(self, program: Identity) -> "NoStore":
        return self

    def check_writable(self) -> None:
        pass

    def put(self, *_: object) -> None:
        pass

    def remove(self, keys: Iterable[bytes]) -> None:
        pass

    def flush(self) -> None:
        pass

    def close(self) -> None:
        pass
