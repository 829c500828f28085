# SPDX-License-Identifier: GPL-2.0-only
"""The results of runs, kept: one SQLite file, in which a chunk of records appears whole or not at
all, whatever happens to the process or the disk.

A result's key is a digest of the program and its ns-3, and of all parameters that differ from that
program's defaults, the seed among them. Beside the record stands what made it, and a checksum over
key, point and record: what does not match it is never returned. SQLite with a write-ahead log: it
comes with Python, two processes may write at once, and a killed one leaves nothing half written.
"""

import contextlib
import hashlib
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import NamedTuple

from study.base.errors import StudyError, why
from study.base.project import ROOT, shown
from study.programs.identity import Identity
from study.runs.progress import tell

FILE = "results.sqlite"
FORMAT = 2
WITHOUT_CHECKSUMS = 1  # the format that had none
WAIT_S = 60  # for another process that is writing
ASK_AT_ONCE = 10_000
SAMPLES = 64  # of so many
READ_AT_ONCE = 1000
LATEST = 1 << 40  # seconds since 1970: what is beyond is no time
OLDER = "of an older form, whose records have no checksums"
ANOTHER = "name another with --store or STUDY_STORE"
SCHEMA = """
CREATE TABLE programs (
    id INTEGER PRIMARY KEY,
    digest TEXT NOT NULL UNIQUE,  -- of the program and of the ns-3 libraries it loads
    scenario TEXT NOT NULL,
    ns3 TEXT NOT NULL,            -- version
    declaration TEXT NOT NULL     -- what --describe printed: with a point, its complete parameters
);
CREATE TABLE results (
    key BLOB NOT NULL UNIQUE,
    program INTEGER NOT NULL REFERENCES programs (id),
    point TEXT NOT NULL,          -- the flags of what differs from the defaults
    record BLOB NOT NULL,         -- the program's answer, without the echo of its parameters
    made INTEGER NOT NULL,        -- seconds since 1970
    checksum BLOB NOT NULL        -- of key, point and record
);
CREATE INDEX results_of_program ON results (program)
"""
STATEMENTS = [each.strip() for each in SCHEMA.split(";")]
# As bytes, whatever type a damaged file gives them; none at all where it has lost one.
CHECKED = ", ".join(
    f"coalesce(CAST({column} AS BLOB), x'')" for column in ("key", "point", "record", "checksum")
)

BETWEEN = "FROM results WHERE rowid BETWEEN ? AND ?"

Row = tuple[bytes, str, bytes]  # key, point, record


@dataclass(frozen=True)
class Kept:
    """What the store has of one program."""

    digest: str
    scenario: str
    ns3: str
    results: int
    newest: int  # seconds since 1970


class Program(NamedTuple):
    """What a store says of a program."""

    digest: str
    scenario: str
    ns3: str
    declaration: str


class Record(NamedTuple):
    """A result and what made it."""

    key: bytes
    point: str
    record: bytes
    program: Program


def default_folder() -> Path:
    """STUDY_STORE, or .store/ beside the code: it outlives build/, as .venv does."""
    given = os.environ.get("STUDY_STORE")
    if given == "":
        raise StudyError("STUDY_STORE is empty: name a folder, or unset it for .store/")
    return Path(given or ROOT / ".store")


def key_of(digest: str, point: str) -> bytes:
    """The key of a point (canonical flags) under a program."""
    return hashlib.blake2b(f"{digest} {point}".encode(), digest_size=16).digest()


def checksum(key: bytes, point: bytes, record: bytes) -> bytes:
    """64 bits: of all damaged records there ever will be, none is likely to match its own."""
    return hashlib.blake2b(b"%b %b %b" % (key, point, record), digest_size=8).digest()


def file_in(folder: Path | str | None) -> Path:
    """Where a store is kept."""
    return (default_folder() if folder is None else Path(folder)) / FILE


