# SPDX-License-Identifier: GPL-2.0-only
"""Runs for a page: one long-lived program, its last records kept in memory, and a time limit for
each run."""

import json
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path

from study.base.errors import StudyError
from study.programs.declaration import declaration
from study.programs.identity import identity
from study.programs.run import how_to_reproduce
from study.programs.values import Value, read
from study.runs.feed import is_wanted
from study.runs.flag_lines import line_of
from study.runs.outcomes import Failure
from study.runs.workers import Programs
from study.system.system import System

LONGEST_S = 5.0
LOOK_S = 0.1  # how often it is asked whether somebody still waits
GONE = "nobody waits for the answer any more"
KEPT = 5000
FILES = ("segments", "pcap", "wan-pcap", "waits")


class TooLong(StudyError):
    """The run was ended."""


class Gone(StudyError):
    """Nobody waits for the answer any more."""


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
        """Return the record as JSON, with all parameters, and each of these files. A run for which
        nobody waits any more is not begun, or ended: the next one waits for its turn."""
        return self._thread.submit(self._run, system, files, is_wanted.get()).result()

    def close(self) -> None:
        self._programs.close()
        self._thread.shutdown()

    def _run(
        self, system: System, files: Sequence[str], is_awaited: Callable[[], bool]
    ) -> tuple[str, dict[str, bytes]]:
        line = self._line(system)
        key = system.scenario, line
        if not files:
            if key not in self._known:
                self._keep(key, self._record(system, line, is_awaited))
            return self._known[key], {}
        with tempfile.TemporaryDirectory(prefix="study-") as folder:
            flags = [f"--{kind}={Path(folder) / kind}" for kind in files]
            record = self._record(system, " ".join([line, *flags]), is_awaited)
            left = {kind: Path(folder) / kind for kind in files}
            return record, {kind: p.read_bytes() for kind, p in left.items() if p.is_file()}

    def _line(self, system: System) -> str:
        given = {key: _value(system.scenario, key, text) for key, text in system.given.items()}
        return line_of(declaration(system.scenario), given)

    def _keep(self, key: tuple[str, str], record: str) -> None:
        while len(self._known) >= KEPT:
            del self._known[next(iter(self._known))]
        self._known[key] = record

    def _record(self, system: System, line: str, is_awaited: Callable[[], bool]) -> str:
        done, why_ended = threading.Event(), []

        def watch() -> None:
            deadline = time.monotonic() + LONGEST_S
            while not done.wait(min(LOOK_S, max(deadline - time.monotonic(), 0))):
                if not is_awaited():
                    why_ended.append(Gone(GONE))
                elif time.monotonic() >= deadline:
                    took = f"the run took longer than {LONGEST_S:g} s and was ended"
                    why_ended.append(TooLong(took))
                else:
                    continue
                self._programs.close()
                return

        if not is_awaited():
            raise Gone(GONE)
        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        try:
            outcomes = self._programs.run(identity(system.scenario), [line]).outcomes
        finally:
            done.set()
            watcher.join()  # it may have ended the program just after the answer
            if why_ended:
                self._programs = Programs()
        if not outcomes:
            raise why_ended[0]
        if isinstance(outcomes[0], Failure):
            said = outcomes[0].reason.removesuffix(f"; {how_to_reproduce(system.scenario, line)}")
            died = said.startswith(f"build/{system.scenario} ")
            raise Lost(said) if died else StudyError(said)
        return json.dumps(outcomes[0] | {"parameters": system.parameters()})


@lru_cache(maxsize=10_000)
def _value(scenario: str, key: str, text: str) -> Value:
    """Read once: a page has the same values again and again."""
    return read(declaration(scenario).parameter(key), text)
