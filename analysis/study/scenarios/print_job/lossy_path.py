# SPDX-License-Identifier: GPL-2.0-only
"""Closed forms of a transfer over a long path that loses packets: by chance, or in a queue that
the transfer itself fills. The laws are averages over many losses, one at a time, so each has a
range. Outside of it there is a reason instead of a number."""

from study.kit import response
from study.kit.chance import LEAST_LOSSES
from study.kit.terms import Cycle, Term
from study.kit.wire import PATH_HEADERS_B
from study.scenarios.print_job import messages
from study.scenarios.print_job.long_path import (
    line_rate_Bps,
    round_s,
    round_terms,
    segment_B,
    segments_per_count,
    steady_rate_Bps,
    window_B,
)
from study.scenarios.print_job.messages import PrintJob

# In segments: with fewer, three duplicate ACKs after a loss are rare, and a timeout detects it (RFC
# 5681, 3.2). Reno's law is valid down to 8.3, where table 1 of RFC 3649 begins, at one packet in
# fifty; CUBIC's down to 12, where those of RFC 9438, 5.1, end, at one in a hundred.
LEAST_WINDOW = 8
LEAST_CUBIC_WINDOW = 12
MOST_TIMEOUTS = 0.25  # as a fraction of the time, by RFC 5348's estimate
LEAST_TEETH = 3
# The window's bound must be this multiple of the law's average: a tooth's tip is 4/3 of it, and
# random losses make higher ones.
HEADROOM = 2.0
BY_THE_CLOCK = 0.7  # fraction of the square root law from which CUBIC is at times faster
LEAST_QUEUE = 4  # segments: an ACK of two releases three back to back
BY_CHANCE = "the square-root law (RFC 3649, 2), a mean window a round"
FULL_QUEUE = "the sawtooth behind a queue that it fills (RFC 5681, 3.1)"
DOES_NOT_HOLD = "the law of losses does not hold here: "


def loses(job: PrintJob) -> bool:
    """Return whether packets are lost: at random, by number, or in a queue smaller than what the
    windows permit."""
    chance = job.path_loss or job.path_loss_back or job.path_lost_packets
    return bool(chance) or _overflows(job)


def window_cycle(job: PrintJob) -> Cycle | str:
    """Return the cycle, or why no law holds: the average window a round trip, or a segment on the
    line with the line's idle time."""
    why = why_not(job)
    if why:
        return DOES_NOT_HOLD + why
    if job.path_loss:
        return Cycle(window(job) * segment_B(job), round_terms(job), BY_CHANCE)
    line_s = segment_B(job) / line_rate_Bps(job)
    rest_s = line_s / line_share(job) - line_s
    return Cycle(
        segment_B(job),
        (Term("a segment on the path's line", line_s), Term("the line's rest", rest_s)),
        FULL_QUEUE,
    )


def rate_Bps(job: PrintJob) -> float | None:
    """Return the rate in B/s, or None if no law holds."""
    cycle = window_cycle(job)
    return None if isinstance(cycle, str) else cycle.rate_Bps


def law_rate_Bps(job: PrintJob) -> float | None:
    """Return the rate in B/s by the law of random losses for a job of any length, or None for BBR
    and for a window of few segments. It is a curve for a figure, not the rate of a single run."""
    if job.congestion_control == "bbr" or window(job) < least_window(job):
        return None
    return min(window(job) * segment_B(job) / round_s(job), steady_rate_Bps(job))


def transfer_s(job: PrintJob) -> float | None:
    """Return the time of the whole job at that rate in seconds, or None if no law holds. In a job
    long enough for the law the beginning does not matter."""
    rate = rate_Bps(job)
    return messages.file_B(job) / rate if rate else None


def window(job: PrintJob) -> float:
    """Return the average congestion window in segments with random losses."""
    standard = response.square_root_window(job.path_loss, segments_per_count(job))
    if job.congestion_control != "cubic":
        return standard
    return max(standard, cubic_window(job))


def least_window(job: PrintJob) -> int:
    """Return the smallest window in segments for which the congestion control's law is verified."""
    return LEAST_CUBIC_WINDOW if job.congestion_control == "cubic" else LEAST_WINDOW


