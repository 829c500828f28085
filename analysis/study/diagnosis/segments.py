# SPDX-License-Identifier: GPL-2.0-only
"""A capture's packets as a run's segment table has them, so that both can be drawn and compared."""

from study.captures.connection import FIN, PSH, RST, SYN, Connection
from study.programs.segments import Segment

LETTERS = ((SYN, "S"), (FIN, "F"), (RST, "R"), (PSH, "P"))


def as_segments(
    connection: Connection, ends: tuple[str, str] = ("host", "device")
) -> list[Segment]:
    """All of them; `ends` are the names of the end that sends most, and of the other."""
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


def _letters(flags: int) -> str:
    return "".join(letter for bit, letter in LETTERS if flags & bit) or "."
