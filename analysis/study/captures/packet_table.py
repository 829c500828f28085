# SPDX-License-Identifier: GPL-2.0-only
"""All TCP packets of a binary capture, as columns, with the endpoints numbered."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from ipaddress import IPv4Address, IPv6Address

import numpy as np

from study.base.errors import StudyError
from study.captures import links
from study.captures.frames import Frames, Interface, Reader
from study.captures.growing import Columns, Growing
from study.captures.headers import COLUMNS, Packets, decode
from study.captures.source import Source
from study.captures.view import View

IPV4_MAPPED = bytes(10) + b"\xff\xff"


@dataclass
class Table:
    """The packets' columns, and counts of other frames."""

    growing: dict[str, Growing]
    endpoints: list[str]  # "10.0.0.1:1023", by index
    frames: int
    last_ns: int  # of all frames, or the end of the capture
    cut: bool
    told_ns: int = 1000  # resolution of the file's stamps
    without_time: int = 0
    later_fragments: int = 0
    fragmented: int = 0
    cut_headers: int = 0
    not_read: set[str] = field(default_factory=set)  # kinds of links
    tunnels: Counter[str] = field(default_factory=Counter)  # packets in each kind
    last: int = 0  # number of the packet added last
    in_order: bool = True  # whether packets are in the file's order
    columns: Columns = field(default_factory=Columns)


FEW = 4  # endpoints that are searched singly before the others are sorted


class Endpoints:
    """Numbers of a capture's endpoints (address and port), in the order of their appearance."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._addresses: dict[bytes, int] = {}
        self._numbers: dict[int, int] = {}

    def number(self, address: np.ndarray, port: np.ndarray) -> np.ndarray:
        """Return the number of each endpoint. New ones get the next numbers."""
        keys = self._address(address) << np.uint64(16) | port.astype(np.uint64)
        numbers = np.empty(len(keys), np.uint32)
        left = np.arange(len(keys))
        for _ in range(FEW):  # usually there are two
            if not len(left):
                return numbers
            key = keys[left[0]]
            same = keys[left] == key
            numbers[left[same]] = self._new(address[left[:1]], port[left[:1]], keys[left[:1]])[0]
            left = left[~same]
        numbers[left] = self._new(address[left], port[left], keys[left])
        return numbers

    def _new(self, address: np.ndarray, port: np.ndarray, keys: np.ndarray) -> np.ndarray:
        unique, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
        numbers = np.empty(len(unique), np.uint32)
        for index in np.argsort(first, kind="stable"):
            key = int(unique[index])
            if key not in self._numbers:
                self._numbers[key] = len(self.names)
                where = first[index]
                self.names.append(_shown(address[where], int(port[where])))
            numbers[index] = self._numbers[key]
        return numbers[inverse]

    def _address(self, rows: np.ndarray) -> np.ndarray:
        """Return an IPv4 address as its number, an IPv6 address as one larger than those."""
        if rows.ndim == 1:
            return rows.astype(np.uint64)
        value = rows[:, 12:].copy().view(">u4")[:, 0].astype(np.uint64)
        six = np.flatnonzero((rows[:, :12] != np.frombuffer(IPV4_MAPPED, np.uint8)).any(axis=1))
        if len(six):
            whole = np.ascontiguousarray(rows[six]).view("V16")[:, 0]
            unique, inverse = np.unique(whole, return_inverse=True)
            known = self._addresses
            found = [known.setdefault(each.tobytes(), len(known)) for each in unique]
            value[six] = np.array(found, np.uint64)[inverse] + np.uint64(1 << 32)
        return value


def _shown(address: np.ndarray, port: int) -> str:
    if address.ndim == 0:
        return f"{IPv4Address(int(address))}:{port}"
    whole = address.tobytes()
    if whole.startswith(IPV4_MAPPED):
        return f"{IPv4Address(whole[12:])}:{port}"
    return f"[{IPv6Address(whole)}]:{port}"


def read_table(reader: Reader, source: Source, heard: Callable[[float], object]) -> Table:
    """Read a capture to its end, which is half of the whole work. Raise StudyError if it is
    damaged, or has no TCP packets."""
    endpoints = Endpoints()
    table = Table(
        {name: Growing(kind) for name, kind in COLUMNS.items()}, endpoints.names, 0, 0, False
    )
    for frames in reader.frames():
        table.frames += len(frames.offset)
        told = frames.time_ns[frames.time_ns >= 0]
        table.without_time += len(frames.time_ns) - len(told)
        table.last_ns = max(table.last_ns, int(told.max(initial=0)))
        for own, located in by_link(frames, reader.interfaces, table.not_read):
            _add(decode(own, located), endpoints, table)
        heard(source.newly_read / 2)
    table.columns = Columns.grown(table.growing)
    if not table.in_order:
        table.columns = table.columns.of(np.argsort(table.columns["number"], kind="stable"))
    table.cut = reader.cut
    ticks = max((each.ticks_a_second for each in reader.interfaces), default=1)
    table.told_ns = max(1, 10**9 // ticks)
    if table.last_ns:
        table.last_ns = max(table.last_ns, reader.end_ns)
    _refuse(table, source)
    return table


def by_link(
    frames: Frames, interfaces: list[Interface], not_read: set[str]
) -> Iterator[tuple[Frames, links.Located]]:
    """Yield the frames of each supported kind of link, with the places of their IP headers."""
    kinds = np.array([each.link for each in interfaces])[frames.interface]
    for link in sorted({each.link for each in interfaces}):
        mine = kinds == link
        if not mine.any():
            continue
        locate = links.READABLE.get(link)
        if locate is None:
            not_read.add(links.name(link))
            continue
        own = frames
        if len(interfaces) > 1:
            some = {name: each[mine] for name, each in vars(frames).items() if name != "data"}
            own = replace(frames, **some)
        yield own, locate(View(own.data), own.offset)


def _add(packets: Packets, endpoints: Endpoints, table: Table) -> None:
    table.later_fragments += packets.later_fragments
    table.fragmented += packets.fragmented
    table.tunnels += packets.tunnels
    table.cut_headers += packets.cut_headers
    columns = packets.columns
    if not len(columns["number"]):
        return
    ends = endpoints.number(
        np.concatenate([packets.source, packets.target]), packets.ports.T.reshape(-1)
    )
    columns["source"], columns["target"] = np.split(ends, 2)
    table.in_order &= table.last < int(columns["number"][0])  # rising within a piece
    table.last = int(columns["number"][-1])
    for name in COLUMNS:
        table.growing[name].add(columns[name])


def _refuse(table: Table, source: Source) -> None:
    if not table.frames:
        raise StudyError(f"{source.name} is a capture without a packet")
    if len(table.columns["number"]):
        return
    if table.not_read:
        raise StudyError(
            f"{source.name} was captured on a link that is not read here:"
            f" {', '.join(sorted(table.not_read))}"
        )
    if table.cut_headers:
        raise StudyError(
            f"{source.name} was captured with too few bytes of each packet to hold a TCP header:"
            " `tcpdump -s 96` or more keeps it"
        )
    if table.tunnels:
        names = ", ".join(sorted(table.tunnels))
        raise StudyError(
            f"{source.name} has no TCP but what may be inside of {names}, which is not read:"
            " capture on the tunnel's own interface"
        )
    raise StudyError(
        f"{source.name} has no TCP: none of its {table.frames:,} packets, of IPv4 or IPv6, is"
    )