def mean_window_B(job: PrintJob) -> float:
    """Return the average data in flight in bytes, if a law holds, limited by window and buffer."""
    most_B = window_B(job)
    if job.path_loss and job.congestion_control != "bbr":
        return min(window(job) * segment_B(job), most_B)
    return min((pipe(job) + queue(job)) * segment_B(job), most_B)


def cubic_window(job: PrintJob) -> float:
    """Return CUBIC's average window in segments where it grows with time."""
    return response.cubic_window(job.path_loss, round_s(job))


def line_share(job: PrintJob) -> float:
    """Return the fraction of time that the line is busy behind a queue that the transfer fills."""
    return response.sawtooth_share(pipe(job), queue(job), segments_per_count(job))


def pipe(job: PrintJob) -> float:
    """Return the segments that the line carries in a round trip with an empty queue."""
    return line_rate_Bps(job) * round_s(job) / segment_B(job)


def queue(job: PrintJob) -> float:
    """Return the size of the path's queue in full segments."""
    room = float(job.path_queue.rstrip("pB"))
    return room if job.path_queue.endswith("p") else room / (job.mss_B + PATH_HEADERS_B)


def why_not(job: PrintJob) -> str:
    """Return why no law holds for this job, empty if one does."""
    if job.path_loss_back:
        return "the law has no lost ACKs"
    if job.path_lost_packets:
        return "the law is of random losses, and here packets are lost by number"
    if job.congestion_control == "bbr":
        return "BBR goes by the rate that arrives, not by losses"
    return _why_not_by_chance(job) if job.path_loss else _why_no_sawtooth(job)


def _why_not_by_chance(job: PrintJob) -> str:
    losses = messages.file_B(job) / segment_B(job) * job.path_loss
    if losses < LEAST_LOSSES:
        expected = f"about {losses:.0f}" if losses >= 1 else "fewer than one"
        return f"it is an average over {LEAST_LOSSES} losses or more; such a job expects {expected}"
    law = window(job)
    if _timeouts_decide(job):
        return f"a window of {law:.1f} segments, where timeouts decide (RFC 5348, 3.1)"
    if job.congestion_control == "cubic" and cubic_window(job) > BY_THE_CLOCK * law:
        return (
            f"CUBIC grows by the clock, to {cubic_window(job):.0f} segments by its own law, which"
            " is of losses at even distances (RFC 9438, 5.1)"
        )
    bounds = {
        "the window": window_B(job) / segment_B(job),
        "the path's line": pipe(job),
    }
    name, most = min(bounds.items(), key=lambda bound: bound[1])
    if most < HEADROOM * law:
        return (
            f"{name} ends at {most:.0f} segments in flight; the law gives an average of {law:.0f}"
            f" and needs room for {HEADROOM * law:.0f}"
        )
    return ""


def _timeouts_decide(job: PrintJob) -> bool:
    law, b = window(job), segments_per_count(job)
    timeouts_s = response.timeouts_s(job.path_loss, max(job.minimum_rto_s, round_s(job)), b)
    return law < least_window(job) or timeouts_s > MOST_TIMEOUTS * (round_s(job) / law + timeouts_s)


def _why_no_sawtooth(job: PrintJob) -> str:
    if job.path_queue_kind != "drop-tail":
        return f"the queue is {job.path_queue_kind} and does not wait until it is full"
    if job.congestion_control == "cubic":
        return "the law halves the window at a full queue, and CUBIC does not"
    if queue(job) < LEAST_QUEUE:
        return f"a queue of {queue(job):.0f} segments drops several of them at a time"
    tip = pipe(job) + queue(job)
    teeth = messages.file_B(job) / segment_B(job) / (3 / 8 * segments_per_count(job) * tip**2)
    if teeth < LEAST_TEETH:
        return (
            f"the law is an average over {LEAST_TEETH} sawteeth of the window or more, and this job"
            f" has {teeth:.1f}"
        )
    if pipe(job) < LEAST_WINDOW:
        return f"half of a pipe of {pipe(job):.1f} segments gives too few duplicate ACKs"
    return ""


def _overflows(job: PrintJob) -> bool:
    """Return whether more may be in flight than pipe and queue hold."""
    return window_B(job) / segment_B(job) > pipe(job) + queue(job) + 1
