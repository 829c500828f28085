# SPDX-License-Identifier: GPL-2.0-only
"""The results of runs, kept: one SQLite file, in which a chunk of records appears whole or not at
all, whatever happens to the process or the disk.

A result's key is a digest of the program and its ns-3, and of all parameters that differ from that
program's defaults, the seed among them. Beside the record stands what made it. SQLite with a
write-ahead log: it comes with Python, two processes may write at once, and a killed one leaves
nothing half written.
"""

import contextlib
import hashlib
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from study.base.errors import StudyError, why
from study.base.project import ROOT, shown
from study.programs.identity import Identity

FILE = "results.sqlite"
FORMAT = 1
WAIT_S = 60  # for another process that is writing
ASK_AT_ONCE = 1000
SCHEMA = f"""
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
    made INTEGER NOT NULL         -- seconds since 1970
);
CREATE INDEX results_of_program ON results (program);
PRAGMA user_version = {FORMAT};
"""

Row = tuple[bytes, str, bytes]  # key, point, record


@dataclass(frozen=True)
class Kept:
    """What the store has of one program."""

    digest: str
    scenario: str
    ns3: str
    results: int
    newest: int  # seconds since 1970


def default_folder() -> Path:
    """STUDY_STORE, or .store/ beside the code: it outlives build/, as .venv does."""
    given = os.environ.get("STUDY_STORE")
    if given == "":
        raise StudyError("STUDY_STORE is empty: name a folder, or unset it for .store/")
    return Path(given or ROOT / ".store")


def key_of(digest: str, point: str) -> bytes:
    """The key of a point (canonical flags) under a program."""
    return hashlib.blake2b(f"{digest} {point}".encode(), digest_size=16).digest()


def file_in(folder: Path | str | None) -> Path:
    """Where a store is kept."""
    return (default_folder() if folder is None else Path(folder)) / FILE


class Store(contextlib.AbstractContextManager):
    """An open store; as a context manager it closes itself."""

    def __init__(self, folder: Path | str | None = None) -> None:
        self.path = file_in(folder)
        with self._sentences():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._open()

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The records that are there, by key."""
        found: dict[bytes, bytes] = {}
        with self._sentences():
            for start in range(0, len(keys), ASK_AT_ONCE):
                part = keys[start : start + ASK_AT_ONCE]
                marks = ",".join("?" * len(part))
                found.update(
                    self._db.execute(
                        f"SELECT key, record FROM results WHERE key IN ({marks})", part
                    )
                )
        return found

    def put(self, program: Identity, ns3: str, declaration: str, rows: Iterable[Row]) -> None:
        """Add records, all of them or none. One that another process has added since is replaced
        by its equal."""
        made = int(time.time())
        with self._sentences(), self._transaction() as db:
            db.execute(
                "INSERT OR IGNORE INTO programs (digest, scenario, ns3, declaration)"
                " VALUES (?, ?, ?, ?)",
                (program.digest, program.scenario, ns3, declaration),
            )
            ((number,),) = db.execute("SELECT id FROM programs WHERE digest = ?", [program.digest])
            db.executemany(
                "INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?, ?)",
                ((key, number, point, record, made) for key, point, record in rows),
            )

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
            return [Kept(*row) for row in rows]

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
        self._db.execute("PRAGMA mmap_size = 1073741824")
        with self._transaction() as db:
            ((version,),) = db.execute("PRAGMA user_version")
            if version == 0:
                for statement in SCHEMA.split(";"):
                    db.execute(statement)
        if version not in (0, FORMAT):
            raise StudyError(
                f"{shown(self.path)} has format {version}, not {FORMAT}: name another store"
                " (--store or STUDY_STORE), or remove this one"
            )

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
        place = f"the result store {shown(self.path)}"
        advice = "name another with --store or STUDY_STORE"
        try:
            yield
        except sqlite3.Error as error:
            said = str(error)
            if "full" in said or "disk I/O" in said:
                message = f"{place} cannot grow: the disk is full; what it has is whole. Free some"
                message += " space or name another with --store or STUDY_STORE, and call again"
            elif "locked" in said:
                message = f"{place} has been locked by another process for {WAIT_S} s; {advice}"
            else:
                message = f"{place} cannot be used ({said}); {advice}"
            raise StudyError(message) from error
        except OSError as error:
            raise StudyError(f"{place} cannot be made: {why(error)}; {advice}") from error


class NoStore:
    """For runs whose files are wanted, which no store has: finds nothing, keeps nothing."""

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        return {}

    def put(self, program: Identity, ns3: str, declaration: str, rows: Iterable[Row]) -> None:
        pass

    def remove(self, keys: Iterable[bytes]) -> None:
        pass
