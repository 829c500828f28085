# SPDX-License-Identifier: GPL-2.0-only
"""The sender, as its packets show it: its segments and its own times, what its SYN offers, when it
holds small segments back, and how much it has outstanding."""

from collections.abc import Iterator, Mapping

import numpy as np

from study.diagnosis.bulk import nagled
from study.diagnosis.finding import Finding, named, share, some, timed
from study.diagnosis.parameters_link import Link
from study.diagnosis.releases import Releases, tolerance_ns
from study.diagnosis.send_buffer import writer_woken
from study.diagnosis.track import Track
from study.diagnosis.transfer import HEADERS_B, TIMESTAMP_B, Transfer
from study.diagnosis.writes import joined_writes, writes_with_pauses

DIRECT_S = 2e-3  # what follows an ACK within that was released by it
BACK_TO_BACK_S = 1e-3
LEAST = 3
ALL_ALONG = 0.9  # of the largest flight: a buffer that is full all along
HELD = 0.2  # of the time: what the sender waited for so long, it is limited by
STOPS, QUARTERS = 8, 4  # flights of one size, and in how many parts of the transfer
FULL = 0.95  # of the largest flight: a flight that is as large as the send buffer lets it be


def sender(transfer: Transfer, link: Link, limits_s: Mapping[str, float]) -> Iterator[Finding]:
    """All of it."""
    yield from _segments(transfer)
    yield from _options(transfer)
    yield from _own_times(transfer)
    yield from _nagle(transfer)
    yield from _initial_window(transfer)
    yield from _send_buffer(transfer, limits_s)


def _segments(transfer: Transfer) -> Iterator[Finding]:
    sender, receiver = transfer.offers
    lengths, numbers = transfer.data.length, transfer.number[transfer.data.row]
    largest = transfer.mss_B
    fits = TIMESTAMP_B if transfer.has_timestamps else 0
    shown = numbers[lengths == largest]
    if sender.seen and sender.mss:
        source = f"<mss {sender.mss}> in the sender's SYN; segments of {largest} B, {named(shown)}"
        yield Finding("mss", sender.mss, "B", "measured", source, some(shown))
        if receiver.seen and receiver.mss and receiver.mss != sender.mss:
            source = f"<mss {receiver.mss}> in the receiver's SYN"
            yield Finding("device_mss", receiver.mss, "B", "measured", source)
        return
    room = transfer.room_B[lengths == largest]
    held = bool(len(room)) and bool((room <= 0).all())
    value = largest + fits
    if not held:
        source = f"no SYN was seen; segments of {largest} B are the largest, {named(shown)}"
        yield Finding("mss", value, "B", "derived", source, some(shown))
        return
    source = (
        f"no SYN was seen, and segments of {largest} B, {named(shown)}, fill the window: it is at "
        "least that. An Ethernet's is taken"
    )
    low, value = value, max(value, 1500 - HEADERS_B)
    yield Finding("mss", value, "B", "bound", source, some(shown), low=low)


def _options(transfer: Transfer) -> Iterator[Finding]:
    """What the SYNs offer."""
    for end, offer in zip(("host", "device"), transfer.offers, strict=True):
        if not offer.seen:
            continue
        for name, offered in (("sack", offer.sack), ("timestamps", offer.timestamps)):
            told = "offered" if offered else "not offered"
            yield Finding(f"{end}_{name}", offered, "", "measured", f"{told} in its SYN")


