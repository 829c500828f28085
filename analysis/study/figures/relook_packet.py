# SPDX-License-Identifier: GPL-2.0-only
"""Where each microsecond of a packet goes at the Relook 400s, and what its author's changes, DMA
and UDMA make of it."""

from textwrap import fill
from typing import TYPE_CHECKING

from study.catalogue import systems
from study.drawing import style
from study.runs.batch import run_batch
from study.scenarios.file_send import formulas as file_send
from study.scenarios.file_send.formulas import FileSend

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

SYSTEM = "relook-400s"
CASES = {
    "as it is": {},
    "copy loop halved, no tasklet": {"word_cycles": 5, "tasklet_cycles": 0},
    "SO_SNDBUF eight times as large": {"send_buffer": 131072},
    "file buffer four times as large": {"file_buffer": 262144},
    "sendfile off": {"sendfile": False},
    "Ethernet by DMA": {"interface_transfer": "dma"},
    "disk by UDMA": {"disk_reading": "read-ahead"},
    "both": {"interface_transfer": "dma", "disk_reading": "read-ahead"},
}
MADE = 5  # of these, the box as it is and what its author changed
# The stages of a packet from the disk to the wire, then the ACK's; a colour and a hatch each.
STAGES = {
    "disk": ("held while the disk delivers", "#000000", ""),
    "system_call": ("system calls", "#999999", ""),
    "user_copy": ("copy to the server", "#CC79A7", ""),
    "socket_copy": ("copy to the socket", "#D55E00", ""),
    "send": ("TCP, IP, driver", "#E69F00", ""),
    "copy_loop": ("copy loop", "#F0E442", ""),
    "bus": ("held while the bus takes words", "#0072B2", ""),
    "receive": ("ACK received", "#56B4E9", ""),
    "tasklet": ("tasklet", "#009E73", ""),
    "idle": ("idle: waits for bus or disk", "#FFFFFF", "////"),
}
PACKET_B = 1460
CAPTION = (
    "What the processor of the Relook 400s does in the time that a 1460-byte segment takes, disk "
    "to wire, its share of ACKs included: simulated. Grey band: the measured 2,100 to 2,300 KB/s "
    "(source: the report on the Relook wiki). The first five bars are the box and the changes that "
    "its author made without seeing a difference; the others he could not make. Diamonds: closed "
    "form. Disk rate, word width and programmed I/O are from the source; bus timing, clock and "
    "cycles are assumed; DMA leaves the words to the same bus, UDMA the disk at the same rate."
)
CLOSED_FORM = {"marker": "D", "color": "white", "markeredgecolor": "black", "markersize": 4}


def draw() -> style.Drawing:
    """One bar a case, from the disk on the left to the ACK on the right."""
    table = sweep()
    figure = style.figure(3.8, 5.2)
    axes = figure.subplots()
    low, high = _measured_us()
    axes.axvspan(low, high, color="0.88", zorder=0)
    axes.text((low + high) / 2, len(table) - 0.55, "measured", ha="center", va="bottom")
    begins_us = [0.0] * len(table)
    places = range(len(table))
    for stage, (label, colour, hatch) in STAGES.items():
        parts_us = table[f"{stage}_us"].tolist()
        look = {"color": colour, "hatch": hatch, "edgecolor": "black", "linewidth": 0.4}
        axes.barh(places, parts_us, left=begins_us, height=0.62, label=label, **look)
        begins_us = [begin + part for begin, part in zip(begins_us, parts_us, strict=True)]
    for place, (end_us, row) in enumerate(zip(begins_us, table.itertuples(), strict=True)):
        at = {"xytext": (7, 0), "textcoords": "offset points", "va": "center"}
        axes.annotate(f"{row.throughput_Bps / 1000:,.0f} kB/s", (end_us, place), **at)
    closed_us = [PACKET_B / rate * 1e6 for rate in table.closed_form_Bps]
    axes.plot(closed_us, places, linestyle="", zorder=4, **CLOSED_FORM)
    _label(axes, table.case.tolist())
    narrow = style.size() == "column"
    page = style.size() == "page"
    look = {} if page else {"handlelength": 1.4, "columnspacing": 1, "handletextpad": 0.5}
    figure.legend(ncols=2 if narrow else 4, loc="outside upper center", **look)
    return style.Drawing(figure, table, CAPTION)


def sweep() -> "pd.DataFrame":
    """One transfer a case; microseconds of each stage for a packet."""
    import pandas as pd

    system = systems[SYSTEM]
    flags = [system.with_(**changes).flags() for changes in CASES.values()]
    rows = []
    records = run_batch(system.scenario, flags, "where a packet's time goes")
    for case, record in zip(CASES, records, strict=True):
        result = system.result(record)
        packets = result.bytes / PACKET_B
        stages = {f"{name}_us": record["cpu_s"][name] / packets * 1e6 for name in STAGES}
        closed_form_Bps = file_send.rate_Bps(FileSend.of(result.parameters))
        ends = {"throughput_Bps": result.throughput_Bps, "closed_form_Bps": closed_form_Bps}
        rows.append({"case": case, "outcome": result.outcome} | stages | ends)
    return pd.DataFrame(rows)


def _measured_us() -> tuple[float, float]:
    """The measured range as the time of a packet."""
    rate = next(row for row in systems[SYSTEM].measured if row.low is not None)
    return PACKET_B / rate.high * 1000, PACKET_B / rate.low * 1000


def _label(axes: "Axes", cases: list[str]) -> None:
    names = [fill(case, 18) for case in cases] if style.size() == "column" else cases
    axes.set_yticks(range(len(cases)), names)
    axes.invert_yaxis()
    axes.axhline(MADE - 0.5, color="0.4", linewidth=0.6, linestyle=":")
    axes.set_xlabel(f"processor time for {PACKET_B} bytes of the file (us)")
    axes.set_xlim(0, 850)
