# SPDX-License-Identifier: GPL-2.0-only
"""A capture of somebody's slow transfer: what it waited for, the numbers that it shows, and a
system that can be changed. `diagnose` reads, judges and measures; what it gives prints as text."""

import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from study.base.errors import StudyError
from study.captures import read
from study.captures.connection import Connection, Note
from study.diagnosis.budget import Budget
from study.diagnosis.compare import Compared, Half, compare
from study.diagnosis.finding import NotModelled
from study.diagnosis.judge import budget
from study.diagnosis.large import beginning, note_on
from study.diagnosis.listing import Line, chosen, lines
from study.diagnosis.parameters import Found, parameters
from study.diagnosis.printed import STDIN, text
from study.diagnosis.route import of_notes
from study.diagnosis.second_half import OTHERWISE, second_half
from study.diagnosis.segments import as_segments
from study.diagnosis.sentence import named_limits, sentence
from study.diagnosis.system_file import loaded, toml_of
from study.diagnosis.transfer import Transfer
from study.diagnosis.vantage import Vantage, as_seen_by_sender, find_vantage
from study.programs import segments as segment_table
from study.programs.declaration import declaration
from study.system.system import System
from study.trials.reliefs import Change, is_of_losses, typed
from study.trials.search import reliefs

if TYPE_CHECKING:
    import pandas as pd

ONE_DIRECTION, NO_SYN = "one direction", "no SYN"  # of a reader's notes
# What a capture's name ends in; what comes before may have dots, as an address has.
ENDING = re.compile(r"(\.(pcap|pcapng|cap|dump|log|txt))?(\.(bz2|gz|xz|zst))?$", re.IGNORECASE)
NO_RUN = "what was found cannot be simulated"
GAIN_PCT = 1.0  # of a change that is worth to be asked for
# Of the rate: what the simulation may be off before a what-if is refused, as an answer is to be no
# further off; and the second half.
EXPLAINED_PCT, HALF_PCT = 5.0, 10.0
RECOVERY = ("congestion_control", "minimum_rto", "loss_detection", "initial_window", "send_buffer")


