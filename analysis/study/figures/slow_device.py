# SPDX-License-Identifier: GPL-2.0-only
"""Throughput of a print server against what its own processor does for each byte: a cause for a
slow drain that one can turn."""

from study.catalogue import systems
from study.drawing import marks, style
from study.drawing.facts import axis_label, said
from study.drawing.jobs import crossed, on_paper, rates, swept
from study.scenarios.print_job import cycles

SYSTEM = "troy-pocketpro-100s"  # of this device no latency is known
JOB_B = 1_000_000
CLOCK_MHZ = 20
CYCLES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]
WINDOWS_B = [32120, 1460]
TITLE = (
    "A processor that takes {cycles} cycles a byte gives {rate:.0f} kB/s of the line's "
    "{line:,.0f}, and a window {times:.0f} times as large brings {gain:.0f} % more"
)
CAPTION = (
    "A 1 MB job to a print server whose processor, at 20 MHz, takes so many cycles to pass a byte "
    "on to the printer's port, and ten to receive one. With a window of many segments receiving "
    "and passing on fill its time, and nothing else counts once it is slower than the line; with a "
    "window of one the host waits for both and for the line in turn. Markers: simulated; "
    "lines: closed form. Nothing here is measured: no source tells a device's clock."
)


def draw() -> style.Drawing:
    """Two windows, and the line's ceiling."""
    system = systems[SYSTEM]
    processor = {"device_clock": CLOCK_MHZ, "device_byte_cycles": 10, "port_rate": "100Gbps"}
    base = system.with_(**processor, job_size=JOB_B)
    jobs = crossed(base, receive_window=WINDOWS_B, device_drain_cycles=CYCLES)
    names, read = ("receive_window_B", "device_drain_cycles"), rates(cycles.processor_rate_Bps)
    table = swept("rate against a device's cycles", names, jobs, read)
    figure, axes = style.one(3.2, 3.0)
    for window_B, jobs, look in marks.families(table, "receive_window_B"):
        costs = jobs.device_drain_cycles
        paper = (costs, jobs.closed_form_Bps / 1000)
        marks.curve(axes, look, (costs, jobs.throughput_Bps / 1000), paper, f"{window_B} B")
    ceiling = cycles.line_rate_Bps(on_paper(system.run())) / 1000
    back = "" if style.narrow() else ", full frames back to back"
    text = f"{said(system, 'link_rate')} Ethernet{back}: {ceiling:,.0f} kB/s"
    marks.level(axes, ceiling, text, CYCLES[-1], ha="right")
    axes.set(
        xlabel=axis_label(system, "device_drain_cycles"), ylabel="throughput of the job (kB/s)"
    )
    marks.scales(axes, log="xy", x=CYCLES, y=[20, 50, 100, 200, 500, 1000])
    axes.legend(title="window", loc="lower left")
    wide, narrow = table[table.device_drain_cycles == CYCLES[-1]].throughput_Bps / 1000
    words = {"cycles": CYCLES[-1], "rate": narrow, "line": ceiling}
    words |= {"times": WINDOWS_B[0] / WINDOWS_B[1], "gain": 100 * (wide / narrow - 1)}
    return style.Drawing(figure, table, CAPTION, TITLE.format(**words))
