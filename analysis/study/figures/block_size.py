# SPDX-License-Identifier: GPL-2.0-only
"""Time per block against the size of the block, around whole numbers of segments: blocks in one
write each, confirmed by the other application, with Nagle's algorithm on and off."""

from dataclasses import replace
from typing import TYPE_CHECKING

from study.catalogue import systems
from study.drawing import style
from study.runs.batch import run_batch
from study.scenarios.request_reply import formulas as request_reply
from study.scenarios.request_reply.formulas import Exchange
from study.system.system import System

if TYPE_CHECKING:
    import pandas as pd

SYSTEM = "telnet-xp"
MSS_B = 1460
SEGMENTS = 6
OFFSETS_B = (-200, -1, 0, 1, 200, 730)
NAGLE = {True: "on", False: "off"}
CAPTION = (
    "Time per block against its size. A block is one write of a Windows XP client (as in the "
    "Telnet test, with a send buffer that holds it) on 100 Mbit/s; the server confirms it after 1 "
    "ms with one byte, acknowledges every second segment at once and delays a lone ACK by 200 ms. "
    "Markers: simulated; lines: closed form. With Nagle's algorithm what is left behind the whole "
    "segments waits for their ACK: at once when their number is even, after 200 ms when it is odd. "
    "A block of whole segments leaves nothing behind. Nothing here is measured."
)


def blocks() -> System:
    """Fixed blocks, each confirmed, in the place of commands and replies."""
    return systems[SYSTEM].with_(
        command_end=0,
        echo=False,
        reply_writes=1,
        reply_write=1,
        server_time="1ms",
        server_delayed_ack="200ms",
        client_send_buffer=65536,
    )


def draw() -> style.Drawing:
    """Simulated points and the closed form through them, one curve for on and one for off."""
    table = sweep()
    figure = style.figure(3.4, 3.2)
    axes = figure.subplots()
    for (nagle, label), (colour, dash, marker) in zip(
        NAGLE.items(), (style.CURVES[3], style.CURVES[1]), strict=True
    ):
        curve = table[table.nagle == nagle]
        line = _closed_form(nagle)
        axes.plot(*line, color=colour, linestyle="-" if nagle else dash, linewidth=0.8)
        axes.plot(
            curve.block_B,
            curve.block_ms,
            color=colour,
            marker=marker,
            linestyle="",
            label=f"Nagle {label}",
        )
    narrow = style.size() == "column"
    fold = "\n" if narrow else " "
    axes.set(
        yscale="log",
        ylim=(0.8, 600),
        xlabel=f"size of a block (bytes;{fold}whole segments of 1460 are marked)",
        ylabel="time per block (ms)",
    )
    ticks = [MSS_B * count for count in range(SEGMENTS + 1)]
    axes.set_xticks(ticks, [f"{tick}" for tick in ticks])
    axes.set_yticks([1, 10, 100, 200], ["1", "10", "100", "200"])
    axes.set_yticks([], minor=True)
    axes.grid(axis="x", color="0.85", linewidth=0.6)
    if narrow:
        figure.legend(ncols=2, loc="outside upper center")
    else:
        axes.legend(loc="center left", bbox_to_anchor=(0.0, 0.55))
    for count in (1, 3, 5):
        middle_B = MSS_B * (count + 0.5)
        axes.text(middle_B, 260, f"{count} whole:\na delayed ACK", ha="center", va="bottom")
    return style.Drawing(figure, table, CAPTION)


def sizes_B() -> list[int]:
    """A few bytes, and around each whole number of segments."""
    around = {count * MSS_B + offset_B for count in range(SEGMENTS + 1) for offset_B in OFFSETS_B}
    return sorted(size_B for size_B in around if 0 < size_B <= SEGMENTS * MSS_B + 1)


def sweep() -> "pd.DataFrame":
    """Fifty blocks of each size."""
    import pandas as pd

    points = [(nagle, size_B) for nagle in NAGLE for size_B in sizes_B()]
    system = blocks()
    flags = [
        system.with_(command_text=size_B, client_nagle=nagle).flags() for nagle, size_B in points
    ]
    rows = []
    for point, record in zip(points, run_batch(system.scenario, flags, "blocks"), strict=True):
        closed_s = request_reply.block_s(Exchange.of(record["parameters"]))
        stalls = record["stalls"] / record["answered"]
        times_ms = (record["command_s"] * 1000, closed_s * 1000)
        rows.append((*point, record["outcome"], *times_ms, stalls))
    columns = ["nagle", "block_B", "outcome", "block_ms", "closed_form_ms", "stalls_per_block"]
    return pd.DataFrame(rows, columns=columns)


def _closed_form(nagle: bool) -> tuple[list[int], list[float]]:
    exchange = Exchange.of(blocks().with_(client_nagle=nagle).run().parameters)
    all_B = sorted({1, *range(20, SEGMENTS * MSS_B, 20), *sizes_B()})
    return all_B, [
        request_reply.block_s(replace(exchange, command_text_B=size_B)) * 1000 for size_B in all_B
    ]
