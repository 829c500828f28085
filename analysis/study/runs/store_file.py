# SPDX-License-Identifier: GPL-2.0-only
"""SQLite file of a result store: its path, its tables, and the sentences for its errors. SQLite
comes with Python; with a write-ahead log two processes may write at once, and a killed one leaves
nothing half written."""

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from study.base.errors import StudyError, why
from study.base.project import IN_PROJECT, ROOT, shown, user_cache

FILE = "results.sqlite"
FORMAT = 2
WAIT_S = 60  # for another process that writes
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


def default_folder() -> Path:
    """Return STUDY_STORE, or .store/ in the project, which like .venv is outside build/. An
    installed wheel has the user's cache instead. Raise StudyError if STUDY_STORE is empty."""
    given = os.environ.get("STUDY_STORE")
    if given == "":
        raise StudyError("STUDY_STORE is empty: name a folder, or unset it for .store/")
    return Path(given or (ROOT / ".store" if IN_PROJECT else user_cache()))


def file_in(folder: Path | str | None) -> Path:
    """Return the path of a store's file in a folder; None is the default folder."""
    if folder == "":
        raise StudyError("store: an empty path; name a folder, or leave it out for STUDY_STORE")
    return (default_folder() if folder is None else Path(folder)) / FILE


FORBIDDEN = ("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")


def opened(path: Path, is_source: bool) -> tuple[sqlite3.Connection, bool]:
    """Return the open file, created if missing, and whether it is writable. A `source` may be
    damaged and is not changed."""
    try:
        return _opened_to_write(path, is_source), True
    except sqlite3.OperationalError as error:
        name = getattr(error, "sqlite_errorname", "")
        if not path.is_file() or not name.startswith(FORBIDDEN):
            raise
    return _opened_to_read(path, is_source), False


def _opened_to_read(path: Path, is_source: bool) -> sqlite3.Connection:
    """Open the file read-only. Its log needs a writable folder; without one the file is read
    alone."""
    for query in ("mode=ro", "mode=ro&immutable=1"):
        db = sqlite3.connect(f"{path.absolute().as_uri()}?{query}", uri=True, isolation_level=None)
        try:
            ((version,),) = db.execute("PRAGMA user_version")
            if not is_source and version != FORMAT:
                raise StudyError(f"{shown(path)} has format {version}, not {FORMAT}: {ANOTHER}")
            db.execute("SELECT count(*) FROM sqlite_master").fetchall()
            break
        except sqlite3.OperationalError:
            db.close()
            if "immutable" in query:
                raise
    return db


def _opened_to_write(path: Path, is_source: bool) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    db = sqlite3.connect(path, timeout=WAIT_S, isolation_level=None)
    # Before tables exist; large pages, since a record has about a kilobyte.
    db.execute("PRAGMA page_size = 16384")
    # Only once, by the first process: enabling the log does not wait for others.
    for attempt in range(100):
        try:
            db.execute("PRAGMA journal_mode = WAL")
            break
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or attempt == 99:
                raise
            time.sleep(0.05)
    # Safe if a process is killed; after a power failure the last chunks may run again.
    db.execute("PRAGMA synchronous = NORMAL")
    # Read, not memory-mapped: a truncated file is then an error, not a signal.
    db.execute("PRAGMA mmap_size = 0")
    db.execute("PRAGMA cache_size = -65536")
    db.execute("PRAGMA wal_autocheckpoint = 4000")
    db.execute("PRAGMA cell_size_check = ON")
    if not is_source:  # reading will show what is wrong with one
        with transaction(db):
            _prepare(db, path)
    return db


def _prepare(db: sqlite3.Connection, path: Path) -> None:
    """Create missing tables. Raise an error if the file has another format or schema."""
    ((version,),) = db.execute("PRAGMA user_version")
    if version == 0:
        for statement in STATEMENTS:
            db.execute(statement)
        db.execute(f"PRAGMA user_version = {FORMAT}")
    elif version != FORMAT:
        raise StudyError(
            f"{shown(path)} has format {version}, not {FORMAT}: name another store"
            " (--store or STUDY_STORE), or remove this one"
        )
    found = {sql for (sql,) in db.execute("SELECT sql FROM sqlite_master") if sql}
    if found != set(STATEMENTS):
        raise sqlite3.DatabaseError("its schema is not what the study wrote")


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Run the statements inside as one transaction: all or nothing."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield db
        db.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):  # a full disk has caused a rollback already
            db.execute("ROLLBACK")
        raise


@contextmanager
def sentences(path: Path, is_source: bool) -> Iterator[None]:
    """Turn errors of SQLite and of the file into StudyError."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:  # the latter from the text of a message
        raise StudyError(_sentence(shown(path), error, is_source)) from error
    except OSError as error:
        message = f"the result store {shown(path)} cannot be made: {why(error)}; {ANOTHER}"
        raise StudyError(message) from error


def _sentence(path: str, error: Exception, is_source: bool) -> str:
    """Return what is wrong with a store, and what to do."""
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
