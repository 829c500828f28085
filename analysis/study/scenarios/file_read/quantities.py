# SPDX-License-Identifier: GPL-2.0-only
"""The measured figures of a file read over the WAN: each kind, as the simulation shows it and as
the closed form has it. In the segment table a request is the workstation's "ack N win W": the octet
it wants next, and how many from there."""

from collections.abc import Iterator
from itertools import pairwise
from operator import attrgetter

from study.kit.packet_times import usual
from study.kit.quantity import Judges, Quantity, alone
from study.programs.segments import Segment
from study.scenarios.file_read import formulas
from study.scenarios.file_read.formulas import FileRead
from study.system.system import Result


def _requests(result: Result) -> list[Segment]:
    return [packet for packet in result.packets if packet.sender == "workstation"]


def _reply_s(result: Result) -> float | None:
    """Return the median time in seconds from a request to the first packet of its answer."""
    return usual(
        after.time_s - before.time_s
        for before, after in pairwise(result.packets)
        if before.sender == "workstation" and after.sender == "server"
    )


def _read_rate_Bps(result: Result) -> float | None:
    """Return the bytes permitted by one request, divided by the time to the next."""
    return usual(
        (after.ack - before.ack) / (after.time_s - before.time_s)
        for before, after in pairwise(_requests(result))
    )


def _spacings_s(result: Result) -> Iterator[float]:
    """Yield the times from one full data packet to the next without a request in between."""
    full_B = max((packet.length for packet in result.packets), default=0)
    for before, after in pairwise(result.packets):
        if before.sender == after.sender == "server" and after.length == full_B:
            yield after.time_s - before.time_s


def _burst_arrival_Bps(result: Result) -> float | None:
    spacing_s = usual(_spacings_s(result))
    frame_B = formulas.ethernet_bits(formulas.data_ipx_B(FileRead.of(result.parameters))) / 8
    return spacing_s and frame_B / spacing_s


def _packets_per_request(result: Result) -> float:
    requests = _requests(result)
    return (len(result.packets) - len(requests)) / len(requests)


QUANTITIES: dict[str, Quantity[FileRead]] = {
    "reply": Quantity(alone(_reply_s), alone(formulas.reply_s)),
    "read_rate": Quantity(alone(_read_rate_Bps), alone(formulas.read_rate_Bps), "B/s"),
    "file_rate": Quantity(
        alone(attrgetter("throughput_Bps")), alone(formulas.file_rate_Bps), "B/s"
    ),
    "burst_arrival": Quantity(alone(_burst_arrival_Bps), alone(formulas.burst_arrival_Bps), "B/s"),
    "packets_per_request": Quantity(
        alone(_packets_per_request), alone(formulas.packets_per_request), "1"
    ),
    "line_time": Quantity(
        alone(lambda result: result.record["line_busy_s"] / result.record["packets"]),
        alone(formulas.branch_line_s),
    ),
}

JUDGES = Judges(
    FileRead, QUANTITIES, ("workstation", "server"), asks="asks for {window} B from byte {ack}"
)
