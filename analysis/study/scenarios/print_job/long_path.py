# SPDX-License-Identifier: GPL-2.0-only
"""Closed forms of a transfer over a long path: slow start, then a window a round trip, or what the
line carries."""

from study.kit.terms import Cycle, Term, total_s
from study.kit.wire import OPTIONS_B, path_time_s
from study.scenarios.print_job import messages
from study.scenarios.print_job.messages import PrintJob


def options_B(job: PrintJob) -> float:
    """Return the size of TCP options in each segment, in bytes."""
    return OPTIONS_B if job.host_timestamps == job.device_timestamps == "true" else 0


def segment_B(job: PrintJob) -> float:
    """Return the payload of a full segment in bytes."""
    return job.mss_B - options_B(job)


def round_terms(job: PrintJob) -> tuple[Term, ...]:
    """Return the parts of the time from a segment to its ACK on an empty path: there, the device's
    latency, back, and the host's reply."""
    back_bps = job.path_rate_back_bps or job.path_rate_bps
    there_s = path_time_s(job.mss_B, (job.path_access_rate_bps, job.path_rate_bps), 0.0)
    back_s = path_time_s(options_B(job), (back_bps, job.path_access_rate_bps), 0.0)
    return (
        Term("the path's propagation, there and back", 2 * job.path_delay_s or job.rtt_s),
        Term("a segment and its ACK on the lines", there_s + back_s),
        Term("the device's ACK latency", job.ack_latency_s),
        Term("the host's reply", job.reply_time_s),
    )


def round_s(job: PrintJob) -> float:
    """Return the round trip on an empty path, in seconds."""
    return total_s(round_terms(job))


def window_cycle(job: PrintJob) -> Cycle:
    """Return the cycle: a window a round trip, or a segment on a line that is never idle."""
    if window_rate_Bps(job) < line_rate_Bps(job):
        return Cycle(window_B(job), round_terms(job))
    line_s = segment_B(job) / line_rate_Bps(job)
    return Cycle(segment_B(job), (Term("a segment on the path's line", line_s),))


def line_rate_Bps(job: PrintJob) -> float:
    """Return the payload rate of a line that is never idle, in B/s."""
    return segment_B(job) / path_time_s(job.mss_B, (job.path_rate_bps,), 0.0)


def window_B(job: PrintJob) -> float:
    """Return the most data in flight in bytes: a send buffer that fits into the window, or else
    full segments, since the rest of the window is less than one and is not sent (RFC 1122
    4.2.3.4)."""
    if job.send_buffer_B <= job.receive_window_B:
        return job.send_buffer_B
    whole = job.receive_window_B // segment_B(job)
    return whole * segment_B(job) or job.receive_window_B


def window_rate_Bps(job: PrintJob) -> float:
    """Return the rate of a window a round trip in B/s (RFC 7323, 1.1)."""
    return window_B(job) / round_s(job)


def steady_rate_Bps(job: PrintJob) -> float:
    """Return the slower of the window's and the line's rate, in B/s."""
    return min(window_rate_Bps(job), line_rate_Bps(job))


def segments_per_count(job: PrintJob) -> float:
    """Return how many segments the congestion window counts as one. NewReno counts all that an ACK
    covers (RFC 5681, 3.1): what the device waits for or what came within its latency. Linux's Reno
    and CUBIC count each segment."""
    if job.congestion_control != "newreno":
        return 1.0
    within_latency = 1 + job.ack_latency_s // (segment_B(job) / line_rate_Bps(job))
    return max(within_latency, float(job.ack_frequency))


def growth(job: PrintJob) -> float:
    """Return the congestion window's growth factor in a round: an ACK releases what it covers, and
    one segment more for each that is counted."""
    return 1 + 1 / segments_per_count(job)


def slow_start(job: PrintJob) -> tuple[float, float]:
    """Return the bytes and seconds of the rounds before the steady rate."""
    sent_B = time_s = 0.0
    window_B = job.initial_window * segment_B(job)
    while window_B < steady_rate_Bps(job) * round_s(job) and sent_B + window_B < messages.file_B(
        job
    ):
        sent_B, time_s = sent_B + window_B, time_s + round_s(job)
        window_B += window_B * (growth(job) - 1) // segment_B(job) * segment_B(job)
    return sent_B, time_s


def transfer_s(job: PrintJob) -> float:
    """Return the time from the SYN to the last ACK in seconds: the handshake, slow start, then each
    window with a round trip or the line's time; the rest has its own round trip."""
    sent_B, growth_s = slow_start(job)
    back_bps = job.path_rate_back_bps or job.path_rate_bps
    lines_bps = (job.path_access_rate_bps, job.path_rate_bps, back_bps, job.path_access_rate_bps)
    handshake_s = path_time_s(0, lines_bps, 2 * job.path_delay_s or job.rtt_s)
    handshake_s += job.syn_ack_latency_s + job.reply_time_s
    windows, rest_B = divmod(messages.file_B(job) - sent_B, window_B(job))
    windows_s = windows * max(round_s(job), window_B(job) / line_rate_Bps(job))
    if rest_B or window_rate_Bps(job) > line_rate_Bps(job):
        windows_s += round_s(job) + max(rest_B - segment_B(job), 0) / line_rate_Bps(job)
    return handshake_s + growth_s + windows_s
