# SPDX-License-Identifier: GPL-2.0-only
"""How the receiver acknowledges, as its sender sees it: how long it takes, how much it waits for,
and until when it keeps an ACK back."""

from collections.abc import Iterator

import numpy as np

from study.captures.connection import FIN, PSH, RST
from study.diagnosis.finding import Finding, named, some, time_text, timed
from study.diagnosis.parameters_ends import is_todays_linux
from study.diagnosis.parameters_link import Link
from study.diagnosis.parameters_port import leaping_rows
from study.diagnosis.parameters_window import drain_rate, offered
from study.diagnosis.transfer import Transfer

AT_ONCE_S = 1e-4
SHORTEST = 1.1  # times what a segment takes: a timer that leaves pairs whole
ADAPTIVE = 0.05  # of the ACKs: of single segments, at once, behind the first quarter
MOSTLY = 0.9  # of them
LEAST = 3  # ACKs that a rule is read off
OFTEN = 0.2  # of the ACKs: several of a flight on their way at once
STEADY = 0.05  # a latency that varies by less has no spread of its own
KEPT_BACK_S = 0.02  # an ACK that is so much later than the usual one waited for a timer
EARLY = 0.5  # of the bulk's latency, or its reverse: the first bytes are acknowledged otherwise
SMALL_B = 256  # two sizes have to differ by so much to show a time for each byte
TIMERS_S = (0.04, 0.1, 0.2, 0.5)  # of delayed ACKs: Linux, older BSDs and Windows, RFC 1122's limit
NEAR_TIMER = 0.1
PUNCTUAL = 0.01  # of a timer


def acknowledging(transfer: Transfer, link: Link) -> Iterator[Finding]:
    """SYN-ACK, ACKs of data, and the end of the connection."""
    yield from _syn_ack(transfer, link)
    rule = every_nth(transfer, link)
    if rule:
        yield from _counted(transfer, link, rule)
    else:
        yield from _batches(transfer, link)
    yield from _closing(transfer, link)


def _syn_ack(transfer: Transfer, link: Link) -> Iterator[Finding]:
    if not transfer.handshake or not transfer.sender_is_client:
        return
    syn, answer, _ = transfer.handshake
    gap_s = float(transfer.time_s[answer] - transfer.time_s[syn])
    line_s = link.rtt_s + link.frame_s(transfer, 0) * 2 + (0 if link.is_path else 1e-6)
    numbers = transfer.number[[syn, answer]]
    source = (
        f"{time_text(gap_s)} from SYN to SYN-ACK, {named(numbers)}, less {time_text(line_s)} on "
        "the way there and back"
    )
    yield timed("syn_ack_latency", gap_s - line_s, "derived", source, numbers)


def every_nth(transfer: Transfer, link: Link) -> int | None:
    """How many segments an ACK stands for, where the receiver counts them: several ACKs of one
    flight are on their way at once. None for one that acknowledges all that has arrived."""
    answers, data = transfer.answers, transfer.data
    if len(answers.row) < LEAST:
        return None
    together = data.time_s[answers.last[1:]] <= answers.time_s[:-1]
    if together.mean() < OFTEN and not link.is_path:
        return None
    whole = answers.clean & (answers.covered_B >= transfer.mss_B)
    if whole.sum() < LEAST:
        return None
    leaping = np.isin(answers.row, leaping_rows(transfer, *offered(transfer)))
    if (whole & ~leaping).sum() >= LEAST:
        whole &= ~leaping
    counts = np.round(answers.covered_B[whole] / transfer.mss_B).astype(int)
    begun = _one_by_one(transfer)
    if (whole[begun:]).sum() >= LEAST:  # what it does in the end is its rule
        counts = counts[whole[:begun].sum() :]
    sizes, often = np.unique(counts, return_counts=True)
    return int(min(sizes[np.argmax(often)], 255))


