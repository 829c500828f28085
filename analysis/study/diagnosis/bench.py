# SPDX-License-Identifier: GPL-2.0-only
"""Bench of simulations: many points of a scenario through one long-lived program, with the record
and the curves of each, until a limit on all CPU time is reached."""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import orjson

from study.base.errors import StudyError
from study.diagnosis.byte_curves import Curves, View, of_table
from study.programs.declaration import declaration
from study.programs.identity import identity
from study.runs.workers import BatchProgram, started

SECONDS = 20.0  # of all runs: four times what a common capture needs
POINT_CPU_S = 1.5  # of one run; one that takes more is no candidate
Settings = Mapping[str, str]


@dataclass(frozen=True)
class Run:
    """One simulated point."""

    record: dict
    curves: Curves

    @property
    def limits_s(self) -> dict[str, float]:
        return self.record["limits_s"]


@dataclass
class Bench:
    """Programs by scenario, and what has been run on them."""

    seconds: float = SECONDS  # of CPU time, of all runs together
    point_s: float = POINT_CPU_S
    runs: int = 0
    _programs: dict[str, BatchProgram] = field(default_factory=dict)
    _done: dict[tuple, Run | None] = field(default_factory=dict)
    _killed_s: float = 0.0  # of programs that are no more

    @property
    def is_over(self) -> bool:
        """Whether the CPU time for simulation is used up."""
        now_s = sum(program.cpu_s for program in self._programs.values())
        return self._killed_s + now_s > self.seconds

    def run(self, scenario: str, points: Sequence[Settings], view: View) -> list[Run | None]:
        """Return the runs of some points in their order; None for one that the program refuses,
        that does not end, or for which no time is left."""
        keys = [(scenario, view, *sorted(point.items())) for point in points]
        missing = {
            key: point
            for key, point in zip(keys, points, strict=True)
            if key not in self._done and not self.is_over
        }
        with tempfile.TemporaryDirectory(prefix="study-") as folder:
            tables = [Path(folder) / f"{number}.csv" for number in range(len(missing))]
            lines = [
                f"{_line(scenario, point)} --fast-forward=false --segments={table}"
                for point, table in zip(missing.values(), tables, strict=True)
            ]
            answers = self._answers(scenario, lines)
            for key, table, said in zip(missing, tables, answers, strict=True):
                self._done[key] = _run(said, table, view)
        return [self._done.get(key) for key in keys]

    def _answers(self, scenario: str, lines: Sequence[str]) -> list[bytes]:
        """Return what the program says of each line; b"" where it died of it or took too long."""
        answers: list[bytes] = []
        while len(answers) < len(lines):
            if self.is_over:
                return answers + [b""] * (len(lines) - len(answers))
            program = self._program(scenario)
            for said in program.answers(lines[len(answers) :], self.point_s):
                answers += said
            if len(answers) < len(lines):
                answers.append(b"")
                self._killed_s += self.point_s
                program.kill()
                del self._programs[scenario]
        self.runs += len(lines)
        return answers

    def _program(self, scenario: str) -> BatchProgram:
        program = self._programs.get(scenario)
        if program is None or not program.serves(identity(scenario)):
            program = self._programs[scenario] = started(identity(scenario))
        return program

    def close(self) -> None:
        """End the programs; a further run starts them again."""
        for program in self._programs.values():
            self._killed_s += program.cpu_s
            program.kill()
        self._programs.clear()

    def __enter__(self) -> "Bench":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _line(scenario: str, point: Settings) -> str:
    """Return the point as the program's flags."""
    declared = declaration(scenario)
    return " ".join(f"--{declared.parameter(key).flag}={text}" for key, text in point.items())


def _run(said: bytes, table: Path, view: View) -> Run | None:
    if not said:
        return None
    record = orjson.loads(said)
    if "error" in record or record.get("outcome") != "finished" or not table.is_file():
        return None
    try:
        found = of_table(table.read_text(), view)
    except (StudyError, ValueError, IndexError):
        return None
    return None if found is None else Run(record, found)
