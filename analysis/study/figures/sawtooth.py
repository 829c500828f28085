# SPDX-License-Identifier: GPL-2.0-only
"""The sawtooth of congestion avoidance before three queues: too short to keep the line full, as
long as a round trip, and far longer."""

from bisect import bisect

from study.drawing import marks, style
from study.drawing.flow import Span, stretch_of
from study.drawing.paths import bulk
from study.drawing.system_facts import listed, said, value
from study.kit.wire import PATH_HEADERS_B
from study.system.system import Result, System

PATH = {"path_rate": "2Mbps", "rtt": "100ms", "minimum_rto": "1s"}
QUEUES = (3, 17, 60)  # in packets: a sixth of what the path holds, all of it, and more than thrice
JOB_B = 5_000_000
END_S = 20
STEP_S = 0.02  # between two points of a curve
TITLE = (
    "Before queues of {queues} packets a transfer gets {shares} of what the line carries: a longer "
    "queue only adds delay"
)
CAPTION = (
    "Outstanding bytes of a transfer of {job:g} MB over {rate} with a propagation of {rtt} there "
    "and back, before three queues, simulated. Grey, solid: what the line carries in a round trip, "
    "{holds:.0f} KiB; dashed: that and the full queue. Slow start goes far beyond both. Then each "
    "round trip adds a segment until the queue drops one, and half is left (RFC 5681, 3.1 and "
    "3.2); the spike is what leaves and arrives while the lost one is sent again. Where half is "
    "less than the grey line the queue runs empty and the line rests. A queue of a round trip just "
    "prevents it; a longer one never runs empty, and only adds delay. Nothing here was measured."
)


def draw() -> style.Drawing:
    """Draw one panel a queue, from the shortest down."""
    import pandas as pd

    figure = style.figure(5.0, 5.4)
    side_by_side = style.size() == "slide"
    panels = figure.subplots(*(1, 3) if side_by_side else (3, 1), sharex=True)
    tables, shares = [], []
    for axes, packets in zip(panels, QUEUES, strict=True):
        system = bulk(job_size=JOB_B, **PATH, path_queue=f"{packets}p")
        result = system.run(segments=True)
        table = _sampled(system, result)
        shares.append(result.throughput_Bps * value(system, "rtt", "s") / _holds_B(system) * 100)
        _panel(axes, table, system, packets, shares[-1])
        tables.append(table.assign(path_queue=f"{packets}p", outcome=result.outcome))
    for axes in panels if side_by_side else panels[-1:]:
        axes.set_xlabel("time (s)")
    for axes in panels:
        marks.bytes_up(axes)
        axes.set_ylabel("")
    for axes in panels[:1] if side_by_side else panels:
        marks.bytes_up(axes, "outstanding")
    holds = _holds_B(system) / 1024
    words = {"job": JOB_B / 1e6, "rate": said(system, "path_rate"), "rtt": said(system, "rtt")}
    title = TITLE.format(queues=listed(QUEUES), shares=f"{listed(shares, '.0f')} %")
    return style.Drawing(figure, pd.concat(tables), CAPTION.format(holds=holds, **words), title)


def _holds_B(system: System) -> float:
    """Return what is in flight, of TCP's own bytes, when the line is full and its queue empty."""
    mss_B = value(system, "mss")
    packets = value(system, "path_rate") / 8 * value(system, "rtt", "s") / (mss_B + PATH_HEADERS_B)
    return packets * mss_B


def _sampled(system: System, result: Result) -> style.Table:
    """Return what is outstanding every so often; the table of all packets is a hundred times as
    long."""
    import pandas as pd

    stretch = stretch_of(result.packets, Span(0, END_S), system.name)
    times = [packet.time_s for packet in stretch.packets]
    left_B = stretch.outstanding_B()
    rows = [
        (round(step * STEP_S, 3), left_B[bisect(times, step * STEP_S) - 1])
        for step in range(round(END_S / STEP_S) + 1)
    ]
    return pd.DataFrame(rows, columns=["time_s", "outstanding_B"])


def _panel(
    axes: style.Axes, table: style.Table, system: System, packets: int, share_pct: float
) -> None:
    axes.plot(table.time_s, table.outstanding_B, color=style.DATA, linewidth=0.9)
    full_B = _holds_B(system) + packets * value(system, "mss")
    axes.axhline(_holds_B(system), color="0.4", linewidth=0.8)
    axes.axhline(full_B, color="0.4", linewidth=0.8, linestyle="--")
    between = "\n" if style.size() == "slide" else " "
    title = f"queue of {packets} packets:{between}{share_pct:.0f} % of what the line carries"
    axes.set_title(title, loc="left")
    axes.set(xlim=(0, END_S), ylim=(0, None), xticks=range(0, END_S + 1, 5))
    axes.grid(which="major", color="0.92", linewidth=0.5)
