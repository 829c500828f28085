# SPDX-License-Identifier: GPL-2.0-only
"""Where each microsecond of a packet goes at the Relook 400s, and what its author's changes, DMA
and UDMA make of it."""

from textwrap import fill

from study.catalogue import systems
from study.drawing import marks, style
from study.drawing.job_table import rates, swept
from study.drawing.system_facts import measured, value
from study.scenarios.file_send import formulas as file_send
from study.system.system import Result

SYSTEM = "relook-400s"
# What its author changed and could have changed, of what the system has.
DMA, UDMA = {"interface_transfer": "dma"}, {"disk_reading": "read-ahead"}
CASES = {
    "as it is": lambda own: {},
    "copy loop halved, no tasklet": lambda own: {
        "word_cycles": value(own, "word_cycles") / 2,
        "tasklet_cycles": 0,
    },
    "SO_SNDBUF eight times as large": lambda own: {"send_buffer": value(own, "send_buffer") * 8},
    "file buffer four times as large": lambda own: {"file_buffer": value(own, "file_buffer") * 4},
    "sendfile off": lambda own: {"sendfile": False},
    "Ethernet by DMA": lambda own: DMA,
    "disk by UDMA": lambda own: UDMA,
    "both": lambda own: DMA | UDMA,
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
TITLE = (
    "Disk and bus hold the Relook's processor for {share:.0f} % of the {all_us:.0f} µs of a "
    "packet, and none of its author's changes brings more than {most:.0f} %"
)
CAPTION = (
    "What the processor of the Relook 400s does in the time that a 1460-byte segment takes, disk "
    "to wire, its part of the ACKs included: simulated. Grey band: the measured {low:,} to "
    "{high:,} "
    "KB/s (source: the report on the Relook wiki). The first five bars are the box and the "
    "changes that its author made without seeing a difference; the others he could not make. "
    "Diamonds: closed form. Disk rate, word width and programmed I/O are from the source; bus "
    "timing, clock and cycles are assumed; DMA leaves the words to the same bus, UDMA the disk at "
    "the same rate."
)


def draw() -> style.Drawing:
    """Draw one bar a case, from the disk on the left to the ACK on the right."""
    system = systems[SYSTEM]
    jobs = {(case,): system.with_(**changes(system)) for case, changes in CASES.items()}
    stages = {f"{name}_us": lambda result, name=name: _stage_us(result, name) for name in STAGES}
    read = stages | rates(file_send.rate_Bps)
    table = swept("where a packet's time goes", ("case",), jobs, read)
    figure, axes = style.one(3.8, 5.2)
    packet_B, source = value(system, "mss"), measured(system, "download_rate")
    low, high = packet_B / source.high * 1000, packet_B / source.low * 1000
    axes.axvspan(low, high, color="0.88", zorder=0)
    axes.text((low + high) / 2, len(table) - 0.55, "measured", ha="center", va="bottom")
    begins_us = [0.0] * len(table)
    places = range(len(table))
    for stage, (label, colour, hatch) in STAGES.items():
        parts_us = table[f"{stage}_us"].tolist()
        look = {"color": colour, "hatch": hatch, "edgecolor": "black", "linewidth": 0.4}
        axes.barh(places, parts_us, left=begins_us, height=0.62, label=label, **look)
        begins_us = [begin + part for begin, part in zip(begins_us, parts_us, strict=True)]
    for place, (end_us, rate_Bps) in enumerate(zip(begins_us, table.throughput_Bps, strict=True)):
        marks.note(axes, f"{rate_Bps / 1000:,.0f} kB/s", (end_us, place), (7, 0), va="center")
    marks.points(axes, packet_B / table.closed_form_Bps * 1e6, places, marks.DIAMOND)
    names = [fill(case, 18) for case in table.case] if style.narrow() else table.case
    axes.set_yticks(places, names)
    axes.invert_yaxis()
    axes.axhline(MADE - 0.5, color="0.4", linewidth=0.6, linestyle=":")
    axes.set(xlabel=f"processor time for {packet_B} bytes of the file (µs)", xlim=(0, 850))
    tight = {"handlelength": 1.4, "columnspacing": 1, "handletextpad": 0.5}
    look = {} if style.size() == "page" else tight
    figure.legend(ncols=2 if style.narrow() else 4, loc="outside upper center", **look)
    first, made = table.iloc[0], table.iloc[1:MADE]
    words = {"share": 100 * (first.disk_us + first.bus_us) / begins_us[0], "all_us": begins_us[0]}
    words["most"] = 100 * (made.throughput_Bps.max() / first.throughput_Bps - 1)
    caption = CAPTION.format(low=source.low, high=source.high)
    return style.Drawing(figure, table, caption, TITLE.format(**words))


def _stage_us(result: Result, stage: str) -> float:
    """For a packet."""
    packets = result.bytes / int(result.parameters["mss"])
    return result.record["cpu_s"][stage] / packets * 1e6
