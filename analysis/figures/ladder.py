# SPDX-License-Identifier: GPL-2.0-only
"""The packet exchange as a ladder diagram: the source's trace on the left, the simulation of the
same packets on the right."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis import closed_forms, style, timeline
from analysis.closed_forms import PrintJob
from analysis.segments import Segment
from analysis.system import systems

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

SYSTEM = "hawking-hps1u"
FIRST_SEQ, LAST_ACK = 20120, 28880  # three of the steady cycles that the source shows without a gap
ZOOM_MS = (-0.3, 3.2)  # the first pair, where 7 us and 1.2 ms can be told apart
CAPTION = (
    "Three steady cycles of the Hawking H-PS1U, from its trace (left; source: the print-server "
    "article) and simulated (right); time runs down. Below, the first 3 ms magnified: two frames "
    "handed down 7 us apart leave one after the other, then nothing moves until the ACK. Times are "
    "stamps at the host; the trace has no others, so the slant of an arrow is its frame's wire "
    "time at 10 Mbit/s."
)


@dataclass(frozen=True)
class Arrow:
    """A packet on the wire, in milliseconds since the first one drawn."""

    segment: Segment
    host_ms: float
    device_ms: float


def draw() -> style.Drawing:
    """Both exchanges twice: whole cycles, and the first pair magnified."""
    from matplotlib.figure import Figure

    system = systems[SYSTEM]
    result = system.run(segments=True)
    job = PrintJob.of(result.parameters)
    sides = {
        "measured (tcpdump at the host)": arrows(_traced(timeline.read(system.trace)), job),
        "simulated": arrows(_stretch(result.packets), job),
    }
    figure = Figure(figsize=(style.PAGE_IN, 6.6), layout="constrained")
    whole, zoomed = figure.subplots(2, 2, height_ratios=[2.2, 1], gridspec_kw={"wspace": 0.04})
    for axes, (title, side) in zip(whole, sides.items(), strict=True):
        axes.set_title(title, pad=16)
        _whole(axes, side)
    for axes, side in zip(zoomed, sides.values(), strict=True):
        _zoomed(axes, side)
    return style.Drawing(figure, _table(sides), CAPTION)


def _traced(exchange: timeline.Timeline) -> list[Segment]:
    """The source's packets of the stretch; their stamps count from the start of the fragment."""
    fragment = next(p.fragment for p in exchange.packets if p.segment.seq == FIRST_SEQ)
    return _stretch([p.segment for p in exchange.packets if p.fragment == fragment])


def _stretch(segments: list[Segment]) -> list[Segment]:
    """From the first data segment drawn to the last ACK drawn."""
    begin = next(i for i, s in enumerate(segments) if s.sender == "host" and s.seq == FIRST_SEQ)
    end = next(i for i, s in enumerate(segments) if s.sender == "device" and s.ack == LAST_ACK)
    return segments[begin : end + 1]


def arrows(segments: list[Segment], job: PrintJob) -> list[Arrow]:
    """Add each frame's wire time to its stamp at the host: after it for the host's frames, which
    wait for one another, before it for the device's."""
    drawn, free_s, origin_s = [], 0.0, segments[0].time_s
    for segment in segments:
        wire_s = closed_forms.wire_time_s(segment.length, job.link_rate_bps)
        host_s = segment.time_s - origin_s
        if segment.sender == "host":
            free_s = device_s = max(host_s, free_s) + wire_s
        else:
            device_s = host_s - wire_s
        drawn.append(Arrow(segment, host_s * 1000, device_s * 1000))
    return drawn


def _whole(axes: "Axes", side: list[Arrow]) -> None:
    end_ms = side[-1].host_ms
    _frame(axes, -14, end_ms + 14)
    _draw(axes, side)
    sent_ms = 0.0
    for number, arrow in enumerate(side):
        text = (
            timeline.tcpdump(arrow.segment)
            .removeprefix("P ")
            .removeprefix(". ")
            .removesuffix(" ack 3 win 32120")
        )
        if arrow.segment.sender == "device":
            waited = f"{arrow.host_ms - sent_ms:.1f} ms\nwaiting for the ACK"
            middle_ms = (sent_ms + arrow.host_ms) / 2
            axes.annotate(
                "",
                (0.06, sent_ms + 2),
                (0.06, arrow.host_ms - 2),
                arrowprops={"arrowstyle": "<->", "linewidth": 0.6},
            )
            axes.text(0.1, middle_ms, waited, va="center")
            axes.text(0.5, arrow.host_ms - 3, text, ha="center", va="bottom", color=style.ACK)
            continue
        sent_ms = arrow.host_ms
        follows = number and side[number - 1].segment.sender == "host"
        shift_ms = 15 if follows else 4  # two frames 7 us apart would be one line of text
        axes.text(0.97, arrow.host_ms + shift_ms, text, ha="right", va="top", color=style.DATA)


def _zoomed(axes: "Axes", side: list[Arrow]) -> None:
    low_ms, high_ms = ZOOM_MS
    _frame(axes, low_ms, high_ms)
    pair = side[:2]
    _draw(axes, pair)
    gap_us = (pair[1].host_ms - pair[0].host_ms) * 1000
    for arrow, level in zip(pair, (0.25, 0.55), strict=True):
        at_ms = arrow.host_ms + (arrow.device_ms - arrow.host_ms) * level
        text = f"{arrow.segment.seq}:{arrow.segment.seq + arrow.segment.length}"
        axes.text(level + 0.03, at_ms - 0.05, text, ha="left", va="bottom", color=style.DATA)
    axes.text(0.02, 1.5, f"handed down\n{gap_us:.0f} us apart", ha="left", va="center")
    axes.annotate(
        "", (0.005, 0.05), (0.06, 1.15), arrowprops={"arrowstyle": "->", "linewidth": 0.6}
    )


def _draw(axes: "Axes", side: list[Arrow]) -> None:
    """Data solid and blue, ACKs dashed and brown."""
    for arrow in side:
        from_host = arrow.segment.sender == "host"
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


def _frame(axes: "Axes", low_ms: float, high_ms: float) -> None:
    """Two vertical lines, host and device, with time running down."""
    axes.set(xlim=(0, 1), ylim=(high_ms, low_ms))
    axes.spines["right"].set_visible(True)
    axes.spines["bottom"].set_visible(False)
    axes.set_xticks([0, 1], ["host", "device"])
    axes.tick_params(axis="x", length=0, labeltop=True, labelbottom=False)
    axes.set_ylabel("time (ms)" if axes.get_subplotspec().is_first_col() else "")


def _table(sides: dict[str, list[Arrow]]) -> "pd.DataFrame":
    import pandas as pd

    rows = [
        (name.split()[0], f"{arrow.host_ms:.6f}", *arrow.segment[1:7])
        for name, side in sides.items()
        for arrow in side
    ]
    columns = ["exchange", "time_ms", "sender", "seq", "length", "ack", "window", "flags"]
    return pd.DataFrame(rows, columns=columns)
