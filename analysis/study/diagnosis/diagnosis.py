# SPDX-License-Identifier: GPL-2.0-only
"""A capture of somebody's slow transfer: its facts, the system whose simulation gives its packets,
and so the cause. `diagnose` reads; facts are at hand at once, and what was simulated when asked."""

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from study.base.errors import StudyError
from study.captures import read
from study.captures.connection import Connection, Note
from study.diagnosis.bench import SECONDS
from study.diagnosis.candidate import PRINT_JOB
from study.diagnosis.capture_segments import as_segments
from study.diagnosis.facts import Fact, Facts
from study.diagnosis.listing import Line, Lines, chosen
from study.diagnosis.phases import Phase, part_of, phases_of
from study.diagnosis.printed import STDIN, text
from study.diagnosis.sentence import sentence
from study.diagnosis.stretch import beginning, note_on, stretch_of
from study.diagnosis.synthesis import Answer, scenario_of, synthesize
from study.diagnosis.system_file import Told, loaded, toml_of
from study.diagnosis.told import facts_told
from study.diagnosis.transfer import Transfer
from study.diagnosis.vantage import Vantage, as_captured, as_seen_by_sender, find_vantage
from study.diagnosis.waits_seen import waits_seen
from study.programs import segments as segment_table
from study.programs.waits import Wait
from study.runs.progress import PATIENCE_S, bar
from study.system.system import System

if TYPE_CHECKING:
    import pandas as pd

# What a capture's name ends in; what comes before may have dots, as an address has.
ENDING = re.compile(r"(\.(pcap|pcapng|cap|dump|log|txt))?(\.(bz2|gz|xz|zst))?$", re.IGNORECASE)
ONE_DIRECTION = "one direction"  # of a reader's notes
READING = "{desc}: {percentage:.0f} %, {remaining} left"
NO_TIMES = "the capture has no times: nothing can be simulated beside it"
ONE_SYSTEM = 0.025  # distance up to which one system is believed to give all of a connection
ONE_WAY = "only one direction was captured: what the sender waited for is not in it"
NO_CANDIDATE = "none of the candidate systems runs with the numbers that the packets show"


