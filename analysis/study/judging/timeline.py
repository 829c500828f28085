# SPDX-License-Identifier: GPL-2.0-only
"""Packet exchanges in the notation of tcpdump -ttt: read, compared with a simulation, written.

tests/*/timelines/*.txt explain their own notation. The rule for times: in front of a packet stands
the time since the packet before it, shown or not, so the first packet after "..." is checked
against the simulation's own packet before it, too.

A source that does not show what came before its fragments can't tell where in the job they belong.
Its file says "# numbers: relative to the fragment": each is then looked for by its pattern (who
sends, lengths, windows), and compared with numbers counted from its first ones.

Ends that are not called host and device in the segment table are named by "# ends: FIRST SECOND",
first the one that sends first.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from study.base.errors import StudyError
from study.base.project import shown
from study.programs.segments import Segment

PACKET = re.compile(
    r"(?P<delta>\d+) (?P<source>\S+) > (?P<target>\S+): (?P<flags>[SFRP]+|\.)"
    r"(?: (?P<seq>\d+):(?P<end>\d+)\((?P<length>\d+)\))?(?: ack (?P<ack>\d+))? win (?P<window>\d+)"
    r"(?: <[^>]*>)?(?: \(DF\))?"  # the options and the flag in the IP header
)
NUMBER = r"(\d+(?:\.\d+)?)"
Ends = tuple[str, str]
MICROSECONDS = {"us": 1.0, "ms": 1000.0}


@dataclass(frozen=True)
class Tolerance:
    """The time since the packet before has to lie from `low` to `high`, or within `margin` (us or
    %) of the source's."""

    margin: float | None = None
    unit: str = "us"
    low_us: float = 0.0
    high_us: float = 0.0

    def allows(self, source_us: float) -> tuple[float, float]:
        """The allowed range around what the source shows."""
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
    not_reproduced: str  # why the model is known not to send it, else empty


@dataclass(frozen=True)
class Timeline:
    """An exchange: what it is about, and its packets."""

    prose: str
    packets: tuple[Packet, ...]
    aligned: bool = False  # numbers are compared from each fragment's first ones on
    ends: Ends = ("host", "device")  # what the segment table calls them: first who sends first


@dataclass(frozen=True)
class Row:
    """One packet of the source beside the simulation's."""

    packet: Packet
    index: int | None  # in the simulation, None when it is not there
    delta_us: float | None
    problems: tuple[str, ...]

    def __str__(self) -> str:
        simulated = "-" if self.delta_us is None else f"{self.delta_us:.1f}"
        problems = "; ".join(self.problems)
        return (
            f"line {self.packet.line}: {self.packet.text} | simulated {simulated} us | {problems}"
        )