def _one_by_one(transfer: Transfer) -> int:
    """How many of the ACKs are those of a beginning in which single segments are acknowledged at
    once, as a Linux does for as long as its window grows; 0 where it does so to the end."""
    answers = transfer.answers
    single = answers.clean & (answers.segments == 1)
    # One that was kept back for a timer is none of them.
    usual_s = _usual_s(answers.since_last_s, single)
    at_once = np.flatnonzero(single & (answers.since_last_s - usual_s < KEPT_BACK_S))
    if not len(at_once) or single.mean() < ADAPTIVE:
        return 0
    last = int(at_once[-1]) + 1
    behind = answers.clean[last:] & (answers.segments[last:] > 1)
    is_beginning = len(at_once) > last / 2 and behind.sum() >= LEAST
    return last if is_beginning else 0


def _counted(transfer: Transfer, link: Link, every: int) -> Iterator[Finding]:
    """Every n-th segment at once, what is less by the timer."""
    answers = transfer.answers
    usual = answers.clean & (np.round(answers.covered_B / transfer.mss_B) == every)
    yield from _quick(transfer, every)
    begun = _one_by_one(transfer)
    usual[:begun] = False
    share = usual.sum() / max(answers.clean[begun:].sum(), 1)
    numbers = transfer.number[answers.row[usual]]
    behind = " behind the first ones" if begun else ""
    source = f"{share:.0%} of the ACKs{behind} stand for {every} x {transfer.mss_B} B: "
    source += named(numbers)
    odd = answers.clean & (answers.segments == 1) & (np.arange(len(answers.row)) >= begun)
    odd &= answers.since_last_s - _usual_s(answers.since_last_s, usual) < KEPT_BACK_S
    at_once = every == 2 and odd[max(begun, len(odd) // 4) :].mean() >= ADAPTIVE
    yield Finding("ack_frequency", every, "1", "derived", source, some(numbers))
    late = answers.clean & (answers.segments < every)
    late &= answers.since_first_s - _usual_s(answers.since_last_s, usual) > KEPT_BACK_S
    late &= answers.since_first_s > 0
    pushed = list(_pushed(transfer, odd, late)) if every > 1 else []
    yield from pushed
    at_once &= not pushed
    if link.is_path:
        yield timed("ack_latency", AT_ONCE_S, "assumed", "the network's time is in rtt")
    else:
        # What waits for a slow reader is that one's time, and the least of any is the device's.
        least_of = usual if drain_rate(transfer) is None else answers.clean
        own_s = answers.since_last_s[least_of] - link.there_and_back_s(transfer, transfer.mss_B)
        source = (
            "the least time from the last segment that an ACK stands for to that ACK, less the way "
            "there and back; what others took more they were waiting in a queue"
        )
        yield timed("ack_latency", float(np.min(own_s, initial=1.0)), "derived", source, numbers)
    if late.sum() and not (at_once and odd.sum() > late.sum()):
        kept_s = answers.since_first_s[late] - _usual_s(answers.since_last_s, usual)
        numbers = transfer.number[answers.row[late]]
        source = f"ACKs of less than {every} segments came that much later: {named(numbers)}"
        yield timed("delayed_ack_timeout", float(np.median(kept_s)), "derived", source, numbers)
    elif at_once:
        told = named(transfer.number[answers.row[odd]])
        source = f"odd segments are acknowledged at once, {told}: just longer than a segment takes"
        source += f"; {late.sum()} were late" if late.sum() else ""
        wait_s = SHORTEST * link.frame_s(transfer, transfer.mss_B)
        yield timed("delayed_ack_timeout", wait_s, "derived", source)
    elif every > 1:
        source = f"no ACK of less than {every} segments was kept back; Linux's least, 40 ms"
        yield timed("delayed_ack_timeout", 0.04, "assumed", source)


def _pushed(transfer: Transfer, odd: np.ndarray, late: np.ndarray) -> Iterator[Finding]:
    """Whether what ends a burst is acknowledged at once: seen, or of a Linux of today taken."""
    answers, ends = transfer.answers, _ends_burst(transfer)
    first = np.flatnonzero(answers.segments != 1)  # those in front of it are quick ACKs
    alone = odd & (np.arange(len(odd)) >= (first[0] if len(first) else 0))
    if alone.any():
        if ends[answers.last[alone]].mean() >= MOSTLY:
            told = named(transfer.number[answers.row[alone]])
            source = f"odd segments that end a burst (PSH) are acknowledged at once, {told}"
            yield Finding("ack_pushed", True, "", "derived", source)
    elif is_todays_linux(transfer.offers[1]) and not ends[answers.last[late]].any():
        source = "its SYN looks like a Linux of today, which acknowledges at once what has PSH"
        yield Finding("ack_pushed", True, "", "assumed", source)


def _ends_burst(transfer: Transfer) -> np.ndarray:
    """Of each segment, whether it tells its receiver not to wait for more: Linux acknowledges such
    a one at once, when its program has read it (tcp_cleanup_rbuf)."""
    data = transfer.data
    pushed = (transfer.packets["flags"][data.row] & PSH) > 0
    whole = np.append(np.diff(data.row) > 0, True)  # of a piece that is cut up later the last
    return (pushed & whole) | (data.length < transfer.mss_B)


def _quick(transfer: Transfer, every: int) -> Iterator[Finding]:
    """The first segments, where each is acknowledged and later ones are not."""
    answers = transfer.answers
    if every < 2 or not transfer.handshake:
        return
    first = np.flatnonzero(answers.segments != 1)
    count = _one_by_one(transfer) or (int(first[0]) if len(first) else 0)
    if count < 2:
        return
    numbers = transfer.number[answers.row[:count]]
    source = f"the first segments are acknowledged one by one: {named(numbers)}"
    yield Finding("device_quick_acks", min(count, 255), "1", "measured", source, some(numbers))


def _usual_s(times_s: np.ndarray, usual: np.ndarray) -> float:
    return float(np.median(times_s[usual])) if usual.any() else 0.0


def _bulk(transfer: Transfer) -> np.ndarray:
    """Of the ACKs those of full flights: as much as most of the bytes were acknowledged by, and
    with nothing but an ACK."""
    answers = transfer.answers
    usable = answers.clean & ~answers.carries_data
    if not usable.any():
        usable = answers.clean
    sizes = answers.covered_B[usable]
    if not len(sizes):
        return usable
    order = np.argsort(sizes)
    half = np.searchsorted(np.cumsum(sizes[order]), sizes.sum() / 2)
    usual_B = sizes[order][min(half, len(sizes) - 1)]
    return usable & (answers.covered_B >= usual_B * 0.9) & (answers.covered_B <= usual_B * 1.1)


def _latencies_s(transfer: Transfer, link: Link, chosen: np.ndarray) -> np.ndarray:
    """What the device took from the first segment's arrival to its ACK's leaving."""
    answers = transfer.answers
    first_B = transfer.data.length[answers.first[chosen]]
    fixed_s = link.there_and_back_s(transfer, 0) - link.frame_s(transfer, 0)
    line_s = np.array([link.frame_s(transfer, each) for each in np.unique(first_B)])
    each_s = line_s[np.searchsorted(np.unique(first_B), first_B)]
    return answers.since_first_s[chosen] - each_s - fixed_s


def _batches(transfer: Transfer, link: Link) -> Iterator[Finding]:
    """One ACK for all that has arrived."""
    answers, bulk = transfer.answers, _bulk(transfer)
    if not bulk.any():
        return
    own_s = np.maximum(_latencies_s(transfer, link, bulk), 0)
    low_s, middle_s, high_s = (float(each) for each in np.percentile(own_s, [5, 50, 95]))
    numbers = transfer.number[answers.row[bulk]]
    size_B = int(np.median(answers.covered_B[bulk]))
    asked = f"of {size_B:,} B each, {named(numbers)}"
    fixed_s = link.there_and_back_s(transfer, int(np.median(transfer.data.length)))
    net = f"less {time_text(fixed_s)} on the way there and back"
    if len(own_s) >= LEAST and high_s - low_s > STEADY * middle_s:
        least_s, most_s = float(own_s.min()), high_s if len(own_s) > 40 else float(own_s.max())
        source = f"the least of {len(own_s):,} ACKs {asked}, since the first segment, {net}"
        yield timed("ack_latency", least_s, "derived", source, numbers)
        source = f"the most less the least of them, {time_text(most_s)} - {time_text(least_s)}"
        yield timed("ack_latency_spread", most_s - least_s, "derived", source, numbers)
    else:
        count = f"the median of {len(own_s):,} ACKs" if len(own_s) > 1 else "the one ACK"
        source = f"{count} {asked}, since the first segment, {net}"
        ends = float(own_s.min()), float(own_s.max())
        source += f"; they lie from {time_text(ends[0])} to {time_text(ends[1])}"
        yield timed("ack_latency", middle_s, "derived", source, numbers)
    yield from _late_ones(transfer, bulk, middle_s)
    yield from _interactive(transfer, link, bulk, middle_s)
    yield from _each_byte(transfer, link, bulk, middle_s)


def _late_ones(transfer: Transfer, bulk: np.ndarray, usual_s: float) -> Iterator[Finding]:
    """What is less than any that was acknowledged soon, where a known timer kept that back."""
    answers, size = transfer.answers, transfer.mss_B
    since_s = answers.since_first_s - usual_s
    timer = np.zeros(len(since_s), bool)
    for each in TIMERS_S:
        timer |= np.abs(since_s / each - 1) <= PUNCTUAL
    late = timer & answers.clean & ~bulk & ~answers.carries_data
    soon = answers.clean & (since_s < KEPT_BACK_S / 2)
    if not late.any() or not soon.any() or not size:
        return
    every = -(-int(answers.covered_B[soon].min()) // size)
    if every < 2 or answers.covered_B[late].max() > (every - 1) * size:
        return
    numbers = transfer.number[answers.row[late]]
    told = f"all of more than {every - 1} x {size} B are acknowledged soon"
    source = f"{told}, and what is less waits for a timer, {named(numbers)}"
    yield Finding("ack_frequency", min(every, 255), "1", "derived", source, some(numbers))
    kept_s = float(np.median(since_s[late]))
    source = f"from the first segment that they cover to ACKs that cover less, {named(numbers)}"
    yield timed("delayed_ack_timeout", kept_s, "derived", source, numbers)


def _each_byte(
    transfer: Transfer, link: Link, bulk: np.ndarray, usual_s: float
) -> Iterator[Finding]:
    """A time for each byte, where ACKs of two sizes show one."""
    answers = transfer.answers
    other = answers.clean & ~bulk
    other &= np.arange(len(other)) > (np.flatnonzero(bulk)[0] if bulk.any() else 0)
    size_B = float(np.median(answers.covered_B[bulk]))
    other &= (np.abs(answers.covered_B - size_B) >= SMALL_B) & (answers.covered_B >= SMALL_B)
    other &= answers.segments <= np.max(answers.segments[bulk])
    if other.sum() < LEAST:
        return
    sizes = answers.covered_B[other] - size_B
    slopes = (_latencies_s(transfer, link, other) - usual_s) / sizes
    low, slope, high = (float(each) for each in np.percentile(slopes, [25, 50, 75]))
    if low <= 0 or high > 2 * low or slope * size_B < STEADY * usual_s:
        return
    numbers = transfer.number[answers.row[other]]
    source = (
        f"{other.sum():,} ACKs of other sizes, {named(numbers)}: the median of what each byte "
        "less or more takes off or adds"
    )
    yield timed("ack_latency_per_byte", slope, "derived", source, numbers)


def _interactive(
    transfer: Transfer, link: Link, bulk: np.ndarray, usual_s: float
) -> Iterator[Finding]:
    """The first bytes, where they are acknowledged in another time than the bulk."""
    answers = transfer.answers
    first_bulk = int(np.flatnonzero(bulk)[0])
    early = answers.clean & (np.arange(len(bulk)) < first_bulk)
    early &= answers.covered_B < np.median(answers.covered_B[bulk])
    if not early.any() and transfer.fin_row is None:
        return
    # One answer after the other: each counts from the one in front of it, if its data were there.
    since_s = np.minimum(answers.since_last_s, np.diff(answers.time_s, prepend=-np.inf))
    took_s = np.maximum(since_s[early] - link.there_and_back_s(transfer, 0), 0)
    if not len(took_s):
        return
    middle_s = float(np.median(took_s))
    if usual_s * EARLY < middle_s < usual_s / EARLY:
        return
    numbers = transfer.number[answers.row[early]]
    source = (
        f"{len(took_s)} answers to the first, small messages, {named(numbers)}: the median, each "
        "counted from the answer in front of it where it was waiting for that"
    )
    yield timed("interactive_ack_latency", middle_s, "derived", source, numbers)
    told = int(transfer.data.end[answers.last[early][-1]])
    spoke = _spoke_before(transfer, int(answers.row[early][-1]))
    low = max(told - spoke, 1)
    begins = int(transfer.data.begin[answers.first[first_bulk]])
    source = (
        f"byte {told} is still acknowledged early, {named(numbers[-1:])}; byte {begins} takes the "
        f"bulk's time, packet {int(transfer.number[answers.row[first_bulk]])}; counted from byte "
        f"{spoke}, where the receiver last spoke. Taken as right behind the early ones"
    )
    high = max(begins - spoke, low)
    yield Finding("interactive_bytes", low, "B", "bound", source, some(numbers), low, high)


def _spoke_before(transfer: Transfer, row: int) -> int:
    """The byte of the sender's at which the receiver last said something of its own."""
    packets = transfer.packets
    spoke = np.flatnonzero(~transfer.is_sent[:row] & (packets["length"][:row] > 0))
    return int(packets["ack"][spoke[-1]]) if len(spoke) else 1


def _closing(transfer: Transfer, link: Link) -> Iterator[Finding]:
    """From the receiver's ACK of the FIN to its own."""
    fin = transfer.fin_row
    if fin is None:
        return
    packets, receivers = transfer.packets, ~transfer.is_sent
    end = int(packets["seq"][fin] + packets["length"][fin] + 1)
    acked = np.flatnonzero(receivers & (packets["ack"] >= end))
    resets = np.flatnonzero(transfer.is_sent & transfer.flagged(RST))
    if len(acked) and len(resets) and resets[-1] > acked[0]:
        rows = np.array([acked[0], resets[resets > acked[0]][0]])
        source = f"a reset behind the ACK of the FIN, {named(transfer.number[rows])}"
        numbers = some(transfer.number[rows])
        yield Finding("reset_on_fin_ack", True, "", "measured", source, numbers)
    own = np.flatnonzero(receivers & transfer.flagged(FIN))
    if not len(acked) or not len(own) or own[0] < acked[0]:
        return
    rows = np.array([acked[0], own[0]])
    source = f"from its ACK of the FIN to its own, {named(transfer.number[rows])}"
    between_s = float(transfer.time_s[own[0]] - transfer.time_s[acked[0]])
    yield timed("close_time", between_s, "derived", source, transfer.number[rows])


def timer_like_s(transfer: Transfer, link: Link) -> float | None:
    """The delayed-ACK timer that the usual answer looks like, where the window had room all along:
    a capture cannot tell a slow device from one that keeps its ACK back."""
    answers, bulk = transfer.answers, _bulk(transfer)
    if not bulk.any() or every_nth(transfer, link):
        return None
    took_s = float(np.median(answers.since_first_s[bulk]))
    near = [each for each in TIMERS_S if abs(took_s / each - 1) <= NEAR_TIMER]
    room_B = transfer.room_B[answers.last[bulk]]
    has_room = float(np.mean(room_B >= max(transfer.mss_B, 1))) > 0.5
    return near[0] if near and has_room else None
