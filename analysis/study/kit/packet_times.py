# SPDX-License-Identifier: GPL-2.0-only
"""Times between packets, read off a run's segment table."""

from collections.abc import Iterable, Iterator
from itertools import islice, pairwise, repeat
from operator import attrgetter
from statistics import median

from study.programs.segments import Segment
from study.system.measured import Measured
from study.system.system import Result

AS_A_FIELD = {"from": "sender", "flags": "control"}  # names in a system file, as a segment's fields


def packet_delta_s(result: Result, measured: Measured) -> float | None:
    """Return the time in seconds since the packet before, as tcpdump -ttt shows it, of the first
    matching packet, or None if none matches."""
    return next(_deltas_s(result, measured), None)


def usual_delta_s(result: Result, measured: Measured) -> float | None:
    """Return the median time in seconds since the packet before, over all matching packets."""
    return usual(_deltas_s(result, measured))


def usual(values: Iterable[float]) -> float | None:
    """Return the median, or None for no values."""
    found = list(values)
    return median(found) if found else None


def _deltas_s(result: Result, measured: Measured) -> Iterator[float]:
    packet = measured.packet
    wanted = {"sender": packet["from"], "control": ""}
    wanted |= {AS_A_FIELD.get(name, name): value for name, value in packet.items()}
    probes = wanted.pop("probes", None)
    packets = result.packets
    counts = repeat(None, len(packets)) if probes is None else probe_counts(packets)
    # A job of 22 MB has tens of thousands of packets, and several figures read each.
    told, as_wanted = attrgetter(*wanted, "sender"), (*wanted.values(), wanted["sender"])
    for (before, segment), count in zip(pairwise(packets), islice(counts, 1, None), strict=True):
        if told(segment) == as_wanted and count == probes:
            yield segment.time_s - before.time_s


def probe_counts(packets: list[Segment]) -> list[int]:
    """Return for each packet the number of window probes since the host's last data, this packet
    included. A probe is an empty segment of the host while the device's window is 0."""
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
