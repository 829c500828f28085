# SPDX-License-Identifier: GPL-2.0-only
"""The exchange that a job repeats, read off the run's segment table: what is sent, what is waited
for and how long."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import TypeVar

from study.programs.segments import Segment

T = TypeVar("T")
Ends = tuple[str, str]
ABOUT = 0.05  # of a timer: a wait that is so near to it is for it
MOST_ACKS = 3  # of one answer, that have a line of their own
ITS_OWN = 0.5  # of a wait: a limit with less of the job's time is not what it is for


@dataclass(frozen=True)
class Repeated:
    """Something that a job does again and again, and one of them to show."""

    alike: int  # of this kind
    cycles: int  # of any kind
    ends: Ends
    span_s: tuple[float, float]  # when it begins, and when the next one does

    def lines(self) -> list[str]:
        """The one that is shown, in about four lines."""
        raise NotImplementedError

    @property
    def wait_s(self) -> float:
        """How long somebody waits in it."""
        raise NotImplementedError

    @property
    def time_s(self) -> float:
        """From its first packet to the first of the next."""
        begin_s, next_s = self.span_s
        return next_s - begin_s

    def how_common(self) -> str:
        """Whether the job is made of it."""
        if self.alike == self.cycles:
            return f"{self.cycles:,} times the same"
        return f"{self.alike:,} of {self.cycles:,} cycles are of this kind"

    def record(self) -> dict:
        """For a script."""
        return {
            "lines": self.lines(),
            "cycle_s": self.time_s,
            "wait_s": self.wait_s,
            **self.own(),
            "cycles": self.cycles,
            "alike": self.alike,
        }

    def own(self) -> dict:
        """What only this kind of a record has."""
        return {}


@dataclass(frozen=True)
class Exchange(Repeated):
    """A cycle of the kind that is the most frequent, the one of middle length: one end sends, the
    other answers, the first goes on."""

    sent: tuple[Segment, ...]
    answered: tuple[Segment, ...]
    acked_B: int  # what the last of the answer acknowledges beyond the answer before
    empty: str  # what a packet without data of the first end is called, with a place for its window
    limits_s: Mapping[str, float] | None = None  # what the job's time went to, by its table

    @property
    def wait_s(self) -> float:
        """From the last packet of the first end to the first of the other's answer; where that
        acknowledges a part of it, to the ACK of the rest."""
        return self.answered[-1 if self._in_parts else 0].time_s - self.sent[-1].time_s

    @property
    def _in_parts(self) -> bool:
        """Whether several ACKs without data acknowledge what was sent."""
        return sum(map(bool, self._acked())) > 1 and not any(each.length for each in self.answered)

    def _acked(self) -> list[int]:
        """What each packet of the answer acknowledges beyond the one before."""
        acks = [each.ack or 0 for each in self.answered]
        return [ack - before for before, ack in pairwise([acks[-1] - self.acked_B, *acks])]

    def lines(self) -> list[str]:
        """The four lines, and one more for each further ACK of a part."""
        first, second = self.ends
        limit = self.limit.replace("_", " ")
        while_sending = self.sent[-1].time_s - self.sent[0].time_s
        within = f" within {ms(while_sending)}" if len(self.sent) > 1 else ""
        sent = packets_of(self.sent) or self.empty.format(window=self.sent[-1].window)
        again_s = self.span_s[1] - self.answered[-1].time_s
        return [
            f"{first} sends {sent}{within}",
            f"{first} waits {ms(self.wait_s)}" + (f": {limit}" if limit else ""),
            *(f"{second} {each}" for each in self._answers()),
            f"{first} goes on {ms(again_s)} later: a cycle of {ms(self.time_s)}",
        ]

    def _answers(self) -> Iterator[str]:
        """Data, or an ACK with its window and the updates behind it; a line for each ACK of a part,
        with how long after what was sent it comes."""
        data = [each for each in self.answered if each.length]
        if data:
            while_sending = ms(data[-1].time_s - data[0].time_s)
            yield f"sends {packets_of(data)}" + (f" within {while_sending}" if data[1:] else "")
            return
        texts: list[str] = []
        before_s = 0.0
        for each, acked_B in zip(self.answered, self._acked(), strict=True):
            if acked_B or not texts:
                after = f" after {ms(each.time_s - self.sent[-1].time_s)}" if self._in_parts else ""
                texts.append(f"acknowledges {acked_B:,} B{after}, window {each.window:,} B")
            else:
                texts[-1] += f"; {ms(each.time_s - before_s)} later window {each.window:,} B"
            before_s = each.time_s
        if len(texts) > MOST_ACKS:
            texts[1:-1] = [f"acknowledges more of it with {len(texts) - 2} ACKs"]
        yield from texts

    def lone_segment(self, timeout_s: float) -> str:
        """Where most cycles end in less than a segment, whose ACK is the delayed one."""
        last_B, full_B = self.sent[-1].length, max(each.length for each in self.sent)
        late = abs(self.wait_s / timeout_s - 1) < ABOUT if timeout_s > 0 else False
        if not (self._in_parts and late and last_B < full_B and self.alike * 2 > self.cycles):
            return ""
        return (
            f"its last {last_B:,} B are less than a segment and wait for the delayed ACK "
            f"({ms(timeout_s)}): windows and writes a little larger or smaller may not"
        )

    def own(self) -> dict:
        return {"stopped_by": self.limit}

    @property
    def limit(self) -> str:
        """What is waited for, by the split that the table shows: what stopped the sender, where the
        table has about that wait under its name; else the part of it that is closest."""
        stopped_by, parts_s = self.sent[-1].stopped_by, self.limits_s
        if not stopped_by or not parts_s or not any(parts_s.values()):
            return stopped_by
        total_s = sum(parts_s.values())
        shares = {key: part_s / total_s for key, part_s in parts_s.items() if part_s}
        wait = self.wait_s / self.time_s
        if shares.get(stopped_by, 0.0) >= ITS_OWN * wait:
            return stopped_by
        return min(shares, key=lambda key: abs(shares[key] - wait))


def typical(
    packets: Sequence[Segment],
    ends: Ends,
    empty: str = "an ACK",
    limits_s: Mapping[str, float] | None = None,
) -> Exchange | None:
    """None when the job never goes round."""
    cycles = list(_cycles(packets, ends))
    if not cycles:
        return None
    alike, flights = most_alike(cycles, _kind, _time_s), _flights(cycles)
    if flights and len(flights) * 2 < len(cycles):
        of_a_kind = most_alike(flights, _flight, _time_s)
        if sum(map(_time_s, of_a_kind)) * 2 >= sum(map(_time_s, cycles)):
            alike, cycles = of_a_kind, flights
    sent, answered, acked_B, next_s = alike[len(alike) // 2]
    span_s = sent[0].time_s, next_s
    found = (sent, answered, acked_B, empty, limits_s)
    return Exchange(len(alike), len(cycles), ends, span_s, *found)


def most_alike(
    cycles: Sequence[T], kind: Callable[[T], object], time_s: Callable[[T], float]
) -> list[T]:
    """Those of the most frequent kind, the shortest first."""
    ((usual, _),) = Counter(map(kind, cycles)).most_common(1)
    return sorted((cycle for cycle in cycles if kind(cycle) == usual), key=time_s)


Turn = tuple[Segment, ...]
Cycle = tuple[Turn, Turn, int, float]  # sent, answered, acknowledged, when the next begins


def _cycles(packets: Sequence[Segment], ends: Ends) -> Iterator[Cycle]:
    """What the first end sends until the other answers with data or acknowledges some; an answer
    that only opens the window ends nothing. Without the connection's beginning and end."""
    usual = [packet for packet in packets if not packet.control]
    turns = [tuple(turn) for _, turn in groupby(usual, key=lambda each: each.sender)]
    sent: Turn = ()
    acked_B = 1  # as the SYN-ACK left it
    for turn, following in pairwise(turns):
        if turn[0].sender == ends[0]:
            sent += turn
            continue
        before_B, acked_B = acked_B, turn[-1].ack or 0
        if sent and (acked_B > before_B or any(each.length for each in turn)):
            yield sent, turn, acked_B - before_B, following[0].time_s
            sent = ()


