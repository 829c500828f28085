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
ABOUT = 0.05  # a wait within this fraction of a timer is taken for that timer
MOST_ACKS = 3  # of one answer, shown on a line each
ITS_OWN = 0.5  # a limit whose part of the time is a smaller fraction of the wait is not its cause


@dataclass(frozen=True)
class Repeated:
    """A cycle that a job repeats, and a typical one to show."""

    alike: int  # cycles of this kind
    cycles: int  # cycles of all kinds
    ends: Ends
    span_s: tuple[float, float]  # the beginnings of this cycle and of the next

    def lines(self) -> list[str]:
        """Return the description of the typical cycle, about four lines."""
        raise NotImplementedError

    @property
    def wait_s(self) -> float:
        """The longest wait in the cycle, in seconds."""
        raise NotImplementedError

    @property
    def time_s(self) -> float:
        """The cycle's duration in seconds, from its first packet to the next cycle's first."""
        begin_s, next_s = self.span_s
        return next_s - begin_s

    def how_common(self) -> str:
        """Return how many of the job's cycles are of this kind."""
        if self.alike == self.cycles:
            return f"{self.cycles:,} times the same"
        return f"{self.alike:,} of {self.cycles:,} examined cycles are of this kind"

    def record(self) -> dict:
        """Return the cycle for a script."""
        return {
            "lines": self.lines(),
            "cycle_s": self.time_s,
            "wait_s": self.wait_s,
            **self.own(),
            "cycles": self.cycles,
            "alike": self.alike,
        }

    def own(self) -> dict:
        """Return the entries of the record that only this class has."""
        return {}


@dataclass(frozen=True)
class Exchange(Repeated):
    """The cycle of median duration of the most frequent kind: one end sends, the other answers, and
    the first continues."""

    sent: tuple[Segment, ...]
    answered: tuple[Segment, ...]
    acked_B: int  # bytes that the answer acknowledges beyond the answer before
    empty: str  # name of the first end's packet without data, with a placeholder for its window
    limits_s: Mapping[str, float] | None = None  # the job's time by limit, in seconds

    @property
    def wait_s(self) -> float:
        """The wait in seconds from the first end's last packet to the first packet of the answer;
        to its last one if several ACKs acknowledge the data in parts."""
        return self.answered[-1 if self._in_parts else 0].time_s - self.sent[-1].time_s

    @property
    def _in_parts(self) -> bool:
        """Whether several ACKs without data acknowledge what was sent."""
        return sum(map(bool, self._acked())) > 1 and not any(each.length for each in self.answered)

    def _acked(self) -> list[int]:
        """Return the bytes that each packet of the answer newly acknowledges."""
        acks = [each.ack or 0 for each in self.answered]
        return [ack - before for before, ack in pairwise([acks[-1] - self.acked_B, *acks])]

    def lines(self) -> list[str]:
        """Return the four lines, and one more for each further partial ACK."""
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
        """Yield the answer's data, or its ACK with the window and later window updates; a line for
        each partial ACK, with its delay after the data."""
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
        """Return a remark if most cycles end in less than a segment that waits for the delayed ACK,
        else an empty text."""
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
        """The name of the limit that is waited for: what stopped the sender, if the job's times
        confirm it, else the limit whose part of the time is closest."""
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
    """Return the typical exchange of a job's packets, or None if no cycle repeats."""
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
    """Return the cycles of the most frequent kind, shortest first."""
    ((usual, _),) = Counter(map(kind, cycles)).most_common(1)
    return sorted((cycle for cycle in cycles if kind(cycle) == usual), key=time_s)


Turn = tuple[Segment, ...]
Cycle = tuple[Turn, Turn, int, float]  # sent, answered, bytes acknowledged, when the next begins


def _cycles(packets: Sequence[Segment], ends: Ends) -> Iterator[Cycle]:
    """Yield the cycles: what the first end sends until the other answers with data or acknowledges
    data. A window update alone does not end a cycle. The handshake and the FINs are left out."""
    usual = [packet for packet in packets if not packet.control]
    turns = [tuple(turn) for _, turn in groupby(usual, key=lambda each: each.sender)]
    sent: Turn = ()
    acked_B = 1  # after the SYN-ACK
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
    """Return cycles merged into flights. Over a long path, an ACK is for data of a round trip ago,
    and a cycle is one segment of a flight. A wait of half a round trip or more ends a flight."""
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
    """Return what makes two cycles alike: lengths, and where the window closes or opens."""
    sent, answered, acked_B, _ = cycle
    lengths = tuple(each.length for each in sent), tuple(each.length for each in answered)
    return *lengths, acked_B, tuple(each.window > 0 for each in answered)


def _flight(cycle: Cycle) -> tuple:
    """Return what makes two flights alike: lengths in any order, and the bytes acknowledged."""
    sent, _, acked_B, _ = cycle
    return *sorted(each.length for each in sent), acked_B


def packets_of(packets: Sequence[Segment]) -> str:
    """Return the packets' sizes as a text: 2 x 1460 B + 1000 B."""
    lengths = [each.length for each in packets if each.length]
    sizes = [(size, len(list(same))) for size, same in groupby(lengths)]
    return " + ".join(f"{count} x {size} B" if count > 1 else f"{size} B" for size, count in sizes)


def ms(time_s: float) -> str:
    """Return a time in seconds as a text in milliseconds."""
    return f"{time_s * 1000:,.3f} ms"
