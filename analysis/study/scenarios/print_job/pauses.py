# SPDX-License-Identifier: GPL-2.0-only
"""Cost of the port's pauses to a print job: stalls, and the zero-window probes in them."""

from study.scenarios.print_job.cycles import bulk_ack_s, window_update_s
from study.scenarios.print_job.messages import (
    CONTROL_FILE_B,
    PrintJob,
    answer_time_s,
    burst_B,
    job_bytes_B,
)


def pause_count(job: PrintJob) -> float:
    """Return how often the port pauses before the job's last byte.

    A pause is due at each multiple of the interval and begins with the window that reaches it. One
    more window goes into the buffer during a pause; a job that ends with that window does not wait.
    """
    if not job.drain_pause_every_B:
        return 0
    window_B = burst_B(job)
    before_last_B = max(job_bytes_B(job) - window_B - 1, 0)
    chunk_B = min(window_B, job.drain_pause_every_B)
    return before_last_B // chunk_B * chunk_B // job.drain_pause_every_B


def pauses_of_replies(job: PrintJob) -> float:
    """Return how many later pauses delay an LPR reply: all but one that begins with the last
    message, the control file."""
    if not job.drain_pause_every_B or job.protocol != "lpr":
        return 0
    return (job_bytes_B(job) - CONTROL_FILE_B) // job.drain_pause_every_B - pause_count(job)


def stall_s(job: PrintJob) -> float:
    """Return the time from the ACK of the segment that finds the port paused to the window's
    opening, in seconds."""
    before_s = job.reply_time_s + bulk_ack_s(job, burst_B(job))
    return max(0, job.drain_pause_s - before_s) + window_update_s(job)


def probe_time_s(job: PrintJob, number: int) -> float:
    """Return the time from the ACK that shut the window to the n-th window probe in seconds. The
    persist timer starts with its first interval and doubles (RFC 1122 4.2.2.17), on a clock with
    ticks. A timer expires at the last tick at or before its time, on average half a tick early."""
    return job.first_persist_timeout_s * (2**number - 1) - job.timer_tick_s / 2


def probe_after_s(job: PrintJob, number: int) -> float:
    """Return the time to the n-th probe of a stall from the packet before, the ACK or the answer to
    the probe before, in seconds."""
    if number == 1:
        return probe_time_s(job, 1)
    return probe_time_s(job, number) - probe_time_s(job, number - 1) - probe_answer_s(job)


def probe_answer_s(job: PrintJob) -> float:
    """Return the time from a window probe to its answer, in seconds."""
    return answer_time_s(job, 0, 0, job.window_probe_latency_s)


def probes_in_a_stall(job: PrintJob) -> int:
    """Return the number of probes before the window opens."""
    number = 0
    while probe_time_s(job, number + 1) < stall_s(job):
        number += 1
    return number


def stall_end_s(job: PrintJob) -> float:
    """Return the time from the last probe's answer to the window's opening, in seconds."""
    return stall_s(job) - probe_time_s(job, probes_in_a_stall(job)) - probe_answer_s(job)