def _time_s(cycle: Cycle) -> float:
    return cycle[3] - cycle[0][0].time_s


def _flights(cycles: list[Cycle]) -> list[Cycle]:
    """Over a long path an ACK comes for what was sent a round trip before, and a cycle is a segment
    of a flight. Those up to a wait of half a round trip or more are one flight."""
    acked_B = [turn[-1].ack or 0 for _, turn, _, _ in cycles]
    round_trip_s, answer = float("inf"), 0
    for sent, *_ in cycles:
        end_B = sent[-1].seq + sent[-1].length
        while answer < len(cycles) and acked_B[answer] < end_B:
            answer += 1
        if answer < len(cycles):
            came_s = cycles[answer][1][-1].time_s
            round_trip_s = min(round_trip_s, came_s - sent[-1].time_s)
    flights: list[Cycle] = []
    sent, flight_B = (), 0
    for turn, answered, more_B, next_s in cycles:
        sent, flight_B = sent + turn, flight_B + more_B
        if next_s - turn[-1].time_s >= round_trip_s / 2:
            flights.append((sent, answered, flight_B, next_s))
            sent, flight_B = (), 0
    return flights


def _kind(cycle: Cycle) -> tuple:
    """What two cycles have in common: lengths, and where the window shuts or opens."""
    sent, answered, acked_B, _ = cycle
    lengths = tuple(each.length for each in sent), tuple(each.length for each in answered)
    return *lengths, acked_B, tuple(each.window > 0 for each in answered)


def _flight(cycle: Cycle) -> tuple:
    """What two flights have in common: as many packets of each length, and what is acknowledged."""
    sent, _, acked_B, _ = cycle
    return *sorted(each.length for each in sent), acked_B


def packets_of(packets: Sequence[Segment]) -> str:
    """2 x 1460 B + 1000 B."""
    lengths = [each.length for each in packets if each.length]
    sizes = [(size, len(list(same))) for size, same in groupby(lengths)]
    return " + ".join(f"{count} x {size} B" if count > 1 else f"{size} B" for size, count in sizes)


def ms(time_s: float) -> str:
    """A time as all of these lines have it."""
    return f"{time_s * 1000:,.3f} ms"
