# SPDX-License-Identifier: GPL-2.0-only
"""The closed forms of a file transfer whose sender's processor moves every byte: one grid for a
disk that holds the processor, one for a disk that reads ahead.

Two estimates are not held to this, because they are some percent off nearly everywhere: a disk that
the server waits for (disk_reading = waited), and an interface that moves the words by itself (dma).
"""

from itertools import pairwise

from study.kit.check import Check, Claim, Region
from study.kit.grid import Axis, Grid, logarithmic, one_of
from study.kit.wire import wire_time_s
from study.programs.segments import Segment
from study.scenarios.file_send import formulas
from study.scenarios.file_send.formulas import FileSend
from study.system.system import Result


def _rate_Bps(result: Result) -> float | None:
    """Return the rate from the beginning of the third buffer to that of the last, in B/s."""
    buffer_B = int(result.parameters["file_buffer"])
    starts: dict[int, Segment] = {}
    for packet in result.packets:
        if packet.sender == "host" and packet.length and packet.seq > 2 * buffer_B:
            starts.setdefault((packet.seq - 1) // buffer_B, packet)
    if len(starts) < 3:
        return None
    begin, end = starts[min(starts)], starts[max(starts)]
    return (end.seq - begin.seq) / (end.time_s - begin.time_s)


def _cpu_s(result: Result) -> float:
    """Return the processor's time for a buffer, in seconds."""
    buffers = result.bytes / int(result.parameters["file_buffer"])
    busy = (time_s for stage, time_s in result.record["cpu_s"].items() if stage != "idle")
    return sum(busy) / buffers


def _spacing_s(result: Result) -> float | None:
    full_B = max((packet.length for packet in result.packets), default=0)
    sent = [p for p in result.packets if p.sender == "host" and p.length == full_B]
    return min((b.time_s - a.time_s for a, b in pairwise(sent)), default=None)


def _line_is_slow(file: FileSend) -> bool:
    """Return whether the line takes long compared with the processor's own work."""
    held_s = formulas.disk_s(file) if file.disk_reading == "held" else 0.0
    own_s = formulas.cpu_s(file) - held_s
    return formulas.line_s(file) > 0.75 * own_s


SLOW_LINE = Region(
    "the line is nearly as slow as the processor",
    _line_is_slow,
    "The line, which goes beside the processor, takes more than three quarters of the processor's "
    "own time. In the formula the slower of the two decides the time of a whole buffer. In the run "
    "each waits for the other at times: while the processor copies or waits for the disk, only "
    "the content of the send buffer can be in flight.",
)


def _sender_is_slow(file: FileSend) -> bool:
    """Return whether sending takes longer than a segment and its ACK on the line."""
    line_s = wire_time_s(formulas.segment_B(file), file.link_rate_bps)
    back_s = file.ack_latency_s + wire_time_s(0, file.link_rate_bps)
    return formulas.cycles_s(file, file.send_cycles) > line_s + back_s


SLOW_SENDER = Region(
    "an ACK is back before the next segment is sent",
    _sender_is_slow,
    "The processor needs longer to send a segment than the segment and its ACK need on the line. "
    "What a page leaves in the send buffer then finds nothing outstanding, and Nagle's algorithm "
    "lets it go as a small segment of its own. The formula counts small segments only at the end "
    "of a buffer.",
)


def _machine() -> tuple[Axis, ...]:
    return (
        logarithmic("cpu_clock", 50, 2000),
        logarithmic("disk_rate", 10, 400, "Mbps"),
        logarithmic("call_cycles", 500, 8000),
        logarithmic("user_copy_cycles", 1, 20),
        logarithmic("socket_copy_cycles", 1, 20),
        logarithmic("send_cycles", 1000, 20000),
        logarithmic("receive_cycles", 1000, 20000),
        logarithmic("tasklet_cycles", 100, 5000),
        logarithmic("word_cycles", 2, 40),
        one_of("bus_width", "2", "4"),
        logarithmic("bus_clock", 4, 66),
        logarithmic("wait_states", 1, 4),
        one_of("sendfile", "true", "false"),
        logarithmic("send_buffer", 11680, 32768),
        logarithmic("receive_window", 14601, 29199),
    )


JOB = {"file_buffer": "65536", "job_size": "655360"}

CHECKS = (
    Check(
        "programmed I/O and a disk that holds the processor",
        Grid("relook-400s", _machine(), {**JOB, "disk_reading": "held"}),
        (
            Claim(formulas.rate_Bps, _rate_Bps, (SLOW_LINE, SLOW_SENDER)),
            Claim(formulas.cpu_s, _cpu_s, (SLOW_SENDER,)),
            Claim(formulas.segment_spacing_s, _spacing_s),
        ),
    ),
    Check(
        "programmed I/O and a disk that reads ahead",
        Grid("relook-400s", _machine(), {**JOB, "disk_reading": "read-ahead"}),
        (Claim(formulas.rate_Bps, _rate_Bps, (SLOW_LINE, SLOW_SENDER)),),
    ),
)
