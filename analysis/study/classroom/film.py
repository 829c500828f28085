# SPDX-License-Identifier: GPL-2.0-only
"""Film for the page's player: packets with their times at both ends, each end's waits, and the
bytes in the send buffers. film.js documents the columns."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from study.base.units import bits_per_second
from study.programs.segments import Segment
from study.system.system import Result

Row = list[int | str]
BINS = 200  # of a long exchange, in which waits change with every packet


@dataclass
class Film:
    """As film.js reads it; times in microseconds since the first packet shown."""

    packets: list[Row]
    begin: list[list[int]]  # of each end before that: sent up to, acknowledged, permitted
    waits: list[list[int | str]] = field(default_factory=list)
    held: list[list[list[int]]] = field(default_factory=lambda: [[], []])
    buffers: list[int] = field(default_factory=lambda: [0, 0])  # bounds of these, 0 if none
    every: int = 1  # of a long exchange every n-th packet, and each that is lost
    brief: int = 0  # of a long exchange: of the waits in such a time the longest is told [us]
    rate: int = 0  # of a line that both ends share, on which frames wait for one another [bit/s]

    def data(self) -> dict[str, Any]:
        """For JSON, without what is as it is unless told."""
        told = asdict(self)
        plain = {
            "held": [[], []],
            "buffers": [0, 0],
            "every": 1,
            "brief": 0,
            "rate": 0,
            "waits": [],
        }
        return {key: value for key, value in told.items() if plain.get(key) != value}


@dataclass
class Seen:
    """A packet with the instants at both ends."""

    packet: Segment
    near_s: float
    far_s: float
    is_near: bool  # sent by the near end

    @property
    def sent_s(self) -> float:
        return self.near_s if self.is_near else self.far_s

    @property
    def came_s(self) -> float:
        return self.far_s if self.is_near else self.near_s


def film(
    result: Result, ends: Sequence[str], far_s: Sequence[float], shown: range, every: int = 1
) -> Film:
    """Of these packets of a run, and what is in flight when they begin."""
    made = packets_of(result.packets, ends, far_s, shown, every)
    made.rate = line_bps(result)
    origin_s = result.packets[shown.start].time_s
    until = max(int(row[1]) for row in made.packets)
    if result.waits_csv is not None:
        _add_waits(made, result, ends, origin_s, until)
        made.buffers = [_bound(result, prefix) for prefix in ("", f"{ends[1]}_")]
    return made


def packets_of(
    packets: Sequence[Segment],
    ends: Sequence[str],
    far_s: Sequence[float],
    shown: range,
    every: int = 1,
) -> Film:
    """The same of any table of packets, a source's trace too: nothing but what it shows."""
    seen = [
        Seen(packet, packet.time_s, at_s, packet.sender == ends[0])
        for packet, at_s in zip(packets, far_s, strict=True)
    ]
    origin_s = packets[shown.start].time_s
    under_way = [each for each in seen[: shown.start] if max(each.near_s, each.far_s) > origin_s]
    drawn = [*_thinned(under_way, every), *_thinned(seen[shown.start : shown.stop], every)]
    before = [each for each in seen[: shown.start] if max(each.near_s, each.far_s) <= origin_s]
    rows = [_row(each, origin_s) for each in drawn]
    return Film(rows, [known(before, near) for near in (True, False)], every=every)


def line_bps(result: Result) -> int:
    """The rate of an Ethernet between the two; 0 of another way, which is not one line."""
    is_line = result.parameters.get("link") == "ethernet"
    return round(bits_per_second(result.parameters["link_rate"])) if is_line else 0


def _row(each: Seen, origin_s: float) -> Row:
    packet = each.packet
    times = [round((at_s - origin_s) * 1e6) for at_s in (each.sent_s, each.came_s)]
    ack = -1 if packet.ack is None else packet.ack
    row: Row = [*times, int(each.is_near), packet.seq, packet.length, ack, packet.window]
    if packet.lost or packet.control:
        row.append(int(packet.lost))
    if packet.control:
        row.append(packet.control)
    return row


