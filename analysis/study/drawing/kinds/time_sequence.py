# SPDX-License-Identifier: GPL-2.0-only
"""Time-sequence graph of a system's job, as tcptrace draws it: data blue, window green, ACKs brown.

A segment is a bar from its first to its last byte, at the time it was handed to the interface.
"""

from study.drawing import marks, panels, style
from study.drawing.beside_capture import Captured, both, table, titles
from study.drawing.flow import BEGINNING, Flow, Span, name_of, stepped, time_axis
from study.system.system import System

REPEATED = "#D55E00"
HOW_TO_READ = (
    "Bars: segments, from first to last byte, when the sender handed them down; brown, dashed: "
    "what is acknowledged; green: the end of the advertised window. Where the bars reach the green "
    "line the window is what the sender waits for."
)


def draw(system: System, span: Span = BEGINNING) -> style.Drawing:
    words = "Time-sequence graph", HOW_TO_READ
    return panels.alone(system, span, panel, (3.8, 3.0), words, _sent)


def _sent(stretch: Flow) -> str:
    """Return how much, in how many segments, and how many of them were sent before."""
    data = stretch.shown(stretch.data)
    size_B, again = sum(packet.length for packet in data), sum(stretch.is_repeated())
    words = f"{size_B:,} B in {len(data)} segments from {stretch.sender} in what is drawn"
    return f"{words}, {again} of them sent before" if again else words


def beside(system: System, span: Span, captured: Captured) -> style.Drawing:
    """Draw a capture and the simulation, on the same axes' ranges."""
    figure, pair = style.beside(2, 3.6, 5.6, sharex=True, sharey=True)
    sides = both(system, span, captured)
    over = titles(captured, {name: stretch.part for name, stretch in sides.items()})
    named: dict[str, object] = {}
    for axes, (name, stretch) in zip(pair, sides.items(), strict=True):
        panel(axes, stretch)
        handles, labels = axes.get_legend_handles_labels()
        named = dict(zip(labels, handles, strict=True)) | named
        axes.get_legend().remove()
        axes.set_title(over[name], loc="left")
    # A window that never holds the sender may be far above all that is sent: the capture's counts.
    measured = sides["measured"]
    levels = [p.seq + p.length for flow in sides.values() for p in flow.shown(flow.data)]
    levels += [p.ack + p.window for p in measured.shown(measured.acks)]
    lowest = min((p.seq for p in measured.shown(measured.data)), default=0)
    room = (max(levels, default=1) - lowest) * 0.04 or 1
    pair[0].set_ylim(lowest - room, max(levels, default=1) + room)
    for axes in pair:
        marks.bytes_up(axes, "sequence number")
    columns = 2 if style.narrow() else 5
    figure.legend(named.values(), named, loc="outside lower center", ncols=columns)
    if not style.narrow():
        pair[1].set_ylabel("")
    if style.narrow():
        pair[0].set_xlabel("")
    caption = (
        f"Time-sequence graph of a capture, {captured.name}, and of the simulated job, "
        f"{name_of(system)}. {HOW_TO_READ}"
    )
    title = f"{captured.name}: {_sent(sides['measured'])}; simulated: {_sent(sides['simulated'])}"
    return style.Drawing(figure, table(sides), caption, title)


def panel(axes: style.Axes, stretch: Flow) -> None:
    factor, label = time_axis(stretch.begin_s, stretch.end_s)
    end = stretch.end_s * factor
    edges = [(p.time_s * factor, p.ack + p.window) for p in stretch.acks]
    axes.plot(
        *stepped(edges, end), drawstyle="steps-post", color=style.WINDOW, label="window's end"
    )
    acked = [(p.time_s * factor, p.ack) for p in stretch.acks]
    dashes = {"color": style.ACK, "linestyle": (0, (4, 2))}
    axes.plot(*stepped(acked, end), drawstyle="steps-post", label="acknowledged", **dashes)
    _data(axes, stretch, factor)
    probes = [p for p in stretch.packets if _is_probe(p, stretch)]
    if probes:
        at = [p.time_s * factor for p in probes], [p.seq for p in probes]
        axes.plot(*at, linestyle="", marker="x", color="black", label="window probe")
    shown = stretch.shown(stretch.packets)
    levels = [p.seq + p.length for p in shown if p.sender == stretch.sender]
    levels += [p.ack + p.window for p in stretch.shown(stretch.acks)]
    lowest = min((p.seq for p in stretch.shown(stretch.data)), default=0)
    if levels:
        room = (max(levels) - lowest) * 0.04 or 1
        axes.set_ylim(lowest - room, max(levels) + room)
    axes.set(xlim=(stretch.begin_s * factor, end), xlabel=label)
    marks.bytes_up(axes, "sequence number")
    axes.margins(x=0.02)
    axes.grid(which="major", color="0.92", linewidth=0.5)
    axes.legend(loc="upper left", frameon=True, framealpha=0.9, edgecolor="none")


def _data(axes: style.Axes, stretch: Flow, factor: float) -> None:
    again = stretch.is_repeated()
    for repeated, colour, label in ((False, style.DATA, "data"), (True, REPEATED, "data, again")):
        bars = [p for p, is_again in zip(stretch.data, again, strict=True) if is_again == repeated]
        if not bars:
            continue
        times = [p.time_s * factor for p in bars]
        ends = [p.seq + p.length for p in bars]
        axes.vlines(times, [p.seq for p in bars], ends, color=colour, linewidth=1.6, label=label)
        for heights in ([p.seq for p in bars], ends):
            axes.plot(times, heights, linestyle="", marker="_", markersize=4, color=colour)


def _is_probe(packet, stretch: Flow) -> bool:
    """Return whether it is an empty packet of the sender while the window is shut."""
    if packet.sender != stretch.sender or packet.length or packet.control:
        return False
    before = [p for p in stretch.acks if p.time_s < packet.time_s]
    return bool(before) and before[-1].window == 0
