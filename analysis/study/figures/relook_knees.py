# SPDX-License-Identifier: GPL-2.0-only
"""Throughput of the Relook 400s against what TCP could be given, window and send buffer, and
against what the processor does for each byte."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from study.catalogue import systems
from study.drawing import style
from study.runs.batch import run_batch
from study.scenarios.file_send import formulas as file_send
from study.scenarios.file_send.formulas import FileSend
from study.system.system import System

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

SYSTEM = "relook-400s"
JOB_B = 3_000_000
MSS_B = 1460
# Between one segment and three, whether a second is ready before the first one's ACK depends on
# where the pages of the file end: for that there is no closed form.
UNTOLD = ("send_buffer", 1460, 4380)


@dataclass(frozen=True)
class Panel:
    """What one panel varies: the parameter, its values, and all that a value changes."""

    key: str
    label: str
    values: list[float]
    ticks: list[float]
    changes: Callable[[float], dict[str, Any]]


def _window(size_B: float) -> dict[str, Any]:
    """A client that acknowledges every second segment does so whatever its window; its threshold is
    a share of that."""
    segment_B = min(MSS_B, size_B // 2)
    return {"receive_window": int(size_B), "ack_threshold": (segment_B + 0.5) / size_B}


PANELS = [
    Panel(
        "receive_window",
        "client's window (bytes)",
        [256, 512, 1024, 1460, 2048, 2920, 4380, 8760, 17520, 35040, 65535],
        [256, 1024, 4380, 17520, 65535],
        _window,
    ),
    Panel(
        "send_buffer",
        "send buffer (bytes)",
        [256, 512, 1024, 1460, 2048, 2920, 4380, 8192, 16384, 32768, 65536, 131072],
        [256, 1024, 4380, 16384, 131072],
        lambda size_B: {"send_buffer": int(size_B)},
    ),
    Panel(
        "socket_copy_cycles",
        "cycles to copy a byte to the socket",
        [2, 5, 10, 20, 40, 80, 160, 320],
        [2, 5, 20, 80, 320],
        lambda cycles: {"socket_copy_cycles": cycles},
    ),
]
CAPTION = (
    "Throughput of a download from the Relook 400s. From three segments on, "
    "neither the client's window nor the server's send buffer moves it; a send buffer that holds "
    "no second segment waits for the client's delayed ACK of 200 ms each time; between one segment "
    "and three it falls in and out of this wait, and there is no closed form. It falls with "
    "what the processor does for each byte. Markers: simulated transfers; lines: closed form; "
    "band: as measured, 2,100 to 2,300 KB/s (source: the report on the Relook wiki); hollow: the "
    "value that the system file assumes."
)


def draw() -> style.Drawing:
    """Three panels with one scale of throughput."""
    system = systems[SYSTEM]
    table = sweep(system)
    narrow = style.size() == "column"
    figure = style.figure(3.0, 6.6)
    panels = figure.subplots(*(len(PANELS), 1) if narrow else (1, len(PANELS)), sharey=True)
    measured = next(each for each in system.measured if each.low is not None)
    for axes, panel in zip(panels, PANELS, strict=True):
        points = table[table.parameter == panel.key]
        axes.axhspan(measured.low, measured.high, color="0.88", zorder=0)
        line = points[points.outcome == "closed form"]
        axes.plot(line.value, line.closed_form_Bps / 1000, color=style.DATA, linewidth=0.8)
        runs = points[points.outcome != "closed form"]
        look = {"color": style.DATA, "marker": "o", "linestyle": ""}
        axes.plot(runs.value, runs.throughput_Bps / 1000, **look)
        own = runs[runs.value == float(system.settings[panel.key].value)]
        hollow = {"marker": "o", "color": "white", "markeredgecolor": style.DATA, "markersize": 6}
        axes.plot(own.value, own.throughput_Bps / 1000, linestyle="", zorder=4, **hollow)
        _label(axes, panel)
    for axes in panels if narrow else panels[:1]:
        axes.set_ylabel("throughput (kB/s)")
    return style.Drawing(figure, table, CAPTION)


def sweep(system: System) -> "pd.DataFrame":
    """One transfer a value; and the closed form between them."""
    import pandas as pd

    points = [(panel, value) for panel in PANELS for value in panel.values]
    flags = [
        system.with_(**panel.changes(value), job_size=JOB_B).flags() for panel, value in points
    ]
    rows = []
    records = run_batch(system.scenario, flags, "throughput against window, buffer and cycles")
    for (panel, value), record in zip(points, records, strict=True):
        result = system.result(record)
        closed_form_Bps = _rate_Bps(panel, value, result.parameters)
        rows.append((panel.key, value, result.outcome, result.throughput_Bps, closed_form_Bps))
    rows += _closed_form(records[0]["parameters"], system)
    columns = ["parameter", "value", "outcome", "throughput_Bps", "closed_form_Bps"]
    return pd.DataFrame(rows, columns=columns)


def _closed_form(parameters: dict[str, str], system: System) -> list[tuple]:
    """Two hundred points of each line."""
    own = dict(parameters)
    own |= {panel.key: system.settings[panel.key].value for panel in PANELS}
    own["ack_threshold"] = system.settings["ack_threshold"].value
    rows = []
    for panel in PANELS:
        low, high = panel.values[0], panel.values[-1]
        for step in range(201):
            value = low * (high / low) ** (step / 200)
            value = round(value) if panel.key != "socket_copy_cycles" else value
            changes = {key: str(text) for key, text in panel.changes(value).items()}
            rate_Bps = _rate_Bps(panel, value, own | changes)
            rows.append((panel.key, value, "closed form", None, rate_Bps))
    return rows


def _rate_Bps(panel: Panel, value: float, parameters: dict[str, str]) -> float | None:
    key, low, high = UNTOLD
    untold = panel.key == key and low <= value < high
    return None if untold else file_send.rate_Bps(FileSend.of(parameters))


def _label(axes: "Axes", panel: Panel) -> None:
    axes.set(xscale="log", yscale="log", xlabel=panel.label, ylim=(1, 6000))
    axes.set_xticks(panel.ticks, [str(tick) for tick in panel.ticks])
    axes.set_xticks([], minor=True)
    axes.set_yticks([1, 10, 100, 1000, 2000], ["1", "10", "100", "1000", "2000"])
    axes.set_yticks([], minor=True)
    axes.grid(which="major", color="0.9", linewidth=0.5)
