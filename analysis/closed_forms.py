# SPDX-License-Identifier: GPL-2.0-only
"""What a print job should take, worked out on paper from the same parameters: the second judge of
the simulation.

One function a mechanism, each with its derivation. Nothing here is read off a run. The path is one
Ethernet; a frame carries its TCP payload and 58 octets more, and a host's stamp is taken when it
hands the frame down or has received it whole.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from analysis.units import bits_per_second, seconds

# TCP (RFC 793 3.1), IP (RFC 791 3.1), Ethernet II header and frame check sequence (RFC 894)
HEADERS_B = 20 + 20 + 14 + 4
MINIMUM_FRAME_B = 64  # IEEE 802.3 4A.2.3.2.4: shorter frames are padded

# The dialogue of an LPR job (RFC 1179 5.2, 6.2, 6.3), as the Hawking's trace has it.
COMMAND_B = 5  # receive job: 0x02, queue name "lp0" or like it, LF
SUBCOMMAND_B = 26  # code, blank, file name of 23 characters, LF; and the size in digits
CONTROL_SUBCOMMAND_B = SUBCOMMAND_B + 2
CONTROL_FILE_B = 61  # with its zero octet
ZERO_OCTET_B = 1
REPLY_B = 1


@dataclass(frozen=True)
class PrintJob:
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
    protocol: str

    @classmethod
    def of(cls, parameters: Mapping[str, str]) -> "PrintJob":
        """From a run's parameters in ns-3's notation."""
        readers = {"s": seconds, "B": float, "bps": bits_per_second}
        values: dict[str, float | str] = {"protocol": parameters["protocol"]}
        for name in cls.__dataclass_fields__:
            key, _, unit = name.rpartition("_")
            if unit in readers:
                values[name] = readers[unit](parameters[key])
        return cls(**values)


def wire_time_s(payload_B: float, link_rate_bps: float) -> float:
    """How long a frame occupies the wire: payload and headers, at least a minimum frame."""
    return max(payload_B + HEADERS_B, MINIMUM_FRAME_B) * 8 / link_rate_bps


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
    """How many of the application's first writes fit into the window, one segment each: a first
    one, then whole writes."""
    room_B = job.receive_window_B - job.first_write_B
    return 1 + int(max(room_B, 0) // job.write_size_B)


def first_early_ack_s(job: PrintJob) -> float:
    """From the last of the early writes to the ACK of the first, which the device had been holding
    since it came."""
    since_first_s = (early_write_count(job) - 1) * job.write_time_s
    return interactive_reply_s(job, job.first_write_B) - since_first_s


def next_early_ack_s(job: PrintJob) -> float:
    """From one early ACK to the next: the device takes one small segment at a time, and the next is
    there already."""
    return job.interactive_ack_latency_s


def full_window_ack_s(job: PrintJob) -> float:
    """From the first frame of a window to the ACK of all of it, the latency counting from the
    arrival of the first."""
    window_B = usable_window_B(job)
    latency_s = job.ack_latency_s + job.ack_latency_per_byte_s * window_B
    return answer_time_s(job, min(window_B, job.mss_B), 0, latency_s)


def window_cycle_s(job: PrintJob) -> float:
    """ACK to ACK: the host's reply to the ACK, then the ACK of a full window; or, when the line
    needs longer than that for the window, what the line needs."""
    segments = max(1.0, usable_window_B(job) / job.mss_B)
    return max(job.reply_time_s + full_window_ack_s(job), segments * busy_line_segment_s(job))


def busy_line_segment_s(job: PrintJob) -> float:
    """A segment's share of a line that never rests. The Ethernet is shared, so ACKs take their turn
    on it; one covers every segment that has arrived within the latency of the first."""
    segment_s = wire_time_s(min(job.receive_window_B, job.mss_B), job.link_rate_bps)
    segments_per_ack = 1 + job.ack_latency_s // segment_s
    return segment_s + wire_time_s(0, job.link_rate_bps) / segments_per_ack


def steady_rate_Bps(job: PrintJob) -> float:
    """One window a cycle. The article: 2920 bytes in 117,695 us are 24,801 bytes a second."""
    return usable_window_B(job) / window_cycle_s(job)


def line_rate_Bps(job: PrintJob) -> float:
    """The ceiling of any window: full segments back to back."""
    return job.mss_B / wire_time_s(job.mss_B, job.link_rate_bps)


def early_bytes_B(job: PrintJob) -> float:
    """The early writes in all: 256 + 3 x 768 = 2560 in a window of 2920."""
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
    file_B = job.job_size_B + (ZERO_OCTET_B if job.protocol == "lpr" else 0)
    return (file_B - early_bytes_B(job)) // usable_window_B(job)


def whole_job_s(job: PrintJob) -> float:
    """Handshake, dialogue, early writes, full windows and the rest, one after the other.

    Left out: slow start, which ends with the second segment in a window of two; and, because they
    are less than a millisecond in the Hawking's 15 minutes, write times and
    the wire times of the early writes' ACKs.
    """
    handshake_s = syn_ack_s(job) + job.reply_time_s
    early_s = early_write_count(job) * job.interactive_ack_latency_s
    cycles_s = (full_window_cycles(job) + 1) * window_cycle_s(
        job
    )  # the rest of the file takes a cycle of its own
    return handshake_s + _dialogue_s(job) + early_s + cycles_s


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
