# SPDX-License-Identifier: GPL-2.0-only
"""A capture that somebody printed with tcpdump: its text as connections."""

import re
from collections.abc import Sequence

import numpy as np

from study.base.errors import StudyError
from study.captures import clock
from study.captures.build import scales
from study.captures.connection import ACK, LETTERS, PACKET, SYN, Connection, Note, Offer
from study.captures.lines import NS, QUIET, Line, number, packets_in
from study.captures.lost_time import lost_s, slowest_first
from study.captures.printed_numbers import Numbers, holes
from study.captures.seen import Seen, notes_on
from study.captures.source import Source
from study.captures.split import at_new_syns

DAY_NS = 24 * 3600 * NS


def read_printed(source: Source) -> tuple[list[Connection], tuple[Note, ...]]:
    """Return the connections of a text, most time lost first, and notes. Raise StudyError if the
    text has no TCP packets."""
    data = source.all()
    if b"\x00" in data[:4096]:
        raise StudyError(
            f"{source.name} is no capture that is known here: neither pcap nor pcapng, nor"
            " tcpdump's text; if Wireshark opens it, convert it with"
            f" `editcap -F pcap {source.name} job.pcap`"
        )
    text = data.decode("utf-8", errors="replace")
    lines = list(packets_in(text))
    if not lines:
        _refuse(source.name, text)
    times, resolution_ns, timed = _times(lines)
    groups: dict[tuple[str, str], list[int]] = {}
    for index, line in enumerate(lines):
        key = (min(line.source, line.target), max(line.source, line.target))
        groups.setdefault(key, []).append(index)
    ends = {end: number for number, end in enumerate({line.source for line in lines})}
    columns = {
        "flags": np.array([_flags(line) for line in lines]),
        "source": np.array([ends[line.source] for line in lines]),
        "seq": np.array([-1 if line.seq is None else line.seq for line in lines]),
    }
    connections = [
        _connection(lines, rows.tolist(), times, resolution_ns)
        for group in groups.values()
        for rows in at_new_syns(columns, np.array(group))
    ]
    payload_B = np.array([int(each.packets["length"].sum()) for each in connections])
    order = slowest_first(np.array([lost_s(each) for each in connections]), payload_B)
    connections = [connections[index] for index in order]
    notes = () if timed else (Note("no times", "the text has no times: it was printed with -t"),)
    return connections, notes


def _refuse(name: str, text: str) -> None:
    if QUIET.search(text):
        raise StudyError(
            f"{name} was printed with `tcpdump -q`, which leaves out all numbers: print it without"
        )
    raise StudyError(
        f"{name} is no capture: neither pcap nor pcapng, nor a text with TCP packets as tcpdump"
        " prints them"
    )


