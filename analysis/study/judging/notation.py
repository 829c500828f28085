# SPDX-License-Identifier: GPL-2.0-only
"""Packet exchanges in the notation of tcpdump -ttt: read and written.

tests/*/timelines/*.txt explain their own notation. In front of a packet stands the time since the
packet before it, shown or not. Ends that are not called host and device in the segment table are
named by "# ends: FIRST SECOND", first the one that sends first.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from study.base.errors import StudyError
from study.base.project import read_text, shown
from study.programs.segments import Segment

PACKET = re.compile(
    r"(?P<delta>\d+) (?P<source>\S+) > (?P<target>\S+): (?P<flags>[SFRP]+|\.)"
    r"(?: (?P<seq>\d+):(?P<end>\d+)\((?P<length>\d+)\))?(?: ack (?P<ack>\d+))? win (?P<window>\d+)"
    r"(?: <[^>]*>)?(?: \(DF\))?"  # the TCP options and the IP header's DF flag
)
NUMBER = r"(\d+(?:\.\d+)?)"
Ends = tuple[str, str]
MICROSECONDS = {"us": 1.0, "ms": 1000.0}


@dataclass(frozen=True)
class Tolerance:
    """Allowed time since the packet before: from `low_us` to `high_us`, or within `margin` (us, ms
    or %) of the source's."""

    margin: float | None = None
    unit: str = "us"
    low_us: float = 0.0
    high_us: float = 0.0

    def allows(self, source_us: float) -> tuple[float, float]:
        """Return the allowed range in us around the source's time."""
        if self.margin is None:
            return self.low_us, self.high_us
        unit_us = source_us / 100 if self.unit == "%" else MICROSECONDS[self.unit]
        margin = self.margin * unit_us
        return source_us - margin, source_us + margin


@dataclass(frozen=True)
class Packet:
    """One line of a source's exchange, with numbers relative to the sender's SYN."""

    line: int
    text: str
    delta_us: int
    time_us: int  # since the first packet of its fragment
    fragment: int
    segment: Segment
    tolerance: Tolerance
    not_reproduced: str  # why the model is known not to send it, or empty


@dataclass(frozen=True)
class Timeline:
    """A packet exchange: its description and its packets."""

    prose: str
    packets: tuple[Packet, ...]
    aligned: bool = False  # whether numbers count from each fragment's first ones
    ends: Ends = ("host", "device")  # names in the segment table, first the end that sends first


def read(path: Path) -> Timeline:
    """Read an exchange from its file. Errors name the file and the line."""
    text = read_text(path)
    try:
        return parse(text)
    except StudyError as error:
        raise StudyError(f"{shown(path)}:{error}") from error


def parse(text: str) -> Timeline:
    """Read an exchange from a text. Errors begin with the line's number."""
    reader = _Reader()
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            reader.take(number, line.strip())
        except StudyError as error:
            raise StudyError(f"{number}: {error}") from error
    return Timeline("\n".join(reader.prose), tuple(reader.packets), reader.aligned, reader.ends)


