# SPDX-License-Identifier: GPL-2.0-only
"""The connections of a capture, a line each, and which of them is meant."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from study.base.errors import StudyError
from study.captures.connection import Connection
from study.captures.lost_time import lost_s

MOST = 12  # that a text shows


@dataclass(frozen=True)
class Line:
    """One connection."""

    number: int
    sender: str
    receiver: str
    bytes: int
    back_B: int
    packets: int
    duration_s: float
    shown_B: int  # fewer than all, where a printed trace leaves packets out
    lost_s: float  # in which something in flight was missing

    @property
    def rate_Bps(self) -> float | None:
        """None where there is no time in it."""
        return self.shown_B / self.duration_s if self.duration_s > 0 else None

    def record(self) -> dict:
        """For a script."""
        return asdict(self) | {"rate_Bps": self.rate_Bps}

    def __str__(self) -> str:
        rate = f"{self.rate_Bps:,.0f} B/s" if self.rate_Bps is not None else "no rate"
        carried = f"{self.bytes:,} B"
        if self.shown_B < self.bytes:
            carried += f", {self.shown_B:,} of them printed,"
        return f"{self.sender} > {self.receiver}: {carried} in {self.duration_s:,.3f} s, {rate}"


@dataclass
class Lines(Sequence[Line]):
    """All of them, in the order of the capture: most time lost first. Each is made when it is asked
    for, as there may be a million of which a text shows twelve."""

    connections: Sequence[Connection]
    place: int = -1  # of one that is `taken` already, as it is made of its packets each time
    taken: Connection | None = None

    def __len__(self) -> int:
        return len(self.connections)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(len(self)))]
        own = self.taken if self.taken and index == self.place else None
        return _line(index + 1, own or self.connections[index])


def _line(number: int, each: Connection) -> Line:
    of_client = each.bulk_from_client
    ends = (each.client, each.server) if of_client else (each.server, each.client)
    carried = each.carried_B(of_client), each.carried_B(not of_client)
    size = len(each.packets), each.duration_s
    return Line(number, *ends, *carried, *size, _shown(each, carried[0]), lost_s(each))


def _shown(connection: Connection, carried_B: int) -> int:
    if not connection.holes:
        return carried_B
    packets = connection.packets
    own = packets[packets["from_client"] == connection.bulk_from_client]
    return min(int(own["length"].sum()), carried_B)


def chosen(connections: Sequence[Connection], number: int | None) -> int:
    """Return the place of the one that is meant: the first lost most time."""
    if number is None:
        return 0
    if not 1 <= number <= len(connections):
        there = "there is one" if len(connections) == 1 else f"give 1 to {len(connections)}"
        raise StudyError(f"--connection: there is no connection {number}; {there}")
    return number - 1


def listing(found: Sequence[Line], place: int) -> Iterator[str]:
    """Yield the text, the chosen one marked."""
    shown = list(found[:MOST])
    if place >= MOST:
        shown.append(found[place])
    what = "connection" if len(found) == 1 else "connections, most time lost first"
    yield f"{len(found)} {what}"
    for line in shown:
        mark = "*" if line.number == place + 1 else " "
        lost = f", {line.lost_s:,.3f} s lost" if len(found) > 1 else ""
        yield f"{mark}{line.number:>3}  {line}{lost}"
    if len(found) > len(shown):
        yield f"      and {len(found) - len(shown)} more: --format json lists them"
