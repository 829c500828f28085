# SPDX-License-Identifier: GPL-2.0-only
"""The measured figures of a file read over the WAN: each kind, as the simulation shows it and as
the closed form has it. In the segment table a request is the workstation's "ack N win W": the octet
it wants next, and how many from there."""

from collections.abc import Iterator
from itertools import pairwise
from statistics import median

from study.kit.quantity import Judges, Quantity
from study.programs.segments import Segment
from study.scenarios.file_read import formulas
from study.scenarios.file_read.formulas import FileRead
from study.system.measured import Measured
from study.system.system import Result

ENDS = ("workstation", "server")


def _requests(result: Result) -> list[Segment]:
    return [packet for packet in result.packets if packet.sender == "workstation"]


def _reply_s(result: Result, _: Measured) -> float | None:
    """The median time from a request to the first packet of its answer."""
    times = [
        after.time_s - before.time_s
        for before, after in pairwise(result.packets)
        if before.sender == "workstation" and after.sender == "server"
    ]
    return median(times) if times else None


def _read_rate_Bps(result: Result, _: Measured) -> float | None:
    """What one request lets come, over the time to the next."""
    rates = [
        (after.ack - before.ack) / (after.time_s - before.time_s)
        for before, after in pairwise(_requests(result))
    ]
    return median(rates) if rates else None


def _spacings_s(result: Result) -> Iterator[float]:
    """From one full packet of the file to the next, with no request between them."""
    full_B = max((packet.length for packet in result.packets), default=0)
    for before, after in pairwise(result.packets):
        if before.sender == after.sender == "server" and after.length == full_B:
            yield after.time_s - before.time_s


def _burst_arrival_Bps(result: Result, _: Measured) -> float | None:
    spacings_s = list(_spacings_s(result))
    if not spacings_s:
        return None
    frame_B = formulas.ethernet_bits(formulas.data_ipx_B(FileRead.of(result.parameters))) / 8
    return frame_B / median(spacings_s)


def _packets_per_request(result: Result, _: Measured) -> float:
    data = [packet for packet in result.packets if packet.sender == "server"]
    return len(data) / len(_requests(result))


QUANTITIES: dict[str, Quantity[FileRead]] = {
    "reply": Quantity(_reply_s, lambda read, _: formulas.reply_s(read)),
    "read_rate": Quantity(_read_rate_Bps, lambda read, _: formulas.read_rate_Bps(read), "B/s"),
    "file_rate": Quantity(
        lambda result, _: result.throughput_Bps,
        lambda read, _: read.file_size_B / formulas.whole_file_s(read),
        "B/s",
    ),
    "burst_arrival": Quantity(
        _burst_arrival_Bps, lambda read, _: formulas.burst_arrival_Bps(read), "B/s"
    ),
    "packets_per_request": Quantity(
        _packets_per_request, lambda read, _: formulas.packets_per_request(read), "1"
    ),
    "line_time": Quantity(
        lambda result, _: result.record["line_busy_s"] / result.record["packets"],
        lambda read, _: formulas.branch_line_s(read),
    ),
}

JUDGES = Judges(FileRead, QUANTITIES, ENDS, asks="asks for {window} B from byte {ack}")
