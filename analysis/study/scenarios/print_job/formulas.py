# SPDX-License-Identifier: GPL-2.0-only
"""What a print job should take, worked out on paper from the same parameters: the second judge of
the simulation.

One function a mechanism, each with its derivation. Nothing here is read off a run. The path is one
Ethernet; a frame carries its TCP payload and 58 octets more, and a host's stamp is taken when it
hands the frame down or has received it whole.
"""

from dataclasses import dataclass, replace
from math import ceil

from study.kit.formula import Formula
from study.kit.terms import Cycle, Term, total_s
from study.kit.wire import HEADERS_B, MINIMUM_FRAME_B, wire_time_s

# The dialogue of an LPR job (RFC 1179 5.2, 6.2, 6.3), as the Hawking's trace has it.
COMMAND_B = 5  # receive job: 0x02, queue name "lp0" or like it, LF
SUBCOMMAND_B = 26  # code, blank, file name of 23 characters, LF; and the size in digits
CONTROL_SUBCOMMAND_B = SUBCOMMAND_B + 2
CONTROL_FILE_B = 61  # with its zero octet
ZERO_OCTET_B = 1
REPLY_B = 1


@dataclass(frozen=True)
class PrintJob(Formula):
    """The parameters that the formulas below use."""

    receive_window_B: float
    mss_B: float
    link_rate_bps: float
    link_delay_s: float
    ack_latency_s: float
    ack_latency_per_byte_s: float
    interactive_ack_latency_s: float
    syn_ack_latency_s: float
    job_command_time_s: float
    reply_time_s: float
    segment_time_s: float
    think_time_s: float
    first_write_B: float
    write_size_B: float
    write_time_s: float
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
    timer_tick_s: float
    delayed_ack_timeout_s: float
    ack_threshold: float
    delayed_ack_timer: str
    nagle: str
    silly_window_avoidance: str
    device_silly_window_avoidance: str
    device_clock: float
    device_packet_cycles: float
    device_byte_cycles: float
    device_drain_cycles: float
    protocol: str
    link: str