def _times(lines: Sequence[Line]) -> tuple[np.ndarray, int, bool]:
    """Return each packet's time in ns, the resolution in ns, and whether times are printed."""
    stamps = [line.stamp for line in lines]
    kinds = [stamp.kind for stamp in stamps if stamp]
    if not kinds:
        return np.zeros(len(lines), np.int64), 1000, False
    kind = max(set(kinds), key=kinds.count)
    resolution_ns = min(stamp.resolution_ns for stamp in stamps if stamp)
    told = np.array([s.ns if s and s.kind == kind else -1 for s in stamps], np.int64)
    if kind == "delta" or (kind == "clock" and _are_differences(told[told >= 0])):
        passed = [sum(each.ns for each in line.passed if each.kind == kind) for line in lines]
        return np.cumsum(np.maximum(told, 0) + np.array(passed, np.int64)), resolution_ns, True
    told = np.maximum.accumulate(told) if (told < 0).any() else told
    if kind == "clock":
        told = told + DAY_NS * np.cumsum(np.diff(told, prepend=told[0]) < -DAY_NS // 2)
    return clock.straightened(told, clock.jumps_back(told)), resolution_ns, True


def _are_differences(told: np.ndarray) -> bool:
    """Return whether times of day are in truth times since the packet before (-ttt): these decrease
    as often as not."""
    steps = np.diff(told)
    back = (steps < 0) & (steps > -DAY_NS // 2)  # a larger step back is midnight
    return int(back.sum()) * 8 >= len(told)


def _connection(
    lines: Sequence[Line], rows: list[int], times: np.ndarray, resolution_ns: int
) -> Connection:
    own = [lines[row] for row in rows]
    client, server = _ends(own)
    offers = [_offer(own, end) for end in (client, server)]
    packets = np.zeros(len(own), PACKET)
    packets["number"] = np.array(rows) + 1
    packets["time_ns"] = times[rows] - times[rows[0]]
    packets["from_client"] = [line.source == client for line in own]
    packets["flags"] = [_flags(line) for line in own]
    packets["length"] = [line.length for line in own]
    _number(packets, own)
    _windows(packets, own, offers)
    left_out = np.array([line.left_out for line in own])
    missing = holes(packets, left_out)
    # Notes on gaps would be about packets that the text leaves out.
    tick_ns = clock.tick_ns(packets["time_ns"], resolution_ns)
    seen = Seen()
    seen.add(packets)
    notes = list(notes_on(seen, *offers, tick_ns, 0.0))
    if missing:
        notes = [note for note in notes if note.kind != "not captured"]
        places = "place" if len(missing) == 1 else "places"
        sentence = f"the text leaves packets out at {len(missing)} {places}"
        notes.append(Note("hole", sentence))
    if (packets["window"] < 0).any():
        notes.append(Note("text", "the text does not print the window of every packet"))
    start_s = float(times[rows[0]]) / NS if times[0] > 365 * DAY_NS else 0.0
    return Connection(
        client,
        server,
        packets,
        *offers,
        start_s=start_s,
        notes=tuple(notes),
        holes=tuple(missing),
    )


def _ends(own: list[Line]) -> tuple[str, str]:
    for line in own:
        if line.syn:
            answer = line.ack is not None
            return (line.target, line.source) if answer else (line.source, line.target)
    return own[0].source, own[0].target


def _flags(line: Line) -> int:
    """Return the flags. Before version 4 a dot meant no flag but ACK, and ACK beside another flag
    was not printed."""
    flags = sum(bit for letter, bit in LETTERS.items() if letter in line.flags)
    return flags | (ACK if line.ack is not None else 0)


def _offer(own: list[Line], end: str) -> Offer:
    syn = next((line for line in own if line.syn and line.source == end), None)
    if syn is None:
        return Offer()
    mss = re.search(r"mss (\d+)", syn.options)
    scale = re.search(r"wscale (\d+)", syn.options)
    stamps = re.search(r"TS val|timestamp", syn.options)
    return Offer(
        True,
        number(mss[1]) if mss else None,
        min(number(scale[1]), 14) if scale else None,
        "sackOK" in syn.options,
        bool(stamps),
    )


def _number(packets: np.ndarray, own: list[Line]) -> None:
    ends = {True: Numbers(), False: Numbers()}
    for packet, line in zip(packets, own, strict=True):
        mine = ends[bool(packet["from_client"])]
        other = ends[not packet["from_client"]]
        reset = "R" in line.flags
        packet["seq"] = mine.sequence(line.seq, line.length, line.syn, reset)
        packet["ack"] = -1 if line.ack is None else other.acknowledged(line.ack, line.syn)
        for name in ("ts_value", "ts_echo", "sacked_from", "sacked_to"):
            packet[name] = -1
        stamps = re.search(r"(?:TS val|timestamp) (\d+)(?: ecr)? (\d+)", line.options)
        if stamps:
            packet["ts_value"], packet["ts_echo"] = number(stamps[1]), number(stamps[2])
        sack = re.search(r"sack \d+ ?\{(\d+):(\d+)\}", line.options)
        if sack:
            edges = [other.near(number(edge)) for edge in sack.groups()]
            packet["sacked_from"], packet["sacked_to"] = edges


def _windows(packets: np.ndarray, own: list[Line], offers: list[Offer]) -> None:
    """Set the windows, scaled; tcpdump prints them as in the header."""
    windows = np.array([-1 if line.window is None else line.window for line in own])
    shift = np.where(packets["from_client"], *scales(*offers))
    shift[(packets["flags"] & SYN > 0) | (windows < 0)] = 0
    packets["window"] = windows << shift