def _thinned(drawn: Sequence[Seen], every: int) -> list[Seen]:
    """Every n-th packet of each end, so that none of the two falls out, and those lost."""
    counts = {True: -1, False: -1}
    kept = []
    for each in drawn:
        counts[each.is_near] += 1
        if counts[each.is_near] % every == 0 or each.packet.lost:
            kept.append(each)
    return kept


def known(before: Sequence[Seen], near: bool) -> list[int]:
    """Of one end: the end of what it has sent, what of that it knows to be acknowledged, and how
    far it may send."""
    own = [each.packet for each in before if each.is_near == near]
    heard = [
        (each.came_s, each.packet.ack, each.packet.window)
        for each in before
        if each.is_near != near and each.packet.ack is not None and not each.packet.lost
    ]
    sent = max((p.seq + p.length for p in own if p.length), default=0)
    acked = max((ack for _, ack, _ in heard), default=0)
    windows = [ack + window for _, ack, window in sorted(heard) if ack == acked]
    return [sent, acked, windows[-1] if windows else 0]


def _add_waits(
    made: Film, result: Result, ends: Sequence[str], origin_s: float, until: int
) -> None:
    places = {end: place for place, end in enumerate(ends)}
    for wait in result.waits:
        since = round((wait.from_s - origin_s) * 1e6)
        if since >= until:
            break
        row = [max(since, 0), wait.limit, places.get(wait.end, -1)]
        _follow(made.waits, row, since)
        for end, held_B in wait.buffers_B.items():
            _follow(made.held[places[end]], [max(since, 0), held_B], since)
    if made.waits and made.waits[-1][1]:
        made.waits.append([until, "", -1])
    if made.every > 1:
        made.brief = -(-until // BINS)
        made.waits = _longest(made.waits, made.brief, until)
        shown = sorted({max(int(at), 0) for row in made.packets for at in row[:2]})
        made.held = [_sampled(levels, shown) for levels in made.held]


def _follow(rows: list, row: list, since: float) -> None:
    """Add it where it says something new; what was before the film gives way."""
    if since <= 0:
        rows.clear()
    if not rows or rows[-1][1:] != row[1:]:
        rows.append(row)


def _longest(waits: Sequence[list], brief: int, until: int) -> list[list]:
    """Of each such time the wait that had most of it."""
    kept: list[list] = []
    place = 0
    for start in range(0, until, brief):
        end = min(start + brief, until)
        times: dict[tuple, int] = {}
        while place < len(waits) - 1 and waits[place][0] < end:
            low, high = max(waits[place][0], start), min(waits[place + 1][0], end)
            what = tuple(waits[place][1:])
            times[what] = times.get(what, 0) + high - low
            if waits[place + 1][0] > end:
                break
            place += 1
        what = max(times, key=lambda each: times[each], default=("", -1))
        if not kept or tuple(kept[-1][1:]) != what:
            kept.append([start, *what])
    return kept if kept and not kept[-1][1] else [*kept, [until, "", -1]]


def _sampled(levels: Sequence[list[int]], shown: Sequence[int]) -> list[list[int]]:
    """What holds at each of these instants."""
    kept: list[list[int]] = []
    place = -1
    for at in shown:
        while place + 1 < len(levels) and levels[place + 1][0] <= at:
            place += 1
        if place >= 0 and (not kept or kept[-1][1] != levels[place][1]):
            kept.append([at, levels[place][1]])
    return kept


def _bound(result: Result, prefix: str) -> int:
    """Of a send buffer, where it is one of bytes; of two hosts each has a prefix of its own."""
    told = result.parameters
    if not prefix and "client_send_buffer" in told:
        prefix = "client_"
    bounded = told.get(f"{prefix}send_buffer_rule") == "bytes"
    return int(told[f"{prefix}send_buffer"]) if bounded else 0
