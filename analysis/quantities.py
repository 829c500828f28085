# SPDX-License-Identifier: GPL-2.0-only
"""How a measured figure is read off a run, and its closed form: one entry in QUANTITIES for each
`kind` of a system file.

Values are in the base unit of their kind: seconds, bytes, bytes per second, or a bare count.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from statistics import median, mode

from analysis import closed_forms
from analysis.closed_forms import PrintJob
from analysis.errors import unknown
from analysis.segments import Segment
from analysis.system import Measured, Result
from analysis.units import MEASURED


@dataclass(frozen=True)
class Quantity:
    """Two of the three judges; the third is the measurement. A simulated None means that it did not
    occur."""

    simulated: Callable[[Result, Measured], float | None]
    closed_form: Callable[[PrintJob, Measured], float]


def _packet_delta_s(result: Result, measured: Measured) -> float | None:
    """The time since the packet before, as tcpdump -ttt counts; the first such packet's."""
    return next(_deltas_s(result, measured), None)


def _usual_delta_s(result: Result, measured: Measured) -> float | None:
    """The median of the times since the packet before, over all such packets."""
    deltas = list(_deltas_s(result, measured))
    return median(deltas) if deltas else None


def _deltas_s(result: Result, measured: Measured) -> Iterator[float]:
    wanted = dict(measured.packet)
    probes = wanted.pop("probes", None)
    counts = _probe_counts(result.packets)
    for (before, segment), count in zip(pairwise(result.packets), counts[1:], strict=True):
        if _is(segment, wanted) and probes in (None, count):
            yield segment.time_s - before.time_s


def _probe_counts(packets: list[Segment]) -> list[int]:
    """For each packet, how many window probes the host has sent since its last data, this one
    included: a probe is an empty segment of the host while the device's window is shut."""
    counts, count, window = [], 0, None
    for segment in packets:
        if segment.sender == "device":
            window = segment.window
        elif segment.length:
            count = 0
        elif window == 0 and not segment.control:
            count += 1
        counts.append(count)
    return counts


def _stalls(result: Result) -> list[tuple[float, int]]:
    """Time and probes from each ACK that shut the window to the update that opened it, where the
    host probed in between."""
    stalls, shut_s = [], None
    for segment, probes in zip(result.packets, _probe_counts(result.packets), strict=True):
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


def _is(segment: Segment, wanted: dict) -> bool:
    fields = {name: value for name, value in wanted.items() if name not in ("from", "flags")}
    return (
        segment.sender == wanted["from"]
        and segment.control == wanted.get("flags", "")
        and all(getattr(segment, name) == value for name, value in fields.items())
    )


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


QUANTITIES: dict[str, Quantity] = {
    "steady_cycle": Quantity(_steady_cycle_s, lambda job, _: closed_forms.window_cycle_s(job)),
    "cycle_rate": Quantity(_cycle_rate_Bps, lambda job, _: closed_forms.steady_rate_Bps(job)),
    "full_window_cycles": Quantity(
        lambda result, _: len(_full_cycles(result)),
        lambda job, _: closed_forms.full_window_cycles(job),
    ),
    "whole_job_rate": Quantity(
        lambda result, _: result.throughput_Bps,
        lambda job, _: closed_forms.job_bytes_B(job) / closed_forms.whole_job_s(job),
    ),
    "duration": Quantity(
        lambda result, _: result.duration_s, lambda job, _: closed_forms.whole_job_s(job)
    ),
    "job_bytes": Quantity(
        lambda result, _: result.bytes, lambda job, _: closed_forms.job_bytes_B(job)
    ),
    "window_start": Quantity(
        _window_start_B, lambda job, measured: closed_forms.window_start_B(job, measured.value)
    ),
    "syn_ack": Quantity(_packet_delta_s, lambda job, _: closed_forms.syn_ack_s(job)),
    "interactive_reply": Quantity(
        _packet_delta_s,
        lambda job, measured: closed_forms.interactive_reply_s(job, measured.message_B or 0),
    ),
    "command_reply": Quantity(_packet_delta_s, lambda job, _: job.job_command_time_s),
    "first_early_ack": Quantity(
        _packet_delta_s, lambda job, _: closed_forms.first_early_ack_s(job)
    ),
    "next_early_ack": Quantity(_packet_delta_s, lambda job, _: closed_forms.next_early_ack_s(job)),
    "last_data_reply": Quantity(
        _packet_delta_s, lambda job, _: closed_forms.full_window_ack_s(job) - job.segment_time_s
    ),
    "bulk_ack": Quantity(
        _usual_delta_s, lambda job, measured: closed_forms.bulk_ack_s(job, measured.message_B or 0)
    ),
    "window_update": Quantity(_usual_delta_s, lambda job, _: closed_forms.window_update_s(job)),
    "probe": Quantity(
        _usual_delta_s,
        lambda job, measured: closed_forms.probe_after_s(job, measured.packet["probes"]),
    ),
    "probe_answer": Quantity(_usual_delta_s, lambda job, _: closed_forms.probe_answer_s(job)),
    "stall": Quantity(_stall_s, lambda job, _: closed_forms.stall_s(job)),
    "stall_end": Quantity(_usual_delta_s, lambda job, _: closed_forms.stall_end_s(job)),
    "probes_in_a_stall": Quantity(
        _probes_in_a_stall, lambda job, _: closed_forms.probes_in_a_stall(job)
    ),
}


@dataclass(frozen=True)
class Comparison:
    """One measured figure beside its closed form and its simulation, all in the unit it was
    measured in."""

    measured: Measured
    closed_form: float
    simulated: float | None

    @property
    def residual_pct(self) -> float | None:
        """How far the simulation is from the measurement, in percent of the measurement."""
        if self.simulated is None:
            return None
        return (self.simulated - self.measured.value) / self.measured.value * 100


def compare(measured: tuple[Measured, ...], result: Result) -> list[Comparison]:
    """All measured figures of a system beside one run of it (which must have kept its segments)."""
    job = PrintJob.of(result.parameters)
    return [_comparison(row, result, job) for row in measured]


def _comparison(row: Measured, result: Result, job: PrintJob) -> Comparison:
    if row.kind not in QUANTITIES:
        raise unknown("kind of measured quantity", row.kind, QUANTITIES)
    quantity, unit = QUANTITIES[row.kind], MEASURED[row.unit]
    simulated = quantity.simulated(result, row)
    return Comparison(
        measured=row,
        closed_form=quantity.closed_form(job, row) / unit,
        simulated=None if simulated is None else simulated / unit,
    )
