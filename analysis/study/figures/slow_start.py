# SPDX-License-Identifier: GPL-2.0-only
"""Time-sequence of slow start on a long pipe, with the traced packets on it: the more segments an
ACK stands for, the slower it grows."""

from collections.abc import Sequence

from study.catalogue import systems
from study.drawing import marks, style
from study.drawing.system_facts import listed, said, value
from study.judging import notation
from study.programs.segments import Segment

SYSTEMS = ("rfc2525-stretch-ack", "rfc2525-every-second")
EVERY = {1: "each segment", 2: "every second", 3: "every third"}
END_MS = 700
HAD_B = 40_000  # by which the receivers are compared
LONGER_B = 100_000  # a reply that lasts as long, acknowledged sooner
PAUSE = 2.5  # times the usual distance of two segments: what comes after it is the next round
TITLE = (
    "The first {size:.0f} kB take {times} ms where the receiver acknowledges {every} segment: the "
    "fewer ACKs, the slower the start"
)
CAPTION = (
    "Slow start over a line of {rate} with a propagation of {rtt} there and back, seen at the "
    "receiver, which acknowledges every third segment, every second, or each. Blue: simulated "
    "segments, from first to last byte; brown: what is acknowledged; circles and crosses: segments "
    "and ACKs as traced (source: the two traces of RFC 2525, 2.13; of the third receiver there is "
    "none). Numbers: the segments of a round. Each ACK lets one more leave than it stands for (RFC "
    "5681, 3.1), so a round is on average no more than 4/3, 3/2 or twice the one before, until the "
    "line is full and the rounds run together. Left, the first circle is late: a queue before it "
    "that the trace does not show."
)


def draw() -> style.Drawing:
    """Draw the two receivers of the traces, and one that acknowledges each segment."""
    import pandas as pd

    third, second = (systems[name] for name in SYSTEMS)
    each = third.with_(client_ack_frequency=1, reply_write=LONGER_B)
    figure, panels = style.beside(3, 3.2, 6.6, sharex=True, sharey=True)
    traces = (third.trace, second.trace, None)
    drawn = []
    for axes, system, trace in zip(panels, (third, second, each), traces, strict=True):
        every = EVERY[int(value(system, "client_ack_frequency"))]
        simulated = _table(system.run(segments=True).packets)
        traced = _table([p.segment for p in notation.read(trace).packets] if trace else [])
        _simulated(axes, simulated)
        _traced(axes, traced)
        axes.set_title(f"an ACK for {every}", loc="left")
        axes.set(xlim=(-60, END_MS), ylim=(-2000, 61_000))
        axes.grid(which="major", color="0.92", linewidth=0.5)
        drawn += [simulated.assign(acks=every, exchange="simulated")]
        drawn += [traced.assign(acks=every, exchange="traced")]
    for axes in panels[-1:] if style.narrow() else panels:
        axes.set_xlabel("time since the first ACK (ms)")
    for axes in panels if style.narrow() else panels[:1]:
        marks.bytes_up(axes, "sequence number")
    handles, labels = panels[0].get_legend_handles_labels()
    columns = 2 if style.narrow() else 4
    figure.legend(handles, labels, loc="outside upper center", ncols=columns)
    rtt = f"{value(third, 'rtt', 'ms'):.1f} ms"
    caption = CAPTION.format(rate=said(third, "path_rate"), rtt=rtt)
    table = pd.concat(drawn)
    return style.Drawing(figure, table, caption, _title(table))


def _title(table: style.Table) -> str:
    """When each receiver has had so much."""
    data = table[(table.exchange == "simulated") & (table.packet == "segment")]
    had = data[data.end_B >= HAD_B].groupby("acks").time_ms.min()
    times = [had[every] for every in reversed(EVERY.values())]
    every = f"{EVERY[3]}, {EVERY[2]} or each"
    return TITLE.format(size=HAD_B / 1e3, times=listed(times, ".0f"), every=every)


def _table(packets: Sequence[Segment]) -> style.Table:
    """Segments of the sender and ACKs of the receiver, with the time since the first ACK and the
    place of their bytes counted from the first segment's."""
    import pandas as pd

    start_B = next((p.seq for p in packets if _is_data(p)), 0)
    acks = [p for p in packets if p.sender == "client" and (p.ack or 0) > start_B]
    rows = []
    for packet in packets:
        time_ms = (packet.time_s - acks[0].time_s) * 1000
        if _is_data(packet):
            first_B = packet.seq - start_B
            rows.append((time_ms, "segment", first_B, first_B + packet.length))
        elif packet in acks:
            rows.append((time_ms, "ACK", None, packet.ack - start_B))
    table = pd.DataFrame(rows, columns=["time_ms", "packet", "first_B", "end_B"])
    return table[table.time_ms <= END_MS].astype({"first_B": "Int64"})


def _is_data(packet: Segment) -> bool:
    return packet.sender == "server" and packet.length > 0


def _simulated(axes: style.Axes, table: style.Table) -> None:
    acks, data = (table[table.packet == packet] for packet in ("ACK", "segment"))
    steps = [*acks.time_ms, END_MS], [*acks.end_B, acks.end_B.iloc[-1]]
    look = {"color": style.ACK, "linestyle": (0, (4, 2)), "linewidth": 0.8}
    axes.plot(*steps, drawstyle="steps-post", label="acknowledged", **look)
    bars = data.time_ms, data.first_B, data.end_B
    axes.vlines(*bars, color=style.DATA, linewidth=1.6, label="segment")
    for number, last in _rounds(data):
        at = (last.time_ms, last.end_B)
        axes.annotate(f"{number}", at, xytext=(-3, 3), textcoords="offset points", ha="right")


def _rounds(data: style.Table) -> list[tuple[int, style.Table]]:
    """Return how many segments came without a pause, and the last of them; without the last such
    group, which may go on."""
    gaps_ms = data.time_ms.diff()
    begins = gaps_ms > PAUSE * gaps_ms.median()
    groups = [rows for _, rows in data.groupby(begins.cumsum())]
    return [(len(rows), rows.iloc[-1]) for rows in groups[:-1]]


def _traced(axes: style.Axes, table: style.Table) -> None:
    for packet, marker in (("segment", "o"), ("ACK", "x")):
        rows = table[table.packet == packet]
        if len(rows):
            look = {"marker": marker, "color": style.MEASURED, "fillstyle": "none", "zorder": 4}
            label = f"{packet}, traced"
            axes.plot(rows.time_ms, rows.end_B, linestyle="", label=label, **look)
