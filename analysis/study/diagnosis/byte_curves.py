# SPDX-License-Identifier: GPL-2.0-only
"""Curves of the bytes sent and acknowledged over time, and the distance between two pairs of them:
the one measure by which a simulated transfer is compared with a captured one."""

import csv
import io
from dataclasses import dataclass

import numpy as np

from study.captures.connection import Connection

# Weight, beside the area, of the distance between the gap histograms, and of that between the
# receiver's windows as far as the largest flight would fill them: a reader that is slow closes its
# window, a slow line with the same rate does not.
WEIGHT = 0.1
BINS_PER_DECADE = 4  # of gaps: a quarter more or less is another bin, a host's jitter is not
SHORTEST_GAP_S = 1e-6  # as captures are stamped


@dataclass(frozen=True)
class Steps:
    """A curve of steps: its value after each instant."""

    time_s: np.ndarray
    value: np.ndarray

    def at(self, time_s: np.ndarray) -> np.ndarray:
        """Return the value at each instant, 0 before the first step."""
        place = np.searchsorted(self.time_s, time_s, side="right") - 1
        return np.where(place >= 0, self.value[np.maximum(place, 0)], 0.0)


@dataclass(frozen=True)
class Curves:
    """What a transfer's packets show, from the first data segment of its sender on."""

    curves: tuple[Steps, ...]  # each as a fraction of all its bytes, from 0 to 1
    window_B: Steps | None  # of the receiver
    flight_B: float  # the largest
    gaps: np.ndarray  # time-weighted histogram of the gaps between data segments, of sum 1
    duration_s: float  # until the last step
    carried_B: int  # by the sender

    @property
    def rate_Bps(self) -> float:
        return self.carried_B / max(self.duration_s, 1e-9)


def curves(
    time_s: np.ndarray,
    is_sent: np.ndarray,
    seq: np.ndarray,
    length: np.ndarray,
    ack: np.ndarray,
    window: np.ndarray,
    both_ways: bool,
) -> Curves | None:
    """Return the curves of some packets in the order of time; None without data.

    Parameters
    ----------
    is_sent : whether each packet is of the end whose data count
    both_ways : whether the other end's data count as well, as in request and reply
    """
    data = np.flatnonzero(is_sent & (length > 0))
    if not len(data):
        return None
    begin_s = time_s[data[0]]
    first = int(seq[data].min())
    sent = _rising(time_s[data] - begin_s, seq[data] + length[data] - first)
    found, room, flight_B = [sent], None, float(sent.value[-1])
    if both_ways:
        back = np.flatnonzero(~is_sent & (length > 0))
        if len(back):
            base = int(seq[back].min())
            found.append(_rising(time_s[back] - begin_s, seq[back] + length[back] - base))
    else:
        heard = np.flatnonzero(~is_sent & (ack > first))
        if len(heard):
            told = np.minimum(ack[heard] - first, sent.value[-1])
            found.append(_rising(time_s[heard] - begin_s, told))
            room = Steps(time_s[heard] - begin_s, np.maximum(window[heard], 0).astype(float))
            flight_B = float((sent.value - found[1].at(sent.time_s)).max())
    end_s = max(float(each.time_s[-1]) for each in found)
    carried = int(sum(each.value[-1] for each in found)) if both_ways else int(sent.value[-1])
    gaps = np.concatenate([np.diff(each.time_s) for each in found])
    parts = tuple(Steps(each.time_s, each.value / each.value[-1]) for each in found)
    return Curves(parts, room, flight_B, histogram(gaps), end_s, carried)


def _rising(time_s: np.ndarray, value: np.ndarray) -> Steps:
    """Return the steps at which a value is larger than ever before."""
    high = np.maximum.accumulate(value)
    new = np.concatenate(([True], high[1:] > high[:-1]))
    return Steps(time_s[new], high[new].astype(float))


def histogram(gaps_s: np.ndarray) -> np.ndarray:
    """Return how much of all the time lies in gaps of each length, in bins of equal ratio. A gap
    counts in the two bins next to it, so that a small difference makes a small distance."""
    gaps_s = gaps_s[gaps_s > 0]
    place = np.log10(np.maximum(gaps_s / SHORTEST_GAP_S, 1.0)) * BINS_PER_DECADE
    low = place.astype(int)
    bins = np.zeros(low.max(initial=0) + 2)
    np.add.at(bins, low, gaps_s * (1 - (place - low)))
    np.add.at(bins, low + 1, gaps_s * (place - low))
    return bins / bins.sum() if len(gaps_s) else bins


