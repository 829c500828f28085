# SPDX-License-Identifier: GPL-2.0-only
"""Throughput of the Relook 400s against what TCP could be given, window and send buffer, and
against what the processor does for each byte."""

from dataclasses import dataclass

from study.catalogue import systems
from study.drawing import gaps, marks, style
from study.drawing.job_table import between, rates, swept, whole
from study.drawing.system_facts import axis_label, measured, value
from study.programs.labels import spelt
from study.scenarios.file_send import formulas as file_send
from study.scenarios.file_send.formulas import FileSend
from study.system.system import System

SYSTEM = "relook-400s"
JOB_B = 3_000_000
WAITS_KBPS = 100  # slower is what waits for a timer in every cycle
SAME = 0.01


@dataclass(frozen=True)
class Panel:
    """What one panel varies: a parameter's values, and from which value to which there is no closed
    form."""

    values: list[float]
    ticks: list[float]
    untold: tuple[float, float] = (0, 0)


PANELS = {
    "receive_window": Panel(
        [256, 512, 1024, 1460, 2048, 2920, 4380, 8760, 17520, 35040, 65535],
        [256, 1024, 4380, 17520, 65535],
    ),
    # Between one segment and three, whether a second is ready before the first one's ACK depends on
    # where the pages of the file end.
    "send_buffer": Panel(
        [256, 512, 1024, 1460, 2048, 2920, 4380, 8192, 16384, 32768, 65536, 131072],
        [256, 1024, 4380, 16384, 131072],
        untold=(1460, 4380),
    ),
    "socket_copy_cycles": Panel(
        [2, 5, 10, 20, 40, 80, 160, 320],
        [2, 5, 20, 80, 320],
    ),
}
TITLE = (
    "Beyond {window} B of window and {buffer} B of send buffer neither changes the Relook's "
    "{rate:.1f} MB/s, but its processor's work for each byte does"
)
CAPTION = (
    "Throughput of a download from the Relook 400s. A client's window or a server's send buffer of"
    " three segments or more does not change it. With a very small window or buffer the server "
    "waits for the client's delayed ACK of 200 ms each time. With a send buffer between one "
    "segment and three only some segments wait, and there is no closed form. The throughput falls "
    "with the processor's work for each byte. Markers: simulated transfers. Lines: closed form. "
    "Band: measured, {low:,} to {high:,} KB/s (source: the report on the Relook wiki). Hollow: the"
    " value that the system file assumes."
)


def draw() -> style.Drawing:
    """Three panels with one scale of throughput."""
    system = systems[SYSTEM]
    table = sweep(system)
    figure, panels = style.beside(len(PANELS), 3.0, 6.6, sharey=True)
    source = measured(system, "download_rate")
    for axes, (key, panel) in zip(panels, PANELS.items(), strict=True):
        points = table[table.parameter == key]
        axes.axhspan(source.low, source.high, color="0.88", zorder=0)
        on_paper = points.outcome == "closed form"
        line, runs = points[on_paper], points[~on_paper]
        paper = (line.value, line.closed_form_Bps / 1000)
        simulated, form = runs.throughput_Bps / 1000, runs.closed_form_Bps.astype(float) / 1000
        marks.curve(axes, marks.PLAIN, (runs.value, simulated), paper, form=form, step=1)
        own = runs[runs.value == value(system, key)]
        marks.points(axes, own.value, own.throughput_Bps / 1000, marks.ASSUMED)
        axes.set(xlabel=axis_label(system, key), ylim=(0, 2700))
        marks.scales(axes, log="x", x=panel.ticks, y=range(0, 2501, 500))
        if key != "socket_copy_cycles":
            marks.bytes_across(axes, spelt(key))
        waits = runs[runs.throughput_Bps < WAITS_KBPS * 1000]
        if len(waits):
            kBps = waits.throughput_Bps / 1000
            text = f"{kBps.min():.1f} to {kBps.max():.1f} kB/s: each\nwaits for a delayed ACK"
            marks.note(axes, text, (panel.values[0], 0), (2, 14))
    for axes in panels if style.narrow() else panels[:1]:
        axes.set_ylabel("throughput (kB/s)")
    _legend(figure)
    caption = CAPTION.format(low=source.low, high=source.high)
    return style.Drawing(figure, table, caption, _title(table, system))


def _legend(figure: style.Figure) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    colour, dash, marker = marks.PLAIN
    handles = [
        Line2D([], [], color=colour, linestyle="", marker=marker, label="simulated"),
        Line2D([], [], color=colour, linestyle=dash, linewidth=0.8, label="closed form"),
        Line2D([], [], linestyle="", label="as the file has it", **marks.ASSUMED),
        Line2D([], [], color="0.4", label=gaps.NOT_RUN, **gaps.THIN),
        Patch(color="0.88", label="as measured"),
    ]
    columns = 2 if style.narrow() else len(handles)
    figure.legend(handles=handles, loc="outside upper center", ncols=columns)


def _title(table: style.Table, system: System) -> str:
    """From where on the rate is within SAME of what the system has."""
    knees = {}
    for key in ("receive_window", "send_buffer"):
        runs = table[(table.parameter == key) & (table.outcome == "finished")]
        rates_Bps = runs.set_index("value").throughput_Bps
        rate_Bps = rates_Bps[value(system, key)]
        knees[key] = rates_Bps.index[rates_Bps > rate_Bps * (1 - SAME)].min()
    window, buffer = (f"{knee:.0f}" for knee in knees.values())
    return TITLE.format(window=window, buffer=buffer, rate=rate_Bps / 1e6)


def sweep(system: System) -> style.Table:
    """Run one transfer a value, the system's own among them; and the closed form between them."""
    import pandas as pd

    jobs = {
        (key, number): system.with_(**{key: number}, job_size=JOB_B)
        for key, panel in PANELS.items()
        for number in sorted({*panel.values, value(system, key)})
    }
    doing = "throughput against window, buffer and cycles"
    table = swept(doing, ("parameter", "value"), jobs, rates(file_send.rate_Bps))
    told = [_told(key, number) for key, number in zip(table.parameter, table.value, strict=True)]
    table["closed_form_Bps"] = table.closed_form_Bps.where(told)
    return pd.DataFrame([*table.values.tolist(), *_closed_form(system)], columns=table.columns)


def _closed_form(system: System) -> list[tuple]:
    """Return two hundred points of each line."""
    own = system.with_(job_size=JOB_B).run().parameters
    rows = []
    for key, panel in PANELS.items():
        numbers = between(panel.values[0], panel.values[-1], 200)
        for number in numbers if key == "socket_copy_cycles" else whole(numbers):
            form = FileSend.of(own | {key: str(number)})
            told = file_send.rate_Bps(form) if _told(key, number) else None
            rows.append((key, number, "closed form", None, told))
    return rows


def _told(key: str, number: float) -> bool:
    low, high = PANELS[key].untold
    return not low <= number < high
