# SPDX-License-Identifier: GPL-2.0-only
"""A print job from its SYN to its last ACK, and where in it a window begins."""

from dataclasses import replace

from study.kit.terms import total_s
from study.kit.wire import wire_time_s
from study.scenarios.print_job import cycles, long_path, lossy_path, messages
from study.scenarios.print_job.messages import PrintJob
from study.scenarios.print_job.pauses import pause_count, pauses_of_replies, stall_s

BEGINNING = 0.02  # of a job, whose time may be off by half


def whole_job_s(job: PrintJob) -> float | None:
    """Return the whole job's time in seconds: handshake, dialogue, early writes, slow start, full
    windows, the rest and the port's pauses.

    Left out are write times and the transmission times of the early writes' ACKs, less than a
    millisecond in the Hawking's 15 minutes. None if losses have no law, or if segments that are
    answered alone are more than a small part of the job: behind them the window grows while their
    ACKs and the next burst overlap, which no formula describes.
    """
    if job.link == "path":
        return lossy_path.transfer_s(job) if lossy_path.loses(job) else long_path.transfer_s(job)
    handshake_s = messages.syn_ack_s(job) + job.reply_time_s
    before_s = handshake_s + messages.dialogue_s(job) + messages.early_s(job)
    answered_B, answers_s = answered_alone(job)
    before_s += answers_s
    grown_B, growth_s = slow_start(job)
    left_B = max(messages.file_B(job) - messages.early_bytes_B(job) - answered_B - grown_B, 0)
    full_bursts, rest_B = divmod(left_B, cycles.covered_B(job))
    if full_bursts and rest_B <= room_behind_B(job):
        rest_B = 0  # it is sent with the last full burst
    bulk_s = full_bursts * cycles.window_cycle_s(job)
    # The job ends with an ACK, not with the window update after it.
    bulk_s += last_burst_s(job, rest_B) if rest_B else -cycles.drain_wait_s(job)
    pauses_s = pause_count(job) * (stall_s(job) - cycles.window_update_s(job))
    pauses_s += pauses_of_replies(job) * job.drain_pause_s
    whole_s = before_s + growth_s + bulk_s + pauses_s
    begins_s = answers_s + growth_s + job.interactive_ack_latency_s
    if answered_B and begins_s > BEGINNING * whole_s:
        return None
    return whole_s


def whole_job_rate_Bps(job: PrintJob) -> float | None:
    """Return the rate over the whole job in B/s, or None without a closed form."""
    time_s = whole_job_s(job)
    return messages.job_bytes_B(job) / time_s if time_s else None


def answered_alone(job: PrintJob) -> tuple[float, float]:
    """Return bytes and seconds of the file's beginning, if without small writes, that the device
    answers as interactive: each segment has its own ACK. If others follow in flight, the ACK of
    those has been due since they came, so these cost only their transmission time."""
    if messages.early_bytes_B(job) or not job.interactive_ack_latency_s:
        return 0, 0
    segment_B = min(job.mss_B, messages.burst_B(job))
    count = job.interactive_bytes_B // segment_B
    if not count or messages.file_B(job) <= segment_B:
        return 0, 0
    flight = min(messages.first_congestion_window(job), messages.burst_B(job) // segment_B)
    if flight > count:
        return count * segment_B, count * wire_time_s(segment_B, job.link_rate_bps)
    small = replace(
        job,
        send_buffer_B=segment_B,
        ack_latency_s=job.interactive_ack_latency_s,
        ack_latency_per_byte_s=0,
    )
    return count * segment_B, (count - flight + 1) * cycles.window_cycle_s(small)


def slow_start(job: PrintJob) -> tuple[float, float]:
    """Return bytes and seconds of the bursts that the congestion window limits.

    An ACK covers a whole burst here and adds one segment to the next (RFC 5681 3.1 counts ACKs), so
    bursts grow by one segment a cycle and do not double.
    """
    window = messages.first_congestion_window(job)
    if messages.early_bytes_B(job):
        window += messages.early_write_count(job)
    window += answered_alone(job)[0] // job.mss_B
    sent_B = time_s = 0.0
    left_B = messages.file_B(job) - messages.early_bytes_B(job)
    while (burst := window * messages.segment_B(job)) < cycles.covered_B(
        job
    ) and sent_B + burst <= left_B:
        sent_B, window = sent_B + burst, window + 1
        time_s += cycles.window_cycle_s(replace(job, send_buffer_B=burst))
    return sent_B, time_s


def room_behind_B(job: PrintJob) -> float:
    """Return the bytes that can follow the last full burst: a small rest is sent if it is all there
    is and the window has room (RFC 1122 4.2.3.4)."""
    if job.nagle == "true" or job.silly_window_avoidance != "rfc1122":
        return 0.0
    return min(job.receive_window_B, job.send_buffer_B) - messages.burst_B(job)


def last_burst_s(job: PrintJob, rest_B: float) -> float:
    """Return the time of what is left after the full bursts in seconds: an exchange of its own."""
    last = replace(job, send_buffer_B=rest_B)
    if cycles.ack_is_withheld(last):
        return total_s(cycles.withheld_ack_terms(last))
    return job.reply_time_s + cycles.full_window_ack_s(last)


def full_window_cycles(job: PrintJob) -> float:
    """Return how many full windows the print file fills after the early writes."""
    return (messages.file_B(job) - messages.early_bytes_B(job)) // cycles.covered_B(job)


def window_start_B(job: PrintJob, near_B: float) -> float:
    """Return the relative sequence number nearest to `near_B` at which a window begins.

    SYN, command and subcommand come first, then the early writes; after them every window is full.
    """
    window_B = messages.usable_window_B(job)
    first_B = 1 + messages.COMMAND_B + messages.file_subcommand_B(job) + messages.early_bytes_B(job)
    return first_B + round((near_B - first_B) / window_B) * window_B
