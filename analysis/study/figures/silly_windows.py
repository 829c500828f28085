# SPDX-License-Identifier: GPL-2.0-only
"""The silly window syndrome and its two cures: a device whose printer takes a little at a time,
with the sender's rule and its own on or off."""

from collections.abc import Sequence
from itertools import product

from study.catalogue import systems
from study.drawing import marks, style
from study.drawing.job_table import on_paper, swept
from study.drawing.system_facts import axis_label, value
from study.scenarios.print_job import cycles

SYSTEM = "troy-pocketpro-100s"  # the device that only its printer's port holds up
CHUNKS_B = [128, 256, 512, 1460]
JOB_B = 3_000_000
# Each combination of the sender's rule and the device's, with a colour and a hatch.
RULES = {
    ("none", False): ("neither: the syndrome", "#000000", ""),
    ("none", True): ("device's only", "#D55E00", "////"),
    ("rfc1122", False): ("sender's only", "#56B4E9", ""),
    ("rfc1122", True): ("both", "#FFFFFF", ""),
}
TITLE = (
    "Without a rule at either end chunks of {chunk} B become segments of {segment:.0f} B for ever, "
    "and the rate is {loss:.0f} % less"
)
CAPTION = (
    "A 3 MB job to a device whose printer takes 1 MB/s in chunks, each of which opens the window "
    "by as much. Without the rules of RFC 1122 (sender: 4.2.3.4, device: 4.2.3.3) every chunk "
    "becomes a segment for ever; either rule cures that. The sender's alone leaves an ACK for "
    "each chunk, which takes its turn on the 10 Mbit/s Ethernet. Bars: simulated; "
    "diamonds: closed form. Nothing here is measured; the port's rate is published "
    "elsewhere for the printer of the print-server article."
)


def draw() -> style.Drawing:
    """Bars of the mean segment and of the rate, one group a chunk."""
    system, table = systems[SYSTEM], sweep()
    figure, (segments, throughputs) = style.beside(2, 3.6, 5.4)
    segments.set_ylabel("mean segment (bytes)")
    segments.set_yticks([128, 256, 512, 1024])
    places = _bars(segments, table.mean_segment_B)
    for place, wanted_B in zip(places, table.closed_form_segment_B, strict=True):
        marks.points(segments, place, wanted_B, marks.DIAMOND)
    throughputs.set_ylabel("throughput of the job (kB/s)")
    _bars(throughputs, table.throughput_Bps / 1000)
    port_kBps = value(system, "port_rate", "kbit/s") / 8
    marks.level(throughputs, port_kBps, "rate of the printer's port", -0.5)
    for axes in (segments, throughputs):
        axes.set_xlabel(axis_label(system, "port_chunk"))
    handles, labels = segments.get_legend_handles_labels()
    columns = 2 if style.narrow() else len(RULES)
    figure.legend(handles, labels, title="rule in force", ncols=columns, loc="outside upper center")
    first = table.set_index(["sender_rule", "device_rule", "port_chunk_B"]).loc
    without, both = first["none", False, CHUNKS_B[0]], first["rfc1122", True, CHUNKS_B[0]]
    loss = 100 * (1 - without.throughput_Bps / both.throughput_Bps)
    words = {"chunk": CHUNKS_B[0], "segment": without.mean_segment_B, "loss": loss}
    return style.Drawing(figure, table, CAPTION, TITLE.format(**words))


def sweep() -> style.Table:
    """Run one job for every chunk under every combination of the rules."""
    system = systems[SYSTEM].with_(job_size=JOB_B)
    jobs = {
        (sender, device, chunk_B): system.with_(
            port_chunk=chunk_B, silly_window_avoidance=sender, device_silly_window_avoidance=device
        )
        for (sender, device), chunk_B in product(RULES, CHUNKS_B)
    }
    read = {
        "mean_segment_B": lambda result: result.bytes / result.record["segments"],
        "closed_form_segment_B": lambda job: cycles.port_limited_segment_B(on_paper(job)),
        "throughput_Bps": lambda result: result.throughput_Bps,
    }
    names = ("sender_rule", "device_rule", "port_chunk_B")
    return swept("silly windows", names, jobs, read)


def _bars(axes: style.Axes, values: Sequence[float]) -> list[float]:
    """Rows are ordered by rule, then chunk; the middle of each bar."""
    count, places = len(CHUNKS_B), []
    for number, (label, colour, hatch) in enumerate(RULES.values()):
        own = slice(number * count, (number + 1) * count)
        places += [group + (number - 1.5) * 0.22 for group in range(count)]
        look = {"color": colour, "edgecolor": "black", "linewidth": 0.6, "hatch": hatch}
        axes.bar(places[own], values[own], width=0.22, label=label, **look)
    axes.set_xticks(range(count), [str(chunk_B) for chunk_B in CHUNKS_B])
    return places
