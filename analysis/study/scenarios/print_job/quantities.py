# SPDX-License-Identifier: GPL-2.0-only
"""The measured figures of a print job: each kind, as the simulation shows it and as the closed form
has it."""

from itertools import pairwise
from operator import attrgetter
from statistics import mode

from study.kit.packet_times import packet_delta_s, probe_counts, usual, usual_delta_s
from study.kit.quantity import Judges, Quantity, alone
from study.programs.segments import Segment
from study.scenarios.print_job import cycles, messages, pauses, whole_job
from study.scenarios.print_job.messages import PrintJob
from study.system.measured import Measured
from study.system.system import Result


def _stalls(result: Result) -> list[tuple[float, int]]:
    """Return each stall's duration and number of probes, from the ACK that shut the window to the
    update that opened it, if the host probed."""
    stalls, shut_s = [], None
    for segment, probes in zip(result.packets, probe_counts(result.packets), strict=True):
        if segment.sender != "device":
            continue
        if segment.window == 0:
            shut_s = segment.time_s if shut_s is None else shut_s
            continue
        if shut_s is not None and probes:
            stalls.append((segment.time_s - shut_s, probes))
        shut_s = None
    return stalls


def _full_cycles(result: Result) -> list[tuple[float, int]]:
    """Return time and bytes between successive pure ACKs of the device that acknowledge the usual
    number of bytes. Of packets with the same ACK number, such as ACK and window update, use the
    first."""
    acks: dict[int | None, Segment] = {}
    for segment in result.packets:
        if segment.sender == "device" and not segment.length and not segment.control:
            acks.setdefault(segment.ack, segment)
    steps = [(b.time_s - a.time_s, b.ack - a.ack) for a, b in pairwise(acks.values())]
    if not steps:
        return []
    usual_B = mode(size_B for _, size_B in steps)
    return [step for step in steps if step[1] == usual_B]


def _window_start_B(result: Result, measured: Measured) -> float | None:
    """Return the nearest byte at which the host began to send again after an ACK."""
    starts = [
        after.seq
        for before, after in pairwise(result.packets)
        if before.sender == "device" and after.sender == "host" and after.length
    ]
    return min(starts, key=lambda seq: abs(seq - measured.value), default=None)


QUANTITIES: dict[str, Quantity[PrintJob]] = {
    "steady_cycle": Quantity(
        alone(lambda result: usual(time_s for time_s, _ in _full_cycles(result))),
        alone(cycles.window_cycle_s),
    ),
    "cycle_rate": Quantity(
        alone(lambda result: usual(size_B / time_s for time_s, size_B in _full_cycles(result))),
        alone(cycles.steady_rate_Bps),
        "B/s",
    ),
    "full_window_cycles": Quantity(
        alone(lambda result: len(_full_cycles(result))), alone(whole_job.full_window_cycles), "1"
    ),
    "whole_job_rate": Quantity(
        alone(attrgetter("throughput_Bps")), alone(whole_job.whole_job_rate_Bps), "B/s"
    ),
    "duration": Quantity(alone(attrgetter("duration_s")), alone(whole_job.whole_job_s)),
    "job_bytes": Quantity(alone(attrgetter("bytes")), alone(messages.job_bytes_B), "B"),
    "window_start": Quantity(
        _window_start_B, lambda job, measured: whole_job.window_start_B(job, measured.value), "B"
    ),
    "syn_ack": Quantity(packet_delta_s, alone(messages.syn_ack_s)),
    "interactive_reply": Quantity(
        packet_delta_s,
        lambda job, measured: messages.interactive_reply_s(job, measured.message_B or 0),
    ),
    "command_reply": Quantity(packet_delta_s, alone(attrgetter("job_command_time_s"))),
    "first_early_ack": Quantity(packet_delta_s, alone(messages.first_early_ack_s)),
    # The device takes one small segment at a time; the next has arrived already.
    "next_early_ack": Quantity(packet_delta_s, alone(attrgetter("interactive_ack_latency_s"))),
    "last_data_reply": Quantity(
        packet_delta_s, alone(lambda job: cycles.full_window_ack_s(job) - job.segment_time_s)
    ),
    "bulk_ack": Quantity(
        usual_delta_s, lambda job, measured: cycles.bulk_ack_s(job, measured.message_B or 0)
    ),
    "window_update": Quantity(usual_delta_s, alone(cycles.window_update_s)),
    "probe": Quantity(
        usual_delta_s, lambda job, measured: pauses.probe_after_s(job, measured.packet["probes"])
    ),
    "probe_answer": Quantity(usual_delta_s, alone(pauses.probe_answer_s)),
    "stall": Quantity(
        alone(lambda result: usual(time_s for time_s, _ in _stalls(result))), alone(pauses.stall_s)
    ),
    "stall_end": Quantity(usual_delta_s, alone(pauses.stall_end_s)),
    "probes_in_a_stall": Quantity(
        alone(lambda result: usual(probes for _, probes in _stalls(result))),
        alone(pauses.probes_in_a_stall),
        "1",
    ),
}

JUDGES = Judges(PrintJob, QUANTITIES)
