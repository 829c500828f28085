# SPDX-License-Identifier: GPL-2.0-only
"""Cycles of a print job, from ACK to ACK, and the limits that set their pace: the window, the
line, the host, or the device's port, timer or processor."""

from math import ceil

from study.kit.terms import Cycle, Term, total_s
from study.kit.wire import HEADERS_B, MINIMUM_FRAME_B, wire_time_s
from study.scenarios.print_job.messages import PrintJob, answer_time_s, burst_B, segment_B


def window_cycle(job: PrintJob) -> Cycle:
    """Return the cycle from ACK to ACK: the host's reply to the ACK or to the window update after
    it, then the ACK of what it sends. Instead it is the time of the line, the host or the printer's
    port, if longer; or the delayed-ACK timer, if the device withholds the ACK."""
    if ack_is_withheld(job):
        return Cycle(covered_B(job), withheld_ack_terms(job))
    exchange = (Term("the host's reply", job.reply_time_s), *full_window_ack_terms(job))
    exchange += (Term("the buffer's emptying", drain_wait_s(job)),)
    if job.ack_threshold > 0:
        exchange += (Term("the segments up to the threshold", threshold_wait_s(job)),)
    segments = max(1.0, covered_B(job) / segment_B(job))
    limits = (
        exchange,
        (Term("its segments and their ACKs on the line", segments * busy_line_segment_s(job)),),
        (Term("the host's time for its segments", ceil(segments) * job.segment_time_s),),
        (Term("the printer's port", covered_B(job) / port_rate_Bps(job)),),
    )
    return Cycle(covered_B(job), max(limits, key=total_s))


def window_cycle_s(job: PrintJob) -> float:
    """Return the time of one window in seconds."""
    return window_cycle(job).time_s


def steady_rate_Bps(job: PrintJob) -> float:
    """Return the rate of one window a cycle in B/s. The article: 2920 bytes in 117,695 us are
    24,801 bytes a second."""
    return window_cycle(job).rate_Bps


def bulk_ack_s(job: PrintJob, message_B: float) -> float:
    """Return the time from a segment of the job to its ACK in seconds. A random latency counts with
    its mean."""
    latency_s = job.ack_latency_s + job.ack_latency_spread_s / 2
    return answer_time_s(job, message_B, 0, latency_s + job.ack_latency_per_byte_s * message_B)


def window_update_s(job: PrintJob) -> float:
    """Return the time from the ACK to the window update for the empty buffer in seconds, or 0 if
    there is none. Both are minimum frames, so it is the device's own time."""
    return job.drain_latency_s + job.drain_latency_spread_s / 2


def full_window_ack_terms(job: PrintJob) -> tuple[Term, ...]:
    """Return the parts of the time from a window's first frame to the ACK of all of it. The latency
    counts from the arrival of the first frame."""
    sent_B = burst_B(job)
    first_s = wire_time_s(min(sent_B, segment_B(job)), job.link_rate_bps)
    return (
        Term("the device's ACK latency", job.ack_latency_s + job.ack_latency_spread_s / 2),
        Term("its time for each byte", job.ack_latency_per_byte_s * sent_B),
        Term("the first segment on the line", first_s),
        Term("the ACK on the line", wire_time_s(0, job.link_rate_bps)),
        Term("the propagation there and back", 2 * job.link_delay_s),
    )


def full_window_ack_s(job: PrintJob) -> float:
    """Return the time from a window's first frame to the ACK of all of it, in seconds."""
    return total_s(full_window_ack_terms(job))


def drain_wait_s(job: PrintJob) -> float:
    """Return how long the host waits after an ACK for the device's buffer to empty, in seconds. The
    window shrinks by the buffer's content, so a burst that fits twice into it never waits. The
    update cannot come sooner than its frame takes after the ACK's."""
    if not window_update_s(job) or 2 * burst_B(job) <= job.receive_window_B:
        return 0.0
    return max(window_update_s(job), wire_time_s(0, job.link_rate_bps))


def ack_is_withheld(job: PrintJob) -> bool:
    """Return whether a burst is too small for an ACK without the timer: at most the threshold's
    fraction of the advertised window (IMAGEN V2.1 and V2.2)."""
    return job.ack_threshold > 0 and burst_B(job) <= job.ack_threshold * job.receive_window_B


def withheld_ack_terms(job: PrintJob) -> tuple[Term, ...]:
    """Return the parts of the time from ACK to ACK if only the delayed-ACK timer sends them.

    A free-running timer does so every T if the exchange is shorter: N bytes every T, the source's
    "very close to N/.5 or 2N bytes per second". A timer started by the first segment adds the
    exchange to T.
    """
    exchange = (Term("the host's reply", job.reply_time_s), *full_window_ack_terms(job))
    timer_s = job.delayed_ack_timeout_s
    if job.delayed_ack_timer == "free-running":
        ticks = total_s(exchange) // timer_s + 1
        return (Term("the delayed-ACK timer", timer_s * ticks),)
    return (Term("the delayed-ACK timer", timer_s), *exchange)


