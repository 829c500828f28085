# SPDX-License-Identifier: GPL-2.0-only
"""What takes the data out of the receiver's buffer where its sender never waited for that: it took
some time, for a first ACK tells what lay unread, and it was done when a later one, kept back by a
timer, told the whole window. A bound, from both ends."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from study.diagnosis.finding import TICKS, Finding, in_rate, in_time, named, some, time_text
from study.diagnosis.transfer import Transfer

OFTEN = 0.2  # of the ACKs: so many tell that data lay unread and were gone by the next
LEAPS, LARGE = 5, 8  # as many, of as many segments,
NEARLY_ALL = 0.9  # of the steps
MOSTLY, ALIKE = 0.7, 0.25  # of all bytes, and how near to each other
LATE_S = 0.01  # the next one was kept back
MANY, IN_A_ROW = 16, 4  # steps, and as many behind an ACK as are a pace
HIDES = 1.5  # times what an ACK takes on the line: at that pace the line may be what is seen
MOST_B = 65535  # of a port, at a time
SIZES = {"Gbps": 1e9, "Mbps": 1e6, "kbps": 1e3, "bps": 1.0}


def unread_behind_acks(
    transfer: Transfer, rows: np.ndarray, windows: np.ndarray
) -> Iterator[Finding]:
    """Of the ACKs at `rows`, which offer `windows`."""
    if len(rows) < 2:
        return
    packets, times, largest = transfer.packets, transfer.time_s, int(windows.max())
    acks, pure = packets["ack"][rows], packets["length"][rows] == 0
    unread_B = largest - windows
    new_B = np.diff(acks)
    gap_s = np.diff(times[rows])
    emptied = (unread_B[:-1] > 0) & (unread_B[1:] == 0) & (gap_s > LATE_S) & pure[1:]
    emptied &= (new_B > 0) & (new_B < 2 * transfer.mss_B)
    emptied &= np.diff(transfer.region[rows]) == 0
    if emptied.sum() < OFTEN * len(rows):
        return
    first = np.flatnonzero(emptied)
    low_Bps = float(np.max((unread_B[first] + new_B[first]) / gap_s[first]))
    taken_B, took_s = _taken_by_then(transfer, rows, first, unread_B)
    if not len(taken_B):
        return
    numbers = transfer.number[rows[first]]
    told = f"{named(numbers)} tell that data lay unread, each next ACK that the buffer is empty"
    usual_B = int(np.median(taken_B))
    if usual_B <= 0:
        low_s, high_s = float(np.median(took_s)), float(np.min(gap_s[first]))
        value, unit = in_time(np.sqrt(low_s * high_s))
        low, high = low_s / TICKS[unit], high_s / TICKS[unit]
        source = f"{told}, {time_text(high_s)} behind it at the latest"
        yield Finding("drain_latency", value, unit, "bound", source, some(numbers), low, high)
        return
    high_Bps = max(float(np.min((taken_B + transfer.mss_B) / took_s)), 2 * low_Bps)
    value, unit = in_rate(8 * np.sqrt(low_Bps * high_Bps))
    low, high = (float(f"{8 * each / SIZES[unit]:.4g}") for each in (low_Bps, high_Bps))
    source = f"{told}; by the first {usual_B:,} B were gone. Between the two is what was taken"
    yield Finding("port_rate", value, unit, "bound", source, some(numbers), low, high)
    source = f"what had left the buffer when the ACK left that tells of the rest, {named(numbers)}"
    yield Finding("port_chunk", min(usual_B, MOST_B), "B", "derived", source, some(numbers))


def read_in_leaps(transfer: Transfer, rows: np.ndarray, windows: np.ndarray) -> Iterator[Finding]:
    """A program that reads much at a time, and the same again and again, so that the window is
    whole when it has: its end goes on in leaps, each as far and as long after the one before."""
    edges = np.maximum.accumulate(transfer.packets["ack"][rows] + windows)
    steps, leaps = np.diff(edges), _leaps(transfer, rows, windows)
    if not len(leaps):
        return
    at = rows[leaps + 1]
    carried_B = int(edges[leaps[-1] + 1] - edges[leaps[0] + 1])
    value, unit = in_rate(8 * carried_B / float(transfer.time_s[at[-1]] - transfer.time_s[at[0]]))
    numbers = transfer.number[at]
    source = f"the window's end leaps with {named(numbers)}: so much in the time between them"
    yield Finding("port_rate", value, unit, "derived", source, some(numbers))
    chunk = min(int(np.median(steps[leaps])), MOST_B)
    source = f"the usual leap of the window's end, {named(numbers)}"
    yield Finding("port_chunk", chunk, "B", "derived", source, some(numbers))


def _leaps(transfer: Transfer, rows: np.ndarray, windows: np.ndarray) -> np.ndarray:
    """Behind which of the rows the window's end leaps."""
    none = np.zeros(0, int)
    if len(rows) < LEAPS:
        return none
    edges = np.maximum.accumulate(transfer.packets["ack"][rows] + windows)
    steps = np.diff(edges)
    leaps = np.flatnonzero(steps >= max(LARGE * transfer.mss_B, int(windows.max()) // 3))
    if len(leaps) < LEAPS or steps[leaps].sum() < MOSTLY * transfer.total_B:
        return none
    for values in (steps[leaps], np.diff(transfer.time_s[rows[leaps + 1]])):
        low, middle, high = np.percentile(values, [20, 50, 80])
        if high - low > ALIKE * middle:
            return none
    return leaps


def leaping_rows(transfer: Transfer, rows: np.ndarray, windows: np.ndarray) -> np.ndarray:
    """The ACKs that come because such a program has read: of no counting receiver."""
    return rows[_leaps(transfer, rows, windows) + 1]


@dataclass(frozen=True)
class Steps:
    """Updates of the window in a row, each of as much."""

    step_B: int
    gap_s: float
    rows: np.ndarray  # of those whose gap to the one in front of them is usual

    @property
    def rate_bps(self) -> float:
        return 8 * self.step_B / self.gap_s


def small_steps(transfer: Transfer, rows: np.ndarray, windows: np.ndarray) -> Steps | None:
    """What is told as soon as it has left the buffer, so that an ACK has updates behind it, each of
    one step, and the first step is gone when it comes: of ACKs at `rows`, which offer `windows`.
    None where they are no such ones."""
    if len(rows) < MANY:
        return None
    acks, pure = transfer.packets["ack"][rows], transfer.packets["length"][rows] == 0
    told = (np.diff(acks) == 0) & (np.diff(windows) > 0) & pure[1:] & pure[:-1]
    told &= np.diff(transfer.region[rows]) == 0
    steps_B = np.diff(windows)[told]
    if len(steps_B) < MANY:
        return None
    step_B = int(np.median(steps_B))
    if np.mean(steps_B == step_B) < NEARLY_ALL:
        return None
    new_B = np.diff(acks)
    larger = np.flatnonzero(new_B[:-1] > step_B) + 1  # ACKs of more than a step, an update behind
    larger = larger[told[larger]]
    taken = windows.max() - windows[larger] <= new_B[larger - 1] - step_B
    in_a_row = told[1:] & told[:-1]  # the one in front of it is an update, too
    many = IN_A_ROW * len(np.unique(acks[1:][told])) <= len(steps_B)
    if len(larger) >= LEAPS and taken.mean() >= MOSTLY:
        follows = told
    elif many and 2 * step_B <= transfer.mss_B and in_a_row.sum() >= MANY:
        follows = np.concatenate(([False], in_a_row))
    else:
        return None
    gaps_s = np.diff(transfer.time_s[rows])[follows]
    usual = gaps_s <= 2 * np.median(gaps_s)  # what is in between waited for data
    gap_s = float(np.mean(gaps_s[usual]))
    return Steps(step_B, gap_s, rows[1:][follows][usual]) if gap_s > 0 else None


def told_step_by_step(transfer: Transfer, steps: Steps, ack_s: float) -> Iterator[Finding]:
    """The port that they show, but for one that what an ACK takes on the line (`ack_s`) hides."""
    numbers = transfer.number[steps.rows]
    value, unit = in_rate(steps.rate_bps)
    source = f"{steps.step_B} B in {time_text(steps.gap_s)} from update to update, {named(numbers)}"
    if steps.gap_s > HIDES * ack_s:
        yield Finding("port_rate", value, unit, "derived", source, some(numbers))
    else:
        source += "; no slower than that, for so long an update takes on the line"
        yield Finding("port_rate", value, unit, "bound", source, some(numbers), low=value)
    source = f"the step by which almost each update opens the window, {named(numbers)}"
    step_B = min(steps.step_B, MOST_B)
    if step_B < transfer.mss_B:
        yield Finding("port_chunk", step_B, "B", "derived", source, some(numbers))
        return
    source += "; of whole segments, so what takes all that has come would tell the same"
    yield Finding("port_chunk", step_B, "B", "bound", source, some(numbers), step_B, MOST_B)


def _taken_by_then(
    transfer: Transfer, rows: np.ndarray, first: np.ndarray, unread_B: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """What had left the buffer when these ACKs left, and in how long, where it had been empty."""
    answers = transfer.answers
    place = np.searchsorted(answers.row, rows[first])
    known = place < len(answers.row)
    known[known] &= answers.row[place[known]] == rows[first[known]]
    known &= (first > 0) & (unread_B[np.maximum(first - 1, 0)] == 0)
    known[known] &= answers.clean[place[known]] & (answers.since_first_s[place[known]] > 0)
    first, place = first[known], place[known]
    return answers.covered_B[place] - unread_B[first], answers.since_first_s[place]