def read(path: Path) -> Timeline:
    """Read an exchange from its file."""
    try:
        return parse(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise StudyError(
            f"cannot read {shown(path)}: {(error.strerror or str(error)).lower()}"
        ) from error
    except StudyError as error:
        raise StudyError(f"{shown(path)}:{error}") from error


def parse(text: str) -> Timeline:
    """Read an exchange; an error begins with the number of its line."""
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
    origin: dict[str, int] = field(default_factory=dict)  # each sender's own first sequence number
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
        return Packet(
            number,
            text,
            int(match["delta"]),
            self.time_us,
            self.fragment,
            segment,
            tolerance,
            excuse,
        )

    def _segment(self, match: re.Match) -> Segment:
        """S and R lines carry absolute numbers, which become relative here; a pure ACK's seq is not
        shown and is 0."""
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
    match names.split():
        case [first, second]:
            return first, second
    raise StudyError(f"there are two ends, first who sends first, not {names!r}")


def _numbers(rule: str) -> bool:
    """Whether numbers count from the fragment; the other rule is what holds without one."""
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


def compare(timeline: Timeline, segments: Sequence[Segment]) -> list[Row]:
    """Find each packet of the source in the simulation, in order, and say what differs."""
    if not timeline.aligned:
        return _compare(timeline.packets, segments, last=-1)
    rows: list[Row] = []
    after = 0
    for _, group in groupby(timeline.packets, key=lambda packet: packet.fragment):
        fragment = list(group)
        start, renumbered = align(fragment, segments, after, timeline.ends)
        found = _compare(fragment, renumbered, last=start - 1)
        after = max([row.index + 1 for row in found if row.index is not None], default=after)
        rows += found
    return rows


def _compare(packets: Sequence[Packet], segments: Sequence[Segment], last: int) -> list[Row]:
    """The same from the simulation's packet after `last` on."""
    rows: list[Row] = []
    by_key: dict[tuple, list[int]] = {}
    for index, segment in enumerate(segments):
        by_key.setdefault(_key(segment), []).append(index)
    for packet in packets:
        row = _row(packet, segments, by_key, last, rows[-1] if rows else None)
        last = row.index if row.index is not None and row.index > last else last
        rows.append(row)
    return rows


def align(
    fragment: Sequence[Packet],
    segments: Sequence[Segment],
    after: int = 0,
    ends: Ends = Timeline.ends,
) -> tuple[int, list[Segment]]:
    """Where in the simulation, from its packet `after` on, a fragment belongs; and the simulation's
    packets with both streams shifted so that they begin there with the fragment's numbers."""
    start = _start(fragment, segments, after)
    return start, _renumbered(fragment, segments, start, ends)


def _start(fragment: Sequence[Packet], segments: Sequence[Segment], after: int) -> int:
    """The first place where the simulation sends just such packets; or else the first where it
    sends most of them in this order, among a few others."""
    wanted = [_pattern(packet.segment) for packet in fragment]
    sent = [_pattern(segment) for segment in segments]
    count, others = len(wanted), 4
    places = range(after, len(sent))
    exact = next((start for start in places if sent[start : start + count] == wanted), None)
    if exact is not None:
        return exact
    likeness = {start: _in_order(wanted, sent[start : start + count + others]) for start in places}
    return max(likeness, key=lambda start: likeness[start], default=after)


def _in_order(wanted: list[tuple], sent: list[tuple]) -> tuple[int, bool, int]:
    """How many of the wanted are among the sent, each behind the one before; then, whether the
    first is the first; then, how close together they are."""
    found, place = 0, 0
    for pattern in wanted:
        if pattern in sent[place:]:
            place = sent.index(pattern, place) + 1
            found += 1
    return found, sent[0] == wanted[0], -place


def _pattern(segment: Segment) -> tuple:
    """What a packet is recognised by when its numbers are not known."""
    return (segment.sender, segment.control, segment.length, segment.window)


def _renumbered(
    fragment: Sequence[Packet], segments: Sequence[Segment], start: int, ends: Ends
) -> list[Segment]:
    other = dict([ends, ends[::-1]])
    origin = _origin([packet.segment for packet in fragment], other)
    own = _origin(segments[start : start + len(fragment)], other)
    shift = {sender: origin[sender] - own[sender] for sender in origin}
    return [
        segment._replace(
            seq=segment.seq + shift[segment.sender],
            ack=None if segment.ack is None else segment.ack + shift[other[segment.sender]],
        )
        for segment in segments
    ]


def _origin(segments: Sequence[Segment], other: dict[str, str]) -> dict[str, int]:
    """The first number of each sender's stream: of its first data, or where there are none of the
    first ACK of them."""
    data = {s.sender: s.seq for s in reversed(segments) if s.length or s.control}
    acks = {other[s.sender]: s.ack for s in reversed(segments) if s.ack is not None}
    return {sender: data.get(sender, acks.get(sender, 0)) for sender in other}


def mismatches(rows: Sequence[Row]) -> list[Row]:
    """The rows with a problem, and those marked "not reproduced" that have none any more."""
    return [row for row in rows if bool(row.problems) != bool(row.packet.not_reproduced)]


def _row(
    packet: Packet, segments: Sequence[Segment], by_key: dict, last: int, before: Row | None
) -> Row:
    index, problems = _find(packet.segment, segments, by_key, last)
    if index is None:
        return Row(packet, None, None, tuple(problems))
    if index > last:
        problems += _extra(packet, segments, index, last, before)
    problems += _differences(packet.segment, segments[index])
    if index == 0:
        return Row(packet, index, 0.0, tuple(problems))
    delta_us = (segments[index].time_s - segments[index - 1].time_s) * 1e6
    low, high = packet.tolerance.allows(packet.delta_us)
    if not low <= round(delta_us, 3) <= high:
        problems.append(
            f"time: {delta_us:.1f} us after the packet before, not {low:.0f} to {high:.0f}"
        )
    return Row(packet, index, delta_us, tuple(problems))


def _key(segment: Segment) -> tuple:
    """What a packet is found by: a pure ACK by its ACK number, any other by its place in the
    sender's stream."""
    pure_ack = not segment.length and not segment.control
    place = ("ack", segment.ack) if pure_ack else ("seq", segment.seq)
    return (segment.sender, segment.control, *place)


def _find(
    wanted: Segment, segments: Sequence[Segment], by_key: dict, last: int
) -> tuple[int | None, list[str]]:
    found = by_key.get(_key(wanted), [])
    later = [index for index in found if index > last]
    if later:
        return min(later, key=lambda index: (segments[index].length != wanted.length, index)), []
    if found:
        return found[-1], [f"order: the simulation sends it {last - found[-1]} packets earlier"]
    return None, ["missing: the simulation never sends it"]


def _extra(
    packet: Packet, segments: Sequence[Segment], index: int, last: int, before: Row | None
) -> list[str]:
    """Packets that the source does not show between this one and the line before, unless it left
    packets out there."""
    if before is None:
        first = index - last - 1
        return [f"extra: the simulation sends {first} packets first"] if first else []
    if (
        before.packet.fragment != packet.fragment
        or before.index is None
        or before.packet.not_reproduced
    ):
        return []
    between = [tcpdump(segment) for segment in segments[before.index + 1 : index]]
    return [f"extra: the source does not show {', '.join(between[:3])}"] if between else []


def _differences(wanted: Segment, found: Segment) -> list[str]:
    names = ["length", "ack"] if "R" in wanted.control else ["length", "ack", "window"]
    if wanted.ack is None:  # tcpdump shows no ACK number on a RST, whether or not it has one
        names.remove("ack")
    return [
        f"{name}: {getattr(found, name)}, not {getattr(wanted, name)}"
        for name in names
        if getattr(found, name) != getattr(wanted, name)
    ]


def tcpdump(segment: Segment) -> str:
    """A packet as tcpdump writes it, without time and names: "20120:21580(1460) ack 3 win
    32120"."""
    place = f" {segment.seq}:{segment.seq + segment.length}({segment.length})"
    if not segment.length and not segment.control:
        place = ""
    ack = "" if segment.ack is None else f" ack {segment.ack}"
    return f"{segment.flags}{place}{ack} win {segment.window}"


def write(segments: Sequence[Segment], ends: Ends = Timeline.ends) -> str:
    """A segment table in the notation of tcpdump -ttt."""
    other = dict([ends, ends[::-1]])
    lines, before = [], segments[0].time_s if segments else 0.0
    for segment in segments:
        delta_us = round((segment.time_s - before) * 1e6)
        ends = f"{segment.sender} > {other[segment.sender]}"
        lines.append(f"{delta_us:06d} {ends}: {tcpdump(segment)}")
        before = segment.time_s
    return "\n".join(lines) + "\n"
