# SPDX-License-Identifier: GPL-2.0-only
"""Closed forms of a file transfer whose sender's processor moves every byte: the second judge of
the simulation.

The processor does one thing at a time, so its costs add up; what it need not wait for runs beside
it, and the slowest of these sets the pace. Nothing here is read off a run.
"""

from collections import Counter
from dataclasses import dataclass
from math import ceil

from study.kit.formula import Formula
from study.kit.terms import Cycle, Term, total_s
from study.kit.wire import wire_time_s

HEADERS_B = 20 + 20 + 14  # TCP, IP, Ethernet II: the processor moves no frame check sequence
MINIMUM_B = 60  # IEEE 802.3 4A.2.3.2.4, without it
PAGE_B = 4096
SEGMENTS_PER_ACK = 2  # RFC 1122 4.2.3.2
DEFAULT_MSS_B = 536  # RFC 9293 3.7.1

NAMES = {
    "disk": "the disk",
    "system_call": "system calls",
    "user_copy": "the server's own copy",
    "socket_copy": "the copy into the socket",
    "send": "sending: TCP, IP and driver",
    "receive": "receiving ACKs",
    "tasklet": "the tasklet",
    "copy_loop": "the driver's copy loop",
    "bus": "the bus",
}


@dataclass(frozen=True)
class FileSend(Formula):
    """Parameters of the formulas below."""

    cpu_clock: float
    disk_rate_bps: float
    disk_reading: str
    file_buffer_B: float
    sendfile: str
    call_cycles: float
    user_copy_cycles: float
    socket_copy_cycles: float
    send_cycles: float
    receive_cycles: float
    tasklet_cycles: float
    word_cycles: float
    bus_width_B: float
    bus_clock: float
    bus_cycles: float
    wait_states: float
    interface_transfer: str
    send_buffer_B: float
    mss_B: float
    segment_bound: str
    receive_window_B: float
    ack_frequency: float
    ack_latency_s: float
    delayed_ack_timeout_s: float
    link_rate_bps: float
    link_delay_s: float
    job_size_B: float


def cycles_s(file: FileSend, cycles: float) -> float:
    """Return a number of cycles in seconds; the processor's clock is in MHz."""
    return cycles / (file.cpu_clock * 1e6)


def words(file: FileSend, payload_B: float) -> int:
    """Return a segment's frame in words of the bus."""
    return ceil(max(payload_B + HEADERS_B, MINIMUM_B) / file.bus_width_B)


def bus_s(file: FileSend, payload_B: float) -> float:
    """Return the bus time for a segment in seconds. A 16-bit ISA word takes two clocks of 125 ns
    and one wait state, so a full segment's 757 words take 284 us."""
    return words(file, payload_B) * (file.bus_cycles + file.wait_states) / (file.bus_clock * 1e6)


def loop_s(file: FileSend, payload_B: float) -> float:
    """Return the time of the driver's copy loop in seconds, beside the bus transfers."""
    return cycles_s(file, words(file, payload_B) * file.word_cycles)


def _by_processor(file: FileSend) -> bool:
    return file.interface_transfer == "pio"


def segment_stages_s(file: FileSend, payload_B: float) -> dict[str, float]:
    """Return a segment's processor time by stage, with its part of an ACK's, in seconds."""
    share = 1 / SEGMENTS_PER_ACK
    stages_s = {
        "send": cycles_s(file, file.send_cycles),
        "receive": cycles_s(file, file.receive_cycles) * share,
        "tasklet": cycles_s(file, file.tasklet_cycles) * share,
    }
    if not _by_processor(file):
        return stages_s
    return stages_s | {
        "copy_loop": loop_s(file, payload_B) + loop_s(file, 0) * share,
        "bus": bus_s(file, payload_B) + bus_s(file, 0) * share,
    }


