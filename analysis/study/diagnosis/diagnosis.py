# SPDX-License-Identifier: GPL-2.0-only
"""A capture of somebody's slow transfer: what it waited for, the numbers that it shows, and a
system that can be changed. `diagnose` reads, judges and measures; what it gives prints as text."""

import re
import shlex
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

from study.base.called import called
from study.base.errors import StudyError
from study.captures import read
from study.captures.connection import Connection, Note
from study.diagnosis.budget import Budget
from study.diagnosis.compare import Compared, Half, compare, half_of
from study.diagnosis.finding import Finding, NotModelled, share
from study.diagnosis.halves import first_half
from study.diagnosis.judge import budget
from study.diagnosis.listing import Line, chosen, lines, listing
from study.diagnosis.parameters import Found, parameters
from study.diagnosis.parameters_job import LARGEST_WRITE_B
from study.diagnosis.segments import as_segments
from study.diagnosis.sentence import sentence
from study.diagnosis.system_file import toml_of
from study.diagnosis.transfer import Transfer
from study.diagnosis.turns import turns
from study.diagnosis.vantage import Vantage, as_seen_by_sender, find_vantage
from study.kit.candidates import typed
from study.kit.systems import load
from study.programs import segments as segment_table
from study.programs.declaration import declaration
from study.system.system import System

if TYPE_CHECKING:
    import pandas as pd