def usable_window_B(job: PrintJob) -> float:
    """What the host sends into an empty window: whole segments; or all of a window that is smaller
    than one.

    RFC 1122 4.2.3.4: a segment goes when it is full, or has at least half the largest window. After
    n >= 1 full segments what is left is less than a segment and less than half the window, so it
    waits.
    """
    return max(job.receive_window_B // job.mss_B * job.mss_B, min(job.receive_window_B, job.mss_B))


def answer_time_s(job: PrintJob, message_B: float, answer_B: float, latency_s: float) -> float:
    """From handing a message down until its answer is there: both on the wire, twice the way, the
    device's latency."""
    wires_s = wire_time_s(message_B, job.link_rate_bps) + wire_time_s(answer_B, job.link_rate_bps)
    return wires_s + 2 * job.link_delay_s + latency_s


def syn_ack_s(job: PrintJob) -> float:
    """From SYN to SYN-ACK."""
    return answer_time_s(job, 0, 0, job.syn_ack_latency_s)


def interactive_reply_s(job: PrintJob, message_B: float) -> float:
    """From a small message to its ACK or one-byte reply (either is a minimum frame)."""
    return answer_time_s(job, message_B, REPLY_B, job.interactive_ack_latency_s)


def early_write_count(job: PrintJob) -> int:
    """How many of the application's first writes fit into the window, the host's buffer and its
    congestion window, one segment each: a first one, then whole writes."""
    least_B = min(job.receive_window_B, job.send_buffer_B, first_congestion_window(job) * job.mss_B)
    return 1 + int(max(least_B - job.first_write_B, 0) // job.write_size_B)


def first_early_ack_s(job: PrintJob) -> float:
    """From the last of the early writes to the ACK of the first, which the device had been holding
    since it came."""
    since_first_s = (early_write_count(job) - 1) * job.write_time_s
    return interactive_reply_s(job, job.first_write_B) - since_first_s


def next_early_ack_s(job: PrintJob) -> float:
    """From one early ACK to the next: the device takes one small segment at a time, and the next is
    there already."""
    return job.interactive_ack_latency_s


def burst_B(job: PrintJob) -> float:
    """What the host sends before it needs an ACK: what the window lets it, and no more than its
    buffer holds, because what is not acknowledged stays there. A buffer that fits into the window
    goes out whole: its last small segment is all there is to send (RFC 1122 4.2.3.4)."""
    if job.send_buffer_B <= job.receive_window_B:
        return job.send_buffer_B
    return usable_window_B(job)


def bulk_ack_s(job: PrintJob, message_B: float) -> float:
    """From a segment of the job to its ACK. A latency drawn from a spread counts with its mean."""
    latency_s = job.ack_latency_s + job.ack_latency_spread_s / 2
    return answer_time_s(job, message_B, 0, latency_s + job.ack_latency_per_byte_s * message_B)


def window_update_s(job: PrintJob) -> float:
    """From the ACK to the window update that says the device's buffer is empty again: both are
    minimum frames, so only the device's own time is between them. 0: there is no such update."""
    return job.drain_latency_s + job.drain_latency_spread_s / 2


def full_window_ack_terms(job: PrintJob) -> tuple[Term, ...]:
    """From the first frame of a window to the ACK of all of it, the latency counting from the
    arrival of the first."""
    sent_B = burst_B(job)
    first_s = wire_time_s(min(sent_B, job.mss_B), job.link_rate_bps)
    return (
        Term("the device's ACK latency", job.ack_latency_s + job.ack_latency_spread_s / 2),
        Term("its time for each byte", job.ack_latency_per_byte_s * sent_B),
        Term("the first segment on the line", first_s),
        Term("the ACK on the line", wire_time_s(0, job.link_rate_bps)),
        Term("the way there and back", 2 * job.link_delay_s),
    )


def full_window_ack_s(job: PrintJob) -> float:
    """The same as one time."""
    return total_s(full_window_ack_terms(job))


def window_cycle(job: PrintJob) -> Cycle:
    """ACK to ACK: the host's reply to the ACK or to the window update after it, then the ACK of
    what it sends; or what the line, the host or the printer's port need for that, if longer; or,
    where the device keeps the ACK back, its timer."""
    if ack_is_withheld(job):
        return Cycle(covered_B(job), withheld_ack_terms(job))
    exchange = (Term("the host's reply", job.reply_time_s), *full_window_ack_terms(job))
    exchange += (Term("the buffer's emptying", drain_wait_s(job)),)
    if job.ack_threshold > 0:
        exchange += (Term("the segments up to the threshold", threshold_wait_s(job)),)
    segments = max(1.0, covered_B(job) / job.mss_B)
    limits = (
        exchange,
        (Term("its segments and their ACKs on the line", segments * busy_line_segment_s(job)),),
        (Term("the host's time for its segments", ceil(segments) * job.segment_time_s),),
        (Term("the printer's port", covered_B(job) / port_rate_Bps(job)),),
    )
    return Cycle(covered_B(job), max(limits, key=total_s))


def window_cycle_s(job: PrintJob) -> float:
    """The same as one time."""
    return window_cycle(job).time_s


def busy_segment_s(job: PrintJob) -> float:
    """From one segment to the next when nothing but the line or the host holds them."""
    return max(busy_line_segment_s(job), job.segment_time_s)


def drain_wait_s(job: PrintJob) -> float:
    """How long the host waits for the device's buffer to empty after an ACK. The window shrinks by
    what the buffer holds, so a burst that fits twice into it never waits; and the update cannot
    come sooner than its frame takes behind the ACK's."""
    if not window_update_s(job) or 2 * burst_B(job) <= job.receive_window_B:
        return 0.0
    return max(window_update_s(job), wire_time_s(0, job.link_rate_bps))


def covered_B(job: PrintJob) -> float:
    """What an ACK covers: all that the host sends; or, where ACKs are kept back up to a threshold,
    the whole segments that first exceed it."""
    if job.ack_threshold == 0 or ack_is_withheld(job):
        return burst_B(job)
    least_B = job.ack_threshold * job.receive_window_B
    return min(burst_B(job), (least_B // job.mss_B + 1) * job.mss_B)


def threshold_wait_s(job: PrintJob) -> float:
    """From the arrival of the first segment after an ACK to that of the last which the next ACK
    waits for: what it covers, less what had left before the ACK came."""
    ahead_B = burst_B(job) - covered_B(job)
    whole, rest_B = divmod(max(covered_B(job) - ahead_B - job.mss_B, 0), job.mss_B)
    whole_wire_s = wire_time_s(job.mss_B, job.link_rate_bps)
    time_s = whole * max(whole_wire_s, job.segment_time_s)
    if rest_B:  # a shorter frame is through sooner after the host has handed it down
        rest_wire_s = wire_time_s(rest_B, job.link_rate_bps)
        time_s += rest_wire_s + max(job.segment_time_s - whole_wire_s, 0.0)
    return time_s


def port_rate_Bps(job: PrintJob) -> float:
    """What the printer's port takes in the long run, and so what the device can."""
    return job.port_rate_bps / 8


def segment_work_s(job: PrintJob) -> tuple[float, float]:
    """What a segment costs a device's processor (its clock is in MHz): to receive it, octet by
    octet of its frame without the check sequence and with its ACK; and to pass it on, with the
    window update after it."""
    segment_B = min(burst_B(job), job.mss_B)
    octets = max(segment_B + HEADERS_B, MINIMUM_FRAME_B) - 4
    receive_cycles = 2 * job.device_packet_cycles + octets * job.device_byte_cycles
    drain_cycles = job.device_packet_cycles + segment_B * job.device_drain_cycles
    return receive_cycles / job.device_clock / 1e6, drain_cycles / job.device_clock / 1e6


def processor_cycle(job: PrintJob) -> Cycle:
    """One window to a device whose processor is what is slow: the longest of the processor's work
    for all of it, the line's time for it, and one segment's way there, through the buffer and back
    as a window."""
    receive_s, drain_s = segment_work_s(job)
    segments = max(1.0, burst_B(job) // job.mss_B)
    way = (
        Term("the host's reply", job.reply_time_s),
        Term("a segment's way and its ACK's", bulk_ack_s(job, min(burst_B(job), job.mss_B))),
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
    """The same as a rate."""
    return processor_cycle(job).rate_Bps


def port_limited_segment_B(job: PrintJob) -> float:
    """The mean segment when the port is what limits: the buffer is full, and each time the port has
    taken a chunk there is that much room.

    Announced and filled at once, that is a chunk a segment for ever: the silly window syndrome (RFC
    813). A sender with RFC 1122's rule (4.2.3.4) waits until the openings make a whole segment. A
    device with its own (4.2.3.3) announces the first multiple of the chunk that reaches a segment
    or half the buffer; a sender that fills whatever it is offered makes that one or more segments.
    """
    if job.silly_window_avoidance == "rfc1122":
        return min(job.mss_B, job.receive_window_B)
    least_B = 1.0
    if job.device_silly_window_avoidance == "true":
        least_B = min(job.mss_B, job.receive_window_B / 2)
    opening_B = ceil(least_B / job.port_chunk_B) * job.port_chunk_B
    return opening_B / ceil(opening_B / job.mss_B)


def ack_is_withheld(job: PrintJob) -> bool:
    """Whether all that the host can send is too little for an ACK without the timer: at most the
    threshold's share of the window offered (IMAGEN V2.1 and V2.2)."""
    return job.ack_threshold > 0 and burst_B(job) <= job.ack_threshold * job.receive_window_B


def withheld_ack_terms(job: PrintJob) -> tuple[Term, ...]:
    """ACK to ACK where only the delayed-ACK timer sends them.

    A timer that runs freely does so every T, as long as the exchange is shorter than that: N bytes
    every T, the source's "very close to N/.5 or 2N bytes per second". One started by the first
    segment adds the exchange to T.
    """
    exchange = (Term("the host's reply", job.reply_time_s), *full_window_ack_terms(job))
    timer_s = job.delayed_ack_timeout_s
    if job.delayed_ack_timer == "free-running":
        ticks = total_s(exchange) // timer_s + 1
        return (Term("the delayed-ACK timer", timer_s * ticks),)
    return (Term("the delayed-ACK timer", timer_s), *exchange)


def busy_line_segment_s(job: PrintJob) -> float:
    """A segment's share of a line that never rests. The Ethernet is shared, so ACKs take their turn
    on it; one covers every segment that has arrived within the latency of the first, or that the
    threshold asks for."""
    segment_s = wire_time_s(min(burst_B(job), job.mss_B), job.link_rate_bps)
    segments_per_ack = 1 + job.ack_latency_s // segment_s
    if job.ack_threshold > 0:
        segments_per_ack = max(1.0, covered_B(job) / job.mss_B)
    return segment_s + wire_time_s(0, job.link_rate_bps) / segments_per_ack


def steady_rate_Bps(job: PrintJob) -> float:
    """One window a cycle. The article: 2920 bytes in 117,695 us are 24,801 bytes a second."""
    return window_cycle(job).rate_Bps


def line_rate_Bps(job: PrintJob) -> float:
    """The ceiling of any window: full segments back to back."""
    return job.mss_B / wire_time_s(job.mss_B, job.link_rate_bps)


def early_bytes_B(job: PrintJob) -> float:
    """The early writes in all: 256 + 3 x 768 = 2560 in a window of 2920."""
    if job.first_write_B >= min(burst_B(job), job.mss_B):
        return 0  # no small writes: the first burst is as all others are
    return job.first_write_B + (early_write_count(job) - 1) * job.write_size_B


def window_start_B(job: PrintJob, near_B: float) -> float:
    """The relative sequence number nearest to the given one at which a window begins.

    SYN, command and subcommand come first, then the early writes; after them every window is full.
    """
    window_B = usable_window_B(job)
    first_B = 1 + COMMAND_B + file_subcommand_B(job) + early_bytes_B(job)
    return first_B + round((near_B - first_B) / window_B) * window_B


def file_subcommand_B(job: PrintJob) -> float:
    """The subcommand that announces the print file: 34 bytes when its size has eight digits."""
    return SUBCOMMAND_B + len(str(int(job.job_size_B)))


def job_bytes_B(job: PrintJob) -> float:
    """All that the host's TCP carries: for LPR the file and what RFC 1179 puts around it."""
    if job.protocol != "lpr":
        return job.job_size_B
    around_B = (
        COMMAND_B + file_subcommand_B(job) + ZERO_OCTET_B + CONTROL_SUBCOMMAND_B + CONTROL_FILE_B
    )
    return job.job_size_B + around_B


def full_window_cycles(job: PrintJob) -> float:
    """How many full windows the print file fills after the early writes."""
    return (file_B(job) - early_bytes_B(job)) // covered_B(job)


def pause_count(job: PrintJob) -> float:
    """How often the port pauses before the job's last byte: it takes whole windows, so it pauses
    after the first multiple of the window that reaches the interval. One more window goes into the
    buffer while it pauses; a job that ends with that does not wait."""
    if not job.drain_pause_every_B:
        return 0
    window_B = burst_B(job)
    before_last_B = max(job_bytes_B(job) - window_B - 1, 0)
    return before_last_B // (ceil(job.drain_pause_every_B / window_B) * window_B)


def stall_s(job: PrintJob) -> float:
    """From the ACK of the segment that finds the port paused to the window's opening.

    The pause runs from the update before that segment; until its ACK the host's reply and the
    segment's own exchange have passed. After the pause the bytes take their usual time to leave.
    """
    before_s = job.reply_time_s + bulk_ack_s(job, burst_B(job))
    return max(0, job.drain_pause_s - before_s) + window_update_s(job)


def probe_time_s(job: PrintJob, number: int) -> float:
    """From the ACK that shut the window to the n-th window probe: the persist timer starts with
    its first interval and doubles (RFC 1122 4.2.2.17), on a clock that ticks. Expiries fall on the
    last tick at or before their time, on average half a tick early, all by the same."""
    return job.first_persist_timeout_s * (2**number - 1) - job.timer_tick_s / 2


def probe_after_s(job: PrintJob, number: int) -> float:
    """From the packet before the n-th probe of a stall, the ACK or the answer to the probe before
    it, to that probe."""
    if number == 1:
        return probe_time_s(job, 1)
    return probe_time_s(job, number) - probe_time_s(job, number - 1) - probe_answer_s(job)


def probe_answer_s(job: PrintJob) -> float:
    """From a window probe to its answer."""
    return answer_time_s(job, 0, 0, job.window_probe_latency_s)


def probes_in_a_stall(job: PrintJob) -> int:
    """How many probes leave before the window opens."""
    number = 0
    while probe_time_s(job, number + 1) < stall_s(job):
        number += 1
    return number


def stall_end_s(job: PrintJob) -> float:
    """From the answer to a stall's last probe to the window's opening."""
    return stall_s(job) - probe_time_s(job, probes_in_a_stall(job)) - probe_answer_s(job)


def whole_job_s(job: PrintJob) -> float:
    """Handshake, dialogue, early writes, slow start, full windows and the rest, one after the
    other, and the port's pauses.

    Left out, because they are less than a millisecond in the Hawking's 15 minutes: write times and
    the wire times of the early writes' ACKs.
    """
    handshake_s = syn_ack_s(job) + job.reply_time_s
    early_s = early_write_count(job) * job.interactive_ack_latency_s if early_bytes_B(job) else 0
    grown_B, growth_s = slow_start(job)
    left_B = max(file_B(job) - early_bytes_B(job) - grown_B, 0)
    full_bursts, rest_B = divmod(left_B, covered_B(job))
    if full_bursts and rest_B <= room_behind_B(job):
        rest_B = 0  # it goes with the last full burst
    bulk_s = full_bursts * window_cycle_s(job)
    # The job ends with an ACK, not with the update after it.
    bulk_s += last_burst_s(job, rest_B) if rest_B else -drain_wait_s(job)
    pauses_s = pause_count(job) * (stall_s(job) - window_update_s(job))
    return handshake_s + _dialogue_s(job) + early_s + growth_s + bulk_s + pauses_s


def file_B(job: PrintJob) -> float:
    """The print file, behind which LPR has a zero octet."""
    return job.job_size_B + (ZERO_OCTET_B if job.protocol == "lpr" else 0)


def first_congestion_window(job: PrintJob) -> float:
    """In segments, when the file begins: one more for each ACK of new data (RFC 5681 3.1), of which
    LPR has had two."""
    return job.initial_window + (2 if job.protocol == "lpr" else 0)


def slow_start(job: PrintJob) -> tuple[float, float]:
    """What goes in bursts that the congestion window holds below full ones, in bytes and seconds.

    An ACK covers a whole burst here and adds one segment to the next (RFC 5681 3.1 counts ACKs), so
    bursts grow by one segment a cycle and do not double.
    """
    window = first_congestion_window(job)
    if early_bytes_B(job):
        window += early_write_count(job)
    sent_B = time_s = 0.0
    left_B = file_B(job) - early_bytes_B(job)
    while (burst := window * job.mss_B) < covered_B(job) and sent_B + burst <= left_B:
        sent_B, window = sent_B + burst, window + 1
        time_s += window_cycle_s(replace(job, send_buffer_B=burst))
    return sent_B, time_s


def room_behind_B(job: PrintJob) -> float:
    """What still goes with the last full burst: whatever is small goes when it is all there is and
    the window has room (RFC 1122 4.2.3.4)."""
    if job.nagle == "true" or job.silly_window_avoidance != "rfc1122":
        return 0.0
    return min(job.receive_window_B, job.send_buffer_B) - burst_B(job)


def last_burst_s(job: PrintJob, rest_B: float) -> float:
    """What is left after the full bursts: an exchange of its own."""
    last = replace(job, send_buffer_B=rest_B)
    if ack_is_withheld(last):
        return total_s(withheld_ack_terms(last))
    return job.reply_time_s + full_window_ack_s(last)


def _dialogue_s(job: PrintJob) -> float:
    """The command's ACK and later reply, three subcommands or files, and the host's thinking before
    each."""
    if job.protocol != "lpr":
        return job.think_time_s
    messages = (COMMAND_B, file_subcommand_B(job), CONTROL_SUBCOMMAND_B, CONTROL_FILE_B)
    replies_s = sum(
        job.think_time_s + interactive_reply_s(job, message_B) for message_B in messages
    )
    return replies_s + job.job_command_time_s