def histograms_apart(one: np.ndarray, other: np.ndarray) -> float:
    """Return which part of the time lies in other gaps: 0 for the same, 1 where none is alike."""
    longest = max(len(one), len(other))
    ours, theirs = (np.pad(each, (0, longest - len(each))) for each in (one, other))
    return float(np.abs(ours - theirs).sum()) / 2


def distance(one: Curves, other: Curves) -> float:
    """Return the area between the curves, as a fraction of all bytes times all the time, plus a
    tenth of the distances between the gap histograms and between the windows; 0 where both are
    the same. The largest flight is that of the first."""
    whole_s = max(one.duration_s, other.duration_s, 1e-9)
    areas = [
        _area(ours, theirs, whole_s) for ours, theirs in zip(one.curves, other.curves, strict=False)
    ]
    missing = abs(len(one.curves) - len(other.curves))
    apart = float(np.mean(areas + [1.0] * missing))
    windows = [each.window_B for each in (one, other) if each.window_B is not None]
    if len(windows) == 2:
        most = max(one.flight_B, 1.0)
        filled = (Steps(each.time_s, np.minimum(each.value, most) / most) for each in windows)
        apart += WEIGHT * _area(*filled, whole_s)
    return apart + WEIGHT * histograms_apart(one.gaps, other.gaps)


def _area(one: Steps, other: Steps, whole_s: float) -> float:
    edges = np.unique(np.concatenate(([0.0], one.time_s, other.time_s, [whole_s])))
    edges = edges[(edges >= 0) & (edges <= whole_s)]
    apart = np.abs(one.at(edges[:-1]) - other.at(edges[:-1]))
    return float((apart * np.diff(edges)).sum() / whole_s)


def parting(one: Curves, other: Curves, within: float) -> float | None:
    """Return when the curves first are a fraction of all bytes apart; None if never."""
    found = []
    for ours, theirs in zip(one.curves, other.curves, strict=False):
        edges = np.unique(np.concatenate((ours.time_s, theirs.time_s)))
        far = np.abs(ours.at(edges) - theirs.at(edges)) > within
        if far.any():
            found.append(float(edges[np.argmax(far)]))
    return min(found, default=None)


@dataclass(frozen=True)
class View:
    """From where two transfers are compared, and what of them counts."""

    both_ways: bool  # whether the data of both ends do, as in request and reply
    own_is_client: bool  # whether the client of the simulation is the end that sends most
    at_client: bool  # whether times are the client's


def of_connection(connection: Connection, both_ways: bool) -> Curves | None:
    """Return the curves of a capture, in the time of the place where it was taken."""
    p = connection.packets
    own = p["from_client"] == connection.bulk_from_client
    given = p["time_ns"] / 1e9, own, p["seq"], p["length"], p["ack"], p["window"]
    return curves(*given, both_ways)


def of_table(text: str, view: View) -> Curves | None:
    """Return the curves of a run's segment table; a packet that was lost is not at the far end."""
    rows = csv.reader(io.StringIO(text))
    titles = next(rows)
    rows = list(rows)
    if not rows:
        return None
    columns = dict(zip(titles, zip(*rows, strict=True), strict=True))
    time_s = np.array(columns["time_s"], float)
    is_client = np.array([name == columns["sender"][0] for name in columns["sender"]])
    keep = np.ones(len(rows), bool)
    if not view.at_client and "far_time_s" in columns:
        far = [each if each not in ("", "lost") else "nan" for each in columns["far_time_s"]]
        time_s = np.array(far, float)
        keep = np.isfinite(time_s)
    seq, length, window = (
        np.array(columns[name], np.int64) for name in ("seq", "length", "window")
    )
    ack = np.array([each or "-1" for each in columns["ack"]], np.int64)
    order = np.flatnonzero(keep)[np.argsort(time_s[keep], kind="stable")]
    own = is_client if view.own_is_client else ~is_client
    given = (time_s, own, seq, length, ack, window)
    return curves(*(each[order] for each in given), view.both_ways)
