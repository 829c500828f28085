# SPDX-License-Identifier: GPL-2.0-only
"""Throughput against the committed information rate, when the network drops what exceeds it: packet
burst and TCP on the same line."""

from study.catalogue import systems
from study.drawing import gaps, marks, style
from study.drawing.job_table import swept
from study.drawing.system_facts import axis_label, value
from study.system.system import Result

SYSTEMS = ("netware", "tcp-frame-relay")
RATES_KBPS = [32, 64, 96, 128, 160, 192, 224, 240, 256, 288, 320, 384]
GAP = "47300us"  # a packet's time on the branch's line, up to the next tenth of a millisecond
DROPS = ["wan_frames_policed", "wan_frames_congested", "router_drops"]
MEASUREMENT_INTERVAL_S = 1  # Tc = Bc / CIR, a usual contract of the time
TITLE = (
    "If the network drops all traffic above a committed rate as high as the line's, bursts read "
    "{bursts:.0f} kB/s, TCP {tcp:.0f} kB/s, and bursts with gaps {gaps:.0f} kB/s"
)
CAPTION = (
    "A file is read over a 256 kbit/s line, against the committed information rate (CIR). The "
    "network drops all data beyond CIR x 1 s (no excess burst). Top: throughput. Bottom: packets "
    "sent again and, with open markers, packets dropped. Where both are equal, the filled marker "
    "covers the open one. The server sends a burst at the 1 Mbit/s of headquarters' line, four "
    "times the rate of the branch's line. Each dropped packet of a burst is sent once more. If the"
    " last packet of a burst is dropped, the workstation waits for a timeout before it lists the "
    "missing packets. These timeouts make the steps. The step from 288 to 320 kbit/s depends on "
    "the assumed ReplyTimeout of 1 s. With a gap as long as a packet's transmission time on the "
    "branch's line, the burst stays within that line's rate. TCP without SACK goes back to the "
    "first loss and sends up to three times what was dropped. Each point is one run, with one Bc "
    "and no random numbers. Grey: the committed rate. Nothing here was measured: the source's line"
    " was committed in full, and its Bc is not given."
)


def draw() -> style.Drawing:
    """Throughput and packets sent again, one above the other."""
    table = sweep()
    figure = style.figure(4.6, 4.6)
    throughputs, again = figure.subplots(2, 1, sharex=True, height_ratios=[2, 1])
    for name, curve, look in marks.families(table, "protocol"):
        colour, _, marker = look
        kbps = curve.committed_rate_kbps
        marks.curve(throughputs, look, (kbps, curve.throughput_Bps / 1000), label=name)
        marks.curve(again, look, (kbps, curve.resent_pct))
        drops = {"color": colour, "linestyle": "", "marker": marker, "fillstyle": "none"}
        again.plot(curve.committed_rate_kbps, curve.dropped_pct, **drops)
    netware = systems["netware"]
    line_kbps = value(netware, "branch_access_rate", "kbit/s")
    below = [kbps for kbps in RATES_KBPS if kbps <= line_kbps]
    thin = {"color": "0.4", "linewidth": 0.8, "linestyle": "-"}
    throughputs.plot(below, [n / 8 for n in below], label="the committed rate", **thin)
    throughputs.set_ylabel("throughput (kB/s)")
    marks.scales(throughputs)
    again.set_xlabel(axis_label(netware, "committed_rate", "kbit/s"))
    again.set_ylabel("dropped, sent again\n(% of packets sent)")
    marks.scales(again, x=[32, 64, 128, 192, 256, 320, 384])
    for axes in (throughputs, again):
        axes.axvline(line_kbps, color="0.4", linewidth=0.6, linestyle=":")
        axes.set_ylim(bottom=0)
    marks.note(throughputs, "line rate", (line_kbps, 0), (3, 4))
    columns = 2 if style.narrow() else 3
    figure.legend(*gaps.entries(throughputs), loc="outside upper center", ncols=columns)
    look = {"linestyle": "", "marker": "o", "color": "0.3"}
    kinds = [again.plot([], [], fillstyle=filled, **look)[0] for filled in ("full", "none")]
    again.legend(kinds, ["sent again", "dropped"], loc="upper right", ncols=1)
    full = table[table.committed_rate_kbps == max(below)].throughput_Bps / 1000
    words = dict(zip(("gaps", "bursts", "tcp"), full, strict=True))
    return style.Drawing(figure, table, CAPTION, TITLE.format(**words))


def sweep() -> style.Table:
    """Run one file with every committed rate, over both protocols."""
    burst = systems["netware"].with_(protocol="packet-burst")
    protocols = {
        "packet burst with a gap": burst.with_(burst_gap=GAP),
        "packet burst": burst,
        "TCP, window 17520 B": systems["tcp-frame-relay"].with_(receive_window=17520),
    }
    jobs = {
        (name, kbps): system.with_(
            committed_rate=f"{kbps}kbps",
            committed_burst=kbps * 1000 * MEASUREMENT_INTERVAL_S,
            excess_burst=0,
        )
        for name, system in protocols.items()
        for kbps in RATES_KBPS
    }
    read = {
        "throughput_Bps": lambda result: result.throughput_Bps,
        "dropped_pct": lambda result: _share_pct(result, DROPS),
        "resent_pct": lambda result: _share_pct(result, ["retransmissions"]),
    }
    return swept("throughput against CIR", ("protocol", "committed_rate_kbps"), jobs, read)


def _share_pct(result: Result, counts: list[str]) -> float:
    """Of all that was sent, packets or segments."""
    record = result.record
    sent = record["packets"] if "packets" in record else record["segments"]
    return sum(record[name] for name in counts) / sent * 100