class Store(contextlib.AbstractContextManager):
    """An open store; as a context manager it closes itself. From a `source` records are taken
    over: it may be damaged, and is not changed."""

    def __init__(self, folder: Path | str | None = None, source: bool = False) -> None:
        self.path, self._source = file_in(folder), source
        self.gaps = 0  # places of a source that could not be read
        self.damaged = 0  # records that were asked for and did not match their checksums
        with self._sentences():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._open()

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The records that are there, by key. One that does not match its checksum is not."""
        found: dict[bytes, bytes] = {}
        with self._sentences():
            for start in range(0, len(keys), ASK_AT_ONCE):
                part = keys[start : start + ASK_AT_ONCE]
                self._get_by_place(part, found)
                if left := [key for key in part if key not in found]:
                    self._get_by_key(left, found)
        return found

    def _get_by_place(self, keys: Sequence[bytes], found: dict[bytes, bytes]) -> None:
        """Those of a sweep stand nearly where they were put in: side by side, where reading costs
        a third. Which are not here, the index tells."""
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
        # First where they are, and then in that order: a page is read once.
        places = f"SELECT rowid FROM results WHERE key IN ({marks})"
        rows = self._db.execute(f"SELECT {CHECKED} FROM results WHERE rowid IN ({places})", keys)
        for key, point, record, sum_ in rows:
            if checksum(key, point, record) == sum_:
                found[key] = record
            else:
                self.damaged += 1

    def put(
        self,
        program: Identity,
        ns3: str,
        declaration: str,
        rows: Iterable[Row],
        sums: Iterable[bytes] | None = None,
    ) -> None:
        """Add records, all of them or none; with their checksums, where somebody has made them. One
        that another process has added since is replaced by its equal."""
        made = int(time.time())
        with self._sentences(), self._transaction() as db:
            db.execute(
                "INSERT OR IGNORE INTO programs (digest, scenario, ns3, declaration)"
                " VALUES (?, ?, ?, ?)",
                (program.digest, program.scenario, ns3, declaration),
            )
            ((number,),) = db.execute("SELECT id FROM programs WHERE digest = ?", [program.digest])
            if sums is None:
                checked = (
                    (key, number, point, record, made, checksum(key, point.encode(), record))
                    for key, point, record in rows
                )
            else:
                keys, points, records = zip(*rows, strict=True)
                columns = (keys, repeat(number), points, records, repeat(made), sums)
                checked = zip(*columns, strict=False)  # two of them never end
            db.executemany("INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?, ?, ?)", checked)

    def batches(self) -> Iterator[list[Record]]:
        """All that matches its checksum and can be read, some at a time."""
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
            ):  # among these; then this one, and what comes after it?
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
        """Forget these results."""
        with self._sentences(), self._transaction() as db:
            db.executemany("DELETE FROM results WHERE key = ?", ([key] for key in keys))

    def kept(self) -> list[Kept]:
        """What is here, the newest last."""
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
        """Remove the results of all programs but those of these digests; the number removed."""
        with self._sentences():
            others = {row.digest: row.results for row in self.kept()}
            for digest in keep:
                others.pop(digest, None)
            with self._transaction() as db:
                for digest in others:
                    chosen = "(SELECT id FROM programs WHERE digest = ?)"
                    db.execute(f"DELETE FROM results WHERE program = {chosen}", [digest])
                    db.execute("DELETE FROM programs WHERE digest = ?", [digest])
            self._db.execute("VACUUM")
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return sum(others.values())

    def size_B(self) -> int:
        """What it takes on the disk."""
        return sum(file.stat().st_size for file in self.path.parent.glob(f"{FILE}*"))

    def close(self) -> None:
        with contextlib.suppress(sqlite3.Error):  # all that was put is there already
            self._db.close()

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self) -> None:
        self._db = sqlite3.connect(self.path, timeout=WAIT_S, isolation_level=None)
        # Before there are tables; large pages, because a record is a kilobyte.
        self._db.execute("PRAGMA page_size = 16384")
        # Once, and only by whom comes first: turning the log on does not wait for others.
        for attempt in range(100):
            try:
                self._db.execute("PRAGMA journal_mode = WAL")
                break
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or attempt == 99:
                    raise
                time.sleep(0.05)
        # Safe when a process is killed; when the power fails, the last chunks may be run again.
        self._db.execute("PRAGMA synchronous = NORMAL")
        # Read, never mapped: a file that ends early is an error then, and not a signal.
        self._db.execute("PRAGMA mmap_size = 0")
        self._db.execute("PRAGMA cache_size = -65536")
        self._db.execute("PRAGMA wal_autocheckpoint = 4000")
        self._db.execute("PRAGMA cell_size_check = ON")
        with self._transaction() as db:
            removed = self._prepare(db)
        if removed is not None:  # and not in vain, because the file is damaged as well
            lost = f"its {removed:,} results are removed and run again"
            tell(f"study: {shown(self.path)} is {OLDER}: {lost}")

    def _prepare(self, db: sqlite3.Connection) -> int | None:
        """The tables, as they have to be; how many results of an older form had to go."""
        removed = None
        ((version,),) = db.execute("PRAGMA user_version")
        if self._source and version != WITHOUT_CHECKSUMS:
            return removed  # reading tells
        if self._source:
            raise StudyError(f"{shown(self.path)} is {OLDER}: nothing of it is taken over")
        if version == WITHOUT_CHECKSUMS:
            ((removed,),) = db.execute("SELECT count(*) FROM results")
            db.execute("DROP TABLE results")
            db.execute("DROP TABLE programs")
        if version in (0, WITHOUT_CHECKSUMS):
            for statement in STATEMENTS:
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {FORMAT}")
        elif version != FORMAT:
            raise StudyError(
                f"{shown(self.path)} has format {version}, not {FORMAT}: name another store"
                " (--store or STUDY_STORE), or remove this one"
            )
        found = {sql for (sql,) in db.execute("SELECT sql FROM sqlite_master") if sql}
        if found != set(STATEMENTS):
            raise sqlite3.DatabaseError("its schema is not what the study wrote")
        return removed

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield self._db
            self._db.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):  # a full disk has rolled back itself
                self._db.execute("ROLLBACK")
            raise

    @contextlib.contextmanager
    def _sentences(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError) as error:  # the latter of what a message quotes
            raise StudyError(_sentence(shown(self.path), error, self._source)) from error
        except OSError as error:
            message = f"the result store {shown(self.path)} cannot be made: {why(error)}; {ANOTHER}"
            raise StudyError(message) from error


def _sentence(path: str, error: Exception, is_source: bool) -> str:
    """What is wrong with a store, and what to do."""
    place, said = f"the result store {path}", " ".join(str(error).split())[:200]
    name = getattr(error, "sqlite_errorname", "")
    if name == "SQLITE_FULL" or (name.startswith("SQLITE_IOERR") and "READ" not in name):
        return (
            f"{place} cannot grow: the disk is full; what it has is whole. Free some space or name"
            " another with --store or STUDY_STORE, and call again"
        )
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return f"{place} has been locked by another process for {WAIT_S} s; {ANOTHER}"
    if name.startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_AUTH", "SQLITE_PERM")):
        return f"{place} cannot be used ({said}); {ANOTHER}"
    if is_source:
        return f"{place} is damaged ({said}), and nothing of it can be read"
    return (
        f"{place} is damaged ({said}): `study store merge {path} --store NEW` takes over what is"
        " whole, as far as it can be read; or remove it, and its points are run again"
    )


def _is_sound(row: Kept) -> bool:
    """Whether what a file says of a program can be what was written."""
    texts = (row.digest, row.scenario, row.ns3)
    return all(isinstance(each, str) and each.isprintable() for each in texts) and (
        isinstance(row.newest, int) and 0 <= row.newest < LATEST
    )


class NoStore:
    """For runs whose files are wanted, which no store has: finds nothing, keeps nothing."""

    path, damaged = Path(), 0

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        return {}

    def put(self, *_: object) -> None:
        pass

    def remove(self, keys: Iterable[bytes]) -> None:
        pass
