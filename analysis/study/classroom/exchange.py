# SPDX-License-Identifier: GPL-2.0-only
"""The packets of a few round trips from the middle of a job, for the page's ladder diagram."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from study.base.units import seconds
from study.drawing.arrows import arrows as wire_arrows
from study.kit import links
from study.programs.segments import Segment
from study.scenarios.file_read import formulas as file_read
from study.scenarios.file_read.formulas import FileRead
from study.system.system import Result

PACKETS = 16  # what there is room for
SETTLED = 0.55  # of the packets: past the start of the connection, before its end
TURNS = 3  # how often the near end may begin anew


class Arrow(NamedTuple):
    """A packet, in microseconds since the first one shown: when it was at each end."""

    near_us: int
    far_us: int
    from_near: int  # 1 or 0: it travels as JSON
    label: str


def arrows(result: Result, ends: Sequence[str]) -> list[Arrow]:
    """From where the near end has data, or a request, after it heard from the far end."""
    packets = result.packets
    far_s = _far_s(result, ends)
    begin, end = _span(packets, ends[0])
    origin_s = packets[begin].time_s
    return [
        Arrow(
            round((packet.time_s - origin_s) * 1e6),
            round((at_s - origin_s) * 1e6),
            int(packet.sender == ends[0]),
            _label(packet, ends),
        )
        for packet, at_s in zip(packets[begin:end], far_s[begin:end], strict=True)
    ]


def _span(packets: Sequence[Segment], near: str) -> tuple[int, int]:
    with_data = any(p.length for p in packets if p.sender == near)
    starts = [
        place
        for place, (before, packet) in enumerate(pairwise(packets), 1)
        if packet.sender == near != before.sender and (packet.length or not with_data)
    ]
    settled = int(len(packets) * SETTLED)
    later = [place for place in starts if place >= settled] or starts[-1:] or [0]
    turns = [place for place in starts if place > later[0]]
    last = turns[TURNS - 1] if len(turns) >= TURNS else len(packets)
    last = min(last, later[0] + PACKETS)
    while last < len(packets) and all(p.sender == near for p in packets[later[0] : last]):
        last += 1  # a large window: up to the first answer
    return later[0], last


def _far_s(result: Result, ends: Sequence[str]) -> list[float]:
    """When each packet was at the far end; stamps are those of the near one."""
    if "file_size" in result.parameters:
        return _far_over_wan_s(result, ends)
    over_ethernet = result.parameters.get("link", "ethernet") == "ethernet"
    delay_s = seconds(result.parameters["link_delay"]) if over_ethernet else 0.0
    return [
        arrow.far_ms / 1000 + (delay_s if arrow.segment.sender == ends[0] else -delay_s)
        for arrow in wire_arrows(result.packets, links.line(result.parameters), ends[0])
    ]


def _far_over_wan_s(result: Result, ends: Sequence[str]) -> list[float]:
    """A reply leaves the server its time after the request has come, the others of a burst behind
    it on the server's own LAN."""
    form = FileRead.of(result.parameters)
    request_s = file_read.one_way_s(form, file_read.request_ipx_B(form))
    lan_s = file_read.hops_s(form, file_read.data_ipx_B(form))["headquarters LAN"]
    step_s = max(lan_s, form.burst_gap_s)
    far_s, leaves_s = [], 0.0
    for packet in result.packets:
        if packet.sender == ends[0]:
            far_s.append(packet.time_s + request_s)
            leaves_s = far_s[-1] + form.server_time_s
        else:
            far_s.append(min(leaves_s, packet.time_s))
            leaves_s += step_s
    return far_s


def _label(packet: Segment, ends: Sequence[str]) -> str:
    if packet.length:
        return f"{packet.length:,} B"
    if ends[0] == "workstation":
        return f"asks for {packet.window:,} B"
    return f"ACK, window {packet.window:,}" if ends[1] == "device" else "ACK"
