# SPDX-License-Identifier: GPL-2.0-only
"""The packets of a binary capture, split into connections."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from study.captures import clock
from study.captures.build import built
from study.captures.connection import ACK, SYN, Connection, Note, packets_that
from study.captures.growing import pieces
from study.captures.lost_time import Rows, lost_ns, slowest_first
from study.captures.packet_table import Table

TOLD = 10_000  # connections between two reports of progress


class Split(Sequence[Connection]):
    """The connections, most time lost first and those without data last, each made on access."""

    def __init__(self, table: Table, heard: Callable[[float], object]):
        self._table = table
        self._back: list[tuple[int, Note]] = []  # by the first packet after a jump
        self._in_order()
        groups = _connections(table, heard)
        length = table.columns["length"]
        self.payload_B = np.array([int(length[rows].sum(dtype=np.int64)) for rows in groups])
        lost = lost_ns(table.columns, groups) if len(groups) > 1 else np.zeros(1)
        table.columns.let_go()
        self._groups = [groups[index] for index in slowest_first(lost, self.payload_B)]
        self.notes = (*(note for _, note in self._back), *_of_the_file(table))

    def __len__(self) -> int:
        return len(self._groups)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return tuple(self[each] for each in range(*index.indices(len(self))))
        rows = self._groups[index]
        columns = self._table.columns.of(rows)
        notes: tuple[Note, ...] = ()
        if self._back:
            first, last = int(columns["number"].min()), int(columns["number"].max())
            notes = tuple(note for number, note in self._back if first <= number <= last)
        return built(columns, self._table, notes)

    def __iter__(self) -> Iterator[Connection]:
        return (self[index] for index in range(len(self)))

    def _in_order(self) -> None:
        """Remove clock jumps, and sort packets that were written out of order."""
        if _rises(self._table):
            return
        columns = self._table.columns
        time_ns = columns["time_ns"].copy()
        if (time_ns < 0).any():  # no time in the file
            time_ns = np.maximum.accumulate(time_ns)
        interface = columns["interface"]
        # Programs that capture on several interfaces write each one's packets in turn and in order.
        for each in np.flatnonzero(np.bincount(interface, minlength=1)):
            rows = np.flatnonzero(interface == each)
            time_ns[rows] = self._straightened(time_ns[rows], columns["number"][rows])
        columns["time_ns"] = time_ns
        late = np.flatnonzero(np.diff(time_ns) < 0) + 1
        if len(late):
            which = packets_that(len(late), "was", "were")
            sentence = f"{which} written later than stamped; the order is that of the stamps"
            self._back.append((int(columns["number"][late[0]]), Note("order", sentence)))
            self._table.columns = columns.of(np.argsort(time_ns, kind="stable"))

    def _straightened(self, time_ns: np.ndarray, number: np.ndarray) -> np.ndarray:
        jumps = clock.jumps_back(time_ns)
        for jump in jumps:
            packet = int(number[jump.row])
            sentence = (
                f"the clock went back by {jump.back_ns / 1e9:.6g} s before packet {packet}; that"
                " gap counts as no time"
            )
            self._back.append((packet, Note("clock", sentence)))
        return clock.straightened(time_ns, jumps)


def _rises(table: Table) -> bool:
    """Return whether all packets have times, and none decreases."""
    time_ns = table.columns["time_ns"]
    for piece in pieces(len(time_ns)):
        part = time_ns[max(piece.start - 1, 0) : piece.stop]
        if (part < 0).any() or (part[1:] < part[:-1]).any():
            return False
        table.columns.let_go()
    return True


def _connections(table: Table, heard: Callable[[float], object]) -> list[Rows]:
    """Return the rows of each connection: of a pair of endpoints, split at new SYNs."""
    pair, number = _pairs(table)
    opening = np.flatnonzero(table.columns["flags"] & (SYN | ACK) == SYN)
    again = set(pair[opening].tolist())  # only these pairs can have several connections
    result: list[Rows] = []
    if number == 1:
        groups = [np.arange(len(pair), dtype=np.uint32)] if again else [slice(0, len(pair))]
    else:
        order = np.argsort(pair, kind="stable").astype(np.uint32)
        groups = np.split(order, np.flatnonzero(np.diff(pair[order])) + 1)
    for place, rows in enumerate(groups):
        if place % TOLD == 0:
            heard(TOLD / max(len(groups), TOLD) / 2)
        parts = at_new_syns(table.columns, rows) if again and pair[rows[0]] in again else [rows]
        result += [_together(part) for part in parts]
    return result


def _pairs(table: Table) -> tuple[np.ndarray, int]:
    """Return each packet's number of its pair of endpoints, and the number of pairs."""
    source, target = table.columns["source"], table.columns["target"]
    pair = np.zeros(len(source), np.uint32)
    known: dict[int, int] = {}
    for piece in pieces(len(source)):
        one, other = source[piece].astype(np.uint64), target[piece].astype(np.uint64)
        key = np.minimum(one, other) << np.uint64(32) | np.maximum(one, other)
        if (key == key[0]).all():
            pair[piece] = known.setdefault(int(key[0]), len(known))
        else:
            unique, inverse = np.unique(key, return_inverse=True)
            numbers = [known.setdefault(each, len(known)) for each in unique.tolist()]
            pair[piece] = np.array(numbers, np.uint32)[inverse]
        table.columns.let_go()
    return pair, len(known)