WIDTH = 80
STDIN = "standard input"
ONE_DIRECTION, NO_SYN = "one direction", "no SYN"  # of a reader's notes
GAIN_PCT = 1.0  # of a change that is worth to be asked for
EXPLAINED_PCT = 10.0  # of the rate: what the simulation may be off before a what-if is refused
SHOWN = 0.0005  # of the time: a wait below it is left out
HELD_BY = ("receive_window", "send_buffer", "path_rate", "path_queue", "port_rate", "drain_pause")
WRITES = ("first_write", "write_size")
LOSSES_BY_CHANCE = "which of its packets are lost, which is chance"
SIZES = ("job_size", "commands")  # of all that was carried; a half shows half of it


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
        return sentence(self.limits_s, self.found, self.connections[self.place].rate_Bps, lost)

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
        stem = self.file.stem if self.file else Path(self.capture).name.split(".")[0]
        return re.sub(r"[^A-Za-z0-9_-]+", "-", stem).strip("-") or "capture"

    def toml(self) -> str:
        """The system's file."""
        found = replace(self.found, not_modelled=self.not_modelled)
        return toml_of(self.name, self.seen, found, self.capture)

    def system(self) -> System:
        """The system that was found, to run and to change."""
        system = _loaded(self.name, self.toml(), self.kind)
        return replace(system, typed=shlex.quote(str(self.file))) if self.file else system

    @property
    def not_modelled(self) -> tuple[NotModelled, ...]:
        """What the model has not, as far as it is known; and that something is, where a simulation
        of what was found does not go like the capture."""
        off, half = self.compared.residual_pct, self.compared.half
        if self.compared.is_fragment or off is None:
            return self.found.not_modelled
        what = ""
        if abs(off) > EXPLAINED_PCT:
            what = f"a simulation of what was found goes {off:+.0f} % off the capture"
            what += f", {self._why_off()}"
        elif half and abs(half.residual_pct) > EXPLAINED_PCT and self._is_another(half):
            what = (
                f"the second half goes otherwise than the first one shows, {half.residual_pct:+.0f}"
                " % off, for no known reason: one system is not both"
            )
        more = (NotModelled("unexplained", what),) if what else ()
        return (*self.found.not_modelled, *more)

    def _is_another(self, half: Half) -> bool:
        """Whether the second half goes otherwise for no known reason, and by more than one answer
        more or less, as a short one ends."""
        rest_B = self.compared.measured.carried_B / 2
        off_s = rest_B / half.simulated_Bps - rest_B / half.measured_Bps
        return not half.unlike and abs(off_s) > (self.budget.least_rtt_s or 0.0)

    def _why_off(self) -> str:
        no_syn = next((note for note in self.notes if note.kind == NO_SYN), None)
        if no_syn is None:
            return "for no known reason"
        return (
            f"which has not its beginning ({no_syn.sentence}), nor what the congestion window had "
            "grown to before it"
        )

    @cached_property
    def compared(self) -> Compared:
        """The capture beside a simulation of what was found in it."""
        plain = toml_of(self.name, self.seen, self.found, self.capture)
        system = _loaded(self.name, plain, self.kind)
        beside = compare(system, self.seen, self.limits_s)
        half = first_half(self.seen)
        if half is None:
            return beside
        try:
            found = parameters(half, budget(half, self._as_sent()).limits_s)
        except StudyError:
            return beside
        if found.scenario != self.found.scenario:
            return beside
        whole = {key: each.value for key in SIZES if (each := self.found.get(key)) is not None}
        for key in WRITES:
            each = found.get(key)
            if each is not None and each.basis == "assumed":  # as large as all that is seen
                whole[key] = min(whole["job_size"], LARGEST_WRITE_B)
        chance = _by_chance(found, half)
        early = _loaded(self.name, toml_of(self.name, half, chance, self.capture), System)
        predicted = half_of(self.seen, early.with_(**whole))
        if predicted is not None:
            unlike = [_unlike(found, self.found)]
            if chance is not found or self._loses_more_than(half):
                unlike.append(LOSSES_BY_CHANCE)
            predicted = replace(predicted, unlike="; ".join(filter(None, unlike)))
        return replace(beside, half=predicted)

    def _loses_more_than(self, half: Connection) -> bool:
        """Whether packets were lost behind it."""
        return len(Transfer(self.seen).lost_rows) > len(Transfer(half).lost_rows)

    def _as_sent(self) -> Vantage:
        """Of the connection as its sender saw it."""
        return find_vantage(self.seen, "sender")

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
            "compared": self.compared.record(),
        }

    def __str__(self) -> str:
        blocks = [
            [f"{self.capture}: ", *listing(self.connections, self.place)],
            self._why(),
            self._budget(),
            self._parameters(),
            self._unseen(),
            ["the capture beside a simulation of what was found", *self.compared.lines()],
            self._go_on(),
        ]
        blocks[0] = [f"{self.capture}: {blocks[0][1]}", *blocks[0][2:]]
        return "\n\n".join("\n".join(block) for block in map(list, blocks) if block)

    __repr__ = __str__

    def _why(self) -> Iterator[str]:
        yield from wrap(self.sentence, WIDTH)
        given = "as given" if self.vantage.given else self.vantage.why
        yield from wrap(f"captured at: {self.vantage.at} ({given})", WIDTH, subsequent_indent="  ")
        for note in self.notes:
            yield from wrap(f"note: {note.sentence}", WIDTH, subsequent_indent="  ")
        for note in self.budget.notes:
            yield from wrap(f"note: {note}", WIDTH, subsequent_indent="  ")

    def _budget(self) -> Iterator[str]:
        limits_s = self.limits_s
        yield f"{'what limited it':<24}{'s':>12}{'%':>8}"
        for name in sorted(limits_s, key=lambda each: -limits_s[each]):
            part = share(limits_s, name)
            if part >= SHOWN:
                yield f"{name.replace('_', ' '):<24}{limits_s[name]:>12.3f}{part * 100:>8.2f}"
        yield f"{'all':<24}{sum(limits_s.values()):>12.3f}{100:>8.2f}"

    def _parameters(self) -> Iterator[str]:
        behind = f", behind it the host profile {self.found.host}" if self.found.host else ""
        yield f"what it shows, as a {self.found.scenario}{behind}"
        for each in self.found.findings:
            ends = (("at least", each.low), ("at most", each.high))
            unit = f" {each.unit}" if each.unit not in ("", "1") else ""
            told = [f"{word} {end}{unit}" for word, end in ends if end is not None]
            bound = f" ({', '.join(told)})" if each.basis == "bound" and told else ""
            yield f"  {each.key} = {each.text}, {each.basis}{bound}"
            yield from wrap(each.source, WIDTH, initial_indent=" " * 6, subsequent_indent=" " * 6)

    def _unseen(self) -> Iterator[str]:
        if self.found.unseen:
            names = ", ".join(self.found.unseen)
            told = f"not seen, so the model's own values stand: {names}"
            yield from wrap(told, WIDTH, subsequent_indent="  ")
        for each in self.not_modelled:
            blocked = f"what-if of {', '.join(each.blocks)}" if each.blocks else "any what-if"
            told = f"not modelled: {each.what}. It is why {blocked} is refused"
            yield from wrap(told, WIDTH, subsequent_indent="  ")

    def _go_on(self) -> Iterator[str]:
        if self.file is None:
            again = ["-" if self.capture == STDIN else shlex.quote(self.capture)]
            if len(self.connections) > 1:
                again.append(f"--connection {self.place + 1}")
            if self.vantage.given:
                again.append(f"--at {self.vantage.at}")
            yield f"to go on: {called()} diagnose {' '.join(again)} -o {self.name}.toml"
            return
        shown = shlex.quote(str(self.file))
        turn, why = self._turn()
        yield f"written: {self.file}; to go on:"
        yield f"  {called()} what-if {shown} {turn}" if turn else f"  {called()} run {shown}"
        yield f"  {called()} explain {shown}"
        if not turn:
            yield from wrap(f"no what-if to offer: {why}", WIDTH, subsequent_indent="  ")

    def _turn(self) -> tuple[str, str]:
        """The first change of a number that the sentence names that what-if answers, and that does
        something; where there is none, why."""
        system, declared = self.system(), declaration(self.found.scenario)
        why = "nothing that the sentence names is a number that the capture shows"
        for change in turns(self.limits_s, self.found):
            try:
                changed = system.with_(**change)
                refused = changed.rests_on_no_model(system)
                gain = None if refused or not self.ask else self.ask(system, changed)
            except StudyError as error:
                refused = str(error)
            if refused:
                why = refused.removeprefix(f"{self.name}: ")
            elif self.ask and (gain is None or gain < GAIN_PCT):
                why = f"{typed(declared, change)} would not make it faster by {GAIN_PCT:.0f} %"
            else:
                return typed(declared, change), ""
        return "", why


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
    found = tuple(lines(capture.connections))
    place = chosen(capture.connections, connection)
    taken = capture.connections[place]
    if not found[place].bytes:
        raise StudyError(f"{path}: connection {place + 1} carries no data")
    vantage = find_vantage(taken, at)
    judged = budget(taken, vantage)
    seen = as_seen_by_sender(taken, vantage)
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
        tuple(dict.fromkeys((*capture.notes, *taken.notes))),
        kind,
    )


