# SPDX-License-Identifier: GPL-2.0-only
"""Ladder diagrams: packets as slanted arrows between two vertical lines, time running down. Shared
by the figures that put a source's exchange beside the simulated one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from study.drawing import style
from study.kit.wire import wire_time_s
from study.programs.segments import Segment
from study.scenarios.print_job.formulas import PrintJob

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Arrow:
    """A packet on the wire, in milliseconds since the first one drawn."""

    segment: Segment
    host_ms: float
    device_ms: float


def arrows(segments: Sequence[Segment], job: PrintJob) -> list[Arrow]:
    """Add each frame's wire time to its stamp at the host: after it for the host's frames, which
    wait for one another, before it for the device's."""
    drawn, free_s, origin_s = [], 0.0, segments[0].time_s
    for segment in segments:
        wire_s = wire_time_s(segment.length, job.link_rate_bps)
        host_s = segment.time_s - origin_s
        if segment.sender == "host":
            free_s = device_s = max(host_s, free_s) + wire_s
        else:
            device_s = host_s - wire_s
        drawn.append(Arrow(segment, host_s * 1000, device_s * 1000))
    return drawn


def draw_arrows(axes: "Axes", side: Sequence[Arrow], near: str = "host") -> None:
    """From the near end solid and blue, to it dashed and brown."""
    for arrow in side:
        from_host = arrow.segment.sender == near
        ends = [(0, arrow.host_ms), (1, arrow.device_ms)]
        start, end = ends if from_host else reversed(ends)
        line = {
            "arrowstyle": "-|>",
            "color": style.DATA if from_host else style.ACK,
            "linestyle": "-" if from_host else (0, (4, 2)),
            "linewidth": 0.9,
            "mutation_scale": 7,
            "shrinkA": 0,
            "shrinkB": 0,
        }
        axes.annotate("", end, start, arrowprops=line)


def frame(axes: "Axes", low_ms: float, high_ms: float) -> None:
    """Two vertical lines, host and device, with time running down."""
    axes.set(xlim=(0, 1), ylim=(high_ms, low_ms))
    axes.spines["right"].set_visible(True)
    axes.spines["bottom"].set_visible(False)
    axes.set_xticks([0, 1], ["host", "device"])
    axes.tick_params(axis="x", length=0, labeltop=True, labelbottom=False)
    axes.set_ylabel("time (ms)" if axes.get_subplotspec().is_first_col() else "")


def table(sides: Mapping[str, Sequence[Arrow]]) -> "pd.DataFrame":
    """Every arrow drawn, with its exchange: the first word of the title."""
    import pandas as pd

    rows = [
        (name.split()[0], f"{arrow.host_ms:.6f}", *arrow.segment[1:7])
        for name, side in sides.items()
        for arrow in side
    ]
    columns = ["exchange", "time_ms", "sender", "seq", "length", "ack", "window", "flags"]
    return pd.DataFrame(rows, columns=columns)
