# SPDX-License-Identifier: GPL-2.0-only
"""The silly window syndrome and its two cures: a device whose printer takes a little at a time,
with the sender's rule and its own on or off."""

from itertools import product
from typing import TYPE_CHECKING

from study.catalogue import systems
from study.drawing import style
from study.runs.batch import run_batch
from study.scenarios.print_job import formulas as print_job
from study.scenarios.print_job.formulas import PrintJob

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

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
    table = sweep()
    narrow = style.size() == "column"
    figure = style.figure(3.6, 5.4)
    segments, rates = figure.subplots(*(2, 1) if narrow else (1, 2))
    _bars(segments, table, table.mean_segment_B)
    segments.set_ylabel("mean segment (bytes)")
    segments.set_yticks([128, 256, 512, 768, 1460])
    for position, wanted_B in _positions(table.closed_form_segment_B):
        segments.plot(position, wanted_B, linestyle="", zorder=4, **CLOSED_FORM)
    _bars(rates, table, table.throughput_Bps / 1000)
    rates.set_ylabel("throughput of the job (kB/s)")
    rates.axhline(1000, color="0.4", linewidth=0.8)
    at = {"xytext": (0, 3), "textcoords": "offset points"}
    rates.annotate("rate of the printer's port", (-0.5, 1000), **at)
    handles, labels = segments.get_legend_handles_labels()
    columns = 2 if narrow else len(RULES)
    figure.legend(handles, labels, title="rule in force", ncols=columns, loc="outside upper center")
    return style.Drawing(figure, table, CAPTION)


CLOSED_FORM = {"marker": "D", "color": "white", "markeredgecolor": "black", "markersize": 4}


def sweep() -> "pd.DataFrame":
    """One job for every chunk under every combination of the rules."""
    import pandas as pd

    system = systems[SYSTEM].with_(job_size=JOB_B)
    points = list(product(RULES, CHUNKS_B))
    flags = [
        system.with_(
            port_chunk=chunk_B, silly_window_avoidance=sender, device_silly_window_avoidance=device
        ).flags()
        for (sender, device), chunk_B in points
    ]
    rows = []
    records = run_batch(system.scenario, flags, "silly windows")
    for ((sender, device), chunk_B), record in zip(points, records, strict=True):
        result = system.result(record)
        mean_B = result.bytes / record["segments"]
        closed_form_B = print_job.port_limited_segment_B(PrintJob.of(result.parameters))
        row = (sender, device, chunk_B, result.outcome, mean_B, closed_form_B)
        rows.append((*row, result.throughput_Bps))
    columns = ["sender_rule", "device_rule", "port_chunk_B", "outcome", "mean_segment_B"]
    return pd.DataFrame(rows, columns=[*columns, "closed_form_segment_B", "throughput_Bps"])


def _bars(axes: "Axes", table: "pd.DataFrame", values: "pd.Series") -> None:
    for number, ((sender, device), (label, colour, hatch)) in enumerate(RULES.items()):
        own = (table.sender_rule == sender) & (table.device_rule == device)
        places = [group + (number - 1.5) * 0.22 for group in range(len(CHUNKS_B))]
        look = {"color": colour, "edgecolor": "black", "linewidth": 0.6, "hatch": hatch}
        axes.bar(places, values[own], width=0.22, label=label, **look)
    axes.set_xticks(range(len(CHUNKS_B)), [str(chunk_B) for chunk_B in CHUNKS_B])
    axes.set_xlabel("what the port takes at a time (bytes)")


def _positions(values: "pd.Series") -> list[tuple[float, float]]:
    """Each value with the middle of its bar; rows are ordered by rule, then chunk."""
    count = len(CHUNKS_B)
    return [
        (index % count + (index // count - 1.5) * 0.22, value) for index, value in enumerate(values)
    ]
