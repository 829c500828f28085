# SPDX-License-Identifier: GPL-2.0-only
"""A connection's life as waits, one after the other, each with the limit that it was for."""

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from study.captures.growing import let_go
from study.captures.growing import pieces as parts
from study.diagnosis.track import Known

# The words of `limits_s` of every scenario over TCP (docs/reference/model.md), in their order.
LIMITS = (
    "handshake",
    "application",
    "client_application",
    "server_application",
    "last_ack",
    "cpu",
    "disk",
    "bus",
    "link",
    "path_queue",
    "round_trip",
    "receive_window",
    "drain",
    "window_update",
    "delayed_ack",
    "congestion_window",
    "send_buffer",
    "nagle",
    "loss_recovery",
    "close",  # of a capture alone: the end that sends has closed its half, and waits for the other
)
CODE = {limit: np.int8(place) for place, limit in enumerate(LIMITS)}

# Waits follow each other without a gap or an overlap.
WAIT = np.dtype(
    [
        ("start_ns", np.int64),  # since the connection's first packet
        ("length_ns", np.int64),
        ("limit", np.int8),  # a place in LIMITS
        ("room", np.int8),  # of an ACK kept back: what the sender lacked; else the limit
        ("after", np.int32),  # the number of the packet that began it
        ("before", np.int32),  # and of the one that ended it
    ],
    align=True,
)


@dataclass(frozen=True)
class Budget:
    """What a connection waited for."""

    waits: np.ndarray  # of dtype WAIT
    kind: str  # "bulk": the sender's split; "exchange": the one of both ends
    from_client: bool  # whether the client is the sender of a bulk transfer
    line_Bps: float | None = None  # of the narrowest line, where queues before it show it
    line_headers_B: int = 0  # what each segment was reckoned to have besides
    least_rtt_s: float | None = None  # of a segment of data and its ACK
    reaction_s: float = 0.0  # from an ACK to what it released, at most
    send_buffer_B: int | None = None  # the flight that recurs although ACKs would let it grow
    notes: tuple[str, ...] = field(default=())
    known: Known = field(default_factory=Known)  # that later packets may not show again

    @property
    def duration_s(self) -> float:
        """From the first packet to the last, less the holes."""
        return int(self.waits["length_ns"].sum()) / 1e9

    @cached_property
    def limits_s(self) -> dict[str, float]:
        """By limit; those that never held are 0."""
        sums = np.zeros(len(LIMITS), np.int64)
        for piece in parts(len(self.waits)):
            # The sums of a piece are below 2^53, in which each ns still counts.
            limit, length = self.waits["limit"][piece], self.waits["length_ns"][piece]
            sums += np.bincount(limit, length, len(LIMITS)).astype(np.int64)
            let_go(self.waits)
        own = {"exchange": {"application", "last_ack"}}.get(
            self.kind, {"client_application", "server_application"}
        )
        return {
            limit: int(total) / 1e9
            for limit, total in zip(LIMITS, sums, strict=True)
            if total or limit not in {*own, "close"}
        }

    def shares(self) -> dict[str, float]:
        """Of the duration, the largest first."""
        whole = self.duration_s or 1.0
        ranked = sorted(self.limits_s.items(), key=lambda item: -item[1])
        return {limit: seconds / whole for limit, seconds in ranked if seconds > 0}

    @property
    def main(self) -> str:
        """The limit with most of the time."""
        return max(self.limits_s.items(), key=lambda item: item[1])[0]

    def until(self, seconds: float) -> "Budget":
        """The same of the connection's first seconds."""
        last = round(seconds * 1e9)
        waits = self.waits[self.waits["start_ns"] < last].copy()
        over = waits["start_ns"] + waits["length_ns"] - last
        waits["length_ns"] -= np.maximum(over, 0)
        return replace(self, waits=waits)


def pieces(
    start: np.ndarray, stop: np.ndarray, limit: np.ndarray, after: np.ndarray, before: np.ndarray
) -> np.ndarray:
    """Waits of arrays; those without length are left out."""
    waits = np.zeros(len(start), WAIT)
    waits["start_ns"], waits["length_ns"] = start, stop - start
    waits["limit"] = waits["room"] = limit
    waits["after"], waits["before"] = after, before
    long = waits["length_ns"] > 0
    return waits if long.all() else waits[long]


def merged(waits: np.ndarray) -> np.ndarray:
    """Waits of one limit that follow each other as one."""
    if not len(waits):
        return waits
    same = waits["limit"][1:] == waits["limit"][:-1]
    same &= waits["room"][1:] == waits["room"][:-1]
    first = np.flatnonzero(np.concatenate(([True], ~same)))
    found = waits[first]
    found["length_ns"] = np.add.reduceat(waits["length_ns"], first)
    found["before"] = waits["before"][np.append(first[1:], len(waits)) - 1]
    return found


