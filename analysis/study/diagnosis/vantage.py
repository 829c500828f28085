# SPDX-License-Identifier: GPL-2.0-only
"""Where a capture was taken, and the same connection as its sender saw it."""

from dataclasses import dataclass, replace

import numpy as np

from study.captures.connection import Connection
from study.diagnosis.track import Track
from study.diagnosis.transfer import Transfer

SOON_S = 1e-3  # a host's reaction to a packet is quicker than that
CLEARLY = 5  # times as quick as the other end: so a near one is, whose own reaction takes time
LEAST_SEEN = 8  # of a kind, of which the median is the usual one


@dataclass(frozen=True)
class Vantage:
    """Where a capture was taken, seen along the bulk of the data."""

    at: str  # "sender", "receiver", "between" or "unknown"
    rtt_s: float | None  # the least round trip between the two ends
    sender_s: float | None  # of it, from the capture to the sender and back
    why: str
    given: bool = False  # by the user

    @property
    def shift_ns(self) -> int:
        """How much earlier than here the sender sent, and how much later it heard."""
        if self.at in ("sender", "unknown") or self.sender_s is None:
            return 0
        return round(self.sender_s / 2 * 1e9)


def find_vantage(connection: Connection, at: str | None = None) -> Vantage:
    """Return where the capture was taken; `at` takes the place of what is found."""
    found = _found(connection)
    if at is None or at == found.at:
        return found
    if at == "receiver" and found.rtt_s is not None and found.rtt_s >= 2 * SOON_S:
        whole = max(found.rtt_s, found.sender_s or 0.0)
        return replace(found, at=at, sender_s=whole, why="as given", given=True)
    # Of a short one the sender's answers are no later than they would be for a longer way.
    return replace(found, at=at, why="as given", given=True)


def _found(connection: Connection) -> Vantage:
    from_client = connection.bulk_from_client
    sender, receiver = (_turns_ns(connection, end) for end in (from_client, not from_client))
    clues = (
        (sender["echo"], receiver["echo"], "echo of timestamps"),
        (*_by_handshake(connection, from_client), "gaps of the handshake"),
        (sender["released"], receiver["ack"], "ACKs and what they released"),
    )
    clue = next((each for each in clues if None not in each), None)
    if clue is None:
        return Vantage("unknown", None, None, "nothing in it answers anything")
    # Nothing acknowledges data sooner than they get to it: a SYN may have been answered late.
    *ends, name = clue
    to_sender, to_receiver = (
        end if side["ack"] is None else min(end, side["ack"])
        for end, side in zip(ends, (sender, receiver), strict=True)
    )
    whole = to_sender + to_receiver
    near, far = to_sender / 1e9, whole / 1e9
    usual = _by_usual(connection, from_client) if whole < 2e9 * SOON_S else None
    if usual is not None:
        return Vantage(usual[0], far, near, usual[1])
    if whole < 2e9 * SOON_S:
        why = f"{name}: the round trip is {whole / 1e3:.0f} us, too short to tell its ends apart"
        return Vantage("unknown", far, near, why)
    at = "between"
    if CLEARLY * to_sender <= to_receiver:
        at = "sender"
    elif CLEARLY * to_receiver <= to_sender:
        at = "receiver"
    why = (
        f"{name}: the sender's side answers in {to_sender / 1e6:.3g} ms, "
        f"the receiver's in {to_receiver / 1e6:.3g} ms"
    )
    return Vantage(at, far, near, why)


def _turns_ns(connection: Connection, from_client: bool) -> dict[str, int | None]:
    """Return how soon one end answers what comes by here, at least: by the echo of timestamps, and
    by ACK numbers or data that an ACK released."""
    p = connection.packets
    own = p["from_client"] == from_client
    echo = _least_echo(p, own)
    track = Track(connection, not from_client)
    ack, segment = track.answers
    acks = int((track.time[ack] - track.time[segment]).min()) if len(ack) else None
    return {"echo": echo, "ack": acks, "released": _least_release(Track(connection, from_client))}


def _least_echo(p: np.ndarray, own: np.ndarray) -> int | None:
    """From a timestamp of the peer, where it is seen first, to its first echo (RFC 7323, 4.1)."""
    told = np.flatnonzero(~own & (p["ts_value"] >= 0))
    echoed = np.flatnonzero(own & (p["ts_echo"] > 0) & (p["ts_value"] >= 0))
    if not len(told) or not len(echoed):
        return None
    values, first = np.unique(p["ts_value"][told], return_index=True)
    at = told[first]
    echoes, first_echo = np.unique(p["ts_echo"][echoed], return_index=True)
    back = echoed[first_echo]
    place = np.minimum(np.searchsorted(values, echoes), len(values) - 1)
    known = values[place] == echoes
    took = p["time_ns"][back[known]] - p["time_ns"][at[place[known]]]
    return int(took[took >= 0].min()) if (took >= 0).any() else None


def _least_release(track: Track) -> int | None:
    """From an ACK to the data that could not have gone before: the window had no room."""
    places = track.after_heard[track.surely_released]
    return int((track.time[places] - track.time[places - 1]).min()) if len(places) else None


def _by_handshake(connection: Connection, from_client: bool) -> tuple[int | None, int | None]:
    """Return how soon the sender and the receiver answer in the handshake."""
    shake = Transfer(connection).handshake
    if shake is None:
        return None, None
    server, client = np.diff(connection.packets["time_ns"][list(shake)]).tolist()
    return (client, server) if from_client else (server, client)


def _by_usual(connection: Connection, from_client: bool) -> tuple[str, str] | None:
    """Return which end is near, where the least times do not tell: what it sends follows close upon
    what it hears, and not the other way round."""
    track = Track(connection, from_client)
    ack, segment = track.answers
    places = track.after_heard
    if len(ack) < LEAST_SEEN or len(places) < LEAST_SEEN:
        return None
    answers = float(np.median(track.time[ack] - track.time[segment]))
    follows = float(np.median(track.time[places] - track.time[places - 1]))
    times = [f"{round(each / 1e3):,} us" for each in (follows, answers)]
    told = f"data follow an ACK after {times[0]}, an ACK follows data after {times[1]}"
    if follows * CLEARLY < answers:
        return "sender", told
    if answers * CLEARLY < follows:
        return "receiver", told
    return None


def as_seen_by_sender(connection: Connection, vantage: Vantage) -> Connection:
    """Return the same packets in the time of the end that sends most: its own earlier, its peer's
    later by the one-way delay. What waited in a queue of the path is not undone."""
    return _shifted(connection, vantage.shift_ns)


def as_captured(seen: Connection, vantage: Vantage) -> Connection:
    """Return packets that are in their sender's time as they were captured."""
    return _shifted(seen, -vantage.shift_ns)


def _shifted(connection: Connection, shift_ns: int) -> Connection:
    if not shift_ns:
        return connection
    p = connection.packets
    own = p["from_client"] == connection.bulk_from_client
    when = p["time_ns"] + np.where(own, -shift_ns, shift_ns)
    # What releases comes before what it released.
    order = np.lexsort((np.arange(len(p)), own, when))
    packets = p[order].copy()
    packets["time_ns"] = when[order] - when.min()
    holes = tuple(sorted(int(np.flatnonzero(order == hole)[0]) for hole in connection.holes))
    return replace(connection, packets=packets, holes=holes)
