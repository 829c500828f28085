# SPDX-License-Identifier: GPL-2.0-only
"""Rate of the whole job to the Linksys against how often its port pauses, which the source does not
tell."""

from study.catalogue import systems
from study.drawing import marks
from study.drawing.curves import Curves, Over, Up
from study.drawing.style import Axes, Table
from study.drawing.system_facts import kBps, measured
from study.scenarios.print_job import whole_job

SYSTEM = "linksys-ppsx1"
EVERY_B = [10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 20_000_000]
SEEN_B = 40_000_000  # where the rate between two pauses is marked
TITLE = (
    "How often its port pauses decides what the Linksys gives: {slow:.0f} kB/s with a pause every "
    "{often:.0f} kB, {fast:.0f} kB/s with one every {seldom:.0f} MB"
)
CAPTION = (
    "Rate of a 22 MB LPR job to the Linksys PPSX1 against the bytes between two pauses of its "
    "port, each two seconds long as in the trace. Markers: simulated jobs; line: closed form. "
    "Grey: without pauses, simulated. Star: between stalls, as measured (source: the trace of the "
    "print-server article). How often the pauses come is not in the source: the open marker is "
    "what the system file assumes."
)


def notes(axes: Axes, table: Table) -> None:
    """Without pauses, simulated; between them, as measured."""
    (steady,) = table[table.drain_pause_every_B == 0].throughput_Bps / 1000
    axes.axhline(steady, color="0.4", linewidth=0.8)
    marks.note(axes, f"without pauses: {steady:.0f} kB/s", (EVERY_B[0], steady), (0, -4), va="top")
    between = (SEEN_B, kBps(measured(systems[SYSTEM], "cycle_rate")))
    marks.star(axes, between, label="between stalls as measured", clip_on=False)


draw = Curves(
    TITLE,
    CAPTION,
    curves=lambda: {"": systems[SYSTEM]},
    over=Over("drain_pause_every", [0, *EVERY_B], own=True),  # 0: without pauses
    up=Up("rate of the job", log=False),
    form=whole_job.whole_job_rate_Bps,
    words=lambda kBps: {
        "slow": kBps(0, EVERY_B[0]),
        "fast": kBps(0, EVERY_B[-1]),
        "often": EVERY_B[0] / 1e3,
        "seldom": EVERY_B[-1] / 1e6,
    },
    notes=notes,
    heights=(3.4,),
).draw