def cut(waits: np.ndarray, instants: np.ndarray) -> np.ndarray:
    """The same waits, each cut in two where an instant falls inside it."""
    if not len(waits) or not len(instants):
        return waits
    return _cut(waits, np.arange(len(waits)), _distinct(instants))


def _cut(waits: np.ndarray, meant: np.ndarray, instants: np.ndarray) -> np.ndarray:
    """The same of those at some places; the instants rise. It is itself where none is cut."""
    starts = waits["start_ns"][meant]
    ends = starts + waits["length_ns"][meant]
    of = np.searchsorted(starts, instants, side="right") - 1
    inside = (of >= 0) & (instants > starts[of]) & (instants < ends[of])
    if not inside.any():
        return waits
    instants, of = instants[inside], of[inside]
    place = meant[of]
    parts = np.repeat(waits, 1 + np.bincount(place, minlength=len(waits)))
    begins = place + 1 + np.arange(len(of))  # the place of what begins at each instant
    first = np.concatenate(([True], of[1:] != of[:-1]))  # of those inside a wait
    stops = np.where(np.append(first[1:], True), ends[of], np.append(instants[1:], 0))
    parts["start_ns"][begins], parts["length_ns"][begins] = instants, stops - instants
    parts["length_ns"][begins[first] - 1] = instants[first] - starts[of[first]]
    return parts


def _distinct(values: np.ndarray) -> np.ndarray:
    """Each value once, in order; np.unique takes ten times as long for a million."""
    ordered = np.sort(values, axis=None)
    return (
        ordered[np.concatenate(([True], ordered[1:] != ordered[:-1]))] if len(ordered) else ordered
    )


def within(waits: np.ndarray, spans: np.ndarray) -> np.ndarray:
    """For each wait whether it lies in one of the spans (rows of start and stop, in order)."""
    return _inside(waits["start_ns"], spans)


def _inside(instants: np.ndarray, spans: np.ndarray) -> np.ndarray:
    if not len(spans):
        return np.zeros(len(instants), bool)
    at = np.searchsorted(spans[:, 0], instants, side="right") - 1
    return (at >= 0) & (instants < spans[np.maximum(at, 0), 1])


def joined(spans: np.ndarray) -> np.ndarray:
    """Spans that overlap as one, in order."""
    spans = spans[spans[:, 1] > spans[:, 0]]
    if not len(spans):
        return spans.reshape(0, 2)
    spans = spans[np.argsort(spans[:, 0], kind="stable")]
    reach = np.maximum.accumulate(spans[:, 1])
    first = np.concatenate(([True], spans[1:, 0] > reach[:-1]))
    last = np.concatenate((first[1:], [True]))
    return np.column_stack((spans[first, 0], reach[last]))


def without(spans: np.ndarray, others: np.ndarray) -> np.ndarray:
    """What is left of spans outside of others."""
    spans, others = joined(spans), joined(others)
    if not len(spans) or not len(others):
        return spans
    edges = _distinct(np.concatenate((spans.ravel(), others.ravel())))
    parts = np.column_stack((edges[:-1], edges[1:]))
    return parts[_inside(parts[:, 0], spans) & ~_inside(parts[:, 0], others)]


def overlay(
    waits: np.ndarray, spans: np.ndarray, to: str, instead_of: tuple[str, ...]
) -> np.ndarray:
    """Waits of certain limits get another one within spans."""
    if not len(spans):
        return waits
    is_meant = np.zeros(len(LIMITS), bool)
    is_meant[[CODE[limit] for limit in instead_of]] = True
    meant = np.flatnonzero(is_meant[waits["limit"]])
    starts = waits["start_ns"][meant]
    spans = joined(_near(starts, starts + waits["length_ns"][meant], spans))
    if not len(spans):
        return waits
    found = _cut(waits, meant, spans.ravel())
    found = waits.copy() if found is waits else found
    own = np.flatnonzero(is_meant[found["limit"]])
    found["limit"][own[_inside(found["start_ns"][own], spans)]] = CODE[to]
    return found


def _near(starts: np.ndarray, ends: np.ndarray, spans: np.ndarray) -> np.ndarray:
    """The spans that have a part of any of these waits."""
    if not len(starts):
        return spans[:0]
    of = np.minimum(np.searchsorted(ends, spans[:, 0], side="right"), len(starts) - 1)
    return spans[(starts[of] < spans[:, 1]) & (ends[of] > spans[:, 0])]