def _loaded(name: str, text: str, kind: type[System]) -> System:
    with tempfile.TemporaryDirectory(prefix="study-") as folder:
        path = Path(folder) / f"{name}.toml"
        path.write_text(text)
        return replace(load(path, kind), typed="")


def _unlike(half: Found, whole: Found) -> str:
    """The numbers that half of a transfer shows otherwise than all of it."""
    told = []
    for key in HELD_BY:
        ours, theirs = half.get(key), whole.get(key)
        if ours is None and theirs is None:
            continue
        if ours is None or theirs is None or ours.basis != theirs.basis or _apart(ours, theirs):
            shown = [each.text if each else "not seen" for each in (ours, theirs)]
            if shown[0] != shown[1]:
                told.append(f"{key} {shown[0]}, of the whole {shown[1]}")
    return "; ".join(told)


def _apart(ours: Finding, theirs: Finding) -> bool:
    """By more than a tenth, in their units."""
    if ours.unit != theirs.unit or isinstance(ours.value, str):
        return ours.text != theirs.text
    return abs(ours.value - theirs.value) > 0.1 * abs(theirs.value)


def _by_chance(found: Found, half: Connection) -> Found:
    """What was found, with losses of the same share in the place of a list of those seen: those of
    the rest are not known."""
    listed = found.get("path_lost_packets")
    if listed is None:
        return found
    part = len(listed.value.split(",")) / max(len(Transfer(half).sent_rows), 1)
    loss = replace(listed, key="path_loss", value=float(f"{part:.4g}"), unit="1")
    return replace(
        found, findings=tuple(loss if each is listed else each for each in found.findings)
    )
