# SPDX-License-Identifier: GPL-2.0-only
"""Rate of the whole job to the Linksys against how often its port pauses, which the source does not
tell."""

from study.catalogue import systems
from study.drawing import marks, style
from study.drawing.facts import axis_label, kBps, measured, value
from study.drawing.jobs import between, crossed, line, rates, swept
from study.scenarios.print_job import messages, whole_job
from study.scenarios.print_job.messages import PrintJob

SYSTEM = "linksys-ppsx1"
EVERY_B = [10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000]
EVERY_B += [5_000_000, 10_000_000, 20_000_000]
LIMITS_B = (8_000, 40_000_000)
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


def draw() -> style.Drawing:
    """Simulated jobs, the closed form through them, and the same job without pauses."""
    system = systems[SYSTEM]
    at_B = value(system, "drain_pause_every")
    jobs = crossed(system, drain_pause_every=sorted({0, *EVERY_B, at_B}))  # 0: without pauses
    table = swept("rate against pauses", ("drain_pause_every_B",), jobs, rates(_rate_Bps))
    figure, axes = style.one(3.4)
    without, pausing = table[table.drain_pause_every_B == 0], table[table.drain_pause_every_B > 0]
    every_B = between(EVERY_B[0], EVERY_B[-1], 800)
    paper = line(system, "drain_pause_every_B", every_B, _rate_Bps, 1000)
    points = (pausing.drain_pause_every_B, pausing.throughput_Bps / 1000)
    marks.curve(axes, marks.PLAIN, points, paper)
    assumed = pausing[pausing.drain_pause_every_B == at_B].throughput_Bps.item() / 1000
    marks.points(axes, at_B, assumed, marks.ASSUMED)
    fold = style.fold()
    text = f"assumed: a pause{fold}every {at_B / 1e6:.0f} MB,\n{assumed:.0f} kB/s"
    shift = (12, -38 if style.narrow() else -30)
    marks.note(axes, text, (at_B, assumed), shift, **marks.LEADER)
    steady = without.throughput_Bps.item() / 1000
    axes.axhline(steady, color="0.4", linewidth=0.8)
    text = f"without pauses: {steady:.0f} kB/s"
    marks.note(axes, text, (EVERY_B[0], steady), (0, -4), va="top")
    between_stalls = (LIMITS_B[1], kBps(measured(system, "cycle_rate")))
    marks.star(axes, between_stalls, clip_on=False)
    text = f"between stalls{fold}as measured: {between_stalls[1]:.1f} kB/s"
    marks.note(axes, text, between_stalls, (-8, 4), ha="right")
    axes.set(
        xlabel=axis_label(system, "drain_pause_every"),
        ylabel="rate of the job (kB/s)",
        xlim=LIMITS_B,
        ylim=(0, 200 if style.narrow() else 180),
    )
    ticks = {10_000: "10 k", 100_000: "100 k", 1_000_000: "1 M", 10_000_000: "10 M"}
    marks.scales(axes, log="x", x=ticks)
    ends = pausing.sort_values("drain_pause_every_B").iloc[[0, -1]]
    often, seldom = ends.drain_pause_every_B
    slow, fast = ends.throughput_Bps / 1000
    words = {"slow": slow, "fast": fast, "often": often / 1e3, "seldom": seldom / 1e6}
    return style.Drawing(figure, table, CAPTION, TITLE.format(**words))


def _rate_Bps(job: PrintJob) -> float:
    return messages.job_bytes_B(job) / whole_job.whole_job_s(job)