def covered_B(job: PrintJob) -> float:
    """Return the bytes that an ACK covers: all that the host sends, or with a threshold the full
    segments that first exceed it."""
    if job.ack_threshold == 0 or ack_is_withheld(job):
        return burst_B(job)
    least_B = job.ack_threshold * job.receive_window_B
    return min(burst_B(job), (least_B // segment_B(job) + 1) * segment_B(job))


def threshold_wait_s(job: PrintJob) -> float:
    """Return the time in seconds from the arrival of the first segment after an ACK to that of the
    last which the next ACK waits for: the bytes covered, less those sent before the ACK came."""
    ahead_B = burst_B(job) - covered_B(job)
    whole, rest_B = divmod(max(covered_B(job) - ahead_B - segment_B(job), 0), segment_B(job))
    whole_wire_s = wire_time_s(segment_B(job), job.link_rate_bps)
    time_s = whole * max(whole_wire_s, job.segment_time_s)
    if rest_B:  # a shorter frame arrives sooner after the host sends it
        rest_wire_s = wire_time_s(rest_B, job.link_rate_bps)
        time_s += rest_wire_s + max(job.segment_time_s - whole_wire_s, 0.0)
    return time_s


def busy_line_segment_s(job: PrintJob) -> float:
    """Return a segment's time on a line that is never idle, in seconds. The Ethernet is shared with
    the ACKs. An ACK covers every segment that arrives within the latency of the first, or what the
    threshold requires."""
    segment_s = wire_time_s(min(burst_B(job), segment_B(job)), job.link_rate_bps)
    segments_per_ack = 1 + job.ack_latency_s // segment_s
    if job.ack_threshold > 0:
        segments_per_ack = max(1.0, covered_B(job) / segment_B(job))
    return segment_s + wire_time_s(0, job.link_rate_bps) / segments_per_ack


def busy_segment_s(job: PrintJob) -> float:
    """Return the time in seconds between segments that only the line or the host limits."""
    return max(busy_line_segment_s(job), job.segment_time_s)


def line_rate_Bps(job: PrintJob) -> float:
    """Return the largest rate for any window in B/s: full segments back to back."""
    return job.mss_B / wire_time_s(job.mss_B, job.link_rate_bps)


def port_rate_Bps(job: PrintJob) -> float:
    """Return the port's long-term rate in B/s, which is also the device's."""
    return job.port_rate_bps / 8


def port_limited_segment_B(job: PrintJob) -> float:
    """Return the mean segment size in bytes when the port is the limit: the buffer is full, and has
    room for a chunk each time the port has taken one.

    If each chunk is announced and filled at once, each segment is a chunk: the silly window
    syndrome (RFC 813). A sender with RFC 1122's rule (4.2.3.4) waits for a full segment. A device
    with its rule (4.2.3.3) announces the first multiple of the chunk that reaches a segment or half
    the buffer, which the sender fills with one or more segments.
    """
    if job.silly_window_avoidance == "rfc1122":
        return segment_B(job)
    least_B = 1.0
    if job.device_silly_window_avoidance == "true":
        least_B = min(job.mss_B, job.receive_window_B / 2)
    opening_B = ceil(least_B / job.port_chunk_B) * job.port_chunk_B
    return opening_B / ceil(opening_B / segment_B(job))


def segment_work_s(job: PrintJob) -> tuple[float, float]:
    """Return a device's processor times for a segment in seconds. Its clock is in MHz. The first is
    to receive its frame without check sequence, octet by octet, and send its ACK. The second is to
    pass it on and send the window update."""
    own_B = min(burst_B(job), segment_B(job))
    octets = max(own_B + HEADERS_B, MINIMUM_FRAME_B) - 4
    receive_cycles = 2 * job.device_packet_cycles + octets * job.device_byte_cycles
    drain_cycles = job.device_packet_cycles + own_B * job.device_drain_cycles
    return receive_cycles / job.device_clock / 1e6, drain_cycles / job.device_clock / 1e6


def processor_cycle(job: PrintJob) -> Cycle:
    """Return the cycle of one window if the device's processor is slow: the longest of the
    processor's time for the window, the line's time for it, and one segment's path through the
    buffer and back as a window update."""
    receive_s, drain_s = segment_work_s(job)
    segments = max(1.0, burst_B(job) // segment_B(job))
    way = (
        Term("the host's reply", job.reply_time_s),
        Term("a segment's way and its ACK's", bulk_ack_s(job, min(burst_B(job), segment_B(job)))),
        Term("the device's processor: receiving", receive_s),
        Term("the device's processor: passing on", drain_s),
    )
    work = (
        Term("the device's processor: receiving", segments * receive_s),
        Term("the device's processor: passing on", segments * drain_s),
    )
    line = (Term("its segments and their ACKs on the line", segments * busy_line_segment_s(job)),)
    return Cycle(burst_B(job), max(way, work, line, key=total_s))


def processor_rate_Bps(job: PrintJob) -> float:
    """Return the rate that the device's processor permits, in B/s."""
    return processor_cycle(job).rate_Bps
