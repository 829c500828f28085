# SPDX-License-Identifier: GPL-2.0-only
"""A diagnosis as its text."""

import shlex
from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap
from typing import Protocol

from study.base.called import called
from study.base.units import bound_text, for_readers
from study.captures.connection import Note
from study.diagnosis.budget import Budget
from study.diagnosis.compare import Compared
from study.diagnosis.finding import NotModelled, share
from study.diagnosis.listing import Line, listing
from study.diagnosis.parameters import Found
from study.diagnosis.system_file import free_name
from study.diagnosis.vantage import Vantage

WIDTH = 80
STDIN = "standard input"
SHOWN = 0.0005  # of the time: a wait below it is left out


class Printed(Protocol):
    """What a text is made of: of a diagnosis, which knows how it prints."""

    capture: str
    connections: tuple[Line, ...]
    place: int
    vantage: Vantage
    budget: Budget
    found: Found
    notes: tuple[Note, ...]
    file: Path | None

    @property
    def name(self) -> str: ...
    @property
    def sentence(self) -> str: ...
    @property
    def limits_s(self) -> dict[str, float]: ...
    @property
    def compared(self) -> Compared | None: ...
    @property
    def not_modelled(self) -> tuple[NotModelled, ...]: ...
    def turn(self) -> tuple[str, str]: ...


def text(found: Printed) -> str:
    """All of it; times have the sign for micro, which commands that are to be typed have not."""
    blocks = [
        [f"{found.capture}: ", *listing(found.connections, found.place)],
        _why(found),
        _budget(found),
        _parameters(found),
        _unseen(found),
        _compared(found),
    ]
    blocks[0] = [f"{found.capture}: {blocks[0][1]}", *blocks[0][2:]]
    told = "\n\n".join("\n".join(block) for block in map(list, blocks) if block)
    return "\n\n".join(filter(None, (for_readers(told), "\n".join(_go_on(found)))))


def _why(found: Printed) -> Iterator[str]:
    yield from wrap(found.sentence, WIDTH)
    given = "as given" if found.vantage.given else found.vantage.why
    yield from wrap(f"captured at: {found.vantage.at} ({given})", WIDTH, subsequent_indent="  ")
    for note in found.notes:
        yield from wrap(f"note: {note.sentence}", WIDTH, subsequent_indent="  ")
    for note in found.budget.notes:
        yield from wrap(f"note: {note}", WIDTH, subsequent_indent="  ")


def _budget(found: Printed) -> Iterator[str]:
    limits_s = found.limits_s
    yield f"{'what limited it':<24}{'s':>12}{'%':>8}"
    for name in sorted(limits_s, key=lambda each: -limits_s[each]):
        part = share(limits_s, name)
        if part >= SHOWN:
            yield f"{name.replace('_', ' '):<24}{limits_s[name]:>12.3f}{part * 100:>8.2f}"
    yield f"{'all':<24}{sum(limits_s.values()):>12.3f}{100:>8.2f}"


def _parameters(found: Printed) -> Iterator[str]:
    behind = f", behind it the host profile {found.found.host}" if found.found.host else ""
    yield f"what it shows, as a {found.found.scenario}{behind}"
    for each in found.found.findings:
        told = bound_text(each.unit, each.low, each.high) if each.basis == "bound" else ""
        bound = f" ({told})" if told else ""
        yield f"  {each.key} = {each.text}, {each.basis}{bound}"
        yield from wrap(each.source, WIDTH, initial_indent=" " * 6, subsequent_indent=" " * 6)


def _unseen(found: Printed) -> Iterator[str]:
    if found.found.unseen:
        names = ", ".join(found.found.unseen)
        told = f"not seen, so the model's own values stand: {names}"
        yield from wrap(told, WIDTH, subsequent_indent="  ")
    for each in found.not_modelled:
        blocked = f"what-if of {', '.join(each.blocks)}" if each.blocks else "any what-if"
        told = f"not modelled: {each.what}. It is why {blocked} is refused"
        yield from wrap(told, WIDTH, subsequent_indent="  ")


def _compared(found: Printed) -> Iterator[str]:
    if found.compared is not None:
        yield "the capture beside a simulation of what was found"
        yield from found.compared.lines()


def _go_on(found: Printed) -> Iterator[str]:
    if found.compared is None:
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
    turn, why = found.turn()
    yield f"written: {found.file}; to go on:"
    yield f"  {called()} what-if {shown} {turn}" if turn else f"  {called()} run {shown}"
    yield f"  {called()} explain {shown}"
    if not turn:
        yield from wrap(f"no what-if to offer: {why}", WIDTH, subsequent_indent="  ")