@dataclass(frozen=True, repr=False)
class Diagnosis:
    """One connection of a capture, and what it shows. Prints as its text."""

    capture: str
    connections: tuple[Line, ...]
    place: int
    connection: Connection  # as it was captured
    seen: Connection  # as its sender saw it
    vantage: Vantage
    budget: Budget
    found: Found
    notes: tuple[Note, ...]
    kind: type[System] = field(default=System)
    file: Path | None = None  # where its system was written
    ask: Callable[[System, System], float | None] | None = None  # of a what-if, its gain in percent

    @property
    def limits_s(self) -> dict[str, float]:
        """What the time went to; adds up to all of the connection's life."""
        return self.budget.limits_s

    @property
    def sentence(self) -> str:
        """Why it is as fast as it is."""
        if any(note.kind == ONE_DIRECTION for note in self.notes):
            return "Only one direction was captured: what the sender waited for is not in it."
        if self.connection.duration_s <= 0:
            return "The capture has no times: what was waited for is not in it."
        transfer = Transfer(self.seen)
        lost = len(transfer.lost_rows), len(transfer.sent_rows)
        found = self.found
        if self.seen.whole is not None:  # of all the time not all the commands are counted
            kept = tuple(each for each in found.findings if each.key != "commands")
            found = replace(found, findings=kept)
        return sentence(self.limits_s, found, self.connections[self.place].rate_Bps, lost)

    @property
    def packets(self) -> "pd.DataFrame":
        """The segment table, as of a simulated run, with the packets' numbers of the file."""
        ends = (
            ("client", "server") if self.found.scenario == "request-reply" else ("host", "device")
        )
        if self.found.scenario == "request-reply" and not self.connection.bulk_from_client:
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
        """The system's file."""
        found = replace(self.found, not_modelled=self.not_modelled)
        return toml_of(self.name, self.seen, found, self.capture)

    def system(self) -> System:
        """The system that was found, to run and to change."""
        system = loaded(self.name, self.toml(), self.kind)
        return replace(system, typed=shlex.quote(str(self.file))) if self.file else system

    @property
    def not_modelled(self) -> tuple[NotModelled, ...]:
        """What the model has not, as far as it is known; and that something is, where a simulation
        of what was found does not go like the capture."""
        known = (*self.found.not_modelled, *of_notes(self.notes))
        if self.compared is None:
            return (*known, NotModelled("not_simulated", f"{NO_RUN}: {self.why_not_simulated}"))
        off, half = self.compared.residual_pct, self.compared.half
        if self.compared.is_fragment or off is None:
            return known
        what = ""
        if abs(off) > EXPLAINED_PCT:
            what = f"a simulation of what was found goes {off:+.0f} % off the capture"
            what += f", {self._why_off()}"
        elif half and abs(half.residual_pct) > HALF_PCT and self._is_another(half):
            what = (
                f"the second half goes otherwise than the first one shows, {half.residual_pct:+.0f}"
                " % off, for no known reason: one system is not both"
            )
        what = what or self._by_another_limit()
        if not what:
            return known
        lossy = abs(off) > EXPLAINED_PCT and self._recovers
        return (
            *known,
            NotModelled("unexplained", what, self._but_losses * lossy),
        )

    def _by_another_limit(self) -> str:
        """In words, that the simulation has the rate for another reason: what a change does to the
        one it need not do to the other. Until the last byte is acknowledged, as the job is."""
        job = self.budget.until(Transfer(self.seen).job_s)
        simulated = self.compared.simulated.mains
        if job.main in simulated:
            return ""
        names = [name.replace("_", " ") for name in (job.main, *sorted(simulated))]
        return (
            f"most of the captured time went to {names[0]}, and of its simulation to "
            f"{' or '.join(names[1:])}: it has the rate for another reason"
        )

    @property
    def _recovers(self) -> bool:
        """Whether what the simulation is off may be its way to recover from losses."""
        begins = not any(note.kind == NO_SYN for note in self.notes)
        return begins and len(Transfer(self.seen).lost_rows) > 0

    @property
    def _but_losses(self) -> tuple[str, ...]:
        """Every number that it has but the losses themselves: without them nothing recovers."""
        keys = [each.key for each in self.found.findings if not is_of_losses(each.key)]
        return tuple(dict.fromkeys((*keys, *RECOVERY)))

    def _is_another(self, half: Half) -> bool:
        """Whether the second half goes otherwise for no known reason, and by more than one answer
        more or less, as a short one ends."""
        rest_B = self.compared.measured.carried_B / 2
        off_s = rest_B / half.simulated_Bps - rest_B / half.measured_Bps
        return not half.unlike and abs(off_s) > (self.budget.least_rtt_s or 0.0)

    def _why_off(self) -> str:
        no_syn = next((note for note in self.notes if note.kind == NO_SYN), None)
        known = [OTHERWISE[e.name] for e in self.found.not_modelled if e.name in OTHERWISE]
        if no_syn is None and known:
            return f"by {known[0]}"
        if no_syn is None and (lost := len(Transfer(self.seen).lost_rows)):
            return (
                f"which has {lost:,} of its packets lost: when a sender is back at its window is "
                "modelled by the standards' rules, and a kernel's are its own"
            )
        if no_syn is None:
            return "for no known reason"
        return (
            f"which has not its beginning ({no_syn.sentence}), nor what the congestion window had "
            "grown to before it"
        )

    @cached_property
    def compared(self) -> Compared | None:
        """The capture beside a simulation of what was found in it; None where that does not run."""
        return self._simulated[0]

    @property
    def why_not_simulated(self) -> str:
        """In the program's words; empty where it runs."""
        return self._simulated[1]

    @cached_property
    def _simulated(self) -> tuple[Compared | None, str]:
        plain = toml_of(self.name, self.seen, self.found, self.capture)
        try:
            beside = compare(loaded(self.name, plain, self.kind), self.seen, self.limits_s)
        except StudyError as error:
            return None, str(error)
        half = second_half(self.name, self.seen, self.found, self.capture)
        return replace(beside, half=half), ""

    def record(self) -> dict:
        """For a script."""
        return {
            "capture": self.capture,
            "connections": [line.record() for line in self.connections],
            "connection": self.place + 1,
            "sentence": self.sentence,
            "vantage": {"at": self.vantage.at, "why": self.vantage.why},
            "duration_s": self.connection.duration_s,
            "limits_s": self.limits_s,
            "scenario": self.found.scenario,
            "host": self.found.host,
            "parameters": {
                each.key: {
                    "value": each.value,
                    "unit": each.unit,
                    "basis": each.basis,
                    "low": each.low,
                    "high": each.high,
                    "source": each.source,
                    "packets": list(each.packets),
                }
                for each in self.found.findings
            },
            "not_modelled": {
                each.name: {"what": each.what, "blocks": list(each.blocks)}
                for each in self.not_modelled
            },
            "unseen": list(self.found.unseen),
            "notes": [{"kind": note.kind, "sentence": note.sentence} for note in self.notes],
            "compared": self.compared.record() if self.compared else None,
        }

    def __str__(self) -> str:
        return text(self)

    __repr__ = __str__

    def turn(self) -> tuple[str, str]:
        """The first change of a number that the sentence names that what-if answers, and that does
        something; where there is none, why."""
        system = self.system()
        why = "nothing that the sentence names is a number that the capture shows"
        named = {name: self.limits_s[name] for name in named_limits(self.limits_s)}
        proposed = [each for each in reliefs(system, named) if self._shows(each)]
        for change in (each.values for one in proposed for each in one.smaller()):
            try:
                changed = system.with_(**change)
                refused = changed.rests_on_no_model(system)
                gain = None if refused or not self.ask else self.ask(system, changed)
            except StudyError as error:
                refused = str(error)
            if refused:
                why = refused.removeprefix(f"{self.name}: ")
            elif self.ask and (gain is None or gain < GAIN_PCT):
                why = f"{typed(system, change)} would not make it faster by {GAIN_PCT:.0f} %"
            else:
                return typed(system, change), ""
        return "", why

    def _shows(self, change: Change) -> bool:
        """Whether it changes a number that the capture shows, or a switch that is not seen off."""
        each = self.found.get(change.key)
        if each is None:
            return declaration(self.found.scenario).parameter(change.key).type == "boolean"
        return each.basis not in ("assumed", "bound")


def diagnose(
    path: Path | str,
    connection: int | None = None,
    at: str | None = None,
    kind: type[System] = System,
) -> Diagnosis:
    """Read a capture, take one of its connections (that with most bytes, or number `connection`),
    and say what it waited for. `at`: "sender" or "receiver", where it was captured, if that is
    known."""
    capture = read(path)
    place = chosen(capture.connections, connection)
    taken = capture.connections[place]
    found = tuple(lines(capture.connections, place, taken))
    if not found[place].bytes:
        raise StudyError(f"{path}: connection {place + 1} carries no data")
    first = beginning(taken)
    vantage = find_vantage(first, at)
    judged = budget(taken, vantage)
    seen = as_seen_by_sender(first, vantage)
    shown = STDIN if str(path) == "-" else str(path)
    return Diagnosis(
        shown,
        found,
        place,
        taken,
        seen,
        vantage,
        judged,
        parameters(seen, judged.limits_s),
        tuple(dict.fromkeys((*capture.notes, *taken.notes, *note_on(first)))),
        kind,
    )
