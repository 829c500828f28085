# SPDX-License-Identifier: GPL-2.0-only
"""Choice of the packets that a page shows of a job: a few round trips from its middle."""

from collections.abc import Sequence
from itertools import pairwise

from study.base.units import bits_per_second, seconds
from study.classroom.film import Film, film
from study.drawing.arrows import arrows as wire_arrows
from study.programs.segments import Segment
from study.system.system import Result

PACKETS = 16  # what there is room for
MOST_ON_A_PATH = 32  # arrows of bursts, which have one label each
SETTLED = 0.55  # of the packets: past the start of the connection, before its end
TURNS = 3  # how often the near end may begin anew
ROUND_TRIPS = 1.6  # of a path: a window, its ACKs, and how it goes on


def exchange(result: Result, ends: Sequence[str]) -> Film:
    """From where the near end has data, or a request, after it heard from the far end; if it has
    data for a path, from where a packet is lost, if one is."""
    packets = result.packets
    on_path = _is_told(packets) and any(p.length for p in packets if p.sender == ends[0])
    begin, end = _round_trip(packets, ends[0]) if on_path else _span(packets, ends[0])
    every = -(-(end - begin) // MOST_ON_A_PATH) if on_path else 1
    return film(result, ends, far_s(result, ends), range(begin, end), every)


def _span(packets: Sequence[Segment], near: str) -> tuple[int, int]:
    with_data = any(p.length for p in packets if p.sender == near)
    starts = [
        place
        for place, (before, packet) in enumerate(pairwise(packets), 1)
        if packet.sender == near != before.sender and (packet.length or not with_data)
    ]
    settled = int(len(packets) * SETTLED)
    later = [place for place in starts if place >= settled] or starts[-1:] or [0]
    turns = [place for place in starts if place > later[0]]
    last = turns[TURNS - 1] if len(turns) >= TURNS else len(packets)
    last = min(last, later[0] + PACKETS)
    while last < len(packets) and all(p.sender == near for p in packets[later[0] : last]):
        last += 1  # a large window: up to the first answer
    return later[0], last


def _round_trip(packets: Sequence[Segment], near: str) -> tuple[int, int]:
    """Of a path, whose round trip has too many packets to count: from the first that is lost in
    the settled job, or from its middle, for a time."""
    data = [place for place, p in enumerate(packets) if p.sender == near and p.length]
    settled = data[int(len(data) * SETTLED)]
    lost = [place for place in data if packets[place].lost]
    later = [place for place in lost if place >= settled] or lost[-1:]
    begin = later[0] if later else _flight(packets, near, data, settled)
    turn_s = _answered_s(packets, near, begin) - packets[begin].time_s
    end_s = packets[begin].time_s + ROUND_TRIPS * turn_s
    end = next((n for n, p in enumerate(packets) if p.time_s > end_s), len(packets))
    return begin, end


def _flight(packets: Sequence[Segment], near: str, data: list[int], settled: int) -> int:
    """Where, in the round trip from there on, the longest silence of the near end is over."""
    until_s = _answered_s(packets, near, settled)
    turn = [place for place in data if settled <= place and packets[place].time_s <= until_s]
    before = dict(pairwise(reversed(data)))
    silence_s = {n: packets[n].time_s - packets[before.get(n, n)].time_s for n in turn}
    return max(turn, key=lambda n: silence_s[n])


def _answered_s(packets: Sequence[Segment], near: str, place: int) -> float:
    """When all of a packet's data was acknowledged."""
    end = packets[place].seq + packets[place].length
    return next(p.time_s for p in packets[place:] if p.sender != near and (p.ack or 0) >= end)


def far_s(result: Result, ends: Sequence[str]) -> list[float]:
    """When each packet was at the far end; stamps are those of the near one."""
    packets = result.packets
    if _is_told(packets):  # but of what is lost, or still in flight when the job is over
        ways_s = [
            p.far_s - p.time_s for p in packets if p.sender == ends[0] and p.far_s is not None
        ]
        usual_s = min(ways_s, default=0.0)
        way_s = {ends[0]: usual_s, ends[1]: -usual_s}
        return [p.time_s + way_s[p.sender] if p.far_s is None else p.far_s for p in packets]
    delay_s = seconds(result.parameters["link_delay"])
    way_s = {ends[0]: delay_s, ends[1]: -delay_s}
    line_bps = bits_per_second(result.parameters["link_rate"])
    return [
        arrow.far_ms / 1000 + way_s[arrow.segment.sender]
        for arrow in wire_arrows(packets, line_bps, ends[0])
    ]


def _is_told(packets: Sequence[Segment]) -> bool:
    """Whether the link tells when packets were at the far end."""
    return any(packet.far_s is not None for packet in packets)
