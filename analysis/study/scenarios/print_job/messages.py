# SPDX-License-Identifier: GPL-2.0-only
"""Closed forms of a print job: its parameters, its bytes, and the time of its messages. They are
the second judge of the simulation. cycles, pauses and whole_job build on them.

One function a mechanism, each with its derivation. Nothing here is read off a run. The path is one
Ethernet; a frame carries its TCP payload and 58 octets more, and a host's stamp is taken when it
hands the frame down or has received it whole.
"""

from dataclasses import dataclass

from study.kit.formula import Formula
from study.kit.wire import wire_time_s

# The dialogue of an LPR job (RFC 1179 5.2, 6.2, 6.3), as in the Hawking's trace.
COMMAND_B = 5  # receive job: 0x02, a queue name such as "lp0", LF
SUBCOMMAND_B = 26  # code, blank, file name of 23 characters, LF; and the size in digits
CONTROL_SUBCOMMAND_B = SUBCOMMAND_B + 2
CONTROL_FILE_B = 61  # with its zero octet
ZERO_OCTET_B = 1
REPLY_B = 1
DEFAULT_MSS_B = 536  # RFC 1122 4.2.2.6


@dataclass(frozen=True)
class PrintJob(Formula):
    """Parameters of the formulas below."""

    LINKS = ("ethernet", "path")

    receive_window_B: float
    mss_B: float
    link_rate_bps: float
    link_delay_s: float
    ack_latency_s: float
    ack_latency_per_byte_s: float
    interactive_ack_latency_s: float
    interactive_bytes_B: float
    syn_ack_latency_s: float
    job_command_time_s: float
    reply_time_s: float
    segment_time_s: float
    think_time_s: float
    first_write_B: float
    write_size_B: float
    write_time_s: float
    write_returns: str
    job_size_B: float
    send_buffer_B: float
    initial_window: float
    ack_latency_spread_s: float
    window_probe_latency_s: float
    drain_latency_s: float
    drain_latency_spread_s: float
    drain_pause_every_B: float
    drain_pause_s: float
    port_rate_bps: float
    port_chunk_B: float
    first_persist_timeout_s: float
    minimum_rto_s: float
    timer_tick_s: float
    delayed_ack_timeout_s: float
    ack_threshold: float
    ack_frequency: int
    window_updates: str
    delayed_ack_timer: str
    nagle: str
    silly_window_avoidance: str
    segment_bound: str
    device_silly_window_avoidance: str
    device_ack_rule: str
    device_first_window_B: float
    device_clock: float
    device_packet_cycles: float
    device_byte_cycles: float
    device_drain_cycles: float
    protocol: str
    link: str
    path_rate_bps: float
    path_rate_back_bps: float
    path_access_rate_bps: float
    path_delay_s: float
    rtt_s: float
    path_loss: float
    path_loss_back: float
    path_lost_packets: str
    path_queue: str
    path_queue_kind: str
    congestion_control: str
    host_timestamps: str
    device_timestamps: str


def left_out(job: PrintJob) -> str:
    """Return a property of the job that no formula of its cycle has, empty for most jobs."""
    # A blocking writer keeps a buffer that has room for two windows filled.
    roomy = job.send_buffer_B >= 2 * (job.receive_window_B + job.write_size_B)
    if job.write_returns != "some-fits" and not (job.write_returns == "all-fits" and roomy):
        return "writes that wait for more than some room"
    if job.device_ack_rule != "counted":
        return "a device that acknowledges as Linux does"
    if 0 < job.device_first_window_B < job.receive_window_B:
        return "a device whose window grows"
    if job.window_updates != "every-opening":
        return "a device that does not announce every opening of its window"
    segments = burst_B(job) / segment_B(job)
    if job.ack_frequency > 1 and (job.link == "ethernet" or segments < 2 * job.ack_frequency):
        return "a device that waits for a number of segments, and a window of few"
    return ""


def file_subcommand_B(job: PrintJob) -> float:
    """Return the bytes of the subcommand that announces the file: 34 for a size of eight digits."""
    return SUBCOMMAND_B + len(str(int(job.job_size_B)))


def job_bytes_B(job: PrintJob) -> float:
    """Return all bytes that the host's TCP carries: with LPR also RFC 1179's messages."""
    if job.protocol != "lpr":
        return job.job_size_B
    around_B = (
        COMMAND_B + file_subcommand_B(job) + ZERO_OCTET_B + CONTROL_SUBCOMMAND_B + CONTROL_FILE_B
    )
    return job.job_size_B + around_B


def file_B(job: PrintJob) -> float:
    """Return the bytes of the print file, with LPR's zero octet after it."""
    return job.job_size_B + (ZERO_OCTET_B if job.protocol == "lpr" else 0)


