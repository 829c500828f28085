# SPDX-License-Identifier: GPL-2.0-only
"""Outstanding bytes of a system's job against time: sent and not yet acknowledged, with the
advertised window."""

from study.drawing import marks, panels, style
from study.drawing.flow import BEGINNING, Flow, Span, stepped, time_axis
from study.system.system import System

HOW_TO_READ = (
    "Blue: bytes sent and not yet acknowledged; green, broad: the advertised window. Where the "
    "blue line runs in the green the window is full; where it stays below, something else holds "
    "the sender."
)


def draw(system: System, span: Span = BEGINNING) -> style.Drawing:
    words = "Outstanding bytes", HOW_TO_READ
    return panels.alone(system, span, panel, (3.2, 2.6), words, _most)


def _most(stretch: Flow) -> str:
    """Of the window, how much of it is used."""
    window = max((packet.window for packet in stretch.acks), default=0)
    return f"at most {max(stretch.outstanding_B()):,} B of a window of {window:,} B are outstanding"


def panel(axes: style.Axes, stretch: Flow) -> None:
    factor, label = time_axis(stretch.begin_s, stretch.end_s)
    end = stretch.end_s * factor
    times = [packet.time_s * factor for packet in stretch.packets]
    xs, ys = stepped(list(zip(times, stretch.outstanding_B(), strict=True)), end)
    axes.fill_between(xs, ys, step="post", color=style.DATA, alpha=0.25, linewidth=0)
    axes.plot(xs, ys, drawstyle="steps-post", color=style.DATA, linewidth=0.9, label="outstanding")
    offered = [(p.time_s * factor, p.window) for p in stretch.acks]
    broad = {"color": style.WINDOW, "linewidth": 3.6, "alpha": 0.5, "zorder": 1.5}
    axes.plot(*stepped(offered, end), drawstyle="steps-post", label="advertised window", **broad)
    top = max([*ys, *(window for _, window in offered)], default=1)
    axes.set(xlim=(stretch.begin_s * factor, end), ylim=(0, top * 1.12 or 1))
    axes.set(xlabel=label)
    marks.bytes_up(axes)
    axes.grid(which="major", color="0.92", linewidth=0.5)
