# SPDX-License-Identifier: GPL-2.0-only
"""Packets that were captured away from their sender, with the times at which it sent them or heard
them: those of the bulk's sender earlier, its peer's later by half the way; and what waited before a
line on the way left when its sender may have sent it."""

from dataclasses import dataclass, replace

import numpy as np

from study.captures.connection import PSH, Connection
from study.diagnosis.kind import is_exchange
from study.diagnosis.line import HEADERS_B, LEAST_GAPS
from study.diagnosis.track import LEAST_MSS, Track, goes_on_in_one_piece

OPTION_B = 12  # of a segment, for timestamps (RFC 7323, appendix A)


def shifted(connection: Connection, shift_ns: int, slack_ns: int) -> Connection:
    """The packets in the time of the sender, `shift_ns` away; that may be wrong by a little."""
    if not shift_ns:
        return connection
    p = connection.packets
    own = p["from_client"] == connection.bulk_from_client
    when = p["time_ns"] + np.where(own, -shift_ns, shift_ns)
    ends = Track(connection, True, True), Track(connection, False, True)
    if not is_exchange(ends):  # whose writes come at a program's pace, and no line's
        track = Track(connection, connection.bulk_from_client)
        when = _as_sent(track, when - _longer_way_ns(track, 2 * shift_ns), slack_ns)
    # What releases comes before what it released.
    order = np.lexsort((np.arange(len(p)), own, when))
    packets = p[order].copy()
    packets["time_ns"] = when[order] - when.min()
    holes = tuple(sorted(int(np.flatnonzero(order == hole)[0]) for hole in connection.holes))
    return replace(connection, packets=packets, holes=holes)


