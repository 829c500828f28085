# SPDX-License-Identifier: GPL-2.0-only
"""A diagnosis as its text: facts, sentence, strip, budget, numbers and the change that helps most,
on one screen; with `full` everything."""

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import wrap
from typing import Protocol

from study.base.called import called
from study.base.units import for_readers
from study.base.wrapping import WIDTH
from study.captures.connection import Connection, Note
from study.diagnosis.compare import packet_at
from study.diagnosis.facts import Fact
from study.diagnosis.finding import share
from study.diagnosis.listing import Line, listing
from study.diagnosis.phases import Phase
from study.diagnosis.sentence import gain_text, numbers
from study.diagnosis.strip import LETTERS, phase_strip, strip
from study.diagnosis.synthesis import PARTED, Answer
from study.diagnosis.system_file import findings, free_name
from study.diagnosis.told import FEW, display_filter
from study.diagnosis.tried_reliefs import SHOWN, Relief
from study.diagnosis.vantage import Vantage
from study.programs.waits import Wait

STDIN = "standard input"
MOST_FACTS = 7  # of one screen: those that all captures have, and the losses


class Printed(Protocol):
    """What a text is made of: a diagnosis, which knows how it prints."""

    capture: str
    connections: Sequence[Line]
    place: int
    vantage: Vantage
    notes: tuple[Note, ...]
    file: Path | None
    full: bool
    stretch: Connection
    seen: Connection
    facts: tuple[Fact, ...]
    answer: Answer | None
    name: str
    sentence: str
    limits_s: dict[str, float]
    phases: list[tuple[Phase, str]]
    waits: list[Wait]


def text(found: Printed) -> str:
    """Return all of it."""
    return "\n".join([facts_text(found), "", answer_text(found)])


def facts_text(found: Printed) -> str:
    """Return what is known before anything is simulated."""
    lines = list(listing(found.connections, found.place))
    lines[0] = f"{found.capture}: {lines[0]}"
    given = "as given" if found.vantage.given else found.vantage.why
    lines += wrap(f"captured at: {found.vantage.at} ({given})", WIDTH, subsequent_indent="  ")
    for note in found.notes:
        lines += wrap(f"note: {note.sentence}", WIDTH, subsequent_indent="  ")
    facts = found.facts if found.full else found.facts[:MOST_FACTS]
    for each in facts:
        shown = display_filter(each.packets) if found.full or len(each.packets) == 2 else ""
        lines += wrap(
            f"{each.text}" + (f": {shown}" if shown else ""),
            WIDTH,
            initial_indent="  ",
            subsequent_indent="    ",
        )
    return for_readers("\n".join(lines))


def answer_text(found: Printed) -> str:
    """Return what the simulations say."""
    blocks = [list(wrap(found.sentence, WIDTH)), list(_phases(found)), list(_strip(found))]
    blocks.append(list(_budget(found)))
    if found.answer is not None:
        blocks += [list(_fit(found)), list(_numbers(found.answer)), list(_changes(found.answer))]
        if found.full:
            blocks += [list(_candidates(found.answer)), list(_parameters(found.answer))]
    told = for_readers("\n\n".join("\n".join(block) for block in blocks if block))
    return "\n\n".join(filter(None, (told, "\n".join(_go_on(found)))))


def _phases(found: Printed) -> Iterator[str]:
    """Yield which limit held when, of a connection in which that changed."""
    phases = found.phases
    if not phases:
        return
    yield phase_strip(phases)
    for phase, limit in phases:
        letter, name = LETTERS.get(limit, "?"), limit.replace("_", " ")
        span = f"{letter} {phase.from_s:,.3f} to {phase.to_s:,.3f} s: {name}"
        numbers_ = (found.seen.packets["number"][row] for row in (phase.first, phase.last))
        low, high = (int(each) for each in numbers_)
        shown = f"nothing sent, {display_filter((low, high))}" if phase.silence else None
        yield f"{span}, {shown or f'{phase.rate_Bps:,.0f} B/s'}"


def _strip(found: Printed) -> Iterator[str]:
    line, limits = strip(found.waits)
    if line:
        yield line
        keys = ", ".join(f"{LETTERS.get(name, '?')} {name.replace('_', ' ')}" for name in limits)
        yield from wrap(keys, WIDTH)