def _own_times(transfer: Transfer) -> Iterator[Finding]:
    """From an ACK to the next segment, from one segment to the next, and until the first."""
    packets, rows = transfer.packets, transfer.pieces.row
    follows = rows[rows > 0]
    inside = transfer.region[follows] == transfer.region[follows - 1]
    follows = follows[inside]
    gaps_s = transfer.time_s[follows] - transfer.time_s[follows - 1]
    before_is_ack = ~transfer.is_sent[follows - 1] & (packets["length"][follows - 1] == 0)
    replies = before_is_ack & (gaps_s < DIRECT_S) & (gaps_s > 0)
    if replies.any():
        numbers = transfer.number[follows[replies]]
        source = (
            f"from an ACK to the next segment, {named(numbers)}: the median of {replies.sum():,}"
        )
        yield timed("reply_time", float(np.median(gaps_s[replies])), "derived", source, numbers)
    whole = packets["length"][follows] >= transfer.mss_B
    whole &= packets["length"][follows - 1] >= transfer.mss_B
    in_a_row = transfer.is_sent[follows - 1] & whole & (gaps_s < BACK_TO_BACK_S)
    if in_a_row.sum() >= LEAST:
        numbers = transfer.number[follows[in_a_row]]
        middle_s = float(np.median(gaps_s[in_a_row]))
        source = (
            f"from a whole segment to the next, {named(numbers)}: the median of {in_a_row.sum():,}"
        )
        yield timed("segment_time", max(middle_s, 1e-9), "derived", source, numbers)
    if transfer.handshake and transfer.sender_is_client and len(rows):
        third = transfer.handshake[2]
        told = transfer.number[[third, rows[0]]]
        behind = packets["length"][third] > 0
        gap_s = 0.0 if behind else float(transfer.time_s[rows[0]] - transfer.time_s[third])
        source = f"from the connection to the first data, {named(told)}"
        if gap_s > 0:
            yield timed("think_time", gap_s, "measured", source, told)


def _nagle(transfer: Transfer) -> Iterator[Finding]:
    """Small segments that left while others were outstanding, or never did."""
    data = transfer.data
    if len(data.row) < LEAST:
        return
    small = data.length < transfer.mss_B
    small[-1] = False
    # The window may have cut it, or the job have ended there.
    small &= transfer.room_B > 0
    before = np.concatenate(([0], transfer.outstanding_B[:-1]))
    outstanding = transfer.outstanding_B - data.length > 0
    outstanding &= before > 0
    passed = small & outstanding
    # Behind a whole segment Minshall's rule lets a small one go: only one behind a small one tells.
    behind_small = np.concatenate(([False], data.length[:-1] < transfer.mss_B))
    told = passed & behind_small
    if told.sum() >= 1:
        numbers = transfer.number[data.row[told]]
        source = f"small segments leave while others are not acknowledged: {named(numbers)}"
        yield Finding("nagle", False, "", "derived", source, some(numbers))
        return
    waited = small & ~outstanding
    if waited.sum() >= LEAST and not passed.any():
        numbers = transfer.number[data.row[waited]]
        source = f"small segments leave only when nothing is outstanding: {named(numbers)}"
        yield Finding("nagle", True, "", "derived", source, some(numbers))


def _initial_window(transfer: Transfer) -> Iterator[Finding]:
    """The first flight: what left before anything was acknowledged, if nothing else held it."""
    data, answers = transfer.data, transfer.answers
    if not transfer.handshake or not transfer.sender_is_client or not len(answers.row):
        return
    begin_s = float(data.time_s[0])
    until_s = float(answers.time_s[0])
    flight = data.time_s < until_s
    if not flight.any():  # of stamps too coarse to tell
        return
    count = int(np.ceil(data.length[flight].sum() / max(transfer.mss_B, 1)))
    last = int(np.flatnonzero(flight)[-1])
    numbers = np.unique(transfer.number[data.row[flight]])
    told = f"the first flight is {named(numbers)}, {count} segments in all"
    took_s = until_s - begin_s
    ended = last + 1 >= len(data.row)
    window_held = bool(transfer.room_B[last] < transfer.mss_B)
    small = bool((data.length[flight] < transfer.mss_B).any())
    if not (window_held or small or ended) and took_s > 0:
        source = f"{told}; the window had room for more"
        yield Finding("initial_window", count, "1", "derived", source, some(numbers))
        return
    why = "the window held it" if window_held else "the program had written no more"
    why = "the job ended there" if ended else why
    value = max(count, 10)
    source = f"{told}: {why}, so it is at least that; RFC 6928's ten are taken"
    if value > 10:
        source = f"{told}: {why}, so it is at least that"
    yield Finding("initial_window", value, "1", "bound", source, some(numbers), low=count)


