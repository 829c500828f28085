# SPDX-License-Identifier: GPL-2.0-only
"""Packets of a stretch of a job, as the sender of the data sees them: data sent, data
acknowledged and the window's end."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from math import floor, log10
from textwrap import wrap
from typing import TYPE_CHECKING

from study.base.errors import StudyError
from study.drawing import style
from study.programs.declaration import declaration
from study.programs.labels import said, spelt
from study.programs.segments import Segment
from study.system.system import System

if TYPE_CHECKING:
    import pandas as pd

GENERIC = "Generic"  # begins the title of a system without measurements
MOST_CHANGES, TITLE_LETTERS = 4, 64  # in the line above a figure
ONE_LINE = 44  # letters over a panel of half a page or a column
SPAN_PACKETS = 40  # what is shown of a job when nobody says from when to when


@dataclass(frozen=True)
class Span:
    """A stretch of the job in seconds since its first packet; without an end, SPAN_PACKETS."""

    begin_s: float = 0.0
    end_s: float | None = None


BEGINNING = Span()


@dataclass(frozen=True)
class Flow:
    """The data of one sender and the ACKs of the other, up to the end of the span."""

    sender: str
    packets: tuple[Segment, ...]
    begin_s: float
    end_s: float
    last_s: float  # of all packets of the transfer, shown or not

    @property
    def part(self) -> str:
        """Which part of the transfer this is: "0 to 87 ms of 2.2 s"; empty where it is all."""
        if self.begin_s <= 0 and self.end_s >= self.last_s:
            return ""
        factor, label = time_axis(self.begin_s, self.end_s)
        unit = label.partition("(")[2].rstrip(")")
        end = self.end_s * factor
        digits = max(0, 2 - floor(log10(end - self.begin_s * factor)))
        ends = f"{_rounded(self.begin_s * factor, digits)} to {_rounded(end, digits)}"
        return f"{ends} {unit} of {spelt_s(self.last_s)}"

    @property
    def data(self) -> list[Segment]:
        """The sender's packets with data."""
        return [p for p in self.packets if p.sender == self.sender and p.length]

    @property
    def acks(self) -> list[Segment]:
        """The other side's packets that acknowledge something."""
        return [p for p in self.packets if p.sender != self.sender and p.ack is not None]

    def is_repeated(self) -> list[bool]:
        """For each of `data`, whether it begins with bytes that were sent before."""
        ends = accumulate((p.seq + p.length for p in self.data), max, initial=0)
        return [p.seq < end for p, end in zip(self.data, ends, strict=False)]

    def shown(self, packets: Sequence[Segment]) -> list[Segment]:
        """Return those that lie in the span."""
        return [p for p in packets if self.begin_s <= p.time_s <= self.end_s]

    def outstanding_B(self) -> list[int]:
        """For each packet, what the sender has sent and not seen acknowledged after it."""
        left, sent, acked = [], 1, 1
        for packet in self.packets:
            if packet.sender == self.sender:
                sent = max(sent, packet.seq + packet.length)
            elif packet.ack is not None:
                acked = max(acked, packet.ack)
            left.append(sent - acked)
        return left

    def table(self) -> "pd.DataFrame":
        """Return the packets of the span, with what was outstanding after each."""
        import pandas as pd

        rows = [
            (f"{packet.time_s:.9f}", *packet[1:7], left_B)
            for packet, left_B in zip(self.packets, self.outstanding_B(), strict=True)
            if packet.time_s >= self.begin_s
        ]
        columns = ["time_s", "sender", "seq", "length", "ack", "window", "flags", "outstanding_B"]
        return pd.DataFrame(rows, columns=columns).astype({"ack": "Int64"})


def stretch_of(packets: Sequence[Segment], span: Span, name: str) -> Flow:
    """Return the span of these packets, of a run or of a capture."""
    sent_B: Counter[str] = Counter()
    for packet in packets:
        sent_B[packet.sender] += packet.length
    if not sent_B:
        raise StudyError(f"{name} sends no packets, so there is nothing to draw")
    inside = [p.time_s for p in packets if p.time_s >= span.begin_s]
    if not inside:
        raise StudyError(f"--from lies after the job's last packet, at {packets[-1].time_s:.3f} s")
    end_s = inside[: SPAN_PACKETS + 1][-1] if span.end_s is None else span.end_s
    if end_s <= span.begin_s:
        raise StudyError(f"--to = {end_s:g} s has to be later than --from = {span.begin_s:g} s")
    shown = tuple(p for p in packets if p.time_s <= end_s)
    sender = sent_B.most_common(1)[0][0]
    return Flow(sender, shown, span.begin_s, end_s, packets[-1].time_s)


def stepped(points: Sequence[tuple[float, float]], until: float) -> tuple[list, list]:
    """Return a line that keeps each value until the next, and the last one to the end."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return ([*xs, until], [*ys, ys[-1]]) if points else ([], [])


def product_of(system: System) -> str:
    """Return the title without what stands behind the product's name; of a generic system its
    name."""
    product = re.split(r" \(|,|:", system.title)[0]
    return system.name if product == GENERIC else product


def name_of(system: System) -> str:
    """Return the same, and what was changed."""
    declared = declaration(system.scenario)
    changed = ", ".join(
        f"{spelt(key)} {said(declared.parameter(key), value)}"
        for key, value in system.changes.items()
    )
    return product_of(system) + (f", {changed}" if changed else "")


def title_of(system: System) -> str:
    """Return the same for the line above a figure, which alone names the changes: the first of
    many, in as many lines as there is room for across."""
    few = dict(list(system.changes.items())[:MOST_CHANGES])
    more = len(system.changes) - len(few)
    rest = f", and {more} more" if more else ""
    return "\n".join(wrap(name_of(replace(system, changes=few)) + rest, TITLE_LETTERS))


def titled(title: str, part: str) -> str:
    """Return a title with what part of it all is shown, in a line of its own where one has no
    room."""
    if not part:
        return title
    fits = style.size() == "page" and len(title) + len(part) <= ONE_LINE
    return f"{title}: {part}" if fits else f"{title}\n{part}"


def _rounded(value: float, digits: int) -> str:
    text = f"{value:.{digits}f}"
    return text.rstrip("0").rstrip(".") if digits else text


def spelt_s(time_s: float) -> str:
    """With three digits, in seconds or milliseconds."""
    if time_s >= 1:
        return f"{time_s:.{0 if time_s >= 100 else 2}f} s"
    return f"{time_s * 1000:.3g} ms"


def time_axis(begin_s: float, end_s: float) -> tuple[float, str]:
    """Return what to multiply seconds by, and the axis's label."""
    return (1.0, "time (s)") if end_s - begin_s >= 1 else (1000.0, "time (ms)")
