# SPDX-License-Identifier: GPL-2.0-only
"""Packet exchanges compared with a simulation.

The rule for times: the first packet after "..." is checked against the simulation's own packet
before it, too.

A source that does not show what came before its fragments can't tell where in the job they belong.
Its file says "# numbers: relative to the fragment": each is then looked for by its pattern (who
sends, lengths, windows), and compared with numbers counted from its first ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from study.judging.notation import Ends, Packet, Timeline, tcpdump
from study.programs.segments import Segment


@dataclass(frozen=True)
class Row:
    """One packet of the source beside the simulation's packet."""

    packet: Packet
    index: int | None  # in the segment table; None if the simulation does not send it
    delta_us: float | None
    problems: tuple[str, ...]

    def __str__(self) -> str:
        simulated = "-" if self.delta_us is None else f"{self.delta_us:.1f}"
        problems = "; ".join(self.problems)
        return (
            f"line {self.packet.line}: {self.packet.text} | simulated {simulated} us | {problems}"
        )


def compare(timeline: Timeline, segments: Sequence[Segment]) -> list[Row]:
    """Find each packet of the source in the simulation, in order, and return its differences."""
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


def mismatches(rows: Sequence[Row]) -> list[Row]:
    """Return the rows with a problem, and rows marked "not reproduced" that are now reproduced."""
    return [row for row in rows if bool(row.problems) != bool(row.packet.not_reproduced)]


def _compare(packets: Sequence[Packet], segments: Sequence[Segment], last: int) -> list[Row]:
    """Return the rows, compared with the simulation's packets after index `last`."""
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
    """Return the index, from `after` on, where a fragment begins in the simulation, and the
    simulation's packets with both streams' numbers shifted to the fragment's."""
    start = _start(fragment, segments, after)
    other = dict([ends, ends[::-1]])
    origin = _origin([packet.segment for packet in fragment], other)
    own = _origin(segments[start : start + len(fragment)], other)
    shift = {sender: origin[sender] - own[sender] for sender in origin}
    return start, [
        segment._replace(
            seq=segment.seq + shift[segment.sender],
            ack=None if segment.ack is None else segment.ack + shift[other[segment.sender]],
        )
        for segment in segments
    ]


def _start(fragment: Sequence[Packet], segments: Sequence[Segment], after: int) -> int:
    """Return the first place where the simulation sends exactly such packets; otherwise the first
    where it sends most of them in this order, with at most a few others in between."""
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
    """Return how well packets match, for comparison: the number found in order, whether the first
    is the first, and how close together they are."""
    found, place = 0, 0
    for pattern in wanted:
        if pattern in sent[place:]:
            place = sent.index(pattern, place) + 1
            found += 1
    return found, sent[0] == wanted[0], -place


def _pattern(segment: Segment) -> tuple:
    """Return the properties that identify a packet whose numbers are unknown."""
    return (segment.sender, segment.control, segment.length, segment.window)


def _origin(segments: Sequence[Segment], other: dict[str, str]) -> dict[str, int]:
    """Return the first number of each sender's stream: of its first data, or without data of the
    first ACK for it."""
    data = {s.sender: s.seq for s in reversed(segments) if s.length or s.control}
    acks = {other[s.sender]: s.ack for s in reversed(segments) if s.ack is not None}
    return {sender: data.get(sender, acks.get(sender, 0)) for sender in other}


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
    """Return the key to find a packet by: its ACK number for a pure ACK, else its sequence
    number."""
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
    """Return a problem if the simulation sends packets between this one and the line before, unless
    the source left packets out there."""
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
