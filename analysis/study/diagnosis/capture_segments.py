# SPDX-License-Identifier: GPL-2.0-only
"""A capture's packets as a run's segment table has them, so that both can be drawn and compared."""

from study.captures.connection import LETTERS, Connection
from study.diagnosis.transfer import Transfer
from study.programs.segments import Segment


def as_segments(
    connection: Connection, ends: tuple[str, str] = ("host", "device")
) -> list[Segment]:
    """Return all of them; `ends` are the names of the end that sends most, and of the other."""
    packets = connection.packets
    of_sender = packets["from_client"] == connection.bulk_from_client
    columns = (packets[name].tolist() for name in ("seq", "length", "ack", "window", "flags"))
    names = [ends[0] if own else ends[1] for own in of_sender.tolist()]
    times = (packets["time_ns"] / 1e9).tolist()
    return [
        Segment(time_s, name, seq, length, ack if ack >= 0 else None, window, _letters(flags))
        for time_s, name, seq, length, ack, window, flags in zip(
            times, names, *columns, strict=True
        )
    ]


def as_drawn(
    connection: Connection, ends: tuple[str, str], near: str, rtt_s: float | None
) -> list[Segment]:
    """Return the same of a connection in its sender's time, each stamped at the end that is called
    `near`. Of a path with the time at the other one, half its round trip away, and what was lost
    marked."""
    packets = as_segments(connection, ends)
    if rtt_s is None:
        return packets
    half_s = rtt_s / 2
    lost = set(Transfer(connection).lost_rows.tolist())
    drawn = []
    for place, packet in enumerate(packets):
        other_s = packet.time_s + (half_s if packet.sender == ends[0] else -half_s)
        near_s, far_s = (packet.time_s, other_s) if near == ends[0] else (other_s, packet.time_s)
        is_lost = place in lost
        drawn.append(packet._replace(time_s=near_s, far_s=None if is_lost else far_s, lost=is_lost))
    return sorted(drawn, key=lambda packet: packet.time_s)


def _letters(flags: int) -> str:
    """Return them as a segment table has them: the dot of an ACK only where it is alone."""
    return "".join(letter for letter, bit in LETTERS.items() if flags & bit).rstrip(".") or "."
