# SPDX-License-Identifier: GPL-2.0-only
"""Throughput of the Relook 400s against what TCP could be given, window and send buffer, and
against what the processor does for each byte."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from study.catalogue import systems
from study.drawing import marks, style
from study.drawing.facts import axis_label, measured, value
from study.drawing.jobs import between, rates, swept, whole
from study.scenarios.file_send import formulas as file_send
from study.scenarios.file_send.formulas import FileSend
from study.system.system import System

SYSTEM = "relook-400s"
JOB_B = 3_000_000


@dataclass(frozen=True)
class Panel:
    """What one panel varies: a parameter, its values, all that a value changes, and from which
    value to which there is no closed form."""

    values: list[float]
    ticks: list[float]
    changes: Callable[[System, float], dict[str, Any]]
    untold: tuple[float, float] = (0, 0)


PANELS = {
    "receive_window": Panel(
        [256, 512, 1024, 1460, 2048, 2920, 4380, 8760, 17520, 35040, 65535],
        [256, 1024, 4380, 17520, 65535],
        lambda _, size_B: {"receive_window": int(size_B)},
    ),
    # Between one segment and three, whether a second is ready before the first one's ACK depends on
    # where the pages of the file end.
    "send_buffer": Panel(
        [256, 512, 1024, 1460, 2048, 2920, 4380, 8192, 16384, 32768, 65536, 131072],
        [256, 1024, 4380, 16384, 131072],
        lambda _, size_B: {"send_buffer": int(size_B)},
        untold=(1460, 4380),
    ),
    "socket_copy_cycles": Panel(
        [2, 5, 10, 20, 40, 80, 160, 320],
        [2, 5, 20, 80, 320],
        lambda _, cycles: {"socket_copy_cycles": cycles},
    ),
}
CAPTION = (
    "Throughput of a download from the Relook 400s. From three segments on, neither the client's "
    "window nor the server's send buffer moves it; one that holds no second segment "
    "waits for the client's delayed ACK of 200 ms each time; between one segment and three it "
    "falls in and out of this wait, and there is no closed form. It falls with what the processor "
    "does for each byte. Markers: simulated transfers; lines: closed form; band: as measured, "
    "{low:,} to {high:,} KB/s (source: the report on the Relook wiki); hollow: the value that the "
    "system file assumes."
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
        marks.curve(axes, marks.PLAIN, (runs.value, runs.throughput_Bps / 1000), paper)
        own = runs[runs.value == value(system, key)]
        marks.points(axes, own.value, own.throughput_Bps / 1000, marks.ASSUMED)
        axes.set(xlabel=axis_label(system, key), ylim=(1, 6000))
        marks.scales(axes, log="xy", x=panel.ticks, y=[1, 10, 100, 1000, 2000])
    for axes in panels if style.narrow() else panels[:1]:
        axes.set_ylabel("throughput (kB/s)")
    return style.Drawing(figure, table, CAPTION.format(low=source.low, high=source.high))


def sweep(system: System) -> style.Table:
    """One transfer a value, the system's own among them; and the closed form between them."""
    import pandas as pd

    jobs = {
        (key, number): system.with_(**panel.changes(system, number), job_size=JOB_B)
        for key, panel in PANELS.items()
        for number in sorted({*panel.values, value(system, key)})
    }
    doing = "throughput against window, buffer and cycles"
    table = swept(doing, ("parameter", "value"), jobs, rates(file_send.rate_Bps))
    told = [_told(key, number) for key, number in zip(table.parameter, table.value, strict=True)]
    table["closed_form_Bps"] = table.closed_form_Bps.where(told)
    return pd.DataFrame([*table.values.tolist(), *_closed_form(system)], columns=table.columns)


def _closed_form(system: System) -> list[tuple]:
    """Two hundred points of each line."""
    own = system.with_(job_size=JOB_B).run().parameters
    rows = []
    for key, panel in PANELS.items():
        numbers = between(panel.values[0], panel.values[-1], 200)
        for number in numbers if key == "socket_copy_cycles" else whole(numbers):
            changes = {name: str(text) for name, text in panel.changes(system, number).items()}
            told = file_send.rate_Bps(FileSend.of(own | changes)) if _told(key, number) else None
            rows.append((key, number, "closed form", None, told))
    return rows


def _told(key: str, number: float) -> bool:
    low, high = PANELS[key].untold
    return not low <= number < high
