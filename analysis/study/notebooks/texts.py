# SPDX-License-Identifier: GPL-2.0-only
"""Sentences, tables and sources in a notebook. The cell computes each number of a sentence from
a run or takes it from a system's file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tabulate import tabulate

from study.base.errors import StudyError, unknown
from study.base.units import seconds
from study.catalogue import systems
from study.judging.comparison import Comparison, compare
from study.kit.quantity import Judges
from study.kit.scenario import judges
from study.programs.segments import Segment
from study.system.measured import Measured
from study.system.system import Result, System

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Text:
    """Markdown text for a notebook."""

    markdown: str

    def __repr__(self) -> str:
        return self.markdown

    _repr_markdown_ = __repr__


def say(*sentences: str) -> Text:
    """Return sentences as one paragraph."""
    return Text(" ".join(" ".join(sentence.split()) for sentence in sentences))


def table(rows: "pd.DataFrame | Sequence[Mapping[str, object]]", digits: int = 3) -> Text:
    """Return rows as a table with a heading, with `digits` significant digits. Raise StudyError if
    there is no row."""
    records = rows.to_dict("records") if hasattr(rows, "to_dict") else list(rows)
    if not records:
        raise StudyError("a table needs at least one row")
    cells = [[_cell(value, f"#.{digits}g") for value in record.values()] for record in records]
    return Text(tabulate(cells, list(records[0]), tablefmt="pipe", disable_numparse=True))


def _cell(value: object, digits: str) -> str:
    value = value.item() if hasattr(value, "item") else value  # a numpy scalar
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        plain = format(value, digits).rstrip(".")
        return f"{value:,.0f}" if "e" in plain or abs(value) >= 1000 else plain
    return str(value)


def packets(result: Result, begin: str = "0s", count: int = 12) -> Text:
    """Return `count` packets of a run after `begin` as lines of text, as a sniffer prints them.
    Raise StudyError if the job has no packet after `begin`."""
    from_s = seconds(begin)
    chosen = [packet for packet in result.packets if packet.time_s >= from_s][:count]
    if not chosen:
        raise StudyError(f"the job's last packet is at {result.packets[-1].time_s:.3f} s")
    before_s = [packet.time_s for packet in result.packets if packet.time_s < from_s][-1:]
    known = judges(result.origin.scenario) if result.origin else None
    lines, last_s = [], before_s[0] if before_s else chosen[0].time_s
    for packet in chosen:
        lines.append(f"{(packet.time_s - last_s) * 1000:10.3f} ms later  {_line(packet, known)}")
        last_s = packet.time_s
    return Text("```\n" + "\n".join(lines) + "\n```")


def _line(packet: Segment, known: Judges | None) -> str:
    asked = known.asked(packet) if known else ""
    if asked:
        return f"{packet.sender:11} {asked}"
    span = f"{packet.seq}:{packet.seq + packet.length} ({packet.length} B) "
    ack = "" if packet.ack is None else f"ack {packet.ack} win {packet.window}"
    flags = f"{packet.control} " if packet.control else ""
    return f"{packet.sender:11} {flags}{span if packet.length else ''}{ack}".rstrip()


def measured(system: System, quantity: str) -> Measured:
    """Return a system's measured figure by its name. Raise StudyError if the name is unknown."""
    for row in system.measured:
        if row.quantity == quantity:
            return row
    raise unknown("measured figure", quantity, [row.quantity for row in system.measured])


def compared(system: System, quantity: str) -> Comparison:
    """Return a measured figure and its simulated value, both in the measured unit."""
    return compare(system, system.run(segments=True), [measured(system, quantity)])[0]


def sources(*names: str, disagreements: bool = True) -> Text:
    """Return the sources of these systems' figures and, with `disagreements`, the figures that
    disagree with the simulation."""
    cited = {source.id: source.title for name in names for source in systems[name].sources}
    text = "\n".join(f"- {title}" for title in cited.values())
    lines = [
        f"- `{name}`: **{each.what}.** {each.why}"
        for name in names
        for each in systems[name].disagreements
    ]
    if lines and disagreements:
        text += "\n\nWhat does not agree, and why:\n\n" + "\n".join(lines)
    files = ", ".join(f"`scenarios/systems/{name}.toml`" for name in names)
    return Text(f"{text}\n\nEvery parameter with its basis and source: {files}.")