def _longer_way_ns(track: Track, way_ns: int) -> np.ndarray:
    """How much longer than the least packets' is the way of each of the sender's, by its own time
    on the line, where no train shows that: not more than two segments that were on their way at
    once are apart, nor than what comes of an ACK, without which it had no room, is behind a round
    trip."""
    longer = np.zeros(len(track.packets), np.int64)
    data = track.segments
    freed = track.after_heard[track.surely_released]
    if len(data) < LEAST_GAPS or not len(freed) or service_ns(track) is not None:
        return longer
    length = track.packets["length"].astype(np.int64)
    largest = int(length[data].max())
    full = length[data] == largest
    together = (track.end[data[1:]] <= track.edge[data[:-1]]) & ~_in_turn_with_ours(track, data)
    gaps = np.diff(track.time[data])[full[1:] & full[:-1] & together]
    gaps = gaps[gaps > track.connection.resolution_ns]
    freed = freed[length[freed] == largest]
    if largest < LEAST_MSS - OPTION_B or not len(gaps) or not len(freed):
        return longer
    heard = track.last_heard[freed]
    most = int((track.time[freed] - track.time[heard]).min()) - way_ns
    own = max(min(int(gaps.min()), most), 0)
    return np.where(track.out, own * length // largest, 0)


def service_ns(track: Track) -> float | None:
    """How long a full segment takes on the narrowest line, where segments of an end come as close
    together as that again and again."""
    p = track.packets
    data = track.segments
    whole_B = max(LEAST_MSS - OPTION_B, track.whole - OPTION_B)
    if len(data) < LEAST_GAPS or p["length"][data].max() < whole_B:
        return None  # of small writes the time between two is their program's
    full = p["length"][data] == p["length"][data].max()
    # Both were on their way at once: the window had room for it before the one before was here.
    together = (track.end[data[1:]] <= track.edge[data[:-1]]) & ~_in_turn_with_ours(track, data)
    gap = np.diff(p["time_ns"][data])[full[1:] & full[:-1] & together]
    gap = gap[gap > 0]
    if len(gap) < LEAST_GAPS:
        return None
    usual = float(np.quantile(gap, 0.25))
    alike = np.abs(gap - usual) < 0.1 * usual
    return float(np.median(gap[alike])) if alike.mean() > 0.2 else None


def _in_turn_with_ours(track: Track, data: np.ndarray) -> np.ndarray:
    """Of each segment but the first, whether its sender had heard an answer to the one before when
    it sent this one: it acknowledges, or echoes the timestamp of, what was said after that. Two
    such are a round trip apart, whatever the line carries."""
    p = track.packets
    said = np.maximum.accumulate(np.where(track.out, 0, track.end))
    stamp = np.maximum.accumulate(np.where(track.out, -1, p["ts_value"]))
    first, second = data[:-1], data[1:]
    echoes = (stamp[first] >= 0) & (p["ts_echo"][second] > stamp[first])
    return (p["ack"][second] > said[first]) | echoes


@dataclass(frozen=True)
class Arrivals:
    """What an end sent, in the order in which it came by, and the trains of the narrowest line:
    segments one right behind the other, as soon as the line could carry them."""

    data: np.ndarray  # places of its packets
    begun: np.ndarray  # when each began on the line [ns], were the line at its sender
    takes: np.ndarray  # how long each takes there
    train: np.ndarray  # which train it belongs to


def arrivals(track: Track, when: np.ndarray) -> Arrivals | None:
    """The trains of an end, where a line shows; `when` counts as the time of each packet."""
    service = service_ns(track)
    data = np.flatnonzero(track.out)
    if service is None or len(data) < 2:
        return None
    length = track.packets["length"][data]
    takes = service * (length + HEADERS_B) / (length.max() + HEADERS_B)
    gap = np.diff(when[data], prepend=-(1 << 62))
    behind = gap <= 1.1 * takes + track.connection.resolution_ns
    begun = when[data] - np.where(length > 0, takes, 0).astype(np.int64)
    return Arrivals(data, begun, takes, np.cumsum(~behind) - 1)


def tells_what_it_heard(track: Track) -> bool:
    """Whether segments echo a timestamp of the ACK that their sender had heard last (RFC 7323)."""
    echoes = track.packets["ts_echo"][track.segments]
    return bool(len(echoes)) and float(np.mean(echoes > 0)) > 0.9


def busy_spans(track: Track, shift_ns: int) -> np.ndarray:
    """When the line was never idle for longer than a round trip, so that what was sent next waited:
    rows of start and stop, in the sender's time."""
    seen = arrivals(track, track.time - shift_ns)
    if seen is None or tells_what_it_heard(track):
        return np.zeros((0, 2), np.int64)
    first = np.flatnonzero(np.diff(seen.train, prepend=-1))
    last = np.append(first[1:], len(seen.train)) - 1
    spans = np.column_stack((seen.begun[first], seen.begun[last]))
    spans = spans[spans[:, 1] - spans[:, 0] > 2 * shift_ns + seen.takes.max()]
    own = np.where(track.out, -shift_ns, shift_ns)
    return spans - (track.time + own).min()


def _as_sent(track: Track, when: np.ndarray, slack_ns: int) -> np.ndarray:
    """The times, without what segments waited for the line. One that came right behind another may
    have waited: it left with an ACK that its sender had heard by then, the one whose turn it was if
    all the ACKs of a train released as much for what they acknowledged, and one of those that the
    echo of a timestamp allows."""
    seen = arrivals(track, when)
    if seen is None:
        return when
    p, data = track.packets, seen.data
    peer = np.flatnonzero(~track.out)
    peer = peer[np.argsort(when[peer], kind="stable")]
    if not len(peer):
        return when
    heard = when[peer]
    told = np.searchsorted(heard, seen.begun, side="right")
    # An ACK that would be heard a little too late for what it released was heard in time.
    since = seen.begun - np.where(told > 0, heard[np.maximum(told - 1, 0)], -(1 << 62))
    until = np.append(heard, 1 << 62)[told] - seen.begun
    told = told + ((until <= slack_ns) & (until < since))
    turn = _in_turn(track, seen, told, np.maximum.accumulate(p["ack"][peer]))
    # Where no ACK began a train its program did, and wrote it at once.
    first = np.flatnonzero(np.diff(seen.train, prepend=-1))
    began = heard[np.maximum(told[first] - 1, 0)]
    written = (seen.begun[first] - began > slack_ns) & (told[first] > 0)
    turn = np.where(written[seen.train], np.minimum(turn, told[first][seen.train]), turn)
    begun = seen.begun
    if tells_what_it_heard(track):
        known = np.maximum.accumulate(p["ts_value"][peer])
        turn = np.maximum(turn, np.searchsorted(known, p["ts_echo"][data], side="left") + 1)
        most = np.searchsorted(known, p["ts_echo"][data], side="right")
        told = np.minimum(told, most)
        # It left before its sender heard what it does not echo, though the line seemed free later.
        begun = np.minimum(begun, np.append(heard, 1 << 62)[most])
    told = _in_one_piece(
        track, seen, np.minimum(told, turn), told, p["ack"][peer] + p["window"][peer]
    )
    released = np.where(told > 0, heard[np.maximum(told - 1, 0)], seen.begun[0])
    head = np.diff(seen.train, prepend=-1) > 0
    dated = when.copy()
    left = np.where(head, np.maximum(begun, released), released)
    dated[data] = np.maximum.accumulate(left)
    return dated


def _in_one_piece(
    track: Track, seen: Arrivals, told: np.ndarray, most: np.ndarray, edge: np.ndarray
) -> np.ndarray:
    """How many packets of the peer its sender had heard when each segment left, where it hands down
    several at once: they leave together, all with the header of the first (only the last has PSH),
    when the window has room for the last, and not before the first may go."""
    p, data = track.packets, seen.data
    before, own = data[:-1], data[1:]
    goes_on = (seen.train[1:] == seen.train[:-1]) & goes_on_in_one_piece(track, before, own)
    first = np.flatnonzero(np.concatenate(([True], ~goes_on)))
    last = np.append(first[1:], len(data)) - 1
    whole = (p["flags"][data[last]] & PSH) > 0
    room = np.searchsorted(np.maximum.accumulate(edge), track.end[data[last]]) + 1
    left = np.minimum(np.maximum(told[first], room), most[first])
    of = np.cumsum(np.concatenate(([True], ~goes_on))) - 1
    return np.where((whole & (last > first))[of], left[of], told)


def _in_turn(track: Track, seen: Arrivals, told: np.ndarray, acked: np.ndarray) -> np.ndarray:
    """How many packets of the peer its sender had heard when each segment left, if each ACK of a
    train released the same for every octet that it acknowledged; `told` is how many it can have
    heard at most, `acked` what they acknowledge."""
    first = np.flatnonzero(np.diff(seen.train, prepend=-1))
    last = np.append(first[1:], len(seen.train)) - 1
    end = track.end[seen.data]
    start = track.packets["seq"][seen.data]
    low = told[first]  # the one that released the first
    before = np.where(low > 1, acked[np.maximum(low - 2, 0)], 0)
    until = np.where(told[last] > 0, acked[np.maximum(told[last] - 1, 0)], 0)
    carried = np.maximum(end[last] - start[first], 1)
    share = np.minimum(np.maximum(until - before, 0) / carried, 1.0)
    full = np.flatnonzero(track.packets["length"][seen.data] > 0)
    ending = seen.train[full[-1]] if len(full) else 0
    # What ends the data ends before all that its ACKs allowed; they allowed as much as others did.
    share[ending:] = np.minimum(share[ending:], share[max(ending - 1, 0)])
    of = seen.train
    due = before[of] + (start - start[first][of] + 1) * share[of]
    return np.maximum(np.searchsorted(acked, due, side="left") + 1, low[of])
