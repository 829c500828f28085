# SPDX-License-Identifier: GPL-2.0-only
"""Runs for a page: one long-lived program, what it said last kept in memory, and an end to what
takes too long to wait for."""

import json
import tempfile
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path

from study.base.errors import StudyError
from study.programs.declaration import declaration
from study.programs.identity import identity
from study.programs.run import how_to_reproduce
from study.programs.values import Value, read
from study.runs.lines import line_of
from study.runs.outcomes import Failure
from study.runs.workers import Programs
from study.system.system import System

LONGEST_S = 5.0
KEPT = 5000
FILES = ("segments", "pcap", "wan-pcap", "waits")


class TooLong(StudyError):
    """The run was ended."""


class Lost(StudyError):
    """The program was: the next run begins with another."""


class Runner:
    """Gives the record of a system, and the files of a run; the same point runs once."""

    def __init__(self) -> None:
        self._programs = Programs()
        self._known: dict[tuple[str, str], str] = {}
        # A program belongs to a thread, and whoever serves a page asks from a new one each time.
        self._thread = ThreadPoolExecutor(1)

    def run(self, system: System, files: Sequence[str] = ()) -> tuple[str, dict[str, bytes]]:
        """The record as JSON, with all parameters, and each of these files."""
        return self._thread.submit(self._run, system, files).result()

    def close(self) -> None:
        self._programs.close()
        self._thread.shutdown()

    def _run(self, system: System, files: Sequence[str]) -> tuple[str, dict[str, bytes]]:
        line = self._line(system)
        key = system.scenario, line
        if not files:
            if key not in self._known:
                self._keep(key, self._record(system, line))
            return self._known[key], {}
        with tempfile.TemporaryDirectory(prefix="study-") as folder:
            flags = [f"--{kind}={Path(folder) / kind}" for kind in files]
            record = self._record(system, " ".join([line, *flags]))
            left = {kind: Path(folder) / kind for kind in files}
            return record, {kind: p.read_bytes() for kind, p in left.items() if p.is_file()}

    def _line(self, system: System) -> str:
        given = {key: _value(system.scenario, key, text) for key, text in system.given.items()}
        return line_of(declaration(system.scenario), given)

    def _keep(self, key: tuple[str, str], record: str) -> None:
        while len(self._known) >= KEPT:
            del self._known[next(iter(self._known))]
        self._known[key] = record

    def _record(self, system: System, line: str) -> str:
        expired = threading.Event()

        def give_up() -> None:
            expired.set()
            self._programs.close()

        watch = threading.Timer(LONGEST_S, give_up)
        watch.start()
        try:
            outcomes = self._programs.run(identity(system.scenario), [line]).outcomes
        finally:
            watch.cancel()
            watch.join()  # it may have expired just after the answer
            if expired.is_set():
                self._programs = Programs()
        if not outcomes:
            raise TooLong(f"the run took longer than {LONGEST_S:g} s and was ended")
        if isinstance(outcomes[0], Failure):
            said = outcomes[0].reason.removesuffix(f"; {how_to_reproduce(system.scenario, line)}")
            died = said.startswith(f"build/{system.scenario} ")
            raise Lost(said) if died else StudyError(said)
        return json.dumps(outcomes[0] | {"parameters": system.parameters()})


@lru_cache(maxsize=10_000)
def _value(scenario: str, key: str, text: str) -> Value:
    """Read once: a page has the same values again and again."""
    return read(declaration(scenario).parameter(key), text)