def _budget(found: Printed) -> Iterator[str]:
    limits_s = found.limits_s
    seen = found.answer is None or not found.answer.fits
    yield f"{'the waits, as seen' if seen else 'what limited it':<24}{'s':>12}{'%':>8}"
    names = sorted(limits_s, key=lambda each: -limits_s[each])
    shown = [name for name in names if found.full or share(limits_s, name) >= SHOWN]
    for name in shown if found.full else shown[:FEW]:
        part = share(limits_s, name)
        yield f"{name.replace('_', ' '):<24}{limits_s[name]:>12.3f}{part * 100:>8.1f}"


def _fit(found: Printed) -> Iterator[str]:
    answer = found.answer
    best, rival = answer.best, answer.rival
    told = (
        f"simulated as '{best.candidate.name}': distance {best.distance:.4f}, rate "
        f"{answer.rate_off:+.1%}"
    )
    if rival is not None and answer.confidence is not None:
        told += (
            f"; next kind of system '{rival.candidate.name}', distance {rival.distance:.4f} "
            f"({answer.confidence:.1f} times, weighted)"
        )
    if len(found.stretch.packets) < len(found.seen.packets):
        numbers_ = found.stretch.packets["number"]
        told += f"; simulated are packets {int(numbers_[0])} to {int(numbers_[-1])}"
    at_s = answer.parting_s
    if at_s is not None:
        told += f"; the curves first differ by more than {PARTED:.0%} of all bytes at packet "
        told += str(packet_at(found.stretch, at_s))
    yield from wrap(told, WIDTH, subsequent_indent="  ")


def _numbers(answer: Answer) -> Iterator[str]:
    for key, value, basis in numbers(answer):
        yield f"  {key} = {value}, {basis}"


def change_text(change: Relief) -> str:
    """Return a change as one types it; a list is named only."""
    told = []
    for key, value in change.change.items():
        shown = value if len(value) <= 24 else "..."
        told.append(f"{key.replace('_', '-')} {shown or 'none'}")
    return ", ".join(told)


def _changes(answer: Answer) -> Iterator[str]:
    """Yield what would help, the largest gain first."""
    # The limit with most of the time stands for all with the same change.
    ranked = sorted(answer.reliefs, key=lambda each: -answer.limits_s.get(each.limit, 0.0))
    once = {tuple(each.change.items()): each for each in reversed(ranked) if each.change}
    helps = [each for each in answer.reliefs if each in once.values()]
    for each in helps[: None if len(helps) < 3 else 3]:
        gain = gain_text(answer, each.limit)
        if not answer.tells(each.limit):
            gain = f"the packets leave open what it brings, {gain}"
        told = f"{each.limit.replace('_', ' ')} eased ({change_text(each)}): {gain}"
        yield from wrap(told, WIDTH, subsequent_indent="  ")


def _candidates(answer: Answer) -> Iterator[str]:
    yield f"{'candidate':<34}{'distance':>10}{'rate':>9}"
    for each in answer.fitted:
        off = each.run.curves.rate_Bps / answer.curves.rate_Bps - 1
        yield f"{each.candidate.name:<34}{each.distance:>10.4f}{off:>+9.1%}"


def _parameters(answer: Answer) -> Iterator[str]:
    for each in findings(answer):
        shown = each.text if len(each.text) <= 60 else f"{each.text[:57]}..."
        yield f"  {each.key} = {shown}, {each.basis}"


def _go_on(found: Printed) -> Iterator[str]:
    if found.answer is None:
        return
    if found.file is None:
        again = ["-" if found.capture == STDIN else shlex.quote(found.capture)]
        if len(found.connections) > 1:
            again.append(f"--connection {found.place + 1}")
        if found.vantage.given:
            again.append(f"--at {found.vantage.at}")
        free = free_name(Path(f"{found.name}.toml"))
        yield f"to go on: {called()} diagnose {' '.join(again)} -o {free}"
        return
    shown = shlex.quote(str(found.file))
    yield f"written: {found.file}; to go on:"
    answer = found.answer
    told = (each for each in answer.reliefs if each.gain > 0 and answer.tells(each.limit))
    best = next(told, None)  # what-if refuses the others
    if best is not None and all(len(value) <= 24 for value in best.change.values()):
        flags = " ".join(
            f"--{key.replace('_', '-')} {value or shlex.quote('')}"
            for key, value in best.change.items()
        )
        yield f"  {called()} what-if {shown} {flags}"
    else:
        yield f"  {called()} run {shown}"
    yield f"  {called()} explain {shown}"
