# SPDX-License-Identifier: GPL-2.0-only
"""Ladder diagrams: packets as slanted arrows between two vertical lines. Time runs down."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from study.drawing import style
from study.kit.wire import wire_time_s
from study.programs.segments import Segment


@dataclass(frozen=True)
class Arrow:
    """A packet, in milliseconds at the end whose clock stamps it and at the far one."""

    segment: Segment
    near_ms: float
    far_ms: float  # of a lost one, when it would have been there as things stood

    @property
    def is_told(self) -> bool:
        """Whether the link told the time at the far end."""
        return self.segment.lost or self.segment.far_s is not None


def arrows(
    segments: Sequence[Segment], rate_bps: float | None, near: str = "host", origin_s: float = 0.0
) -> list[Arrow]:
    """Return each packet with its time at the far end, if the link recorded it. Otherwise compute
    this time from the stamp at the near end and the frame's transmission time at `rate_bps`: later
    for frames of the near end, which wait for one another, earlier for frames of the far end.
    Without a rate the transmission time is 0."""
    drawn, free_s = [], 0.0
    way_s = _usual_way_s(segments, near)
    for segment in segments:
        wire_s = wire_time_s(segment.length, rate_bps) if rate_bps else 0.0
        near_s = segment.time_s - origin_s
        if segment.far_s is not None:
            far_s = segment.far_s - origin_s
        elif segment.lost:
            far_s = near_s + way_s
        elif segment.sender == near:
            free_s = far_s = max(near_s, free_s) + wire_s
        else:
            far_s = near_s - wire_s
        drawn.append(Arrow(segment, near_s * 1000, far_s * 1000))
    return drawn


def _usual_way_s(segments: Sequence[Segment], near: str) -> float:
    """From the near end to the far one: what a lost packet would have taken."""
    ways_s = [s.far_s - s.time_s for s in segments if s.sender == near and s.far_s is not None]
    return min(ways_s, default=0.0)


def draw_arrows(
    axes: style.Axes, side: Sequence[Arrow], near: str = "host", data: str | None = None
) -> None:
    """Draw the packets as arrows. Those of the end that sends the data are solid and blue, those
    of the other end dashed and brown. A lost packet ends half way in a cross. `data` names the end
    that sends the data, `near` by default."""
    for arrow in side:
        ends = [(0, arrow.near_ms), (1, arrow.far_ms)]
        start, end = ends if arrow.segment.sender == near else reversed(ends)
        is_data = arrow.segment.sender == (data or near)
        colour = style.DATA if is_data else style.ACK
        if arrow.segment.lost:
            start, end = ends[0], (0.5, (arrow.near_ms + arrow.far_ms) / 2)
            axes.plot(*end, marker="x", color=colour, markersize=5)
        draw_arrow(axes, start, end, colour, not is_data)


def draw_arrow(axes: style.Axes, start: tuple, end: tuple, colour: str, dashed: bool) -> None:
    line = {
        "arrowstyle": "-|>",
        "color": colour,
        "linestyle": (0, (4, 2)) if dashed else "-",
        "linewidth": 0.9,
        "mutation_scale": 7,
        "shrinkA": 0,
        "shrinkB": 0,
    }
    axes.annotate("", end, start, arrowprops=line)


def draw_wait(axes: style.Axes, x: float, begin_ms: float, end_ms: float) -> None:
    """Draw a thin arrow with two heads along the time that an end waits."""
    thin = {"arrowstyle": "<->", "linewidth": 0.6}
    axes.annotate("", (x, begin_ms), (x, end_ms), arrowprops=thin)


def frame(
    axes: style.Axes, low_ms: float, high_ms: float, ends: Sequence[str] = ("host", "device")
) -> None:
    """Draw a vertical line for each end, with the time axis downwards."""
    axes.set(xlim=(0, 1), ylim=(high_ms, low_ms))
    axes.spines["right"].set_visible(True)
    axes.spines["bottom"].set_visible(False)
    name_ends(axes, ends)
    axes.set_ylabel("time (ms)" if axes.get_subplotspec().is_first_col() else "")


def name_ends(axes: style.Axes, ends: Sequence[str]) -> None:
    """Write the names of the ends above the two vertical lines."""
    axes.set_xticks([0, 1], ends)
    axes.tick_params(axis="x", length=0, labeltop=True, labelbottom=False)


def table(sides: Mapping[str, Sequence[Arrow]]) -> style.Table:
    """Return a table of all arrows, with the name of their side."""
    import pandas as pd

    rows = [
        (name, f"{arrow.near_ms:.6f}", *arrow.segment[1:7])
        for name, side in sides.items()
        for arrow in side
    ]
    columns = ["exchange", "time_ms", "sender", "seq", "length", "ack", "window", "flags"]
    return pd.DataFrame(rows, columns=columns).astype({"ack": "Int64"})
