# SPDX-License-Identifier: GPL-2.0-only
"""Live line of a transfer: its rate, the advertised window, and what the sender waits for, by the
judge of `study diagnose`."""

import contextlib
import shutil
import sys
import time
from pathlib import Path

from study.base.errors import StudyError
from study.captures import read
from study.captures.connection import ACK, RST, SYN, Connection
from study.diagnosis.waits_seen import waits_seen
from study.live.sniffer import Sniffer

EVERY_S = 0.5
SHARE = 0.05  # fraction of a processor that updates may take
RECENT_S = 2.0  # duration that the line describes
BAR = 24
FULL = "█"
CLEAR = "\r\x1b[K"


class Terminal:
    """Writes to standard error if that is a terminal, otherwise nothing."""

    def __init__(self, capture: Path, sniffer: Sniffer):
        self._capture, self._sniffer = capture, sniffer
        self._on = sys.stderr.isatty()
        self._due = 0.0
        self._frames = 0
        self._shown = False

    def tick(self) -> None:
        """Update the line if it is due and frames have passed."""
        now = time.monotonic()
        if not self._on or now < self._due:
            return
        if self._sniffer.frames == self._frames:
            self._due = now + EVERY_S
            self.close()
            return
        self._frames = self._sniffer.frames
        self._sniffer.flush()
        with contextlib.suppress(StudyError):  # no TCP packet yet
            self._write(line(self._capture))
        took = time.monotonic() - now
        self._due = now + max(EVERY_S, took / SHARE)

    def close(self) -> None:
        """Clear the line."""
        if self._shown:
            sys.stderr.write(CLEAR)
            sys.stderr.flush()
            self._shown = False

    def _write(self, text: str) -> None:
        if text:
            width = shutil.get_terminal_size().columns - 1
            sys.stderr.write(CLEAR + text[:width])
            sys.stderr.flush()
            self._shown = True


def line(capture: Path) -> str:
    """Return the line for the connection with the latest packet of the capture."""
    connections = read(capture).connections
    latest = max(connections, key=lambda each: each.start_s + each.duration_s)
    return of_connection(latest)


def of_connection(connection: Connection) -> str:
    """Return a text with the recent rate, the latest window and the limits."""
    packets = connection.packets
    now_ns = int(packets["time_ns"][-1])
    recent_ns = min(now_ns, round(RECENT_S * 1e9))
    recent = packets["time_ns"] >= now_ns - recent_ns
    of_sender = packets["from_client"] == connection.bulk_from_client
    acks = ~of_sender & (packets["flags"] & (SYN | RST | ACK) == ACK)
    if not acks.any() or not recent_ns:
        return ""
    told = packets["ack"][acks & recent]
    rate = (told.max() - told.min()) / (recent_ns / 1e9) if len(told) else 0.0
    window = int(packets["window"][acks][-1])
    shares = recent_shares(connection, now_ns - recent_ns)
    bar = "  ".join(
        f"{name.replace('_', ' ')} {FULL * max(1, round(share * BAR))} {share:.0%}"
        for name, share in shares[:2]
        if share >= 0.05
    )
    return f"{now_ns / 1e9:7.1f} s  {rate:,.0f} B/s  window {window:,} B  {bar}"


def recent_shares(connection: Connection, since_ns: int) -> list[tuple[str, float]]:
    """Return each limit's fraction of the time since then, largest first, from the packets
    alone."""
    found = waits_seen(connection, since_ns)
    whole = sum(found.values()) or 1.0
    ranked = sorted(found, key=lambda name: -found[name])
    return [(name, found[name] / whole) for name in ranked]