def segment_B(file: FileSend) -> float:
    """Return the largest segment in bytes: the MSS, or half the window for a host with that bound
    (Linux, except for windows below the default MSS)."""
    if file.segment_bound == "half-window":
        halves = 2 if file.receive_window_B > DEFAULT_MSS_B else 1
        return min(file.mss_B, file.receive_window_B // halves)
    return file.mss_B


def buffer_segments_B(file: FileSend) -> Counter[float]:
    """Return how many segments of each size a buffer has. Its end is a small segment: when the disk
    has delivered the next buffer, everything before it is acknowledged, so Nagle's algorithm has
    sent it."""
    whole, rest_B = divmod(file.file_buffer_B, segment_B(file))
    return +Counter({segment_B(file): int(whole), rest_B: int(rest_B > 0)})


def buffer_stages_s(file: FileSend) -> dict[str, float]:
    """Return the processor's time for one buffer of the file by stage, in seconds."""
    buffer_B, own = file.file_buffer_B, file.sendfile == "false"
    calls = 2 if own else ceil(buffer_B / PAGE_B)  # a read and a write, or one call a page
    stages_s = {
        "disk": disk_s(file) if file.disk_reading == "held" else 0.0,
        "system_call": cycles_s(file, calls * file.call_cycles),
        "user_copy": cycles_s(file, buffer_B * file.user_copy_cycles) if own else 0.0,
        "socket_copy": cycles_s(file, buffer_B * file.socket_copy_cycles),
    }
    for payload_B, count in buffer_segments_B(file).items():
        for stage, time_s in segment_stages_s(file, payload_B).items():
            stages_s[stage] = stages_s.get(stage, 0.0) + count * time_s
    return stages_s


def disk_s(file: FileSend) -> float:
    """Return the disk's time for a buffer, in seconds."""
    return file.file_buffer_B * 8 / file.disk_rate_bps


def cpu_s(file: FileSend) -> float:
    """Return the processor's time for a buffer, in seconds."""
    return sum(buffer_stages_s(file).values())


def line_s(file: FileSend) -> float:
    """Return the Ethernet's time for a buffer in seconds, ACKs included."""
    ack_s = wire_time_s(0, file.link_rate_bps) / SEGMENTS_PER_ACK
    return sum(
        count * (wire_time_s(size_B, file.link_rate_bps) + ack_s)
        for size_B, count in buffer_segments_B(file).items()
    )


def dma_s(file: FileSend) -> float:
    """Return the bus time for a buffer in seconds, or 0 if the processor does the transfer."""
    if _by_processor(file):
        return 0.0
    ack_s = bus_s(file, 0) / SEGMENTS_PER_ACK
    return sum(
        count * (bus_s(file, size_B) + ack_s) for size_B, count in buffer_segments_B(file).items()
    )


def buffer_terms(file: FileSend) -> tuple[Term, ...]:
    """Return the times of one buffer. A processor that the disk holds does everything in turn.
    Otherwise it waits for the disk beyond sending the rest of the buffer before, which is a page:
    data in the socket buffer is sent before more is copied into it."""
    stages = tuple(Term(NAMES[stage], time_s) for stage, time_s in buffer_stages_s(file).items())
    beside = max(
        (Term("the line", line_s(file)), Term("the bus, beside the processor", dma_s(file))),
        key=lambda term: term.time_s,
    )
    disk = Term(NAMES["disk"], disk_s(file))
    idle = Term("the processor's wait for ACKs", ack_idle_s(file))
    if file.disk_reading == "held":
        # Work beside the processor continues while the disk holds it.
        queued = min(1.0, outstanding_B(file) / file.file_buffer_B)
        rest_s = beside.time_s - min(queued * beside.time_s, disk.time_s)
        return max((*stages, idle), (disk, Term(beside.name, rest_s)), key=total_s)
    if file.disk_reading == "read-ahead":
        return max((*stages, idle), (beside,), (disk,), key=total_s)
    largest_B = segment_B(file)
    page_s = sum(segment_stages_s(file, largest_B).values()) * PAGE_B / largest_B
    waits = Term("the wait for the disk", max(0.0, disk.time_s - page_s))
    return (*max(stages, (beside,), key=total_s), waits)


def buffer_s(file: FileSend) -> float:
    """Return the time of one buffer in seconds."""
    return total_s(buffer_terms(file))


def outstanding_B(file: FileSend) -> float:
    """Return the most data in flight in bytes: the smaller of window and send buffer."""
    return min(file.receive_window_B, file.send_buffer_B)


def ack_idle_s(file: FileSend) -> float:
    """Return how long the processor is idle in a buffer because the window is full, in seconds.
    Until the ACK of the second segment it can send what the window has room for beyond these two,
    and copy the next two. While the disk delivers, it sends the end of the buffer, up to the send
    buffer's size."""
    largest_B = segment_B(file)
    wait_s = _way_s(file, largest_B)
    beyond = outstanding_B(file) // largest_B - SEGMENTS_PER_ACK
    copies_s = cycles_s(file, SEGMENTS_PER_ACK * largest_B * file.socket_copy_cycles)
    work_s = copies_s + beyond * sum(segment_stages_s(file, largest_B).values())
    alone_B = max(0.0, file.file_buffer_B - file.send_buffer_B)
    return max(0.0, wait_s - work_s) * alone_B / (SEGMENTS_PER_ACK * largest_B)


def _way_s(file: FileSend, payload_B: float) -> float:
    """Return the time from a segment's departure to its ACK's arrival, in seconds."""
    wires_s = wire_time_s(payload_B, file.link_rate_bps) + wire_time_s(0, file.link_rate_bps)
    return wires_s + 2 * file.link_delay_s + file.ack_latency_s


def ack_wait_s(file: FileSend) -> float:
    """Return the delayed ACK's part of an exchange in seconds, 0 if there is none: a client that
    acknowledges every second segment withholds the ACK of a single one until its timer expires."""
    full_B = max(segment_B(file), min(file.mss_B, DEFAULT_MSS_B))  # as long as none is larger
    few = outstanding_B(file) <= (file.ack_frequency - 1) * full_B
    return file.delayed_ack_timeout_s if few else 0.0


def cycle(file: FileSend) -> Cycle:
    """Return the slower of two cycles: the machine's, and one window an exchange if the client
    withholds ACKs. With two segments or more the machine is busy for longer than an ACK takes."""
    machine = Cycle(file.file_buffer_B, buffer_terms(file))
    if not ack_wait_s(file):
        return machine
    size_B = min(outstanding_B(file), segment_B(file))
    stages_s = segment_stages_s(file, size_B)
    exchange = (
        Term("the client's delayed ACK", ack_wait_s(file)),
        *(Term(NAMES[stage], time_s) for stage, time_s in stages_s.items()),
        Term("the segment's way and its ACK's", _way_s(file, size_B)),
    )
    return min(machine, Cycle(size_B, exchange), key=lambda each: each.rate_Bps)


def rate_Bps(file: FileSend) -> float:
    """Return the rate in B/s."""
    return cycle(file).rate_Bps


def cpu_busy(file: FileSend) -> float:
    """Return the fraction of time that the processor is busy."""
    return cpu_s(file) / buffer_s(file)


def segment_spacing_s(file: FileSend) -> float:
    """Return the time in seconds from one full segment to the next in a page: only driver and bus,
    since data in the socket buffer is sent before more is copied into it."""
    copy_s = loop_s(file, file.mss_B) + bus_s(file, file.mss_B) if _by_processor(file) else 0.0
    return cycles_s(file, file.send_cycles) + copy_s