def segment_B(job: PrintJob) -> float:
    """Return the largest segment in bytes: the MSS; or half the largest window for a host with that
    bound (Linux), unless the window is no larger than the default MSS."""
    if job.segment_bound == "mss" or job.receive_window_B <= DEFAULT_MSS_B:
        return min(job.mss_B, job.receive_window_B)
    return min(job.mss_B, job.receive_window_B // 2)


def usable_window_B(job: PrintJob) -> float:
    """Return the bytes that the host sends into an empty window: full segments, or all of a window
    smaller than one, which then is its segment.

    RFC 1122 4.2.3.4: a segment is sent if it is full, or at least half the largest window. After n
    >= 1 full segments the rest is less than a segment and less than half the window, so it waits.
    """
    return job.receive_window_B // segment_B(job) * segment_B(job)


def burst_B(job: PrintJob) -> float:
    """Return the bytes that the host sends before it needs an ACK: what the window permits, up to
    its send buffer, which keeps unacknowledged data. A buffer that fits into the window is sent
    whole: its last small segment is all there is to send (RFC 1122 4.2.3.4)."""
    if job.send_buffer_B <= job.receive_window_B:
        return job.send_buffer_B
    return usable_window_B(job)


def first_congestion_window(job: PrintJob) -> float:
    """Return the congestion window in segments when the file begins: one more for each ACK of new
    data (RFC 5681 3.1), of which LPR has had two."""
    return job.initial_window + (2 if job.protocol == "lpr" else 0)


def early_write_count(job: PrintJob) -> int:
    """Return how many of the application's first writes fit into the window, the send buffer and
    the congestion window, one segment each: a first one, then full writes."""
    least_B = min(
        job.receive_window_B, job.send_buffer_B, first_congestion_window(job) * segment_B(job)
    )
    return 1 + int(max(least_B - job.first_write_B, 0) // job.write_size_B)


def early_bytes_B(job: PrintJob) -> float:
    """Return the bytes of the early writes: 256 + 3 x 768 = 2560 in a window of 2920."""
    if job.first_write_B >= min(burst_B(job), segment_B(job)):
        return 0  # no small writes: the first burst is like all others
    return job.first_write_B + (early_write_count(job) - 1) * job.write_size_B


def answer_time_s(job: PrintJob, message_B: float, answer_B: float, latency_s: float) -> float:
    """Return the time from sending a message to its answer in seconds: both transmission times, the
    propagation delay twice, and the device's latency."""
    wires_s = wire_time_s(message_B, job.link_rate_bps) + wire_time_s(answer_B, job.link_rate_bps)
    return wires_s + 2 * job.link_delay_s + latency_s


def syn_ack_s(job: PrintJob) -> float:
    """Return the time from SYN to SYN-ACK, in seconds."""
    return answer_time_s(job, 0, 0, job.syn_ack_latency_s)


def interactive_reply_s(job: PrintJob, message_B: float) -> float:
    """Return the time from a small message to its ACK or one-byte reply, in seconds."""
    return answer_time_s(job, message_B, REPLY_B, message_latency_s(job, message_B))


def message_latency_s(job: PrintJob, message_B: float) -> float:
    """Return the device's latency for a message in seconds, as interactive if it treats small
    messages so, else as any data."""
    if job.interactive_ack_latency_s and message_B <= job.interactive_bytes_B:
        return job.interactive_ack_latency_s
    return job.ack_latency_s + message_B * job.ack_latency_per_byte_s


def first_early_ack_s(job: PrintJob) -> float:
    """Return the time from the last early write to the ACK of the first, which the device has
    withheld since that arrived, in seconds."""
    since_first_s = (early_write_count(job) - 1) * job.write_time_s
    return interactive_reply_s(job, job.first_write_B) - since_first_s


def early_s(job: PrintJob) -> float:
    """Return the time of the early writes in seconds: interactive ones in turn, the later ones
    together."""
    early_B = early_bytes_B(job)
    if not early_B:
        return 0
    interactive_B = job.interactive_bytes_B if job.interactive_ack_latency_s else 0
    alone = 1 + (interactive_B - job.first_write_B) // job.write_size_B
    alone = min(max(alone, 0), early_write_count(job))
    alone_B = job.first_write_B + (alone - 1) * job.write_size_B if alone else 0
    together_s = job.ack_latency_s + (early_B - alone_B) * job.ack_latency_per_byte_s
    return alone * job.interactive_ack_latency_s + (together_s if alone_B < early_B else 0)


def dialogue_s(job: PrintJob) -> float:
    """Return the dialogue's time in seconds: the command's ACK and later reply, three subcommands
    or files, and the host's think time before each."""
    if job.protocol != "lpr":
        return job.think_time_s
    messages_B = (COMMAND_B, file_subcommand_B(job), CONTROL_SUBCOMMAND_B, CONTROL_FILE_B)
    replies_s = sum(job.think_time_s + interactive_reply_s(job, size_B) for size_B in messages_B)
    return replies_s + job.job_command_time_s