@dataclass
class _Reader:
    prose: list[str] = field(default_factory=list)
    packets: list[Packet] = field(default_factory=list)
    defaults: dict[str, Tolerance] = field(default_factory=dict)
    first: str = ""  # the source's name for the end that sends first
    ends: Ends = ("host", "device")
    origin: dict[str, int] = field(default_factory=dict)  # each sender's initial sequence number
    fragment: int = 0
    time_us: int = 0
    aligned: bool = False

    def take(self, number: int, line: str) -> None:
        if line.startswith("# tolerance: "):
            sender, _, note = line.removeprefix("# tolerance: ").partition(" ")
            if sender not in self.ends:
                raise StudyError(f"a tolerance is for {' or '.join(self.ends)}, not for {sender!r}")
            self.defaults[sender] = _tolerance(note)
        if line.startswith("# ends: "):
            self.ends = _ends(line.removeprefix("# ends: "))
        if line.startswith("# numbers: "):
            self.aligned = _numbers(line.removeprefix("# numbers: "))
        if line.startswith("#"):
            self.prose.append(line.removeprefix("#").strip())
        elif line == "...":
            self.fragment += 1
        elif line:
            self.packets.append(self._packet(number, line))

    def _packet(self, number: int, line: str) -> Packet:
        text, _, note = (part.strip() for part in line.partition(";"))
        match = PACKET.fullmatch(text)
        if not match:
            raise StudyError(f"{text!r} is not a packet in the notation of tcpdump -ttt")
        self.first = self.first or match["source"]
        first = not self.packets or self.packets[-1].fragment != self.fragment
        self.time_us = 0 if first else self.time_us + int(match["delta"])
        segment = self._segment(match)
        rule, _, reason = note.partition(": ")
        excuse = reason if rule == "not reproduced" else ""
        tolerance = _tolerance(note) if note and not excuse else self.defaults.get(segment.sender)
        if tolerance is None:
            raise StudyError(
                f"{segment.sender} packets have no '# tolerance: {segment.sender} within ...' above"
            )
        when = int(match["delta"]), self.time_us, self.fragment
        return Packet(number, text, *when, segment, tolerance, excuse)

    def _segment(self, match: re.Match) -> Segment:
        """Return the segment with relative numbers: lines with S or R have absolute ones. A pure
        ACK's sequence number is not shown and is 0."""
        source, target, flags = match["source"], match["target"], match["flags"]
        seq, ack = int(match["seq"] or 0), int(match["ack"]) if match["ack"] else None
        length = int(match["length"] or 0)
        if match["seq"] and int(match["end"]) - seq != length:
            raise StudyError(f"{match['seq']}:{match['end']} is not {length} bytes")
        if "S" in flags:
            self.origin[source] = seq
            ack = None if ack is None else ack - self.origin.get(target, 0)
        if "S" in flags or "R" in flags:
            seq -= self.origin.get(source, 0)
        sender = self.ends[source != self.first]
        return Segment(self.time_us / 1e6, sender, seq, length, ack, int(match["window"]), flags)


def _ends(names: str) -> Ends:
    if len(names.split()) != 2:
        raise StudyError(f"there are two ends, first who sends first, not {names!r}")
    return tuple(names.split())


def _numbers(rule: str) -> bool:
    """Return whether numbers count from the fragment; the default is the connection."""
    rules = {"relative to the fragment": True, "relative to the connection": False}
    if rule not in rules:
        raise StudyError(f"numbers are {' or '.join(rules)}, not {rule!r}")
    return rules[rule]


def _tolerance(note: str) -> Tolerance:
    within = re.fullmatch(rf"within {NUMBER} (us|ms|%): .+", note)
    if within:
        return Tolerance(float(within[1]), within[2])
    between = re.fullmatch(rf"between {NUMBER} and {NUMBER} (us|ms): .+", note)
    if between:
        factor = MICROSECONDS[between[3]]
        return Tolerance(low_us=float(between[1]) * factor, high_us=float(between[2]) * factor)
    raise StudyError(
        f"{note!r} is none of 'within 1 ms: why', 'between 1 and 2 ms: why', 'not reproduced: why'"
    )


def write(segments: Sequence[Segment], ends: Ends = Timeline.ends) -> str:
    """Return a segment table in the notation of tcpdump -ttt."""
    other = dict([ends, ends[::-1]])
    lines, before = [], segments[0].time_s if segments else 0.0
    for segment in segments:
        delta_us = round((segment.time_s - before) * 1e6)
        ends = f"{segment.sender} > {other[segment.sender]}"
        lines.append(f"{delta_us:06d} {ends}: {tcpdump(segment)}")
        before = segment.time_s
    return "\n".join(lines) + "\n"


def tcpdump(segment: Segment) -> str:
    """Return a packet as tcpdump writes it, without time and names: "20120:21580(1460) ack 3 win
    32120"."""
    place = f" {segment.seq}:{segment.seq + segment.length}({segment.length})"
    if not segment.length and not segment.control:
        place = ""
    ack = "" if segment.ack is None else f" ack {segment.ack}"
    return f"{segment.flags}{place}{ack} win {segment.window}"