def _together(rows: Rows) -> Rows:
    """Return consecutive rows as a slice, which needs no copy."""
    if isinstance(rows, slice) or len(rows) != int(rows[-1]) - int(rows[0]) + 1:
        return rows
    return slice(int(rows[0]), int(rows[-1]) + 1)


def at_new_syns(columns: Mapping[str, np.ndarray], rows: np.ndarray) -> list[np.ndarray]:
    """Split at SYNs: one with another number opens another connection between the same ports, one
    with the same number is a retransmission."""
    flags = columns["flags"][rows]
    opening = np.flatnonzero(flags & (SYN | ACK) == SYN)
    cuts: list[int] = []
    known: dict[int, int] = {}
    begun = 0
    for row in opening:
        end, seq = (int(columns[name][rows[row]]) for name in ("source", "seq"))
        other = known.get(end, seq) != seq
        in_the_middle = end not in known and bool((flags[begun:row] & SYN == 0).any())
        if other or in_the_middle:
            cuts.append(int(row))
            known, begun = {}, int(row)
        known[end] = seq
    return np.split(rows, cuts)


def _of_the_file(table: Table) -> list[Note]:
    notes = []
    if table.cut:
        notes.append(Note("cut", "the file ends in the middle of a packet, which is left out"))
    if table.cut_headers:
        which = packets_that(table.cut_headers, "was", "were")
        sentence = f"{which} kept too short to hold a TCP header; left out"
        notes.append(Note("cut", sentence))
    if table.later_fragments or table.fragmented:
        which = packets_that(table.fragmented or table.later_fragments, "went", "went")
        sentence = f"{which} in IP fragments: only the first, which has the TCP header, is counted"
        notes.append(Note("fragments", sentence))
    if table.tunnels:
        which = packets_that(table.tunnels.total(), "is", "are")
        names = ", ".join(sorted(table.tunnels))
        sentence = f"{which} in a tunnel ({names}); what is inside is not read"
        notes.append(Note("tunnel", sentence))
    if table.without_time:
        which = packets_that(table.without_time, "has", "have")
        sentence = f"{which} no time, as in pcapng's simple blocks; that of the one before counts"
        notes.append(Note("no times", sentence))
    if table.not_read:
        sentence = f"packets of other links are left out: {', '.join(sorted(table.not_read))}"
        notes.append(Note("links", sentence))
    return notes
