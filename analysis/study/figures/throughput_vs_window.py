# SPDX-License-Identifier: GPL-2.0-only
"""Throughput of the whole job against the receive window, for several ACK latencies: what the
Hawking would gain from either."""

from study.base.units import seconds
from study.catalogue import systems
from study.drawing import marks, style
from study.drawing.facts import axis_label, kBps, measured, said, value
from study.drawing.jobs import between, crossed, line, on_paper, rates, swept, whole
from study.scenarios.print_job import cycles

SYSTEM = "hawking-hps1u"
# Beside the measured one: what other devices and firmware might take.
LATENCIES = ["50ms", "20ms", "10ms", "1ms"]
# Halves and whole segments at first, where each one counts, then steps of about a third.
WINDOWS_B = [512, 730, 1024, 1460, 2048, 2920, 4096, 5840, 8760, 11680]
WINDOWS_B += [17520, 23360, 32120, 46720, 65535]
TITLE = (
    "The Hawking's {own:.0f} kB/s become {window:.0f} kB/s with a window of {most} B, or "
    "{latency:.0f} kB/s with an ACK after {ms:.0f} ms"
)
CAPTION = (
    "Throughput of a 22 MB LPR job against the device's receive window, for five ACK latencies. "
    "Markers: simulated jobs; lines: closed form, one window a cycle; star: the Hawking H-PS1U as "
    "measured (source: the trace of the print-server article). Near the line's rate the jobs fall "
    "below the formula: data and ACKs wait for each other on the shared Ethernet."
)


def draw() -> style.Drawing:
    """Simulated points of full jobs, the closed form through them, the measured point, and the
    line's ceiling."""
    system = systems[SYSTEM]
    own = system.settings["ack_latency"].text
    jobs = crossed(system, ack_latency=[own, *LATENCIES], receive_window=WINDOWS_B)
    names = ("ack_latency", "receive_window_B")
    table = swept("throughput against window", names, jobs, rates(cycles.steady_rate_Bps))
    figure, axes = style.one(4.0)
    # The formula has a step wherever one more whole segment fits into the window.
    windows_B = [*whole(between(512, 65536, 800))[:-1], 65535]
    for latency, jobs, look in marks.families(table, "ack_latency"):
        changed = system.with_(ack_latency=latency)
        paper = line(changed, "receive_window_B", windows_B, cycles.steady_rate_Bps, 1000)
        points = (jobs.receive_window_B, jobs.throughput_Bps / 1000)
        label = f"{seconds(latency) * 1000:.4g} ms" + (" (Hawking)" if latency == own else "")
        marks.curve(axes, look, points, paper, label)
    at = (value(system, "receive_window"), kBps(measured(system, "cycle_rate")))
    marks.star(axes, at, f"Hawking H-PS1U as measured:\n{at[0]} B, {at[1]:.1f} kB/s")
    ceiling = cycles.line_rate_Bps(on_paper(system.run())) / 1000
    back = "" if style.narrow() else ", full frames back to back"
    text = f"{said(system, 'link_rate')} Ethernet{back}: {ceiling:,.0f} kB/s"
    marks.level(axes, ceiling, text, WINDOWS_B[0])
    axes.set(xlabel=axis_label(system, "receive_window"), ylabel="throughput of the job (kB/s)")
    ticks = [512, *([] if style.narrow() else [1024]), 1460, 2920, 5840, 11680, 23360, 65535]
    marks.scales(axes, log="xy", x=ticks, y=[3, 10, 30, 100, 300, 1000])
    if style.narrow():
        figure.legend(title="ACK latency", loc="outside upper center", ncols=2)
    else:
        axes.legend(title="ACK latency", loc="lower right", bbox_to_anchor=(1.0, 0.02))
    of = table.set_index(["ack_latency", "receive_window_B"]).throughput_Bps / 1000
    sooner = system.with_(ack_latency=LATENCIES[-1])
    rates_kBps = [each.run().throughput_Bps / 1000 for each in (system, sooner)]
    words = dict(zip(("own", "latency"), rates_kBps, strict=True))
    words |= {"window": of[own, WINDOWS_B[-1]], "most": WINDOWS_B[-1]}
    words |= {"ms": seconds(LATENCIES[-1]) * 1000}
    return style.Drawing(figure, table, CAPTION, TITLE.format(**words))
