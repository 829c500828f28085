# SPDX-License-Identifier: GPL-2.0-only
"""Throughput against the committed information rate, when the network drops what exceeds it: packet
burst and TCP on the same line."""

from typing import TYPE_CHECKING

from study.catalogue import systems
from study.drawing import style
from study.runs.batch import run_batch
from study.system.system import System

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

SYSTEMS = ("netware", "tcp-frame-relay")
RATES_KBPS = [32, 64, 96, 128, 160, 192, 224, 240, 256, 288, 320, 384]
GAP = "47300us"  # a packet's time on the branch's line, up to the next tenth of a millisecond
DROPS = ["wan_frames_policed", "wan_frames_congested", "router_drops"]
MEASUREMENT_INTERVAL_S = 1  # Tc = Bc / CIR, a usual contract of the time
CAPTION = (
    "A file read over a 256 kbit/s line against the committed information rate, with no excess "
    "burst: of what exceeds CIR x 1 s everything is dropped. Top: throughput; below: packets sent "
    "again and, with open markers, dropped (under the filled ones where that is the same). The "
    "server hands a burst to headquarters' line of 1 Mbit/s, so the network sees four times the "
    "rate that the branch's line can carry. Of a burst just what was dropped comes a second time; "
    "when the packet that ends it is among that, the workstation's list waits for its timeout, "
    "which makes the steps: the one at 288 to 320 kbit/s rests on the assumed ReplyTimeout of 1 s. "
    "With a gap of the branch line's own packet time the burst asks for no more than the line. TCP "
    "without SACK goes back to the first loss and sends up to three times what was dropped. One "
    "run each, one Bc, no random start. Grey: the committed rate. Nothing here was measured: the "
    "source's line was committed in full, its Bc is not given."
)


def draw() -> style.Drawing:
    """Throughput and packets sent again, one above the other."""
    table = sweep()
    figure = style.figure(4.6, 4.6)
    rates, again = figure.subplots(2, 1, sharex=True, height_ratios=[2, 1])
    for (name, curve), (colour, dash, marker) in zip(
        table.groupby("protocol", sort=False), style.CURVES, strict=False
    ):
        line = {"color": colour, "linestyle": dash, "marker": marker, "label": name}
        rates.plot(curve.committed_rate_kbps, curve.throughput_Bps / 1000, **line)
        again.plot(curve.committed_rate_kbps, curve.resent_pct, **line)
        drops = {"color": colour, "linestyle": "", "marker": marker, "fillstyle": "none"}
        again.plot(curve.committed_rate_kbps, curve.dropped_pct, **drops)
    _label(rates, again)
    return style.Drawing(figure, table, CAPTION)


def sweep() -> "pd.DataFrame":
    """One file with every committed rate, over both protocols."""
    import pandas as pd

    gap = {"protocol": "packet-burst", "burst_gap": GAP}
    tcp = systems["tcp-frame-relay"].with_(receive_window=17520)
    protocols = {
        "packet burst with a gap": (systems["netware"].with_(**gap), "packets"),
        "packet burst": (systems["netware"].with_(protocol="packet-burst"), "packets"),
        "TCP, window 17520 B": (tcp, "segments"),
    }
    rows = []
    for name, (system, sent) in protocols.items():
        reads = [_committed(system, kbps) for kbps in RATES_KBPS]
        points = [each.flags() for each in reads]
        records = run_batch(system.scenario, points, "throughput against CIR")
        for kbps, record in zip(RATES_KBPS, records, strict=True):
            result = system.result(record)
            dropped_pct = sum(record[name] for name in DROPS) / record[sent] * 100
            resent_pct = record["retransmissions"] / record[sent] * 100
            rows.append(
                (name, kbps, result.outcome, result.throughput_Bps, dropped_pct, resent_pct)
            )
    columns = ["protocol", "committed_rate_kbps", "outcome", "throughput_Bps"]
    return pd.DataFrame(rows, columns=[*columns, "dropped_pct", "resent_pct"])


def _committed(system: System, kbps: int) -> System:
    return system.with_(
        committed_rate=f"{kbps}kbps",
        committed_burst=kbps * 1000 * MEASUREMENT_INTERVAL_S,
        excess_burst=0,
    )


def _label(rates: "Axes", again: "Axes") -> None:
    below = [kbps for kbps in RATES_KBPS if kbps <= 256]
    committed = {"color": "0.4", "linewidth": 0.8, "linestyle": "-"}
    rates.plot(below, [kbps / 8 for kbps in below], label="the committed rate", **committed)
    for axes in (rates, again):
        axes.axvline(256, color="0.4", linewidth=0.6, linestyle=":")
        axes.grid(which="major", color="0.9", linewidth=0.5)
        axes.set_ylim(bottom=0)
    rates.annotate("line rate", (256, 0), xytext=(3, 4), textcoords="offset points")
    rates.set_ylabel("throughput (kB/s)")
    rates.legend(loc="upper left")
    again.set_ylabel("dropped, sent again\n(% of packets sent)")
    again.set_xlabel("committed information rate CIR (kbit/s)")
    again.set_xticks([32, 64, 128, 192, 256, 320, 384])
