# SPDX-License-Identifier: GPL-2.0-only
"""Time per block against the size of the block, around whole numbers of segments: blocks in one
write each, confirmed by the other application, with Nagle's algorithm on and off."""

from study.catalogue import systems
from study.drawing import marks, style
from study.drawing.job_table import command_times, crossed, line, stalls, swept
from study.drawing.system_facts import value
from study.scenarios.request_reply import formulas as request_reply
from study.system.system import System

SYSTEM = "telnet-xp"
SEGMENTS = 6
OFFSETS_B = (-200, -1, 0, 1, 200, 730)
# Each setting of Nagle's algorithm, with the curve's name and look.
NAGLE = {
    True: ("on", (style.CURVES[3][0], "-", style.CURVES[3][2])),
    False: ("off", style.CURVES[1]),
}
TITLE = (
    "With Nagle's algorithm a block that ends behind an odd number of whole segments takes "
    "{slow:.0f} ms, without it {fast:.1f} ms"
)
CAPTION = (
    "Time per block against its size; upright lines: whole segments. A block is one write of a "
    "Windows XP client (as in the Telnet test, with a send buffer that holds it) on 100 Mbit/s; "
    "the server confirms it after 1 ms with one byte, acknowledges every second segment at once "
    "and delays a lone ACK by 200 ms. Markers: simulated; lines: closed form. With Nagle's "
    "algorithm what is left behind the whole segments waits for their ACK: at once when their "
    "number is even, after 200 ms when it is odd. A block of whole segments leaves nothing "
    "behind. Nothing here is measured."
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
    table, system = sweep(), blocks()
    mss_B = value(system, "client_mss")
    figure, axes = style.one(3.4, 3.2)
    lengths_B = sorted({*range(1, SEGMENTS * mss_B, 20), *sizes_B()})
    for nagle, (label, look) in NAGLE.items():
        jobs = table[table.nagle == nagle]
        switched = system.with_(client_nagle=nagle)
        paper = line(switched, "command_text_B", lengths_B, request_reply.block_s, per=1e-3)
        marks.curve(
            axes,
            look,
            (jobs.block_B, jobs.block_ms),
            paper,
            f"Nagle {label}",
            jobs.closed_form_ms,
            1,
        )
    axes.set(
        ylabel="time per block (ms)",
        ylim=(0.8, 600),
    )
    marks.scales(
        axes,
        log="y",
        y=[1, 10, 100, 200],
        grid=False,
    )
    marks.bytes_across(axes, "size of a block")
    for count in range(1, SEGMENTS + 1):
        axes.axvline(mss_B * count, color="0.8", linewidth=0.6, zorder=0)
    if style.narrow():
        figure.legend(ncols=2, loc="outside upper center")
    else:
        axes.legend(loc="center left", bbox_to_anchor=(0.0, 0.55))
    for count in (1, 3, 5):
        middle_B = mss_B * (count + 0.5)
        axes.text(middle_B, 260, f"{count} whole:\na delayed ACK", ha="center", va="bottom")
    slow, fast = (table[table.nagle == nagle].block_ms.max() for nagle in NAGLE)
    return style.Drawing(figure, table, CAPTION, TITLE.format(slow=slow, fast=fast))


def sizes_B() -> list[int]:
    """Return a few bytes, and around each whole number of segments."""
    mss_B = value(blocks(), "client_mss")
    around = {count * mss_B + offset_B for count in range(SEGMENTS + 1) for offset_B in OFFSETS_B}
    return sorted(size_B for size_B in around if 0 < size_B <= SEGMENTS * mss_B + 1)


def sweep() -> style.Table:
    """Fifty blocks of each size."""
    jobs = crossed(blocks(), client_nagle=NAGLE, command_text=sizes_B())
    read = command_times(request_reply.block_s, "block") | {"stalls_per_block": stalls}
    return swept("blocks", ("nagle", "block_B"), jobs, read)
