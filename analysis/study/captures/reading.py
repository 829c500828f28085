# SPDX-License-Identifier: GPL-2.0-only
"""A capture of any of the forms, as its TCP connections."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from study.base.errors import StudyError
from study.captures.connection import Connection, Note
from study.captures.frames import Reader
from study.captures.packet_table import read_table
from study.captures.pcap import Pcap, is_pcap
from study.captures.pcapng import Pcapng, is_pcapng
from study.captures.source import Source, opened, refuse_others
from study.captures.split import Split
from study.captures.tcpdump_text import read_printed


@dataclass(frozen=True)
class Capture:
    """The TCP connections of a file. A connection's arrays are made on access."""

    connections: Sequence[Connection]  # most time lost first
    notes: tuple[Note, ...] = ()  # on the whole file


def read(path: Path | str, heard: Callable[[float], object] = lambda part: None) -> Capture:
    """Read a pcap, a pcapng or tcpdump's text, gzipped or not; "-" is standard input.

    Only headers are read, and payload lengths. `heard` is called with the fraction of the work that
    each step has done. Raise StudyError if the file cannot be read, or has no TCP packets.
    """
    source = opened(path)
    refuse_others(source)
    reader = binary(source)
    if reader:
        connections = Split(read_table(reader, source, heard), heard)
        notes, carries = connections.notes, connections.payload_B.any()
    else:
        connections, notes = read_printed(source)
        carries = any(each.packets["length"].any() for each in connections)
    if not carries:
        raise StudyError(
            f"{source.name} has TCP but no data: its connections ({len(connections):,}) carry not"
            " a byte"
        )
    return Capture(connections, notes)


def binary(source: Source) -> Reader | None:
    """Return the reader of a binary file, or None for a text."""
    start = source.ahead(32)
    if is_pcap(start):
        return Pcap(source)
    return Pcapng(source) if is_pcapng(start) else None