@dataclass(frozen=True, repr=False)
class Diagnosis:
    """One connection of a capture, and what it shows. Prints as its text."""

    capture: str
    connections: Sequence[Line]
    place: int
    connection: Connection  # as it was captured
    seen: Connection  # as its sender saw it
    vantage: Vantage
    notes: tuple[Note, ...]
    kind: type[System] = field(default=System)
    seconds: float = SECONDS
    file: Path | None = None  # where its system was written
    full: bool = False  # whether it prints all that it knows

    @cached_property
    def stretch(self) -> Connection:
        """The part that is simulated."""
        return stretch_of(self.seen)

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        """What the packets show directly."""
        return tuple(facts_told(Facts(Transfer(self.seen), self.vantage)))

    @cached_property
    def rtt_s(self) -> float:
        """The least round trip."""
        return Facts(Transfer(self.seen), self.vantage).rtt_s

    @cached_property
    def answer(self) -> Answer | None:
        """What the simulations say; None where nothing can be simulated."""
        if self.why_not_simulated_at_all:
            return None
        captured = self.stretch
        if self.vantage.at == "receiver" and self.vantage.shift_ns:
            captured = as_captured(self.stretch, self.vantage)
        return synthesize(self.stretch, captured, self.vantage, self.seconds)

    @property
    def why_not_simulated_at_all(self) -> str:
        """Why no candidate is even tried; empty where some are."""
        if any(note.kind == ONE_DIRECTION for note in self.notes):
            return ONE_WAY
        return NO_TIMES if self.connection.duration_s <= 0 else ""

    @property
    def why_not_simulated(self) -> str:
        """The same, or that no candidate runs."""
        return self.why_not_simulated_at_all or ("" if self.answer else NO_CANDIDATE)

    @property
    def scenario(self) -> str:
        """Which scenario its system is of."""
        return self.answer.best.candidate.scenario if self.answer else scenario_of(self.stretch)

    @property
    def limits_s(self) -> dict[str, float]:
        """What the time of the stretch went to: the budget of the run that is nearest to it, or
        where nothing fits the waits as seen."""
        if self.answer is None or not self.answer.fits:
            return waits_seen(self.stretch)
        return self.answer.limits_s

    @property
    def main(self) -> str:
        """The cause, as the words of limits_s."""
        if self.answer is None:
            limits = self.limits_s
            return max(limits, key=lambda name: limits[name]) if limits else ""
        return self.answer.main

    @property
    def sentence(self) -> str:
        """Why it is as fast as it is."""
        if self.answer is None:
            return f"{self.why_not_simulated[0].upper()}{self.why_not_simulated[1:]}."
        return sentence(self.answer)

    @property
    def packets(self) -> "pd.DataFrame":
        """The segment table, as of a simulated run, with the packets' numbers of the file."""
        ends = ("host", "device")
        if scenario_of(self.stretch) == "request-reply":
            ends = ("client", "server")
            if not self.connection.bulk_from_client:
                ends = ends[::-1]
        table = segment_table.table(as_segments(self.connection, ends))
        table.insert(0, "number", self.connection.packets["number"])
        return table

    @property
    def name(self) -> str:
        """Of its system."""
        stem = self.file.stem if self.file else ENDING.sub("", Path(self.capture).name)
        return re.sub(r"[^A-Za-z0-9_-]+", "-", stem).strip("-") or "capture"

    def toml(self) -> str:
        """Return the system's file."""
        if self.answer is None:
            raise StudyError(f"{self.capture}: no system was found: {self.why_not_simulated}")
        return self._toml(self.answer)

    def _toml(self, answer: Answer) -> str:
        numbers = self.stretch.packets["number"]
        ends = self.connection.client, self.connection.server
        if answer.best.candidate.scenario == PRINT_JOB and not self.connection.bulk_from_client:
            ends = ends[::-1]
        span = int(numbers[0]), int(numbers[-1])
        return toml_of(Told(self.capture, ends, span, answer))

    def system(self) -> System:
        """Return the system that was found, to run and to change."""
        system = loaded(self.name, self.toml(), self.kind)
        return replace(system, typed=shlex.quote(str(self.file))) if self.file else system

    def near_systems(self) -> list[System]:
        """Return the system that was found, and behind it those that give the packets nearly as
        well: an answer holds for all of them, or is an interval."""
        answer = self.answer
        texts = [self._toml(replace(answer, fitted=(each,))) for each in answer.nearby.systems]
        return [loaded(self.name, text, self.kind) for text in texts]

    @cached_property
    def waits(self) -> list[Wait]:
        """Which limit held when, in the run of the system."""
        return self.system().run(waits=True).waits if self.answer else []

    @cached_property
    def phases(self) -> list[tuple[Phase, str]]:
        """Which limit held when, where it changed: each phase with its own nearest system's. Empty
        where one system gives the whole, or is nearer to it than those to their phases."""
        answer = self.answer
        if answer is None or (self.stretch is self.seen and answer.best.distance <= ONE_SYSTEM):
            return []
        found = phases_of(self.seen)
        if len(found) < 2:
            return []
        seconds = self.seconds / len(found)
        parts = [None if each.silence else self._within(each, seconds) for each in found]
        answers = [part.answer for part in parts if part]
        if any(each and each.best.distance > answer.best.distance for each in answers):
            return []
        told = zip(found, parts, strict=True)
        return [(each, part.main if part else each.silence) for each, part in told]

    def _within(self, phase: Phase, seconds: float) -> "Diagnosis":
        """Return the same of one phase, as if nothing else had been captured."""
        part = part_of(self.seen, phase)
        return replace(self, seen=part, connection=part, seconds=seconds)

    def record(self) -> dict:
        """Return all of it for a script; the facts are there whatever fits."""
        return {
            "capture": self.capture,
            "connections": [line.record() for line in self.connections],
            "connection": self.place + 1,
            "sentence": self.sentence,
            "vantage": {"at": self.vantage.at, "why": self.vantage.why},
            "duration_s": self.connection.duration_s,
            "facts": self.record_of_facts(),
            "main": self.main,
            "limits_s": self.limits_s,
            "phases": [
                {"from_s": each.from_s, "to_s": each.to_s, "limit": limit, "B": each.carried_B}
                for each, limit in self.phases
            ],
            "scenario": self.scenario,
            "notes": [{"kind": note.kind, "sentence": note.sentence} for note in self.notes],
            "simulated": self._simulated(),
        }

    def record_of_facts(self) -> dict[str, dict]:
        """Return what the packets show, by name: value, unit, text and packets of each."""
        return {
            each.name: {"value": each.value, "unit": each.unit, "text": each.text}
            | {"packets": list(each.packets)}
            for each in self.facts
        }

    def _simulated(self) -> dict | None:
        answer = self.answer
        if answer is None:
            return None
        numbers, ranges = self.stretch.packets["number"], answer.ranges  # before runs are counted
        return {
            "packets": [int(numbers[0]), int(numbers[-1])],
            "fits": answer.fits,
            "confidence": answer.confidence,
            "rate_off": answer.rate_off,
            "measured_Bps": answer.curves.rate_Bps,
            "runs": answer.nearby.runs,
            "candidates": [
                {"name": each.candidate.name, "distance": each.distance, "values": each.values}
                for each in answer.fitted
            ],
            "parameters": answer.best.settings,
            "changes": [
                {"limit": each.limit, "change": dict(each.change), "gain": each.gain}
                | {"range": list(ranges[each.limit]), "told": answer.tells(each.limit)}
                for each in answer.reliefs
            ],
        }

    def __str__(self) -> str:
        return text(self)

    __repr__ = __str__


def diagnose(
    path: Path | str,
    connection: int | None = None,
    at: str | None = None,
    kind: type[System] = System,
    seconds: float = SECONDS,
) -> Diagnosis:
    """Read a capture and take one of its connections (that which lost most time, or number
    `connection`). `at`: "sender" or "receiver", where it was captured, if that is known. Simulation
    begins when something of it is asked for, and takes so many `seconds` at most."""
    with bar("reading", 1.0, 0, None, delay=PATIENCE_S, bar_format=READING) as shown:
        capture = read(path, shown.update)
    place = chosen(capture.connections, connection)
    taken = capture.connections[place]
    found = Lines(capture.connections, place, taken)
    if not found[place].bytes:
        raise StudyError(f"{path}: connection {place + 1} carries no data")
    first = beginning(taken)
    vantage = find_vantage(first, at)
    return Diagnosis(
        STDIN if str(path) == "-" else str(path),
        found,
        place,
        taken,
        as_seen_by_sender(first, vantage),
        vantage,
        tuple(dict.fromkeys((*capture.notes, *taken.notes, *note_on(first)))),
        kind,
        seconds,
    )
