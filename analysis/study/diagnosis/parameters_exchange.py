# SPDX-License-Identifier: GPL-2.0-only
"""Request and reply: both ends send in turn. How many turns, how large, what each end takes."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from study.captures.connection import Connection
from study.diagnosis.finding import LEAST_S, Finding, in_rate, named, some, time_text, timed
from study.diagnosis.line import least_way, queued_ns
from study.diagnosis.parameters_link import ETHERNETS_BPS, NEAR_S, service
from study.diagnosis.track import Track
from study.diagnosis.transfer import HEADERS_B, NS, TIMESTAMP_B, Transfer

LEAST_TURNS = 6  # of both ends; fewer are a dialogue around a bulk transfer
LARGEST = 0.5  # of all bytes: a turn that has more is a bulk transfer
ECHOED = 0.8  # of the turns
STEADY = 0.05  # times that lie no further apart are alike
RELEASED_S = 5e-4  # behind an ACK: what follows it as closely was released by it
GAP = np.dtype([("row", np.int64), ("gap_s", np.float64)])


@dataclass(frozen=True)
class Turns:
    """Data of one end without data of the other in between, an entry a turn: rows of its first and
    last packet, its bytes, its segments and who sent it."""

    first: np.ndarray
    last: np.ndarray
    carried_B: np.ndarray
    segments: np.ndarray
    of_client: np.ndarray


def turns(connection: Connection) -> Turns:
    """All of a connection; what was sent twice counts once."""
    packets = connection.packets
    rows = np.flatnonzero(packets["length"] > 0)
    keep = np.ones(len(rows), dtype=bool)
    for end in (True, False):
        mine = packets["from_client"][rows] == end
        ends = packets["seq"][rows[mine]] + packets["length"][rows[mine]]
        if len(ends):
            before = np.concatenate(([0], np.maximum.accumulate(ends)[:-1]))
            keep[mine] = ends > before
    rows = rows[keep]
    of_client = packets["from_client"][rows]
    if not len(rows):
        empty = rows
        return Turns(empty, empty, empty, empty, of_client)
    starts = np.flatnonzero(np.concatenate(([True], of_client[1:] != of_client[:-1])))
    ends = np.concatenate((starts[1:], [len(rows)])) - 1
    sums = np.concatenate(([0], np.cumsum(packets["length"][rows])))
    return Turns(
        rows[starts],
        rows[ends],
        sums[ends + 1] - sums[starts],
        ends - starts + 1,
        of_client[starts],
    )


def is_exchange(connection: Connection) -> bool:
    """Whether the time goes into turns, and not into one of them."""
    found = turns(connection)
    if len(found.first) < LEAST_TURNS:
        return False
    return bool(found.carried_B.max() < LARGEST * found.carried_B.sum())


class Exchange:
    """The turns as commands and replies: the client commands."""

    def __init__(self, connection: Connection) -> None:
        self.connection, self.packets = connection, connection.packets
        self.time_s = self.packets["time_ns"] * NS
        self.turns = turns(connection)
        skip = int(not self.turns.of_client[0])  # a greeting of the server comes before
        count = (len(self.turns.first) - skip) // 2
        self.asked = np.arange(count) * 2 + skip
        self.answered = self.asked + 1
        self.echo = self._is_echoed()
        # Times are those of the end that sends most, as of a bulk transfer's sender: its own are
        # between two packets, the other's hold the way there and back.
        self.near = Track(connection, connection.bulk_from_client, interactive=True)
        self.way_s, self.way_row = self._floor()
        rate = service(Transfer(connection))
        self.rate_bps = rate[0] if rate and rate[1] else None

    def _is_echoed(self) -> bool:
        """Whether every other command is sent back as it is, and the rest of it follows."""
        sizes = self.turns.carried_B
        ask, answer = sizes[self.asked], sizes[self.answered]
        same = ask == answer
        return bool(len(ask) >= 4 and same[::2].mean() >= ECHOED and same[1::2].mean() < 0.5)

    def number(self, rows: np.ndarray) -> np.ndarray:
        return self.packets["number"][rows]

    def findings(self) -> Iterator[Finding]:
        """Link and exchange."""
        yield from self._link()
        yield from self._sizes()
        yield from self._times()

    def _floor(self) -> tuple[float, int]:
        """The way there and back, and the row of the packet that shows it: the judge's, the least
        time to an answer. One that is a reply holds its program's time, and shows none."""
        least = least_way(self.near)
        if least is None or self.packets["length"][least[1]] > 0:
            return 0.0, 0
        return least[0] * NS, least[1]

    def way_of(self, of_client: bool) -> float:
        """What of a wait for that end is the way."""
        return 0.0 if of_client == self.near.from_client else self.way_s

    def _link(self) -> Iterator[Finding]:
        number = self.number([self.way_row])
        told = f"the shortest answer takes {time_text(self.way_s)}, {named(number)}"
        rate_bps = self.rate_bps or ETHERNETS_BPS[1]
        rate, unit = in_rate(rate_bps)
        source = "nothing in the capture waits for the line"
        if self.way_s >= NEAR_S:
            frames_s = 2 * (HEADERS_B + TIMESTAMP_B) * 8 / rate_bps
            yield Finding("link", "path", "", "derived", told, some(number))
            yield timed("rtt", self.way_s - frames_s, "derived", told, number)
            if self.rate_bps:
                source = (
                    "ACKs of data that had left before the ACK in front of them came follow each "
                    "other by what a line of that rate takes for the packets they cover"
                )
            basis = "derived" if self.rate_bps else "assumed"
            yield Finding("path_rate", rate, unit, basis, source)
            return
        yield Finding("link", "ethernet", "", "derived", told, some(number))
        rate, unit = in_rate(ETHERNETS_BPS[1])
        yield Finding("link_rate", rate, unit, "assumed", source)

    def _sizes(self) -> Iterator[Finding]:
        sizes, segments = self.turns.carried_B, self.turns.segments
        per = 2 if self.echo else 1
        whole = len(self.asked) // per
        numbers = self.number(self.turns.first[self.asked[::per]])
        source = f"turns of the client, {named(numbers)}, each with an answer"
        yield Finding("commands", whole, "1", "measured", source, some(numbers))
        first = int(np.median(sizes[self.asked[::per]]))
        told = f"the median of what the client sends in a turn, {named(numbers)}"
        if self.echo:
            ends = self.number(self.turns.first[self.asked[1::2]])
            second = int(np.median(sizes[self.asked[1::2]]))
            yield Finding("echo", True, "", "measured", f"sent back as they are: {named(numbers)}")
            yield Finding("command_text", first, "B", "measured", told, some(numbers))
            source = f"sent behind the echo, {named(ends)}"
            yield Finding("command_end", second, "B", "measured", source, some(ends))
        else:
            yield Finding("echo", False, "", "measured", "no command is sent back as it is")
            yield from self._writes_of_a_command(first, told, numbers)
        replies = self.answered[1::2] if self.echo else self.answered
        parts = max(int(np.median(segments[replies])), 1)
        mss = self.mss_B
        carried = float(np.median(sizes[replies]))
        writes = parts if carried < (parts - 1) * mss else 1
        told = self.number(self.turns.first[replies])
        source = f"the median of the replies, {named(told)}: {int(carried)} B in {parts} segments"
        yield Finding("reply_writes", writes, "1", "derived", source, some(told))
        size = max(round(carried / writes), 1)
        yield Finding("reply_write", size, "B", "derived", source, some(told))
        if writes > 1:
            yield from self._between_writes("reply_write_time", replies)

    def _writes_of_a_command(self, size: int, told: str, numbers: np.ndarray) -> Iterator[Finding]:
        """One write, or two that leave as two small segments."""
        parts = int(np.median(self.turns.segments[self.asked]))
        firsts = self.packets["length"][self.turns.first[self.asked]]
        first = int(np.median(firsts))
        text = first if parts == 2 and first < self.mss_B else size
        yield Finding("command_text", text, "B", "measured", told, some(numbers))
        yield Finding("command_end", size - text, "B", "measured", told, some(numbers))
        if text < size:
            yield from self._between_writes("command_write_time", self.asked)

    def _between_writes(self, key: str, which: np.ndarray) -> Iterator[Finding]:
        """The time from the first write of those turns to the second; where that waits for an ACK
        of the first, as by Nagle's algorithm, what the program took is hidden: it is at most the
        shortest such wait."""
        free, held = self._gaps_of_writes(which)
        if len(free) >= max(len(held), 1):
            numbers = self.number(free["row"])
            source = f"from the first write to the second, {named(numbers)}: the mean of "
            source += f"{len(free):,}"
            yield timed(key, float(free["gap_s"].mean()), "derived", source, numbers)
        elif len(held):
            numbers = self.number(held["row"])
            most_s = float(held["gap_s"].min())
            source = (
                f"hidden: the second write waits for the ACK of the first, {named(numbers)}; its "
                "program took no longer than that, and may have taken no time"
            )
            yield timed(key, LEAST_S, "bound", source, numbers, LEAST_S, most_s)

    def _gaps_of_writes(self, which: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Of each of those turns with a second segment its row, and how long it came after the
        first: of those that left at their program's pleasure, and of those that an ACK released."""
        found = np.zeros(len(which), GAP)
        released = np.zeros(len(which), bool)
        for place, turn in enumerate(which):
            first, last = int(self.turns.first[turn]), int(self.turns.last[turn])
            own = self.packets["from_client"][first + 1 : last + 1] == self.turns.of_client[turn]
            carries = self.packets["length"][first + 1 : last + 1] > 0
            second = np.flatnonzero(own & carries)
            if not len(second):
                continue
            row = first + 1 + int(second[0])
            found[place] = row, self.time_s[row] - self.time_s[first]
            heard = np.flatnonzero(~own[: second[0]])
            if len(heard):
                since_s = self.time_s[row] - self.time_s[first + 1 + heard[-1]]
                way_s = self.way_of(bool(self.turns.of_client[turn]))
                released[place] = abs(since_s - way_s) < RELEASED_S
        there = found["row"] > 0
        return found[there & ~released], found[there & released]

    @cached_property
    def mss_B(self) -> int:
        """What either end may send in one segment."""
        offers = self.connection.client_offer, self.connection.server_offer
        agreed = [offer.mss for offer in offers if offer.seen and offer.mss]
        stamped = bool((self.packets["ts_value"] >= 0).mean() > 0.5)
        largest = max(int(self.packets["length"].max()), 1500 - HEADERS_B)
        return min(agreed or [largest]) - (TIMESTAMP_B if stamped and agreed else 0)

    def _times(self) -> Iterator[Finding]:
        """What each end's program takes; the way is not theirs."""
        replies = self.answered[1::2] if self.echo else self.answered
        commands = self.asked[1::2] if self.echo else self.asked
        took_s = self.time_s[self.turns.first[replies]] - self.time_s[self.turns.last[commands]]
        numbers = self.number(self.turns.first[replies])
        source = f"from a command to its reply, {named(numbers)}: the mean of {len(replies):,}"
        way_s = self.way_of(False) + self._on_the_line_s(self.turns.last[commands])
        yield self._own_time("server_time", took_s, way_s, source, numbers)
        following = self.asked[2::2] if self.echo else self.asked[1:]
        ended = replies[: len(following)]
        pause_s = self.time_s[self.turns.first[following]] - self.time_s[self.turns.last[ended]]
        if len(pause_s):
            numbers = self.number(self.turns.first[following])
            source = f"from a reply to the next command, {named(numbers)}: the mean of "
            source += f"{len(pause_s):,}"
            way_s = self.way_of(True) + self._on_the_line_s(self.turns.last[ended])
            yield self._own_time("client_time", pause_s, way_s, source, numbers)
        for end in ("client", "server"):
            source = f"counted in {end}_time"
            yield timed(f"{end}_reply_time", LEAST_S, "assumed", source)

    def _on_the_line_s(self, rows: np.ndarray) -> np.ndarray:
        """What the near end's last packets of a turn waited for the line, and took on it, beyond
        what the shortest answer took: the other end's program has them no sooner."""
        rows = np.asarray(rows)
        none = np.zeros(len(rows))
        if self.rate_bps is None or not len(rows) or not self.near.out[rows].all():
            return none
        waited_s = queued_ns(self.near, self.rate_bps / 8, rows) * NS
        return waited_s + self.packets["length"][rows] * 8 / self.rate_bps

    def _own_time(
        self, key: str, took_s: np.ndarray, ways_s: np.ndarray, source: str, numbers: np.ndarray
    ) -> Finding:
        """A program's, without the way there and back: the mean, as the turns' times add up. Where
        they are alike it is any of them."""
        own_s = np.maximum(took_s - ways_s, 0)
        way_s = float(np.mean(ways_s)) if len(ways_s) else 0.0
        source += f", less {time_text(way_s)} on the way" if way_s else ""
        low_s, high_s = float(own_s.min()), float(own_s.max())
        if high_s - low_s > STEADY * high_s:
            source += f"; they lie from {time_text(low_s)} to {time_text(high_s)}"
        return timed(key, float(own_s.mean()), "derived", source, numbers)
