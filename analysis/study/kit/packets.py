# SPDX-License-Identifier: GPL-2.0-only
"""Times between packets, read off a run's segment table."""

from collections.abc import Iterator
from itertools import pairwise
from statistics import median

from study.programs.segments import Segment
from study.system.measured import Measured
from study.system.system import Result


def packet_delta_s(result: Result, measured: Measured) -> float | None:
    """The time since the packet before, as tcpdump -ttt counts; the first such packet's."""
    return next(_deltas_s(result, measured), None)


def usual_delta_s(result: Result, measured: Measured) -> float | None:
    """The median of the times since the packet before, over all such packets."""
    deltas = list(_deltas_s(result, measured))
    return median(deltas) if deltas else None


def _deltas_s(result: Result, measured: Measured) -> Iterator[float]:
    wanted = dict(measured.packet)
    probes = wanted.pop("probes", None)
    counts = probe_counts(result.packets)
    for (before, segment), count in zip(pairwise(result.packets), counts[1:], strict=True):
        if _is(segment, wanted) and probes in (None, count):
            yield segment.time_s - before.time_s


def probe_counts(packets: list[Segment]) -> list[int]:
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


def _is(segment: Segment, wanted: dict) -> bool:
    fields = {name: value for name, value in wanted.items() if name not in ("from", "flags")}
    return (
        segment.sender == wanted["from"]
        and segment.control == wanted.get("flags", "")
        and all(getattr(segment, name) == value for name, value in fields.items())
    )
