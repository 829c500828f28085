# SPDX-License-Identifier: GPL-2.0-only
"""Runs of the explorer: one long-lived program, what it said last kept in memory, and an end to
what takes too long to wait for."""

import tempfile
import threading
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from study.base.errors import StudyError
from study.programs.declaration import declaration
from study.programs.identity import identity
from study.programs.values import Value, read
from study.runs.lines import line_of
from study.runs.outcomes import Failure
from study.runs.workers import Programs
from study.system.system import Result, System

LONGEST_S = 5.0
KEPT = 5000
CURVES = 50  # on paper


class Runner:
    """Gives the result of a system; the same point runs once."""

    def __init__(self) -> None:
        self._programs = Programs()
        self._known: dict[tuple[str, str], dict | None] = {}
        self._on_paper: dict[tuple, dict[str, float | None]] = {}

    def run(self, system: System) -> Result:
        """The whole job."""
        if not self.known(system):
            self._keep(system, self._record(system, self._line(system), LONGEST_S))
        return self.known(system)

    def try_(self, system: System, longest_s: float | None = None) -> Result | None:
        """The same where there is none if it fails or takes longer, which is then known too."""
        if not self.was_tried(system):
            try:
                record = self._record(system, self._line(system), longest_s or LONGEST_S)
            except StudyError:
                record = None
            self._keep(system, record)
        return self.known(system)

    def known(self, system: System) -> Result | None:
        """Its result if it is there without a run."""
        record = self._known.get(self._key(system))
        return self._result(system, record) if record else None

    def was_tried(self, system: System) -> bool:
        """Whether it has a result, or is known to have none."""
        return self._key(system) in self._known

    def packets(self, system: System) -> Result:
        """The whole job with its segment table."""
        with tempfile.TemporaryDirectory(prefix="study-") as folder:
            table = Path(folder) / "segments.csv"
            record = self._record(system, f"{self._line(system)} --segments={table}", LONGEST_S)
            return self._result(system, record, table.read_text())

    def on_paper(
        self, scenario: str, key: str, parameters: Mapping[str, str]
    ) -> dict[str, float | None]:
        """What is known of a figure by the closed form, by values of one parameter: it does not
        change where that one's slider moves."""
        curve = scenario, key, *(each for each in parameters.items() if each[0] != key)
        while curve not in self._on_paper and len(self._on_paper) >= CURVES:
            del self._on_paper[next(iter(self._on_paper))]
        return self._on_paper.setdefault(curve, {})

    def parameters(self, system: System) -> dict[str, str]:
        """All of the system's parameters, in ns-3's notation."""
        declared = declaration(system.scenario)
        own = {key: parameter.default for key, parameter in declared.parameters.items()}
        return own | {key: value.text for key, value in self._given(system).items()}

    def close(self) -> None:
        self._programs.close()

    def _given(self, system: System) -> dict[str, Value]:
        texts = {key: setting.text for key, setting in system.settings.items()} | system.changes
        return {key: _value(system.scenario, key, text) for key, text in texts.items()}

    def _line(self, system: System) -> str:
        return line_of(declaration(system.scenario), self._given(system))

    def _key(self, system: System) -> tuple[str, str]:
        return system.scenario, self._line(system)

    def _keep(self, system: System, record: dict | None) -> None:
        while len(self._known) >= KEPT:
            del self._known[next(iter(self._known))]
        self._known[self._key(system)] = record

    def _record(self, system: System, line: str, longest_s: float) -> dict:
        expired = threading.Event()

        def give_up() -> None:
            expired.set()
            self._programs.close()

        watch = threading.Timer(longest_s, give_up)
        watch.start()
        try:
            outcomes = self._programs.run(identity(system.scenario), [line]).outcomes
        finally:
            watch.cancel()
            watch.join()  # it may have expired just after the answer
            if expired.is_set():
                self._programs = Programs()
        if not outcomes:
            raise StudyError(
                f"this job takes more than {longest_s:g} s to simulate: choose a smaller one, or"
                " run the command below and wait for it"
            )
        if isinstance(outcomes[0], Failure):
            raise StudyError(outcomes[0].reason)
        return outcomes[0]

    def _result(self, system: System, record: dict, segments_csv: str | None = None) -> Result:
        return system.result(record | {"parameters": self.parameters(system)}, segments_csv)


@lru_cache(maxsize=10_000)
def _value(scenario: str, key: str, text: str) -> Value:
    """Read once: a page has the same values again and again."""
    return read(declaration(scenario).parameter(key), text)