def _send_buffer(transfer: Transfer, limits_s: Mapping[str, float]) -> Iterator[Finding]:
    """The largest flight; a send buffer if nothing else held it, and a bound of one otherwise."""
    flights = transfer.outstanding_B
    if not len(flights):
        return
    largest = int(flights.max())
    full = flights >= FULL * largest
    numbers = transfer.number[transfer.data.row[full]]
    cap = full_buffer_B(transfer, limits_s)
    if cap:
        largest = cap
        source = (
            f"never more than {largest:,} B are outstanding, {named(numbers)}, with room in the "
            "window, and the sender stops there again and again"
        )
        yield from _of_size(transfer, largest, source, some(numbers))
        return
    room = transfer.room_B[full]
    held = "the window held it" if np.median(room) < transfer.mss_B else "it was not full"
    source = (
        f"the largest flight is {largest:,} B, {named(numbers)}, and {held}: the buffer holds at "
        "least that"
    )
    value = max(largest, 65535)
    yield Finding("send_buffer", value, "B", "bound", source, some(numbers), low=largest)


def full_buffer_B(transfer: Transfer, limits_s: Mapping[str, float]) -> int | None:
    """The largest flight that a send buffer lets out, where one held the sender."""
    cap = recurs(transfer)
    part = share(limits_s, "send_buffer")
    if cap is None and part > 0 and (part >= HELD or wakes(transfer)):
        cap = int(transfer.outstanding_B.max())
    return cap


def wakes(transfer: Transfer) -> int:
    """How often the sender went on from one level of what is out, as its writer was woken there."""
    track = Track(transfer.connection, transfer.sender_is_client)
    releases = Releases(track, tolerance_ns(track))
    return int(writer_woken(releases, nagled(track, releases)).sum())


def _of_size(
    transfer: Transfer, largest: int, source: str, numbers: tuple[int, ...]
) -> Iterator[Finding]:
    """A send buffer, by what is outstanding on the average where that rises and falls."""
    usual = usual_flight_B(transfer)
    if usual < ALL_ALONG * largest:
        source += f"; it rises and falls, on the average {usual:,} B"
    value = usual if usual < ALL_ALONG * largest else largest
    yield Finding("send_buffer", value, "B", "derived", source, numbers)
    yield Finding("send_buffer_rule", "bytes", "", "assumed", "what is outstanding is bytes")
    yield Finding("send_buffer_grows", False, "", "derived", "it stays that")


def usual_flight_B(transfer: Transfer) -> int:
    """What is outstanding on the average: the rate, times how long each byte is (Little's law)."""
    answers = transfer.answers
    behind = answers.clean & (np.arange(len(answers.row)) >= len(answers.row) // QUARTERS)
    took_s = float(np.ptp(answers.time_s[behind]))
    carried = float(np.ptp(answers.ack[behind]))
    weights = answers.covered_B[behind]
    stays_s = float(np.average(answers.since_last_s[behind], weights=weights))
    return round(carried / took_s * stays_s) if took_s > 0 else 0


def recurs(transfer: Transfer) -> int | None:
    """The size below which the flights stay, behind the first quarter, although nothing is lost and
    the window has room: a congestion window would have grown."""
    data, flights = transfer.data, transfer.outstanding_B
    if len(data.row) < QUARTERS * STOPS or transfer.is_again.any():
        return None
    if (
        writes_with_pauses(transfer)
        or joined_writes(transfer)
        or transfer.is_idle_before.any()
        or len(transfer.answers.row) < QUARTERS * STOPS
    ):
        return None
    begin = len(flights) // QUARTERS
    tops = [int(each.max()) for each in np.array_split(flights[begin:], QUARTERS)]
    largest = max(tops)
    room = transfer.room_B[begin:][flights[begin:] > largest - transfer.mss_B]
    capped = largest - min(tops) < 2 * transfer.mss_B < 2 * largest
    turns = transfer.total_B / largest
    return largest if capped and np.median(room) >= transfer.mss_B and turns >= STOPS else None
