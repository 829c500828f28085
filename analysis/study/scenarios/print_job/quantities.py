# SPDX-License-Identifier: GPL-2.0-only
"""The measured figures of a print job: each kind, as the simulation shows it and as the closed form
has it."""

from itertools import pairwise
from statistics import median, mode

from study.kit.packets import packet_delta_s, probe_counts, usual_delta_s
from study.kit.quantity import Judges, Quantity
from study.programs.segments import Segment
from study.scenarios.print_job import cycles, messages, pauses, whole_job
from study.scenarios.print_job.messages import PrintJob
from study.system.measured import Measured
from study.system.system import Result


def _stalls(result: Result) -> list[tuple[float, int]]:
    """Time and probes from each ACK that shut the window to the update that opened it, where the
    host probed in between."""
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


def _stall_s(result: Result, _: Measured) -> float | None:
    stalls = _stalls(result)
    return median(time_s for time_s, _ in stalls) if stalls else None


def _probes_in_a_stall(result: Result, _: Measured) -> float | None:
    stalls = _stalls(result)
    return median(probes for _, probes in stalls) if stalls else None


def _full_cycles(result: Result) -> list[tuple[float, int]]:
    """Time and bytes between successive pure ACKs of the device, where they acknowledge what most
    of them do. Of several with one number, such as ACK and window update, the first counts."""
    acks: dict[int | None, Segment] = {}
    for segment in result.packets:
        if segment.sender == "device" and not segment.length and not segment.control:
            acks.setdefault(segment.ack, segment)
    steps = [(b.time_s - a.time_s, b.ack - a.ack) for a, b in pairwise(acks.values())]
    if not steps:
        return []
    usual_B = mode(size_B for _, size_B in steps)
    return [step for step in steps if step[1] == usual_B]


def _steady_cycle_s(result: Result, _: Measured) -> float | None:
    cycles = _full_cycles(result)
    return median(time_s for time_s, _ in cycles) if cycles else None


def _cycle_rate_Bps(result: Result, _: Measured) -> float | None:
    cycles = _full_cycles(result)
    return median(size_B / time_s for time_s, size_B in cycles) if cycles else None


def _window_start_B(result: Result, measured: Measured) -> float | None:
    """The nearest byte at which the host began to send again after an ACK."""
    starts = [
        after.seq
        for before, after in pairwise(result.packets)
        if before.sender == "device" and after.sender == "host" and after.length
    ]
    return min(starts, key=lambda seq: abs(seq - measured.value), default=None)


QUANTITIES: dict[str, Quantity[PrintJob]] = {
    "steady_cycle": Quantity(_steady_cycle_s, lambda job, _: cycles.window_cycle_s(job)),
    "cycle_rate": Quantity(_cycle_rate_Bps, lambda job, _: cycles.steady_rate_Bps(job), "B/s"),
    "full_window_cycles": Quantity(
        lambda result, _: len(_full_cycles(result)),
        lambda job, _: whole_job.full_window_cycles(job),
        "1",
    ),
    "whole_job_rate": Quantity(
        lambda result, _: result.throughput_Bps,
        lambda job, _: messages.job_bytes_B(job) / whole_job.whole_job_s(job),
        "B/s",
    ),
    "duration": Quantity(
        lambda result, _: result.duration_s, lambda job, _: whole_job.whole_job_s(job)
    ),
    "job_bytes": Quantity(
        lambda result, _: result.bytes, lambda job, _: messages.job_bytes_B(job), "B"
    ),
    "window_start": Quantity(
        _window_start_B, lambda job, measured: whole_job.window_start_B(job, measured.value), "B"
    ),
    "syn_ack": Quantity(packet_delta_s, lambda job, _: messages.syn_ack_s(job)),
    "interactive_reply": Quantity(
        packet_delta_s,
        lambda job, measured: messages.interactive_reply_s(job, measured.message_B or 0),
    ),
    "command_reply": Quantity(packet_delta_s, lambda job, _: job.job_command_time_s),
    "first_early_ack": Quantity(packet_delta_s, lambda job, _: messages.first_early_ack_s(job)),
    "next_early_ack": Quantity(packet_delta_s, lambda job, _: messages.next_early_ack_s(job)),
    "last_data_reply": Quantity(
        packet_delta_s, lambda job, _: cycles.full_window_ack_s(job) - job.segment_time_s
    ),
    "bulk_ack": Quantity(
        usual_delta_s, lambda job, measured: cycles.bulk_ack_s(job, measured.message_B or 0)
    ),
    "window_update": Quantity(usual_delta_s, lambda job, _: cycles.window_update_s(job)),
    "probe": Quantity(
        usual_delta_s,
        lambda job, measured: pauses.probe_after_s(job, measured.packet["probes"]),
    ),
    "probe_answer": Quantity(usual_delta_s, lambda job, _: pauses.probe_answer_s(job)),
    "stall": Quantity(_stall_s, lambda job, _: pauses.stall_s(job)),
    "stall_end": Quantity(usual_delta_s, lambda job, _: pauses.stall_end_s(job)),
    "probes_in_a_stall": Quantity(
        _probes_in_a_stall, lambda job, _: pauses.probes_in_a_stall(job), "1"
    ),
}

JUDGES = Judges(PrintJob, QUANTITIES)
